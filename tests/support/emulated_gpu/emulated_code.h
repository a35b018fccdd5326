#pragma once

#include <cstddef>
#include <mutex>
#include <span>
#include <string>

#include "abi.h"

namespace weft::test {

/// A kernel that the translator wrote for a GPU, compiled for the CPU. Its launches run one after the other, for its
/// workgroup memory is one place. Thread-safe.
class EmulatedCode {
 public:
  /// Throws Error(unsupported) when this is no kernel.
  explicit EmulatedCode(std::span<const std::byte> shared_object);
  ~EmulatedCode();
  EmulatedCode(const EmulatedCode&) = delete;

  const emulated::Entry& entry() const { return entry_; }
  bool has(const char* function) const;

  /// Runs all workgroups on this thread, with the address of each parameter. Returns what went wrong, or nothing.
  std::string run(emulated::Dim3 groups, uint32_t dynamic_memory_bytes, const void* const* parameters) const;

 private:
  void* library_ = nullptr;
  emulated::Entry entry_;
  mutable std::mutex mutex_;
};

}  // namespace weft::test
