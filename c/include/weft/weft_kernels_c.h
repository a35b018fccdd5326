#pragma once

/* Kernels of your own: docs/own-kernels.md. Part of weft_c.h. */

#include <weft/weft_c.h>

WEFT_C_BEGIN

/* The value of a specialization constant: the bits that SPIR-V expects; booleans have 4 bytes. */
typedef struct weft_specialization {
  uint32_t id;
  uint32_t bytes; /* 0 is 4. */
  uint64_t bits;
} weft_specialization;

typedef struct weft_macro {
  const char* name;
  const char* value;
} weft_macro;

/* Nothing of it is kept. */
typedef struct weft_kernel_options {
  size_t size;
  const char* name;  /* For messages; of GLSL also the file whose folder #include searches first. */
  const char* entry; /* Null: "main". */
  const weft_specialization* specializations;
  size_t specialization_count;
  uint32_t subgroup_size;                 /* 0: the device chooses. */
  uint32_t workgroups_per_multiprocessor; /* A hint for CUDA; 0: none. */
  uint32_t partial_subgroups;             /* 1: subgroups but the last need not be full. */
  uint32_t device_reconvergence;          /* 1: maximal reconvergence is not added. */
  uint32_t forbid_contraction;            /* 1: a * b + c rounds twice. */
  uint32_t reserved;                      /* 0 */
  const weft_macro* macros;               /* Of GLSL, defined before the first line. */
  size_t macro_count;
  const char* const* include_folders; /* Of GLSL. "weft/..." finds Weft's shader library without. */
  size_t include_folder_count;
} weft_kernel_options;

/* Compiles a kernel, or takes it from a pack or the cache. `spirv` has `size` bytes, of either byte order. Options may
 * be null. Any thread; kernels are immutable. */
weft_result weft_create_kernel(const weft_device* device, const void* spirv, size_t size,
                               const weft_kernel_options* options, weft_kernel** kernel);
/* The same from GLSL. */
weft_result weft_create_kernel_from_glsl(const weft_device* device, const char* source,
                                         const weft_kernel_options* options, weft_kernel** kernel);
weft_result weft_destroy_kernel(weft_kernel* kernel);
/* Invocations in each dimension, as specialized. Any thread. */
weft_result weft_get_workgroup_size(const weft_kernel* kernel, uint32_t size[3]);
/* Workgroups that an otherwise idle device runs at once; 0 if the backend cannot say. Any thread. */
weft_result weft_get_resident_workgroups(const weft_kernel* kernel, uint32_t* workgroups);
/* Compiles now what the first indirect dispatch would compile. Any thread. */
weft_result weft_prepare_indirect(const weft_kernel* kernel);

/* A buffer for layout(set, binding). */
typedef struct weft_binding {
  uint32_t set;
  uint32_t binding;
  uint32_t element;  /* Index in a descriptor array. */
  uint32_t reserved; /* 0 */
  weft_region region;
} weft_binding;

typedef struct weft_dispatch_arguments {
  size_t size;
  const void* push_constants; /* The block byte for byte, with the offsets of the shader's. */
  size_t push_constant_bytes;
  const weft_binding* bindings;
  size_t binding_count;
} weft_dispatch_arguments;

/* Runs a kernel on x * y * z workgroups. Null arguments: none. Nothing of them is kept. One thread at a time for the
 * recorder. */
weft_result weft_dispatch(weft_recorder* recorder, const weft_kernel* kernel, uint32_t x, uint32_t y, uint32_t z,
                          const weft_dispatch_arguments* arguments);
/* `groups` holds x, y and z as three words, at a multiple of 4 bytes. */
weft_result weft_dispatch_indirect(weft_recorder* recorder, const weft_kernel* kernel, weft_region groups,
                                   const weft_dispatch_arguments* arguments);

WEFT_C_END
