#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "backends/vulkan/copies_fills.h"
#include "backends/vulkan/functions.h"
#include "backends/vulkan/instance.h"
#include "backends/vulkan/queue.h"
#include "backends/vulkan/semaphore_pool.h"
#include "backends/vulkan/timeline.h"
#include "backends/vulkan/timestamp_pool.h"
#include "core/src/runtime/backend.h"
#include "core/src/runtime/retirement.h"
#include "core/src/runtime/weak_list.h"

namespace weft::vulkan {

class Device final : public backend::Device {
 public:
  /// Creates a VkDevice with the features that Weft requires or can use.
  Device(std::shared_ptr<Instance> instance, VkPhysicalDevice physical, DeviceInfo info, const DeviceOptions& options);
  ~Device() override;

  std::shared_ptr<backend::Buffer> create_buffer(uint64_t bytes) override;
  std::shared_ptr<backend::Kernel> create_kernel(const Spirv& module, const KernelOptions& options,
                                                 Reflection reflection) override;
  std::unique_ptr<backend::Stream> create_stream() override;
  void synchronize(std::chrono::nanoseconds timeout) override;

  const Instance& instance() const { return *instance_; }
  const DeviceFunctions& vk() const { return *functions_; }
  VkDevice handle() const { return device_; }
  const VkPhysicalDeviceMemoryProperties& memory() const { return memory_; }
  const VkPhysicalDeviceProperties& properties() const { return properties_; }
  bool is_nvidia() const { return properties_.vendorID == 0x10de; }
  uint32_t queue_family() const { return queue_family_; }
  /// Returns the queues in turn, so that streams spread over them.
  Queue& next_queue() { return *queues_[queue_turn_++ % queues_.size()]; }
  std::shared_ptr<const Kernel> copy_kernel() { return built_in(built_in_.copy); }
  std::shared_ptr<const Kernel> fill_kernel() { return built_in(built_in_.fill); }
  /// The work of this timeline counts as using every object of the device.
  void add(const std::shared_ptr<Timeline>& timeline) { timelines_.add(timeline); }
  /// Runs `destroy` once all work that is submitted or being recorded now is done.
  void retire(std::function<void()> destroy);
  core::Retirement& retirement() { return retirement_; }
  SemaphorePool& semaphores() { return semaphores_; }
  TimestampPool& timestamps() { return timestamps_; }

 private:
  void create(const std::set<std::string>& extensions);
  std::shared_ptr<const Kernel> built_in(BuiltInKernel& kernel) {
    return kernel.get(std::static_pointer_cast<Device>(shared_from_this()));
  }

  std::shared_ptr<Instance> instance_;
  VkPhysicalDevice physical_;
  VkDevice device_ = VK_NULL_HANDLE;
  std::unique_ptr<DeviceFunctions> functions_;
  VkPhysicalDeviceMemoryProperties memory_{};
  VkPhysicalDeviceProperties properties_{};
  uint32_t queue_family_ = 0;
  std::vector<std::unique_ptr<Queue>> queues_;
  std::atomic<uint32_t> queue_turn_ = 0;
  BuiltInKernels built_in_;
  TimestampPool timestamps_;
  SemaphorePool semaphores_;
  core::WeakList<Timeline> timelines_;  ///< Of live streams, and of closed ones whose work is not done.
  core::Retirement retirement_;
};

}  // namespace weft::vulkan
