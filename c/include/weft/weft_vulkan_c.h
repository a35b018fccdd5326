#pragma once

/* Weft on a Vulkan device of yours, from C: docs/embedding.md, whose C++ functions these are. Only in builds with the
 * vulkan backend. Handles of Vulkan stay yours, and must outlive what uses them. */

#include <weft/weft_c.h>

WEFT_C_BEGIN

/* Behind the handles of vulkan_core.h on 64-bit platforms. */
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

/* vkGetInstanceProcAddr. */
typedef void (*weft_vulkan_function)(void);
typedef weft_vulkan_function (*weft_vulkan_get_proc_addr)(struct VkInstance_T* instance, const char* name);

/* Part of a VkBuffer. */
typedef struct weft_vulkan_buffer {
  struct VkBuffer_T* buffer;
  uint64_t offset;
  uint64_t bytes;
  uint64_t address; /* Device address of `offset`; 0: Weft calls vkGetBufferDeviceAddress. */
  void* mapped;     /* Host address of `offset`, if the memory is mapped and coherent. */
} weft_vulkan_buffer;

/* A queue that others use too. Weft calls lock and unlock around each of its uses; both or neither are null. */
typedef struct weft_vulkan_queue {
  struct VkQueue_T* queue;
  void (*lock)(void* user);
  void (*unlock)(void* user);
  void* user;
  uint32_t family;
  uint32_t reserved; /* 0 */
} weft_vulkan_queue;

/* Your allocator of buffers. `allocate` fills `buffer` with memory of at least `bytes` bytes and the usage of
 * weft_vulkan_get_buffer_usage(), at an offset and an address that are multiples of 256; mapped and coherent if
 * `host_visible` is 1. It returns 0, or another number if there is no memory. Both are thread-safe. */
typedef int32_t (*weft_vulkan_allocate)(void* user, uint64_t bytes, int32_t host_visible, weft_vulkan_buffer* buffer);
typedef void (*weft_vulkan_release)(void* user, const weft_vulkan_buffer* buffer);

typedef struct weft_vulkan_device {
  size_t size;
  struct VkInstance_T* instance;
  struct VkPhysicalDevice_T* physical_device;
  struct VkDevice_T* device;
  weft_vulkan_get_proc_addr get_proc_addr;                  /* Null: from libvulkan.so.1. */
  uint32_t instance_version;                                /* VkApplicationInfo::apiVersion. */
  uint32_t reserved;                                        /* 0 */
  const struct VkPhysicalDeviceFeatures2* enabled_features; /* The chain of vkCreateDevice; read during the call. */
  const char* const* enabled_extensions;
  size_t enabled_extension_count;
  weft_vulkan_queue queue; /* For streams; a null queue: recording needs none. */
  const struct VkAllocationCallbacks* allocator;
  struct VkPipelineCache_T* pipeline_cache;
  weft_vulkan_allocate allocate; /* Both or neither; null: vkAllocateMemory. */
  weft_vulkan_release release;
  void* buffer_user;
} weft_vulkan_device;

/* Enables in `wanted` what Weft can use and `supported` has. Any thread. */
weft_result weft_vulkan_enable_features(struct VkPhysicalDeviceFeatures2* wanted,
                                        const struct VkPhysicalDeviceFeatures2* supported);
/* WEFT_UNSUPPORTED, with a list, if a device with these features cannot be wrapped. Any thread. */
weft_result weft_vulkan_check_features(const struct VkPhysicalDeviceFeatures2* enabled, uint32_t instance_version);
/* Null options: all as the environment says. Any thread. */
weft_result weft_vulkan_wrap_device(const weft_vulkan_device* host, const weft_device_options* options,
                                    weft_device** device);
/* Compiles the kernels that copy and fill, unless a plan or kernel was made before. Any thread. */
weft_result weft_vulkan_prepare(const weft_device* device);

/* VkBufferUsageFlags that a buffer needs to be wrapped. Any thread. */
weft_result weft_vulkan_get_buffer_usage(uint32_t* usage);
/* Calls nothing of Vulkan if the address is given. Destroy it at any time, before or after the VkBuffer. Any thread. */
weft_result weft_vulkan_wrap_buffer(const weft_device* device, const weft_vulkan_buffer* memory, weft_buffer** buffer);
/* If only the address is known. Any thread. */
weft_result weft_vulkan_wrap_address(const weft_device* device, uint64_t address, uint64_t bytes, weft_buffer** buffer);
/* The VkBuffer behind a region, on any Vulkan device. Any thread. */
weft_result weft_vulkan_get_buffer(weft_region region, weft_vulkan_buffer* memory);

/* VkPipelineStageFlags2 and VkAccessFlags2. */
typedef struct weft_vulkan_access {
  uint64_t stages;
  uint64_t accesses;
} weft_vulkan_access;
/* For your barriers: how recorded work may access memory first, and how it may have written it. Any thread. */
weft_result weft_vulkan_get_accesses(weft_vulkan_access* first, weft_vulkan_access* last);

/* What commands in your command buffers need. One for each thread that records. Its functions and its recorder: one
 * thread at a time. */
typedef struct weft_vulkan_arena weft_vulkan_arena;
weft_result weft_vulkan_create_arena(const weft_device* device, weft_vulkan_arena** arena);
/* Nothing that was recorded may still run. */
weft_result weft_vulkan_destroy_arena(weft_vulkan_arena* arena);
/* Records into a command buffer, for `frame`, a number that never decreases. `barrier` is 1 for a barrier behind all
 * earlier work of Weft's on the queue, 0 if yours order it. One recording at a time is open in an arena. */
weft_result weft_vulkan_begin(weft_vulkan_arena* arena, struct VkCommandBuffer_T* commands, uint64_t frame,
                              int32_t barrier, weft_recorder** recorder);
/* Before you record your next command. The recorder is gone then. */
weft_result weft_vulkan_end(weft_vulkan_arena* arena);
/* All work of frames up to this one has run, or never will. */
weft_result weft_vulkan_finish(weft_vulkan_arena* arena, uint64_t frame);

/* A stream that submits to a queue of yours. Any thread. */
weft_result weft_vulkan_wrap_queue(const weft_device* device, const weft_vulkan_queue* queue, weft_stream** stream);
/* Work recorded from now on starts after that value of the timeline semaphore. */
weft_result weft_vulkan_wait(weft_stream* stream, struct VkSemaphore_T* semaphore, uint64_t value);
/* Submits, and signals the value after the recorded work. */
weft_result weft_vulkan_signal(weft_stream* stream, struct VkSemaphore_T* semaphore, uint64_t value);
/* What your submission waits for to run after an event. The semaphore is Weft's, and lives as long as the event. Any
 * thread. */
weft_result weft_vulkan_get_semaphore(const weft_event* event, struct VkSemaphore_T** semaphore, uint64_t* value);

WEFT_C_END
