#include "support/timed_run.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <weft/device.h>

#include "support/text.h"

namespace weft::support {
namespace {

void poison(Stream& stream, const Region& output) {
  constexpr std::byte value{0xa5};
  const uint64_t words = output.bytes / 4 * 4, rest = output.bytes - words;  // fills write whole words
  stream.fill(View<std::byte>(output.part(0, words)), value);
  const std::vector<std::byte> last(rest, value);
  stream.upload_region(output.part(words, rest), last);
}

}  // namespace

Buffer<std::byte> upload(Stream& stream, std::span<const std::byte> data) {
  auto memory = stream.device().buffer<std::byte>(data.size());
  stream.upload_region(memory, data);
  return memory;
}

std::vector<double> timed_runs(Stream& stream, uint32_t count, const std::function<void(Recorder&)>& record) {
  const bool has_clock = stream.device().info().limits.timestamp_period_ns > 0;
  std::vector<double> seconds;
  uint32_t batch = 1;  // runs per submission: one to learn the time, then about half a second's worth
  stream.synchronize();
  while (seconds.size() < count) {
    const auto host_start = std::chrono::steady_clock::now();
    std::vector<Timestamp> marks;
    if (has_clock) marks.push_back(stream.timestamp());
    for (uint32_t i = 0; i < batch; ++i) {
      record(stream);
      if (has_clock) marks.push_back(stream.timestamp());
    }
    stream.synchronize();
    const double host_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - host_start).count();
    if (!has_clock) seconds.push_back(host_seconds);
    for (size_t i = 1; i < marks.size(); ++i) seconds.push_back(marks[i].seconds_since(marks[i - 1]));
    const double affordable = std::clamp(0.5 / std::max(host_seconds / batch, 1e-9), 1.0, 64.0);
    batch = has_clock ? std::min(uint32_t(affordable), std::max(1u, uint32_t(count - seconds.size()))) : 1;
  }
  return seconds;
}

RunTimes::RunTimes(std::vector<double> seconds) : seconds_(std::move(seconds)) { std::ranges::sort(seconds_); }

std::string RunTimes::text() const {
  if (seconds_.size() == 1) return format_seconds(seconds_[0]);
  return format("%zu runs, median ", seconds_.size()) + format_seconds(median()) + ", from " +
         format_seconds(seconds_.front()) + " to " + format_seconds(seconds_.back());
}

RunTimes timed_run(Stream& stream, uint32_t count, std::initializer_list<Region> outputs,
                   const std::function<void(Recorder&)>& record) {
  for (const Region& output : outputs) poison(stream, output);
  return RunTimes(timed_runs(stream, count, record));
}

}  // namespace weft::support
