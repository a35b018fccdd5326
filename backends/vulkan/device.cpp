#include "backends/vulkan/device.h"

#include <algorithm>
#include <string>

#include "backends/vulkan/buffer.h"
#include "backends/vulkan/errors.h"
#include "backends/vulkan/kernel.h"
#include "backends/vulkan/stream.h"
#include "core/src/runtime/process.h"

namespace weft::vulkan {

namespace {

std::vector<VkQueueFamilyProperties> queue_families(const InstanceFunctions& vk, VkPhysicalDevice device) {
  uint32_t count = 0;
  vk.vkGetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vk.vkGetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());
  return families;
}

FloatControls float_controls_of(const InstanceFunctions& vk, VkPhysicalDevice device) {
  FloatControls controls{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES};
  VkPhysicalDeviceProperties2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &controls};
  vk.vkGetPhysicalDeviceProperties2(device, &all);
  return controls;
}

}  // namespace

Device::Device(DeviceInfo info, const DeviceOptions& options, const Handles& handles, const InstanceFunctions& instance,
               const FindFunction& find, const FeatureChain& enabled, std::unique_ptr<BufferAllocator> buffer_allocator)
    : backend::Device(std::move(info), options),
      handles_(handles),
      functions_(std::make_unique<DeviceFunctions>(find, enabled.version())),
      debug_(find, handles.device),
      buffer_allocator_(std::move(buffer_allocator)),
      synchronization_(make_synchronization(*functions_, enabled.v13.synchronization2 && functions_->vkQueueSubmit2)),
      features_(enabled.names()),
      float_controls_(float_controls_of(instance, handles.physical)),
      version_(enabled.version()),
      families_(queue_families(instance, handles.physical)),
      external_(*this, instance, handles.physical, find, enabled),
      has_timelines_(enabled.v12.timelineSemaphore),
      built_in_(*this),
      timestamps_(*this),
      semaphores_(*this) {
  instance.vkGetPhysicalDeviceProperties(handles_.physical, &properties_);
}

void Device::destroy_objects() {
  retirement_.drain();
  built_in_.destroy();
  timestamps_.destroy();
  semaphores_.destroy();
}

uint64_t Device::address_of(VkBuffer buffer) const {
  const VkBufferDeviceAddressInfo info{VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, nullptr, buffer};
  return functions_->vkGetBufferDeviceAddress(handle(), &info);
}

void Device::check_family(uint32_t family) const {
  const std::string which = "queue family " + std::to_string(family) + " of " + info().name;
  if (family >= families_.size()) {
    throw Error(ErrorCode::invalid_argument,
                "there is no " + which + ", which has " + std::to_string(families_.size()) + " families");
  }
  if (!(families_[family].queueFlags & VK_QUEUE_COMPUTE_BIT)) {
    throw Error(ErrorCode::invalid_argument, which + " does not compute (it has no VK_QUEUE_COMPUTE_BIT)");
  }
}

std::shared_ptr<backend::Buffer> Device::create_buffer(uint64_t bytes) {
  retirement_.collect();
  return core::make_here<OwnedBuffer>(std::static_pointer_cast<Device>(shared_from_this()),
                                      OwnedMemory::make(*this, *buffer_allocator_, bytes, MemoryUse::device), bytes);
}

std::shared_ptr<backend::Kernel> Device::create_kernel(const Spirv& module, const KernelOptions& options,
                                                       Reflection reflection) {
  return core::make_here<Kernel>(std::static_pointer_cast<Device>(shared_from_this()), module, options,
                                 std::move(reflection));
}

std::unique_ptr<backend::Stream> Device::create_stream() {
  if (queues_.empty()) {
    throw Error(ErrorCode::unsupported, info().selector + " (" + info().name +
                                            ") was wrapped without a queue, so it has no streams; give it "
                                            "HostDevice::queue, or record into your own command buffers");
  }
  return create_stream(queues_[queue_turn_++ % queues_.size()]);
}

std::unique_ptr<backend::Stream> Device::create_stream(std::shared_ptr<Queue> queue) {
  if (!has_timelines_) {
    throw Error(ErrorCode::unsupported,
                info().selector + " (" + info().name +
                    ") has no streams: they need the feature timelineSemaphore, which is not enabled");
  }
  return std::make_unique<Stream>(std::static_pointer_cast<Device>(shared_from_this()), std::move(queue));
}

std::shared_ptr<Queue> Device::host_queue(VkQueue queue, uint32_t family, const std::function<void()>& lock,
                                          const std::function<void()>& unlock) {
  check_family(family);
  if (bool(lock) != bool(unlock)) {
    throw Error(ErrorCode::invalid_argument, "HostQueue takes both lock and unlock, or neither");
  }
  const std::lock_guard hold(host_queues_mutex_);
  if (!lock) {
    const auto known =
        std::ranges::find_if(host_queues_, [&](const auto& q) { return q->is(queue) && !q->has_host_lock(); });
    if (known != host_queues_.end()) return *known;
    return host_queues_.emplace_back(std::make_shared<Queue>(queue, family));
  }
  const auto added = std::make_shared<Queue>(queue, family, lock, unlock);
  // Replaces earlier ones that no stream uses any more: a host may wrap the same queue many times.
  std::erase_if(host_queues_, [&](const auto& old) {
    if (!old->is(queue) || !old->has_host_lock() || old.use_count() > 1) return false;
    if (old->used()) added->set_used();
    return true;
  });
  return host_queues_.emplace_back(added);
}

bool Device::pass_host_queues(std::chrono::nanoseconds timeout) {
  // Mesa's submission thread still touches the semaphores of a submission for a moment after its work is done, but
  // before it takes the next submission.
  const VkFenceCreateInfo info{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  for (const auto& queue : host_queues_) {
    if (!queue->used()) continue;
    VkFence fence = VK_NULL_HANDLE;
    if (vk().vkCreateFence(handle(), &info, allocator(), &fence) != VK_SUCCESS) return false;
    const VkResult submitted = queue->locked([&](VkQueue q) { return synchronization().submit(q, {}, fence); });
    const VkResult result = submitted == VK_SUCCESS
                                ? vk().vkWaitForFences(handle(), 1, &fence, VK_TRUE, uint64_t(timeout.count()))
                                : submitted;
    // A lost device executes nothing more.
    const bool passed = result == VK_SUCCESS || result == VK_ERROR_DEVICE_LOST;
    if (submitted == VK_SUCCESS && !passed) return false;  // The fence is still in use.
    vk().vkDestroyFence(handle(), fence, allocator());
    if (!passed) return false;
  }
  return true;
}

void Device::synchronize(std::chrono::nanoseconds timeout) {
  for (const auto& timeline : timelines_.alive()) timeline->wait(timeline->submitted(), timeout);
  retirement_.collect();
}

void Device::add(const std::shared_ptr<Timeline>& timeline) {
  timelines_.add(timeline);
  retirement_.add(timeline);
}

bool Device::streams_are_idle() const {
  return timelines_.all_of([](const Timeline& timeline) { return timeline.idle(); });
}

bool Device::shares_memory_with(const backend::Device& other) const {
  const auto* const device = dynamic_cast<const Device*>(&other);
  return device && device->handle() == handle();
}

}  // namespace weft::vulkan
