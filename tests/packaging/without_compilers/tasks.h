#pragma once

#include <cstdint>
#include <span>

#include <weft/weft.h>

namespace shipped {

/// One thing that the program does on a device.
struct Task {
  const char* name;
  /// Runs it on `count` random elements. Returns whether the result is the CPU's.
  bool (*run)(weft::Stream& stream, uint32_t count, uint32_t seed);
};

std::span<const Task> tasks();

}  // namespace shipped
