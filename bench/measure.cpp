#include "bench/measure.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <vector>

namespace weft::bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

Timing summarize(std::vector<double> seconds, bool device_clock) {
  std::sort(seconds.begin(), seconds.end());
  const size_t middle = seconds.size() / 2;
  const double median = seconds.size() % 2 ? seconds[middle] : (seconds[middle - 1] + seconds[middle]) / 2;
  return {median, seconds.front(), seconds.back(), seconds.size(), device_clock};
}

// Submits batches of runs with a timestamp between any two, and keeps one batch queued behind the one that runs, so
// that the device never waits for the host.
class BackToBack {
 public:
  BackToBack(Stream& stream, const Case& benchmark_case, uint32_t sets, uint32_t batch)
      : stream_(stream), case_(benchmark_case), sets_(sets), batch_(batch) {}

  void submit() {
    Batch batch;
    batch.marks.push_back(stream_.timestamp());
    for (uint32_t i = 0; i < batch_; ++i) {
      case_.record(stream_, next_set_);
      next_set_ = (next_set_ + 1) % sets_;
      batch.marks.push_back(stream_.timestamp());
    }
    batch.end = stream_.record();
    batches_.push_back(std::move(batch));
  }

  // Waits for the oldest batch; the seconds of each of its runs.
  std::vector<double> finish() {
    const Batch batch = std::move(batches_.front());
    batches_.pop_front();
    batch.end.wait();
    std::vector<double> seconds;
    for (size_t i = 1; i < batch.marks.size(); ++i) seconds.push_back(batch.marks[i].seconds_since(batch.marks[i - 1]));
    return seconds;
  }

 private:
  struct Batch {
    std::vector<Timestamp> marks;
    Event end;
  };
  Stream& stream_;
  const Case& case_;
  uint32_t sets_, batch_, next_set_ = 0;
  std::deque<Batch> batches_;
};

double host_timed_run(Stream& stream, const Case& benchmark_case, uint32_t set) {
  const auto start = Clock::now();
  benchmark_case.record(stream, set);
  stream.synchronize();
  return seconds_since(start);
}

}  // namespace

Timing measure(const Device& device, const Case& benchmark_case, uint32_t sets, const MeasureOptions& options) {
  Stream stream = device.stream();
  std::vector<double> seconds;
  const double first = host_timed_run(stream, benchmark_case, 0);
  const auto warm_up = Clock::now();
  if (device.info().limits.timestamp_period_ns <= 0) {
    uint32_t set = 0;
    while (seconds_since(warm_up) < options.warm_up_seconds) host_timed_run(stream, benchmark_case, set++ % sets);
    const auto start = Clock::now();
    while (seconds.size() < options.min_runs || seconds_since(start) < options.seconds) {
      seconds.push_back(host_timed_run(stream, benchmark_case, set++ % sets));
    }
    return summarize(std::move(seconds), false);
  }
  // About 2 ms of work in a batch, by the first run's time, which is rather too long.
  const auto batch = uint32_t(std::clamp(0.002 / std::max(first, 1e-9), 1.0, 64.0));
  BackToBack runs(stream, benchmark_case, sets, batch);
  runs.submit();
  while (seconds_since(warm_up) < options.warm_up_seconds) {
    runs.submit();
    runs.finish();
  }
  const auto start = Clock::now();
  while (seconds.size() < options.min_runs || seconds_since(start) < options.seconds) {
    runs.submit();
    const std::vector<double> batch_seconds = runs.finish();
    seconds.insert(seconds.end(), batch_seconds.begin(), batch_seconds.end());
  }
  runs.finish();
  return summarize(std::move(seconds), true);
}

}  // namespace weft::bench
