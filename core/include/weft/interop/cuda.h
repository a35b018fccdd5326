#pragma once

#include <cstdint>

#include <weft/device.h>

// CUcontext of cuda.h, and CUstream or cudaStream_t of cuda_runtime.h.
struct CUctx_st;
struct CUstream_st;

/// Shares contexts, streams and memory with other CUDA code in the process. Only in builds with the cuda backend.
///
/// open_device("cuda:1") uses the device's primary context, as the CUDA runtime does. So its kernels can use memory
/// from cudaMalloc, and CUDA code can use its buffers, without any of these functions. A kernel that faults destroys
/// the context for everyone who shares it.
namespace weft::cuda {

/// Opens a device in an existing context. The caller keeps the context, which must outlive the device and everything
/// made from it. Throws invalid_argument if the context is null or destroyed, and unsupported, with the reason, if Weft
/// refuses the device. Thread-safe; does not change the calling thread's current context.
Device wrap_context(CUctx_st* context, const DeviceOptions& options = DeviceOptions::from_environment());

/// Wraps a CUDA stream (null: the default stream). Each command goes into it as it is recorded, in order with the work
/// of others; Stream::submit() does nothing. The caller keeps the stream, which must outlive the Weft stream and the
/// work recorded into it. Closing the Weft stream does not wait, so keep buffers until the work that uses them is done.
/// Throws invalid_argument for a device of another backend, or a stream of another context.
Stream wrap_stream(const Device& device, CUstream_st* stream);

namespace detail {
std::shared_ptr<backend::Buffer> wrap_pointer(const Device& device, const void* pointer, uint64_t bytes);
}

/// Wraps `count` elements of device memory in a buffer. The caller keeps the memory, and frees it when no work uses it
/// any more. Throws invalid_argument, describing the memory, unless all elements are in one allocation of the device.
template <DeviceCopyable T>
Buffer<T> wrap_pointer(const Device& device, T* pointer, uint64_t count) {
  return Buffer<T>(detail::wrap_pointer(device, pointer, count * sizeof(T)), count);
}

/// The context of a device, which keeps it. Throws invalid_argument for a device of another backend.
CUctx_st* context(const Device& device);

/// The CUDA stream of a Weft stream, which keeps it unless it was wrapped. Work added to it runs after everything
/// recorded so far. Throws invalid_argument for a stream of another backend.
CUstream_st* stream(Stream& stream);

/// Address of a view's first element, for CUDA code. The buffer keeps the memory; order accesses with streams.
template <DeviceCopyable T>
T* pointer(View<T> view) {
  return reinterpret_cast<T*>(view.region().address());
}
template <DeviceCopyable T>
T* pointer(const Buffer<T>& buffer) {
  return pointer(buffer.view());
}

}  // namespace weft::cuda
