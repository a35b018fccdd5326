#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <string>

#include <weft/buffer.h>
#include <weft/stream.h>

#include "tests/algorithms/all_plans/overlap_cases.h"

/// Runs the plans of overlap_cases() with all their arguments in one buffer.
namespace weft::test {

constexpr uint64_t step_bytes = 16;  // Arguments start at multiples of this.

/// Offsets of a case's arguments in one buffer, in bytes.
struct Layout {
  struct Range {
    uint64_t offset, bytes;
  };
  std::map<std::string, Range> ranges;
  uint64_t bytes = 0;

  void add(const std::string& name, uint64_t size) {
    ranges[name] = {bytes, size};
    bytes += (size + 2 * step_bytes - 1) / step_bytes * step_bytes;
  }
  Regions regions(const Buffer<uint32_t>& memory) const {
    Regions all;
    for (const auto& [name, range] : ranges) all[name] = memory.view().region().part(range.offset, range.bytes);
    return all;
  }
};

/// Has the device run what `record` records.
using RunWork = std::function<void(const std::function<void(Recorder&)>& record)>;

/// Fills the buffer, runs the plan, by the stream unless `run` is given, and compares all of the buffer but temporary
/// storage with the CPU's result.
void check_case(Stream& stream, const OverlapCase& one, const Layout& at, const Buffer<uint32_t>& memory,
                std::mt19937_64& generator, const RunWork& run = {});

}  // namespace weft::test
