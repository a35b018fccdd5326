#include "backends/vulkan/device.h"

#include <algorithm>

#include "backends/vulkan/buffer.h"
#include "backends/vulkan/errors.h"
#include "backends/vulkan/features.h"
#include "backends/vulkan/kernel.h"
#include "backends/vulkan/stream.h"

namespace weft::vulkan {

namespace {

/// Streams of one device share up to this many queues.
constexpr uint32_t max_queues = 4;

struct Family {
  uint32_t index = 0, queues = 1;
};

/// The first family that supports compute, and so transfers. Drivers list their most capable family first.
Family find_compute_family(const InstanceFunctions& vk, VkPhysicalDevice device) {
  uint32_t count = 0;
  vk.vkGetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vk.vkGetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());
  for (uint32_t i = 0; i < count; ++i) {
    if (families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) return {i, std::min(max_queues, families[i].queueCount)};
  }
  throw Error(ErrorCode::unsupported, "the Vulkan device has no compute queue");
}

}  // namespace

Device::Device(std::shared_ptr<Instance> instance, VkPhysicalDevice physical, DeviceInfo info,
               const DeviceOptions& options)
    : backend::Device(std::move(info), options),
      instance_(std::move(instance)),
      physical_(physical),
      timestamps_(*this),
      semaphores_(*this) {
  instance_->functions().vkGetPhysicalDeviceMemoryProperties(physical_, &memory_);
  instance_->functions().vkGetPhysicalDeviceProperties(physical_, &properties_);
  create(instance_->device_extensions(physical_));
}

void Device::create(const std::set<std::string>& extensions) {
  const InstanceFunctions& vk = instance_->functions();
  FeatureChain supported(extensions);
  vk.vkGetPhysicalDeviceFeatures2(physical_, &supported.core);
  FeatureChain enabled(extensions);
  std::set<std::string> wanted;
  for (const Feature& f : features()) {
    if (!f.field(supported)) continue;
    f.field(enabled) = VK_TRUE;
    if (f.extension) wanted.insert(f.extension);
  }
  std::vector<const char*> names;
  for (const auto& name : wanted) names.push_back(name.c_str());

  const Family family = find_compute_family(vk, physical_);
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
  check(vk.vkCreateDevice(physical_, &create, nullptr, &device_), "opening " + info().name);
  functions_ = std::make_unique<DeviceFunctions>(vk, device_);
  queue_family_ = family.index;
  for (uint32_t i = 0; i < family.queues; ++i) {
    queues_.push_back(std::make_unique<Queue>());
    functions_->vkGetDeviceQueue(device_, family.index, i, &queues_.back()->handle);
  }
}

Device::~Device() {
  const bool idle = std::ranges::all_of(timelines_.alive(), [](const auto& timeline) { return timeline->idle(); });
  if (!idle) {
    // Destroying a device whose work does not end would wait forever. It is left to the operating system, together with
    // the objects that the work uses (see ~Retirement) and the instance, which must outlive it.
    new std::shared_ptr<Instance>(instance_);
    return;
  }
  functions_->vkDeviceWaitIdle(device_);  // the driver may still be cleaning up after the last submission
  retirement_.drain();
  timestamps_.destroy();
  semaphores_.destroy();
  functions_->vkDestroyDevice(device_, nullptr);
}

std::shared_ptr<backend::Buffer> Device::create_buffer(uint64_t bytes) {
  retirement_.collect();
  return std::make_shared<Buffer>(std::static_pointer_cast<Device>(shared_from_this()), bytes);
}

std::shared_ptr<backend::Kernel> Device::create_kernel(const Spirv& module, const KernelOptions& options,
                                                       Reflection reflection) {
  return std::make_shared<Kernel>(std::static_pointer_cast<Device>(shared_from_this()), module, options,
                                  std::move(reflection));
}

std::unique_ptr<backend::Stream> Device::create_stream() {
  return std::make_unique<Stream>(std::static_pointer_cast<Device>(shared_from_this()));
}

void Device::synchronize(std::chrono::nanoseconds timeout) {
  for (const auto& timeline : timelines_.alive()) timeline->wait(timeline->submitted(), timeout);
  retirement_.collect();
}

void Device::retire(std::function<void()> destroy) {
  std::vector<core::CompletionPoint> points;
  for (auto& timeline : timelines_.alive()) {
    const uint64_t value = timeline->last_use();
    points.push_back([timeline = std::move(timeline), value] { return timeline->reached(value); });
  }
  retirement_.retire(std::move(points), std::move(destroy));
}

}  // namespace weft::vulkan
