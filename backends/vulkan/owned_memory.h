#pragma once

#include <memory>

#include "backends/vulkan/buffer_allocator.h"
#include "core/src/runtime/retirement.h"

namespace weft::vulkan {

/// An allocation, released when this is destroyed.
class OwnedMemory final : public core::Remains {
 public:
  /// `allocate` returns the allocation, which comes from `allocator`. It is called last, so none is lost.
  template <typename Allocate>
  static std::unique_ptr<OwnedMemory> make(const Device& device, BufferAllocator& allocator, const Allocate& allocate) {
    std::unique_ptr<OwnedMemory> memory(new OwnedMemory(device, allocator));
    memory->allocation_ = allocate();
    return memory;
  }
  static std::unique_ptr<OwnedMemory> make(const Device& device, BufferAllocator& allocator, uint64_t bytes,
                                           MemoryUse use) {
    return make(device, allocator, [&] { return allocator.allocate(device, bytes, use); });
  }
  ~OwnedMemory() override {
    if (allocation_.buffer) allocator_.release(device_, allocation_);
  }

  const Allocation& allocation() const { return allocation_; }

 private:
  OwnedMemory(const Device& device, BufferAllocator& allocator) : device_(device), allocator_(allocator) {}

  const Device& device_;
  BufferAllocator& allocator_;
  Allocation allocation_;
};

}  // namespace weft::vulkan
