#pragma once

#include <memory>

#include "backends/vulkan/buffer_allocator.h"
#include "backends/vulkan/features.h"
#include "core/src/runtime/sharing.h"

namespace weft::backend {
class Buffer;
}

namespace weft::vulkan {

class ExportableBuffer;

/// Memory and semaphores that a device shares with others by file descriptors of the type opaque. All functions throw
/// unsupported, with the reason, if the device cannot share them; `what` names the operation. Thread-safe.
class External {
 public:
  External(Device& device, const InstanceFunctions& instance, VkPhysicalDevice physical, const FindFunction& find,
           const FeatureChain& enabled);

  const core::Uuid& device_uuid() const { return device_uuid_; }

  std::shared_ptr<backend::Buffer> create_buffer(const char* what, uint64_t bytes);
  int export_memory(const char* what, const ExportableBuffer& buffer) const;
  /// `bytes` is the size of the whole memory.
  std::shared_ptr<backend::Buffer> import_memory(const char* what, core::HandedOver& fd, uint64_t bytes);

  VkSemaphore create_semaphore(const char* what);
  int export_semaphore(const char* what, VkSemaphore semaphore) const;

 private:
  void require_memory(const char* what, VkExternalMemoryFeatureFlagBits feature) const;
  void require_semaphore(const char* what) const;
  /// "exportable_buffer: vulkan:0 (NVIDIA H200)"
  std::string subject(const char* what) const;

  Device& device_;
  core::Uuid device_uuid_{};
  ExternalFunctions functions_;
  DriverAllocator allocator_;
  VkExternalMemoryFeatureFlags memory_features_ = 0;
  VkExternalSemaphoreFeatureFlags timeline_features_ = 0;
};

}  // namespace weft::vulkan
