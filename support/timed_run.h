#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include <weft/buffer.h>
#include <weft/stream.h>

namespace weft::support {

/// Uploads the bytes to a new buffer on the stream's device.
Buffer<std::byte> upload(Stream& stream, std::span<const std::byte> data);

/// Runs what `record` records `count` times in a row. Returns the seconds of each run by the device's clock, or by the
/// host's clock if the device has no timestamps.
std::vector<double> timed_runs(Stream& stream, uint32_t count, const std::function<void(Recorder&)>& record);

/// The times of several runs.
class RunTimes {
 public:
  /// Takes at least one time, in any order.
  explicit RunTimes(std::vector<double> seconds);

  double median() const { return seconds_[seconds_.size() / 2]; }
  /// "1.2 ms", or "5 runs, median 1.2 ms, from 1.1 ms to 3.4 ms"
  std::string text() const;

 private:
  std::vector<double> seconds_;  // ascending
};

/// Overwrites `outputs`, to expose work that does not write them, and then runs what `record` records `count` times.
RunTimes timed_run(Stream& stream, uint32_t count, std::initializer_list<Region> outputs,
                   const std::function<void(Recorder&)>& record);

}  // namespace weft::support
