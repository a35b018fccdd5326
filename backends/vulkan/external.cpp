#include "backends/vulkan/external.h"

#include <algorithm>
#include <string>

#include <weft/error.h>

#include "backends/vulkan/buffer.h"
#include "backends/vulkan/device.h"
#include "backends/vulkan/errors.h"
#include "core/src/runtime/process.h"

namespace weft::vulkan {

namespace {

constexpr auto memory_type = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
constexpr auto semaphore_type = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;

core::Uuid uuid_of(const InstanceFunctions& vk, VkPhysicalDevice physical) {
  VkPhysicalDeviceIDProperties id{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES};
  VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &id};
  vk.vkGetPhysicalDeviceProperties2(physical, &properties);
  core::Uuid uuid;
  std::ranges::copy(id.deviceUUID, uuid.begin());
  return uuid;
}

VkExternalMemoryFeatureFlags memory_features(const InstanceFunctions& vk, VkPhysicalDevice physical) {
  VkPhysicalDeviceExternalBufferInfo info{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO};
  info.usage = device_buffer_usage;
  info.handleType = memory_type;
  VkExternalBufferProperties properties{VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES};
  vk.vkGetPhysicalDeviceExternalBufferProperties(physical, &info, &properties);
  return properties.externalMemoryProperties.externalMemoryFeatures;
}

VkExternalSemaphoreFeatureFlags timeline_features(const InstanceFunctions& vk, VkPhysicalDevice physical) {
  VkSemaphoreTypeCreateInfo type{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  VkPhysicalDeviceExternalSemaphoreInfo info{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_SEMAPHORE_INFO, &type};
  info.handleType = semaphore_type;
  VkExternalSemaphoreProperties properties{VK_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_PROPERTIES};
  vk.vkGetPhysicalDeviceExternalSemaphoreProperties(physical, &info, &properties);
  return properties.externalSemaphoreFeatures;
}

std::string without_extension(const char* extension) {
  return std::string(" was created without the extension ") + extension +
         ", which this needs. open_device() enables it if the driver has it; enable it on your own device, and list "
         "it in HostDevice::enabled_extensions";
}

}  // namespace

External::External(Device& device, const InstanceFunctions& instance, VkPhysicalDevice physical,
                   const FindFunction& find, const FeatureChain& enabled)
    : device_(device),
      device_uuid_(uuid_of(instance, physical)),
      functions_(find),
      allocator_(instance, physical),
      memory_features_(memory_features(instance, physical)),
      timeline_features_(timeline_features(instance, physical)) {
  if (!enabled.has(VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME)) functions_.vkGetMemoryFdKHR = nullptr;
  if (!enabled.has(VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME)) functions_.vkGetSemaphoreFdKHR = nullptr;
}

std::string External::subject(const char* what) const {
  return std::string(what) + ": " + device_.info().selector + " (" + device_.info().name + ")";
}

void External::require_memory(const char* what, VkExternalMemoryFeatureFlagBits feature) const {
  const auto refuse = [&](const std::string& why) { throw Error(ErrorCode::unsupported, subject(what) + why); };
  if (!functions_.vkGetMemoryFdKHR) refuse(without_extension(VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME));
  const bool exports = feature == VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT;
  if (!(memory_features_ & feature)) {
    refuse(std::string(" does not ") + (exports ? "export" : "import") + " buffers as opaque file descriptors");
  }
  if (memory_features_ & VK_EXTERNAL_MEMORY_FEATURE_DEDICATED_ONLY_BIT) {
    refuse(" shares memory only in dedicated allocations, which Weft does not make");
  }
}

void External::require_semaphore(const char* what) const {
  if (functions_.vkGetSemaphoreFdKHR) return;
  throw Error(ErrorCode::unsupported, subject(what) + without_extension(VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME));
}

std::shared_ptr<backend::Buffer> External::create_buffer(const char* what, uint64_t bytes) {
  require_memory(what, VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT);
  device_.retirement().collect();
  VkExternalMemoryBufferCreateInfo buffer{VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO};
  buffer.handleTypes = memory_type;
  VkExportMemoryAllocateInfo memory{VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO};
  memory.handleTypes = memory_type;
  const auto allocate = [&] { return allocator_.allocate(device_, bytes, MemoryUse::device, {&buffer, &memory}); };
  return core::make_here<ExportableBuffer>(std::static_pointer_cast<Device>(device_.shared_from_this()),
                                           OwnedMemory::make(device_, allocator_, allocate), bytes);
}

int External::export_memory(const char* what, const ExportableBuffer& buffer) const {
  VkMemoryGetFdInfoKHR info{VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR};
  info.memory = buffer.allocation().memory;
  info.handleType = memory_type;
  int fd = -1;
  check(functions_.vkGetMemoryFdKHR(device_.handle(), &info, &fd), subject(what) + ": exporting memory");
  return fd;
}

std::shared_ptr<backend::Buffer> External::import_memory(const char* what, core::HandedOver& fd, uint64_t bytes) {
  require_memory(what, VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT);
  VkExternalMemoryBufferCreateInfo buffer{VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO};
  buffer.handleTypes = memory_type;
  VkImportMemoryFdInfoKHR memory{VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR};
  memory.handleType = memory_type;
  memory.fd = static_cast<int>(fd.duplicate().number());
  auto imported = OwnedMemory::make(device_, allocator_, [&] {
    return allocator_.allocate(device_, bytes, MemoryUse::device, {&buffer, &memory, &fd.duplicate(), bytes});
  });
  fd.accept();
  return core::make_here<OwnedBuffer>(std::static_pointer_cast<Device>(device_.shared_from_this()), std::move(imported),
                                      bytes);
}

VkSemaphore External::create_semaphore(const char* what) {
  require_semaphore(what);
  if (!device_.has_timelines() || !(timeline_features_ & VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT)) {
    throw Error(
        ErrorCode::unsupported,
        subject(what) + (device_.has_timelines() ? " does not export timeline semaphores as opaque file descriptors"
                                                 : " was created without the feature timelineSemaphore"));
  }
  return device_.semaphores().create_exportable();
}

int External::export_semaphore(const char* what, VkSemaphore semaphore) const {
  require_semaphore(what);
  VkSemaphoreGetFdInfoKHR info{VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR};
  info.semaphore = semaphore;
  info.handleType = semaphore_type;
  int fd = -1;
  check(functions_.vkGetSemaphoreFdKHR(device_.handle(), &info, &fd), subject(what) + ": exporting a semaphore");
  return fd;
}

}  // namespace weft::vulkan
