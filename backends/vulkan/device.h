#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "backends/vulkan/buffer_allocator.h"
#include "backends/vulkan/built_in.h"
#include "backends/vulkan/debug_utils.h"
#include "backends/vulkan/external.h"
#include "backends/vulkan/features.h"
#include "backends/vulkan/float_controls.h"
#include "backends/vulkan/frames.h"
#include "backends/vulkan/functions.h"
#include "backends/vulkan/queue.h"
#include "backends/vulkan/semaphore_pool.h"
#include "backends/vulkan/synchronization.h"
#include "backends/vulkan/timeline.h"
#include "backends/vulkan/timestamp_pool.h"
#include "core/src/runtime/backend.h"
#include "core/src/runtime/retirement.h"
#include "core/src/runtime/weak_list.h"

namespace weft::vulkan {

/// A VkDevice that Weft uses, whether Weft created it (OwnedDevice) or the host program did (WrappedDevice). The
/// objects that Weft created on it are destroyed with its last user.
class Device : public backend::Device {
 public:
  std::shared_ptr<backend::Buffer> create_buffer(uint64_t bytes) override;
  std::shared_ptr<backend::Kernel> create_kernel(const Spirv& module, const KernelOptions& options,
                                                 Reflection reflection) override;
  std::unique_ptr<backend::Stream> create_stream() override;
  void synchronize(std::chrono::nanoseconds timeout) override;
  bool shares_memory_with(const backend::Device& other) const override;

  const DeviceFunctions& vk() const { return *functions_; }
  VkDevice handle() const { return handles_.device; }
  const VkAllocationCallbacks* allocator() const { return handles_.allocator; }
  /// The host's; null if kernels are cached on disk.
  VkPipelineCache pipeline_cache() const { return handles_.pipeline_cache; }
  const DebugUtils& debug() const { return debug_; }
  bool has_timelines() const { return has_timelines_; }
  /// Whether the feature of the table with this name is enabled.
  bool has_feature(std::string_view name) const { return features_.contains(name); }
  const FloatControls& float_controls() const { return float_controls_; }
  /// The version of Vulkan that the device may be used with.
  uint32_t version() const { return version_; }
  const VkPhysicalDeviceProperties& properties() const { return properties_; }
  uint64_t address_of(VkBuffer buffer) const;
  /// The family of the queues that create_stream() uses; there must be one.
  uint32_t family() const { return queues_.front()->family(); }
  /// Throws invalid_argument unless there is a queue family of that number, and it computes.
  void check_family(uint32_t family) const;
  /// Valid bits of the timestamps that queues of this family write; 0: they write none.
  uint32_t timestamp_bits(uint32_t family) const { return families_[family].timestampValidBits; }
  /// A queue that streams may submit to. Throws as check_family() does, and invalid_argument for a lock without unlock.
  /// Without a lock, streams of the same queue share Weft's.
  std::shared_ptr<Queue> host_queue(VkQueue queue, uint32_t family, const std::function<void()>& lock,
                                    const std::function<void()>& unlock);
  /// A stream that submits to `queue`. Throws unsupported without timelineSemaphore.
  std::unique_ptr<backend::Stream> create_stream(std::shared_ptr<Queue> queue);

  BufferAllocator& buffer_allocator() { return *buffer_allocator_; }
  const Synchronization& synchronization() const { return *synchronization_; }
  BuiltInPipelines& built_in() { return built_in_; }
  External& external() { return external_; }
  core::Retirement& retirement() { return retirement_; }
  /// The work of this timeline counts as using every object of the device; that of these frames too.
  void add(const std::shared_ptr<Timeline>& timeline);
  void add(const std::shared_ptr<Frames>& frames) { retirement_.add(frames); }
  /// Releases them once all work that is submitted or being recorded now is done.
  void retire(std::unique_ptr<core::Remains> remains) noexcept { retirement_.retire(std::move(remains)); }
  SemaphorePool& semaphores() { return semaphores_; }
  TimestampPool& timestamps() { return timestamps_; }
  /// Number of the validation layer's messages about the device; 0 if Weft has not enabled the layer.
  virtual uint64_t validation_messages() const { return 0; }

 protected:
  struct Handles {
    VkPhysicalDevice physical = VK_NULL_HANDLE;
    VkDevice device = VK_NULL_HANDLE;
    const VkAllocationCallbacks* allocator = nullptr;
    VkPipelineCache pipeline_cache = VK_NULL_HANDLE;
  };
  /// `enabled` has the features that the VkDevice was created with.
  Device(DeviceInfo info, const DeviceOptions& options, const Handles& handles, const InstanceFunctions& instance,
         const FindFunction& find, const FeatureChain& enabled, std::unique_ptr<BufferAllocator> buffer_allocator);

  /// Streams spread over the queues that were added.
  void add_queue(std::shared_ptr<Queue> queue) { queues_.push_back(std::move(queue)); }
  /// Whether all submissions of streams are done, or never will be because the device is lost.
  bool streams_are_idle() const;
  /// Destroys all objects that Weft created on the VkDevice. None may be in use.
  void destroy_objects();
  /// Waits until the driver has cleaned up after the streams' submissions, by an empty submission to each of the host's
  /// queues that they used. Returns false if that times out or fails.
  bool pass_host_queues(std::chrono::nanoseconds timeout);

 private:
  Handles handles_;
  std::unique_ptr<const DeviceFunctions> functions_;
  DebugUtils debug_;
  std::unique_ptr<BufferAllocator> buffer_allocator_;
  std::unique_ptr<const Synchronization> synchronization_;
  VkPhysicalDeviceProperties properties_{};
  std::set<std::string_view> features_;
  FloatControls float_controls_{};
  uint32_t version_;
  std::vector<VkQueueFamilyProperties> families_;
  External external_;
  bool has_timelines_;
  std::vector<std::shared_ptr<Queue>> queues_;  ///< Of create_stream().
  std::mutex host_queues_mutex_;
  std::vector<std::shared_ptr<Queue>> host_queues_;
  std::atomic<uint32_t> queue_turn_ = 0;
  BuiltInPipelines built_in_;
  TimestampPool timestamps_;
  SemaphorePool semaphores_;
  core::WeakList<Timeline> timelines_;  ///< Of live streams, and of closed ones with unfinished work.
  core::Retirement retirement_;
};

}  // namespace weft::vulkan
