#pragma once
// What an emulated kernel and what runs it say to each other. Both are compiled with it.
#include <stdint.h>

namespace emulated {

struct Dim3 {
  uint32_t x, y, z;
};

/// Where a kernel's code finds itself, and the way out of it. Its lanes run one after the other, so there is one.
struct Place {
  Dim3 thread, block, grid;
  void* dynamic_memory;
  void* workgroup;
  /// Waits for the lanes of `mask` to come to the same operation, and returns the words that they came with.
  const uint32_t* (*meet)(void* workgroup, uint64_t mask, int operation, uint32_t word);
  void (*barrier)(void* workgroup);
  /// Ends the launch by an exception. Says why.
  void (*stop)(void* workgroup, const char* why);
};

/// One kernel, which weft_emulated_entry() describes.
struct Entry {
  /// One lane. Takes the address of each parameter, as a launch does.
  void (*run)(const void* const* parameters);
  uint32_t parameter_count;
  uint64_t parameter_bytes[2];
  Place* place;
  uint32_t warp;
  Dim3 block;
  uint64_t static_memory_bytes, dynamic_memory_bytes;
};

}  // namespace emulated
