#pragma once

/* Weft in the streams of HIP code, from C: docs/devices.md, whose C++ functions these are. Only in builds with the hip
 * backend. What you hand over stays yours, and must outlive what uses it. */

#include <weft/weft_c.h>

WEFT_C_BEGIN

struct ihipStream_t; /* hipStream_t */

/* Wraps a stream; null: the default one. Destroying it does not wait. Any thread. */
weft_result weft_hip_wrap_stream(const weft_device* device, struct ihipStream_t* stream, weft_stream** wrapped);
/* Wraps device memory. Any thread. */
weft_result weft_hip_wrap_pointer(const weft_device* device, void* pointer, uint64_t bytes, weft_buffer** buffer);
/* The HIP stream of a stream. Work added to it runs after everything recorded so far. One thread at a time. */
weft_result weft_hip_get_stream(weft_stream* stream, struct ihipStream_t** hip_stream);

WEFT_C_END
