#pragma once

/* Weft's C interface: C11, and C++98 for those who include it from there. docs/c.md leads through it.
 *
 * Every function but those that return text gives a weft_result, and catches all exceptions. Null handles and outputs,
 * handles of another kind, and structs of a wrong size are WEFT_INVALID_ARGUMENT. A function that fails writes nothing
 * to its outputs, but for handles, which become null.
 *
 * Handles keep their device open: it closes with the last of them. Destroy each once, in any order; null is taken.
 * What is destroyed while submitted work uses it stays until that work is done.
 *
 * Structs that may grow begin with `size`: set it to sizeof, and all other members to 0 or what they should be. Texts
 * are UTF-8 and end with 0. Those that Weft returns are its own, and stay as long as the object that they are about.
 *
 * Threads: "any thread" means that calls for the same handle may run at the same time. "One thread at a time" is for
 * the handle that is named; calls for other handles may run meanwhile. A handle is destroyed by one thread, when no
 * other uses it. */

#include <stddef.h>
#include <stdint.h>

/* Around declarations: they are C, and a shared library exports them. */
#ifdef __cplusplus
#define WEFT_C_LINKAGE_BEGIN extern "C" {
#define WEFT_C_LINKAGE_END }
#else
#define WEFT_C_LINKAGE_BEGIN
#define WEFT_C_LINKAGE_END
#endif
#if defined(__GNUC__) && !defined(_WIN32)
#define WEFT_C_BEGIN _Pragma("GCC visibility push(default)") WEFT_C_LINKAGE_BEGIN
#define WEFT_C_END WEFT_C_LINKAGE_END _Pragma("GCC visibility pop")
#else
#define WEFT_C_BEGIN WEFT_C_LINKAGE_BEGIN
#define WEFT_C_END WEFT_C_LINKAGE_END
#endif

WEFT_C_BEGIN

/* ---- results ---------------------------------------------------------------------------------------------------- */

typedef int32_t weft_result;
enum {
  WEFT_OK = 0,
  WEFT_INVALID_ARGUMENT = 1,   /* The call is wrong. Change the call. */
  WEFT_UNSUPPORTED = 2,        /* This device or build cannot do it. */
  WEFT_OUT_OF_MEMORY = 3,      /* The device, or the host's memory for it. */
  WEFT_COMPILE_FAILED = 4,     /* weft_error_log() has the compiler's messages. */
  WEFT_TIMEOUT = 5,            /* The work continues; wait again, or give up the device. */
  WEFT_DEVICE_LOST = 6,        /* Its objects are unusable; the process and other devices are fine. */
  WEFT_KERNEL_FAILED = 7,      /* The device found an error in a kernel. */
  WEFT_IO_FAILED = 8,          /* A file could not be read or written. */
  WEFT_OUT_OF_HOST_MEMORY = 9, /* operator new failed. */
  WEFT_UNKNOWN_ERROR = 10      /* An exception that is not Weft's. */
};

/* "invalid_argument"; "unknown" for other numbers. The text stays. Any thread. */
const char* weft_result_name(weft_result result);
/* What the calling thread's last failed call tried, what was wrong, and what would be right; "" if none failed. Calls
 * that succeed leave it. Valid until this thread's next failure, and no longer than the thread. Any thread. */
const char* weft_error_message(void);
/* The compiler's output of that failure; "" if there is none. As above. */
const char* weft_error_log(void);
/* The library's version as major.minor.patch. The text stays. Any thread. */
const char* weft_version(void);

/* ---- handles and memory ------------------------------------------------------------------------------------------ */

typedef struct weft_device weft_device;
typedef struct weft_device_list weft_device_list;
typedef struct weft_buffer weft_buffer;
typedef struct weft_recorder weft_recorder; /* Records commands: a stream's, or that of a command buffer of yours. */
typedef struct weft_stream weft_stream;
typedef struct weft_event weft_event;
typedef struct weft_timestamp weft_timestamp;
typedef struct weft_kernel weft_kernel;
typedef struct weft_plan weft_plan;
typedef struct weft_pack weft_pack;
typedef struct weft_cache_entry weft_cache_entry;

/* Bytes of a buffer. All zero: no memory. This struct and the two below do not grow. */
typedef struct weft_region {
  weft_buffer* buffer;
  uint64_t offset; /* In bytes, from the start of the buffer. */
  uint64_t bytes;  /* WEFT_REST: up to the end of the buffer. */
} weft_region;
#define WEFT_REST (~(uint64_t)0)

/* A number of elements: `value`, or if `on_device` has a buffer, the first word there, which is read when the work
 * runs. */
typedef struct weft_count {
  uint64_t value;
  weft_region on_device;
  uint64_t word_bytes; /* Of the word on the device: 8 or 4; 0 is 8. */
} weft_count;

/* Where a plan writes counts: words of 8 or 4 bytes, one after the other. */
typedef struct weft_count_output {
  weft_region words;
  uint64_t word_bytes; /* 8 or 4; 0 is 8. */
} weft_count_output;

/* ---- packs: kernels compiled ahead of time (docs/shipping.md) -----------------------------------------------------
 */

/* Reads a file. Its contents are kept, so it may be replaced. Any thread. */
weft_result weft_open_pack(const char* path, weft_pack** pack);
/* The bytes are not copied: they stay yours, and must stay as long as the pack and every device that was given it.
 * `name` is for messages. Any thread. */
weft_result weft_open_pack_in_memory(const void* bytes, size_t size, const char* name, weft_pack** pack);
/* What it holds, for people. Any thread. */
weft_result weft_get_pack_description(const weft_pack* pack, const char** description);
/* Devices that were opened with it keep what they need. */
weft_result weft_destroy_pack(weft_pack* pack);

/* ---- devices ----------------------------------------------------------------------------------------------------- */

/* Receives what Weft cannot return, such as errors while a stream closes. It must be thread-safe and must not call
 * Weft. */
typedef void (*weft_message_callback)(void* user, int32_t severity, const char* text);
enum { WEFT_MESSAGE_WARNING = 0, WEFT_MESSAGE_ERROR = 1 };

/* A cache of compiled kernels. `load` gives the bytes that were last stored under a kind and a key, by one call of
 * weft_set_cache_entry(); without a call there are none. `key` has 32 hexadecimal digits. Both must be thread-safe.
 * Weft runs the bytes as code, so keep other users from writing them. */
typedef void (*weft_load_callback)(void* user, const char* kind, const char* key, weft_cache_entry* entry);
typedef void (*weft_store_callback)(void* user, const char* kind, const char* key, const void* bytes, size_t size);
/* Copies the bytes. Only in a weft_load_callback, on its thread. */
weft_result weft_set_cache_entry(weft_cache_entry* entry, const void* bytes, size_t size);

/* Is told of each plan that is made, as the line for weft_create_plan(). Must be thread-safe. */
typedef void (*weft_plan_callback)(void* user, const char* line);

/* Zeros stand for what the environment says (docs/environment.md), or with ignore_environment for the defaults: no
 * cache, no packs, no tuning. Texts and arrays are copied. Callbacks and what `user` points to must stay until the
 * device closes. */
typedef struct weft_device_options {
  size_t size;
  uint32_t ignore_environment;
  uint32_t validation;      /* 1: Vulkan's validation layer checks every call. */
  uint64_t timeout_ns;      /* How long a wait may take; 0: a minute. */
  uint64_t queues;          /* Streams of a Vulkan device that may run side by side; 0: 4. Fewer open faster. */
  const char* cache_folder; /* "": no cache. */
  weft_load_callback load;  /* A cache of your own in place of a folder: both or none. */
  weft_store_callback store;
  void* cache_user;
  const weft_pack* const* packs; /* Searched in this order, before the cache. */
  size_t pack_count;
  const char* tuning;            /* Entries as `weft tune` writes them; "": none. */
  const char* compiler;          /* The C++ compiler of the host device. */
  weft_message_callback message; /* Null: messages go to stderr. */
  void* message_user;
  weft_plan_callback plan; /* For a list of the plans that a program makes. */
  void* plan_user;
  const char* plans_file; /* In place of the callback: a file that lists plans and kernels (docs/shipping.md). */
} weft_device_options;

enum { WEFT_DISCRETE_GPU = 0, WEFT_INTEGRATED_GPU = 1, WEFT_VIRTUAL_GPU = 2, WEFT_CPU = 3, WEFT_OTHER_DEVICE = 4 };
enum { WEFT_NVIDIA = 0, WEFT_AMD = 1, WEFT_INTEL = 2, WEFT_OTHER_VENDOR = 3 };
/* Bits of weft_device_info::features, as DeviceFeatures of weft/device_info.h. */
enum {
  WEFT_INT8 = 1 << 0,
  WEFT_INT16 = 1 << 1,
  WEFT_INT64 = 1 << 2,
  WEFT_FLOAT16 = 1 << 3,
  WEFT_FLOAT64 = 1 << 4,
  WEFT_STORAGE8 = 1 << 5,
  WEFT_STORAGE16 = 1 << 6,
  WEFT_BUFFER_INT64_ATOMICS = 1 << 7,
  WEFT_WORKGROUP_INT64_ATOMICS = 1 << 8,
  WEFT_FLOAT32_ATOMIC_ADD = 1 << 9,
  WEFT_SUBGROUP_EXTENDED_TYPES = 1 << 10,
  WEFT_SUBGROUP_SIZE_CONTROL = 1 << 11,
  WEFT_MAXIMAL_RECONVERGENCE = 1 << 12,
  WEFT_SCALAR_LAYOUT = 1 << 13,
  WEFT_WORKGROUP_FORWARD_PROGRESS = 1 << 14
};

/* Filled by Weft; set `size` before. The texts are the device's, or the list's. */
typedef struct weft_device_info {
  size_t size;
  const char* selector; /* Opens this device: "vulkan:0". */
  const char* backend;
  const char* name;
  const char* driver;
  const char* api;
  const char* architecture; /* "sm_90"; "" where the driver does not say. */
  const char* refusal;      /* Why Weft refuses this device; "" if it can be opened. */
  uint32_t kind;
  uint32_t vendor;
  uint64_t features;
  uint64_t memory_bytes;
  uint64_t max_buffer_bytes;
  uint32_t subgroup_size;
  uint32_t min_subgroup_size;
  uint32_t max_subgroup_size;
  uint32_t max_workgroup_invocations;
  uint32_t max_workgroup_size[3];
  uint32_t max_workgroup_count[3];
  uint32_t workgroup_memory_bytes;
  uint32_t push_constant_bytes;
} weft_device_info;

/* Opens a device by a selector: "cuda:1", "vulkan:nvidia", "host:threads=2"; null or "": the best one. Null options:
 * all as the environment says. Any thread. */
weft_result weft_open_device(const char* selector, const weft_device_options* options, weft_device** device);
/* It closes when the last object made from it is destroyed. */
weft_result weft_destroy_device(weft_device* device);
/* Any thread. */
weft_result weft_get_device_info(const weft_device* device, weft_device_info* info);
/* Waits until the submitted work of all streams is done. Any thread. */
weft_result weft_synchronize_device(const weft_device* device);

/* Lists all devices, also those that Weft refuses. Any thread. */
weft_result weft_list_devices(weft_device_list** list);
weft_result weft_destroy_device_list(weft_device_list* list);
/* Any thread. */
weft_result weft_get_listed_device_count(const weft_device_list* list, size_t* count);
weft_result weft_get_listed_device(const weft_device_list* list, size_t index, weft_device_info* info);
/* A line for each backend that has no device, with the reason. Any thread. */
weft_result weft_get_missing_devices(const weft_device_list* list, const char** reasons);

/* ---- buffers ----------------------------------------------------------------------------------------------------- */

/* Allocates device memory, uninitialized. May be of 0 bytes. Any thread. */
weft_result weft_create_buffer(const weft_device* device, uint64_t bytes, weft_buffer** buffer);
weft_result weft_destroy_buffer(weft_buffer* buffer);
/* Any thread. */
weft_result weft_get_buffer_bytes(const weft_buffer* buffer, uint64_t* bytes);
/* The device address, for a buffer reference in push constants; 0 for a buffer of 0 bytes. Any thread. */
weft_result weft_get_buffer_address(const weft_buffer* buffer, uint64_t* address);

/* ---- streams ----------------------------------------------------------------------------------------------------- */

/* Of the timeouts below: that of the device. */
#define WEFT_DEVICE_TIMEOUT (~(uint64_t)0)

/* A queue of work, in order. Functions of a stream and its recorder: one thread at a time. Any thread for this one. */
weft_result weft_create_stream(const weft_device* device, weft_stream** stream);
/* Submits what was recorded, and waits for it. */
weft_result weft_destroy_stream(weft_stream* stream);
/* What records into the stream. It is the stream's: valid until that is destroyed. */
weft_result weft_get_stream_recorder(weft_stream* stream, weft_recorder** recorder);
/* Copies from the host. The data may be reused at once. */
weft_result weft_upload(weft_stream* stream, weft_region destination, const void* data, size_t size);
/* Waits for earlier work, and copies to the host. */
weft_result weft_download(weft_stream* stream, weft_region source, void* data, size_t size);
/* Starts recorded work; does not wait. */
weft_result weft_submit(weft_stream* stream);
/* Submits, and waits until all work is done. WEFT_TIMEOUT: the work continues. */
weft_result weft_synchronize(weft_stream* stream, uint64_t timeout_ns);

/* Submits, and gives the point reached. */
weft_result weft_create_event(weft_stream* stream, weft_event** event);
weft_result weft_destroy_event(weft_event* event);
/* `done` becomes 1 or 0. Any thread. */
weft_result weft_is_event_done(const weft_event* event, int32_t* done);
/* The host waits. Any thread. */
weft_result weft_wait_for_event(const weft_event* event, uint64_t timeout_ns);
/* Work recorded from now on starts after the event, which may be of another stream of the device. */
weft_result weft_wait_on_device(weft_stream* stream, const weft_event* event);

/* ---- recording: one thread at a time for a recorder ---------------------------------------------------------------
 */

/* Both regions have the same size, and do not overlap. */
weft_result weft_copy(weft_recorder* recorder, weft_region source, weft_region destination);
/* Sets every 4 bytes to `word`. The region starts and ends at multiples of 4. */
weft_result weft_fill(weft_recorder* recorder, weft_region region, uint32_t word);
/* The time at which everything recorded so far is done. */
weft_result weft_create_timestamp(weft_recorder* recorder, weft_timestamp** timestamp);
weft_result weft_destroy_timestamp(weft_timestamp* timestamp);
/* Between two that the device has reached: synchronize first. Any thread. */
weft_result weft_get_seconds(const weft_timestamp* start, const weft_timestamp* end, double* seconds);
/* Commands between the two calls do not depend on one another. Plans cannot be recorded there. */
weft_result weft_begin_independent(weft_recorder* recorder);
weft_result weft_end_independent(weft_recorder* recorder);

/* ---- plans: weft_plans_c.h records them ---------------------------------------------------------------------------
 */

/* Makes a plan from its line, the language of lists and packs (docs/shipping.md):
 * "Sort key=uint value=uint max_count=1000000". Compiles its kernels. Any thread; plans are immutable. */
weft_result weft_create_plan(const weft_device* device, const char* line, weft_plan** plan);
weft_result weft_destroy_plan(weft_plan* plan);
/* "Sort". The text stays. Any thread. */
weft_result weft_get_plan_name(const weft_plan* plan, const char** name);
/* Bytes of temporary storage; 0 for plans without. Any thread. */
weft_result weft_get_temporary_bytes(const weft_plan* plan, uint64_t* bytes);
/* A number by name, such as "index_bytes" of a TopK; weft_plans_c.h has the names of each plan. Any thread. */
weft_result weft_get_plan_property(const weft_plan* plan, const char* name, uint64_t* value);

WEFT_C_END

#include <weft/weft_kernels_c.h>
#include <weft/weft_plans_c.h>
