#include "backends/vulkan/owned_device.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "backends/vulkan/describe.h"
#include "backends/vulkan/errors.h"
#include "core/src/runtime/messages.h"
#include "core/src/runtime/process.h"

namespace weft::vulkan {

namespace {

struct Family {
  uint32_t index = 0, queues = 1;
};

/// The first family that can compute, with up to `most` queues. Drivers list their most capable one first; it copies
/// and fills too.
Family find_compute_family(const InstanceFunctions& vk, VkPhysicalDevice device, uint32_t most) {
  uint32_t count = 0;
  vk.vkGetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vk.vkGetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());
  for (uint32_t i = 0; i < count; ++i) {
    if (families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) return {i, std::min(most, families[i].queueCount)};
  }
  throw Error(ErrorCode::unsupported, "the Vulkan device has no queue for compute work");
}

VkDevice create(const Instance& instance, VkPhysicalDevice physical, const std::string& name,
                const FeatureChain& enabled, const Family& family) {
  std::set<std::string> extensions;
  for (const Feature& f : features()) {
    if (f.extension && vulkan::is_on(f, enabled.core)) extensions.insert(f.extension);
  }
  for (const Extension& e : vulkan::extensions()) {
    if (enabled.has(e.name)) extensions.insert(e.name);
  }
  std::vector<const char*> names;
  for (const auto& extension : extensions) names.push_back(extension.c_str());

  const std::vector<float> priorities(family.queues, 1.0f);
  VkDeviceQueueCreateInfo queues{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queues.queueFamilyIndex = family.index;
  queues.queueCount = family.queues;
  queues.pQueuePriorities = priorities.data();
  VkDeviceCreateInfo create{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &enabled.core};
  create.queueCreateInfoCount = 1;
  create.pQueueCreateInfos = &queues;
  create.enabledExtensionCount = uint32_t(names.size());
  create.ppEnabledExtensionNames = names.data();
  VkDevice device = VK_NULL_HANDLE;
  check(instance.owner().vkCreateDevice(physical, &create, nullptr, &device), "opening " + name);
  return device;
}

FindFunction find_in(const Instance& instance, VkDevice device) {
  return [get = instance.owner().vkGetDeviceProcAddr, device, labels = instance.has_labels()](const char* name) {
    const bool wanted = labels || !std::string_view(name).ends_with("DebugUtilsLabelEXT");
    return wanted ? get(device, name) : nullptr;
  };
}

}  // namespace

std::shared_ptr<OwnedDevice> OwnedDevice::open(std::shared_ptr<Instance> instance, VkPhysicalDevice physical,
                                               const std::string& selector, const DeviceOptions& options) {
  if (options.queues == 0) core::invalid("open_device()", "DeviceOptions::queues is 0. Give at least 1.");
  const std::set<std::string> extensions = instance->device_extensions(physical);
  FeatureChain supported(extensions), enabled(extensions);
  instance->owner().vkGetPhysicalDeviceFeatures2(physical, &supported.core);
  enabled.set_from(supported.core);
  DeviceInfo info = describe(instance->functions(), physical, enabled, VK_API_VERSION_1_3);
  info.selector = selector;
  const Family family = find_compute_family(instance->functions(), physical, options.queues);
  Handles handles;
  handles.physical = physical;
  handles.device = create(*instance, physical, info.name, enabled, family);
  const std::shared_ptr<OwnedDevice> device(new OwnedDevice(std::move(info), options, handles, instance, enabled),
                                            core::DeleteWhereMade());
  for (uint32_t i = 0; i < family.queues; ++i) {
    VkQueue queue = VK_NULL_HANDLE;
    device->owner_.vkGetDeviceQueue(handles.device, family.index, i, &queue);
    device->add_queue(std::make_shared<Queue>(queue, family.index));
  }
  return device;
}

OwnedDevice::OwnedDevice(DeviceInfo info, const DeviceOptions& options, const Handles& handles,
                         std::shared_ptr<Instance> instance, const FeatureChain& enabled)
    : Device(std::move(info), options, handles, instance->functions(), find_in(*instance, handles.device), enabled,
             std::make_unique<DriverAllocator>(instance->functions(), handles.physical)),
      instance_(std::make_unique<std::shared_ptr<Instance>>(std::move(instance))),
      owner_(find_in(**instance_, handles.device)) {}

OwnedDevice::~OwnedDevice() {
  if (!streams_are_idle()) {
    // Destroying a device whose work does not end would wait forever. It is left to the operating system, together with
    // the objects that the work uses (see ~Retirement) and the instance, which must outlive it.
    static_cast<void>(instance_.release());
    return;
  }
  owner_.vkDeviceWaitIdle(handle());  // until the driver has cleaned up after the last submission
  destroy_objects();
  owner_.vkDestroyDevice(handle(), nullptr);
}

}  // namespace weft::vulkan
