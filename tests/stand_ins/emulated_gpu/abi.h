#pragma once
// The interface between an emulated kernel and its runner. Both are compiled with it.
#include <stdint.h>

namespace emulated {

struct Dim3 {
  uint32_t x, y, z;
};

/// The state of the running lane, and its exits to the runner. Lanes run one after the other, so there is only one.
struct LaneState {
  Dim3 thread, block, grid;
  void* dynamic_memory;
  void* workgroup;
  uint64_t awaits;  ///< How often lanes of the launch have waited for earlier launches.
  /// Waits until the lanes of `mask` have reached the same operation, and returns their words.
  const uint32_t* (*meet)(void* workgroup, uint64_t mask, int operation, uint32_t word);
  void (*barrier)(void* workgroup);
  /// Ends the launch with an exception that gives the reason.
  void (*stop)(void* workgroup, const char* why);
};

/// A kernel, as described by weft_emulated_entry().
struct Entry {
  /// Runs one lane. Takes the address of each parameter, as a launch does.
  void (*run)(const void* const* parameters);
  uint32_t parameter_count;
  uint64_t parameter_bytes[2];
  LaneState* lane_state;
  uint32_t warp;
  Dim3 block;
  uint64_t static_memory_bytes, dynamic_memory_bytes;
};

}  // namespace emulated
