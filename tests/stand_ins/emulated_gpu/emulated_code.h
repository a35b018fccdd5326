#pragma once

#include <cstddef>
#include <mutex>
#include <span>
#include <string>

#include "tests/stand_ins/emulated_gpu/abi.h"

namespace weft::test {

struct EmulatedLaunch {
  emulated::Dim3 groups;
  uint32_t dynamic_memory_bytes = 0;
  bool dependent = false;  ///< On a GPU, it could start before the stream's earlier launches end.
};

/// A kernel translated for a GPU and compiled for the CPU. Its launches run one after the other, because they share its
/// workgroup memory. Thread-safe.
class EmulatedCode {
 public:
  /// Throws Error(unsupported) if the code is not a kernel.
  explicit EmulatedCode(std::span<const std::byte> shared_object);
  ~EmulatedCode();
  EmulatedCode(const EmulatedCode&) = delete;

  const emulated::Entry& entry() const { return entry_; }
  bool has(const char* function) const;

  /// Runs all workgroups on this thread, with the address of each parameter. Returns an error message, or nothing.
  std::string run(const EmulatedLaunch& launch, const void* const* parameters) const;

 private:
  std::string run_groups(const EmulatedLaunch& launch, const void* const* parameters) const;

  void* library_ = nullptr;
  emulated::Entry entry_;
  mutable std::mutex mutex_;
};

}  // namespace weft::test
