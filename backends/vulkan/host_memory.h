#pragma once

#include <weft/interop/vulkan.h>

#include "backends/vulkan/memory.h"

namespace weft::vulkan {

/// Memory from the host program's allocator.
class HostAllocator final : public Memory {
 public:
  explicit HostAllocator(HostMemory host) : host_(std::move(host)) {}
  Allocation allocate(const Device& device, uint64_t bytes, MemoryUse use) override;
  void release(const Device& device, const Allocation& allocation) override;

 private:
  HostMemory host_;
};

}  // namespace weft::vulkan
