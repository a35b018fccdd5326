#pragma once

#include <weft/interop/vulkan.h>

#include "backends/vulkan/buffer_allocator.h"

namespace weft::vulkan {

/// Memory from the host program's allocator.
class WrappedAllocator final : public BufferAllocator {
 public:
  explicit WrappedAllocator(HostBufferAllocator host) : host_(std::move(host)) {}
  Allocation allocate(const Device& device, uint64_t bytes, MemoryUse use) override;
  void release(const Device& device, const Allocation& allocation) override;

 private:
  HostBufferAllocator host_;
};

}  // namespace weft::vulkan
