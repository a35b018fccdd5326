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

namespace weft::tools {

/// Those bytes in memory of the stream's device.
Buffer<std::byte> upload(Stream& stream, std::span<const std::byte> data);

/// Runs what `record` records `count` times on end, and returns the seconds of each by the device's clock, or by the
/// host's where the device has no timestamps.
std::vector<double> timed_runs(Stream& stream, uint32_t count, const std::function<void(Recorder&)>& record);

/// How long each of some runs took.
class RunTimes {
 public:
  /// In any order; at least one.
  explicit RunTimes(std::vector<double> seconds);

  double median() const { return seconds_[seconds_.size() / 2]; }
  /// "1.2 ms", or "5 runs, median 1.2 ms, from 1.1 ms to 3.4 ms"
  std::string text() const;

 private:
  std::vector<double> seconds_;  // ascending
};

/// Overwrites `outputs`, so that work which writes nothing there shows, and then does what `record` records `count`
/// times.
RunTimes timed_run(Stream& stream, uint32_t count, std::initializer_list<Region> outputs,
                   const std::function<void(Recorder&)>& record);

}  // namespace weft::tools
