#pragma once

/* Weft in the contexts and streams of CUDA code, from C: docs/devices.md, whose C++ functions these are. Only in builds
 * with the cuda backend. What you hand over stays yours, and must outlive what uses it. */

#include <weft/weft_c.h>

WEFT_C_BEGIN

struct CUctx_st;    /* CUcontext */
struct CUstream_st; /* CUstream, cudaStream_t */

/* Opens a device in a context. Null options: all as the environment says. Any thread. */
weft_result weft_cuda_wrap_context(struct CUctx_st* context, const weft_device_options* options, weft_device** device);
/* Wraps a stream; null: the default one. Destroying it does not wait. Any thread. */
weft_result weft_cuda_wrap_stream(const weft_device* device, struct CUstream_st* stream, weft_stream** wrapped);
/* Wraps device memory. Any thread. */
weft_result weft_cuda_wrap_pointer(const weft_device* device, void* pointer, uint64_t bytes, weft_buffer** buffer);
/* The context of a device, which keeps it. Any thread. */
weft_result weft_cuda_get_context(const weft_device* device, struct CUctx_st** context);
/* The CUDA stream of a stream. Work added to it runs after everything recorded so far. One thread at a time. */
weft_result weft_cuda_get_stream(weft_stream* stream, struct CUstream_st** cuda_stream);

WEFT_C_END
