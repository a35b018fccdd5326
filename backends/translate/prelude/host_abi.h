#pragma once

#include <stddef.h>
#include <stdint.h>

/* The interface between a kernel translated for the host and the runtime. Plain structures: the host backend includes
   this file, and the prelude of translated kernels starts with it.

   A kernel's shared object exports
     void weft_kernel(weft_host_invocation*)   runs one invocation of the entry point, or a subgroup (from its lane 0
   on) const uint32_t weft_lanes_of_call         subgroup size, if it runs subgroups const weft_host_site weft_sites[]
   indexed by the `site` arguments below const uint32_t weft_site_count */

extern "C" {

struct weft_host_invocation;

/* A location in a kernel, for messages. */
struct weft_host_site {
  const char* what; /* the instruction: "OpControlBarrier", "subgroupAdd" */
  const char* file; /* source file; null if unknown */
  uint32_t line;    /* 0 if unknown */
};

struct weft_host_binding {
  unsigned char* data; /* null if nothing is bound */
  uint64_t bytes;
};

/* Lanes of a subgroup, lane 0 in the lowest bit. */
struct weft_host_mask {
  uint64_t bits[2];
};

/* Bits for kinds of access. An atomic operation that reads and writes has both. */
enum weft_host_access {
  weft_host_read = 1,
  weft_host_write = 2,
  weft_host_atomic = 4,
  weft_host_workgroup = 8, /* workgroup memory; otherwise a buffer or a physical pointer */
  weft_host_acquire = 16,  /* of an atomic or of a fence: later accesses see what a release published */
  weft_host_release = 32
};

struct weft_host_runtime {
  /* Workgroup barrier: returns once all invocations have arrived. Also orders memory. */
  void (*barrier)(struct weft_host_invocation*, uint32_t site);
  /* All-gather among the lanes of `active`, which include the caller. Waits for all of them and returns an array of
     subgroup_size slots of `bytes` each, valid until this lane's next exchange. Slots of other lanes are undefined.
     With 0 bytes (`value` may be null) it is a subgroup barrier, which orders memory among those lanes. */
  const unsigned char* (*exchange)(struct weft_host_invocation*, struct weft_host_mask active, const void* value,
                                   uint32_t bytes, uint32_t site);
  /* Called by atomic loads and failed compare-exchanges. May let other invocations run. */
  void (*yield)(struct weft_host_invocation*);
  /* Ends the dispatch with an error. Never returns. */
  void (*fail)(struct weft_host_invocation*, const char* message, uint32_t site);
  /* Checking mode (kernels compiled with WEFT_HOST_CHECK defined as 1 call it before each access to buffers, physical
     pointers and workgroup memory). `alignment` is the promised alignment. `binding` is the binding that the pointer
     comes from, or null if it is unknown or there is none. A null address with acquire or release is a fence
     (OpMemoryBarrier). For an atomic operation the call comes right before it, with no yield() in between.
     Ends the dispatch with an error if the access is invalid. */
  void (*access)(struct weft_host_invocation*, const void* address, uint32_t bytes, uint32_t alignment, uint32_t kind,
                 const struct weft_host_binding* binding, uint32_t site);
};

struct weft_host_invocation {
  const struct weft_host_runtime* runtime;
  void* fiber; /* owned by the runtime */
  uint32_t workgroup_id[3], workgroup_count[3], local_id[3];
  uint32_t local_index, subgroup_id, subgroup_count, lane, subgroup_size;
  unsigned char* workgroup_memory;          /* aligned to 256 bytes; uninitialised */
  const unsigned char* push_constants;      /* aligned to 16 bytes */
  const struct weft_host_binding* bindings; /* in the order of Reflection::bindings, descriptor arrays flattened */
};

} /* extern "C" */
