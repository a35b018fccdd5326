#include "bench/measure.h"

#include <algorithm>
#include <deque>
#include <vector>

#include "bench/seconds.h"

namespace weft::bench {
namespace {

Timing summarize(std::vector<double> seconds, bool device_clock) {
  std::sort(seconds.begin(), seconds.end());
  const size_t middle = seconds.size() / 2;
  const double median = seconds.size() % 2 ? seconds[middle] : (seconds[middle - 1] + seconds[middle]) / 2;
  return {median, seconds.front(), seconds.back(), seconds.size(), device_clock};
}

// Batches of runs with a timestamp between each two.
class DeviceTimed : public Runs {
 public:
  DeviceTimed(const Device& device, const Case& benchmark_case, uint32_t sets)
      : stream_(device.stream()), case_(benchmark_case), sets_(sets) {}

  void submit(uint32_t runs) override {
    Batch batch;
    batch.marks.push_back(stream_.timestamp());
    for (uint32_t i = 0; i < runs; ++i) {
      case_.record(stream_, next_set_);
      next_set_ = (next_set_ + 1) % sets_;
      batch.marks.push_back(stream_.timestamp());
    }
    batch.end = stream_.record();
    batches_.push_back(std::move(batch));
  }

  std::vector<double> finish() override {
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
  Stream stream_;
  const Case& case_;
  uint32_t sets_, next_set_ = 0;
  std::deque<Batch> batches_;
};

// For devices without timestamps: waits for each run.
class HostTimed : public Runs {
 public:
  HostTimed(const Device& device, const Case& benchmark_case, uint32_t sets)
      : stream_(device.stream()), case_(benchmark_case), sets_(sets) {}

  void submit(uint32_t runs) override { batches_.push_back(runs); }

  std::vector<double> finish() override {
    std::vector<double> seconds(batches_.front());
    batches_.pop_front();
    for (double& one : seconds) {
      const auto start = Clock::now();
      case_.record(stream_, next_set_);
      stream_.synchronize();
      one = seconds_since(start);
      next_set_ = (next_set_ + 1) % sets_;
    }
    return seconds;
  }
  bool device_clock() const override { return false; }

 private:
  Stream stream_;
  const Case& case_;
  uint32_t sets_, next_set_ = 0;
  std::deque<uint32_t> batches_;
};

// One participant of the turns, with the times of its runs so far.
class Turns {
 public:
  explicit Turns(Runs& runs) : runs_(runs) {
    runs.submit(1);
    const double first = runs.finish().front();
    // A batch takes about 2 ms.
    batch_ = uint32_t(std::clamp(0.002 / std::max(first, 1e-9), 1.0, 64.0));
  }

  // One batch is always queued behind the running one, so that the device never waits for the host.
  void take(double warm_up_seconds, double seconds, size_t min_runs) {
    runs_.submit(batch_);
    const auto warm_up = Clock::now();
    while (seconds_since(warm_up) < warm_up_seconds) {
      runs_.submit(batch_);
      runs_.finish();
    }
    const size_t enough = seconds_.size() + min_runs;
    const auto start = Clock::now();
    while (seconds_.size() < enough || seconds_since(start) < seconds) {
      runs_.submit(batch_);
      const std::vector<double> batch_seconds = runs_.finish();
      seconds_.insert(seconds_.end(), batch_seconds.begin(), batch_seconds.end());
    }
    runs_.finish();
  }

  Timing timing() const { return summarize(seconds_, runs_.device_clock()); }

 private:
  Runs& runs_;
  uint32_t batch_ = 1;
  std::vector<double> seconds_;
};

}  // namespace

std::unique_ptr<Runs> runs_of(const Device& device, const Case& benchmark_case, uint32_t sets) {
  if (device.info().limits.timestamp_period_ns > 0) {
    return std::make_unique<DeviceTimed>(device, benchmark_case, sets);
  }
  return std::make_unique<HostTimed>(device, benchmark_case, sets);
}

std::vector<Timing> measure(const std::vector<Runs*>& all, const MeasureOptions& options) {
  const int rounds = all.size() > 1 ? 5 : 1;
  std::vector<Turns> turns;
  for (Runs* runs : all) turns.emplace_back(*runs);
  for (int round = 0; round < rounds; ++round) {
    // The device stays busy between turns, so later turns only need to warm their own caches and queues.
    const double warm_up = round == 0 ? options.warm_up_seconds : options.warm_up_seconds / 10;
    for (Turns& one : turns) one.take(warm_up, options.seconds / rounds, options.min_runs / rounds);
  }
  std::vector<Timing> timings;
  for (const Turns& one : turns) timings.push_back(one.timing());
  return timings;
}

}  // namespace weft::bench
