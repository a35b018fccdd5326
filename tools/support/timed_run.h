#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <vector>

#include <weft/buffer.h>
#include <weft/stream.h>

namespace weft::tools {

/// Those bytes in memory of the stream's device.
Buffer<std::byte> upload(Stream& stream, std::span<const std::byte> data);

/// Runs what `record` records `count` times on end, and returns the seconds of each by the device's clock, or by the
/// host's where the device has no timestamps.
std::vector<double> timed_runs(Stream& stream, uint32_t count, const std::function<void(Recorder&)>& record);

/// Runs what `record` records twice and returns the seconds of the second run: the first pays for what drivers put off
/// until then. In between overwrites `outputs`, so that a run which writes nothing there shows.
double timed_run(Stream& stream, std::initializer_list<Region> outputs, const std::function<void(Recorder&)>& record);

}  // namespace weft::tools
