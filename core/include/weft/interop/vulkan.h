#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <weft/api.h>
#include <weft/device.h>
#include <weft/interop/vulkan_external.h>

// The types behind the handles VkInstance, VkBuffer and so on of vulkan_core.h on 64-bit platforms.
struct VkInstance_T;
struct VkPhysicalDevice_T;
struct VkDevice_T;
struct VkQueue_T;
struct VkCommandBuffer_T;
struct VkBuffer_T;
struct VkSemaphore_T;
struct VkPipelineCache_T;
struct VkAllocationCallbacks;
struct VkPhysicalDeviceFeatures2;

/// Weft inside a program that owns a Vulkan device; see docs/embedding.md. Only in builds with the vulkan backend.
namespace weft::vulkan {

/// vkGetInstanceProcAddr.
using GetProcAddr = void (*(*)(VkInstance_T*, const char*))();

// ---- before the device exists --------------------------------------------------------------------------------------

/// One feature bit of vkCreateDevice.
struct FeatureRequirement {
  std::string structure;  ///< "VkPhysicalDeviceVulkan12Features"
  std::string name;       ///< "bufferDeviceAddress"
  std::string extension;  ///< The device extension that it belongs to; empty for core Vulkan.
  bool required = false;  ///< Weft refuses devices without it. Weft uses other features if they are enabled.
  std::string reason;     ///< Its purpose, in words.
};

/// An optional device extension without features.
struct ExtensionRequirement {
  std::string name;    ///< "VK_KHR_external_memory_fd"
  std::string reason;  ///< Its purpose, in words.
};

struct WEFT_API Requirements {
  uint32_t api_version = 0;  ///< Of the instance and the device, in the form of VK_MAKE_API_VERSION.
  std::vector<FeatureRequirement> features;
  std::vector<ExtensionRequirement> optional_extensions;

  /// The names of all required or of all optional device extensions, with or without features, without duplicates.
  std::vector<std::string> extensions(bool required) const;
};

/// The features that Weft requires of a Vulkan device, and those that it can use. Needs no device and loads nothing.
/// Thread-safe.
WEFT_API Requirements requirements();

/// Enables features in `wanted`, your chain for vkCreateDevice: those that Weft can use and that are on in `supported`,
/// the chain that vkGetPhysicalDeviceFeatures2 filled. A required feature is also enabled if `supported` has no
/// structure for it. Both chains may have the structures of Vulkan versions or those of single features. Returns the
/// features for which `wanted` has no structure, with the names of structures that have them. Thread-safe; loads
/// nothing.
WEFT_API std::vector<std::string> enable(VkPhysicalDeviceFeatures2& wanted, const VkPhysicalDeviceFeatures2& supported);

/// Describes what wrap_device() would miss on a device created with `enabled`; empty if nothing. Weft requires no
/// device extension, so `extensions` may be empty. Thread-safe; loads nothing.
WEFT_API std::vector<std::string> missing(const VkPhysicalDeviceFeatures2& enabled,
                                          std::span<const char* const> extensions, uint32_t instance_version);

// ---- the device ----------------------------------------------------------------------------------------------------

/// A queue that others use too. Weft calls lock and unlock around each of its uses, on the thread that uses the queue,
/// while it holds no lock of its own. Give both or, if nobody else uses the queue while Weft does, neither. Another
/// Weft device on the same VkDevice counts as somebody else.
struct HostQueue {
  VkQueue_T* queue = nullptr;
  uint32_t family = 0;
  std::function<void()> lock, unlock;
};

/// Part of a VkBuffer.
struct HostBuffer {
  VkBuffer_T* buffer = nullptr;
  uint64_t offset = 0, bytes = 0;
  uint64_t address = 0;    ///< Device address of `offset`. 0: Weft calls vkGetBufferDeviceAddress.
  void* mapped = nullptr;  ///< Host address of `offset`, if the memory is mapped and coherent.
};

/// Your allocator of buffers, for all memory that Weft allocates on a wrapped device. `allocate` returns at least
/// `bytes` bytes of a VkBuffer with the usage buffer_usage(), at an offset and a device address that are multiples of
/// 256; mapped and coherent if `host_visible`. `release` is called when no work uses the memory any more. Both must be
/// thread-safe.
struct HostBufferAllocator {
  std::function<HostBuffer(uint64_t bytes, bool host_visible)> allocate;
  std::function<void(const HostBuffer&)> release;
};

struct HostDevice {
  VkInstance_T* instance = nullptr;
  VkPhysicalDevice_T* physical_device = nullptr;
  VkDevice_T* device = nullptr;
  GetProcAddr get_proc_addr = nullptr;  ///< Every function comes from here. Null: from the system's Vulkan loader.
  uint32_t instance_version = 0;        ///< VkApplicationInfo::apiVersion. Vulkan has no query for it.
  /// The chain that vkCreateDevice was given. Vulkan has no query for it. Read during the call only.
  const VkPhysicalDeviceFeatures2* enabled_features = nullptr;
  std::vector<std::string> enabled_extensions;
  std::optional<HostQueue> queue;  ///< For streams. Recording needs none.
  const VkAllocationCallbacks* allocator = nullptr;
  /// Null: the cache of DeviceOptions. All threads that make kernels use it, without a lock of Weft's.
  VkPipelineCache_T* pipeline_cache = nullptr;
  HostBufferAllocator buffer_allocator;  ///< Empty: vkAllocateMemory.
};

/// Wraps an existing device. Everything in `host` stays yours and must outlive the Device and all objects made from it.
/// Weft uses what is enabled, not what is supported, and never calls vkDeviceWaitIdle or vkQueueWaitIdle. Throws
/// unsupported with a list of what the device lacks; invalid_argument if a handle or enabled_features is null or if the
/// queue's family cannot compute. DeviceOptions::validation has no effect: enable the layer in your instance.
/// Thread-safe.
WEFT_API Device wrap_device(const HostDevice& host, const DeviceOptions& options = DeviceOptions::from_environment());

/// Compiles the two kernels that copy and fill, which a Recording cannot compile. Creating the first Kernel or plan of
/// a wrapped device does so too, and the first RecordingArena of a device that open_device() opened. Throws
/// invalid_argument for a device of another backend. Thread-safe.
WEFT_API void prepare(const Device& device);

/// Number of warnings and errors of the validation layer about `device` and its instance so far; each also went to
/// DeviceOptions::messages. 0 without validation, and for wrapped devices: their messages go to your messenger. Throws
/// invalid_argument for a device of another backend.
WEFT_API uint64_t validation_messages(const Device& device);

// ---- memory --------------------------------------------------------------------------------------------------------

/// VkBufferUsageFlags that a VkBuffer needs to be wrapped: device address, storage, transfer source and destination,
/// and indirect. Add VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT if a kernel binds it as a uniform buffer.
WEFT_API uint32_t buffer_usage();

namespace detail {
WEFT_API std::shared_ptr<backend::Buffer> wrap_buffer(const Device& device, const HostBuffer& buffer, uint64_t count,
                                                      uint64_t element_bytes, uint64_t alignment);
WEFT_API std::shared_ptr<backend::Buffer> wrap_address(const Device& device, uint64_t address, uint64_t count,
                                                       uint64_t element_bytes, uint64_t alignment);
}  // namespace detail

/// Wraps part of a VkBuffer, which stays yours: destroy it when no work uses it any more, and then do not use the
/// Buffer again, even if the next VkBuffer has the same handle. The Buffer may be destroyed at any time. Makes no
/// Vulkan call if the address is given, so it is cheap enough for every frame. Throws invalid_argument if the handle is
/// null, or if `count` elements do not fit or are misaligned. Thread-safe.
template <DeviceCopyable T>
Buffer<T> wrap_buffer(const Device& device, const HostBuffer& buffer, uint64_t count) {
  return Buffer<T>(detail::wrap_buffer(device, buffer, count, sizeof(T), alignof(T)), count);
}
/// As above if only the device address is known. Operations that need a VkBuffer then throw invalid_argument: bindings,
/// counts of dispatch_indirect(), temporary storage of a SegmentedSort, uploads, downloads, and copies that do not
/// start and end at multiples of 4 bytes. Thread-safe.
template <DeviceCopyable T>
Buffer<T> wrap_address(const Device& device, uint64_t address, uint64_t count) {
  return Buffer<T>(detail::wrap_address(device, address, count, sizeof(T), alignof(T)), count);
}
/// The VkBuffer of a view, on any Vulkan device. It stays the property of the view's Buffer. Throws invalid_argument
/// for an empty view, for memory of another backend, and if only the address is known. Thread-safe.
WEFT_API HostBuffer host_buffer(const Region& region);

// ---- recording into the host's command buffers ---------------------------------------------------------------------

/// VkPipelineStageFlags2 and VkAccessFlags2. All flags have the same values in VkPipelineStageFlags and VkAccessFlags,
/// so they suit barriers without synchronization2 too.
struct Access {
  uint64_t stages = 0, accesses = 0;
};
/// How recorded work may access memory: the second scope of your barrier before it.
WEFT_API Access first_access();
/// How recorded work may have written memory: the first scope of your barrier after it. If your indirect command
/// reads what a plan wrote, its second scope names the stage draw indirect with the access indirect command read.
WEFT_API Access last_access();

/// Whether a Recording starts with a barrier.
enum class Opening {
  barrier,  ///< Before the first command, ordering it after all of Weft's earlier ones on the queue.
  none,     ///< Your barriers order it. Earlier submissions of the same command buffer count as earlier work.
};

class Recording;

/// Descriptor sets and scratch memory of recorded commands. Create one for each thread that records, at load time. It
/// has room for three frames in flight; recording creates a Vulkan object only if a frame needs more than all earlier
/// ones. Never shrinks. Keeps its device open. Not thread-safe, but different arenas are independent.
class WEFT_API RecordingArena {
 public:
  /// Allocates `scratch_bytes` for each of three frames. Each Recording::scratch() takes its size of them, rounded up
  /// to a multiple of 256. Throws out_of_memory, and invalid_argument for a device of another backend.
  explicit RecordingArena(const Device& device, uint64_t scratch_bytes = 0);
  RecordingArena(RecordingArena&&) noexcept;
  RecordingArena& operator=(RecordingArena&&) noexcept;
  ~RecordingArena();  ///< Nothing that was recorded may still run. Does not wait.

  /// Records into `commands`, a primary or secondary command buffer of a family that can compute, in the recording
  /// state and outside a render pass, that of vkCmdBeginRendering included. The commands belong to `frame`, a number
  /// from 0 to 2^63 - 1 that never decreases; numbers may be left out. Destroy the Recording before the command buffer
  /// ends, and before you record your next command. Several may follow one another. Throws invalid_argument for a null
  /// handle, for a frame that is finished, older than the last one or out of range, and if the arena was moved from.
  ///
  /// Changes this state of the command buffer: the compute pipeline, push constants of all stages (drivers keep one
  /// block for all) and, if a kernel with bindings is dispatched, descriptor sets of the compute bind point.
  ///
  /// Weft's commands are ordered among themselves; with Opening::barrier, also across Recordings and submissions to one
  /// queue. Order them against your own with barriers that use first_access() and last_access(). The command buffer may
  /// be submitted never, once, or several times one after the other.
  Recording record(VkCommandBuffer_T* commands, uint64_t frame, Opening opening = Opening::barrier);
  /// Tells the arena that all work of frames up to `frame` has run or never will. Its scratch memory and descriptor
  /// sets are reused. Plans, kernels and buffers that were destroyed while frames were in flight are freed now.
  ///
  /// `frame` need not have been recorded: pass the number of your last frame that is done, whether Weft was in it or
  /// not. A frame up to it can no longer be recorded. An older number than before has no effect. Throws
  /// invalid_argument above 2^63 - 1: in the first frames, frame - frames_in_flight is below zero, and no frame is
  /// done. Throws it too if the arena was moved from.
  void finished(uint64_t frame);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A Recorder for every plan's record(). Submits nothing, waits for nothing and compiles nothing: before prepare() or
/// the first kernel of a wrapped device, copies and fills throw invalid_argument. timestamp() throws unsupported. Calls
/// only vkCmd* functions, with one exception: a kernel with bindings allocates or updates descriptor sets unless an
/// earlier frame of the arena bound the same parts of the same Buffers. A VkBuffer that is wrapped again is another
/// Buffer. Not thread-safe.
class WEFT_API Recording : public Recorder {
 public:
  ~Recording() override;
  Recording(const Recording&) = delete;

  /// Memory of the arena for the commands of this frame, 256-byte aligned. No two calls in a frame overlap. Throws
  /// out_of_memory.
  Region scratch(uint64_t bytes);

 private:
  friend class RecordingArena;
  explicit Recording(std::unique_ptr<backend::Recorder> impl);
  std::unique_ptr<backend::Recorder> recorder_;
};

// ---- Weft's own submissions beside the host's ----------------------------------------------------------------------

/// A stream that submits to `queue` under its lock, on a wrapped device or one of Weft's own. The lock must work until
/// the Device is closed. Throws invalid_argument for a null handle, lock without unlock, a family that cannot compute
/// and a device of another backend; unsupported without timelineSemaphore. Thread-safe.
WEFT_API Stream wrap_queue(const Device& device, const HostQueue& queue);

/// A value of a timeline semaphore.
struct SemaphoreValue {
  VkSemaphore_T* semaphore = nullptr;
  uint64_t value = 0;
};
/// Work recorded from now on starts after `point`, which may be signalled later. The semaphore stays yours and must
/// live until that work is done. Throws invalid_argument for a null handle and a stream of another backend.
WEFT_API void wait(Stream& stream, const SemaphoreValue& point);
/// Submits the recorded work and signals `point` after it. The semaphore stays yours and must live until it is
/// signalled. Throws as wait() does.
WEFT_API void signal(Stream& stream, const SemaphoreValue& point);
/// The point that your submission waits for to run after `event`. The semaphore is Weft's and lives as long as the
/// event. Throws invalid_argument for an empty event and one of another backend.
WEFT_API SemaphoreValue semaphore(const Event& event);

}  // namespace weft::vulkan
