#pragma once

#include "backends/vulkan/device.h"
#include "backends/vulkan/memory.h"
#include "core/src/runtime/backend.h"

namespace weft::vulkan {

class Buffer final : public backend::Buffer {
 public:
  Buffer(std::shared_ptr<Device> device, uint64_t bytes);
  ~Buffer() override;

  VkBuffer handle() const { return allocation_.buffer; }

 private:
  Buffer(std::shared_ptr<Device> device, const Allocation& allocation, uint64_t bytes);

  Allocation allocation_;
};

/// The VkBuffer of a region. The public classes have checked that the region belongs to this backend.
inline VkBuffer handle_of(const Region& region) { return static_cast<const Buffer*>(region.buffer)->handle(); }

}  // namespace weft::vulkan
