#pragma once

#include <cstdint>

#include <weft/device.h>

// What cuda.h and cuda_runtime.h call CUcontext, and CUstream or cudaStream_t.
struct CUctx_st;
struct CUstream_st;

/// Weft beside other CUDA code in one process: on its context, in its streams, on its memory. In builds with the cuda
/// backend only.
///
/// open_device("cuda:1") works in the device's primary context, as the CUDA runtime and what is built on it do: buffers
/// of such a device and memory from cudaMalloc may be passed to and fro without any of the functions here. A kernel
/// that faults takes the context with it, for all who share it.
namespace weft::cuda {

/// A device in a context that exists. The context stays the caller's, and outlives the device and all that is made from
/// it. Throws invalid_argument for a null or destroyed context, unsupported with the reason for a device that Weft
/// refuses. Thread-safe; leaves the calling thread's current context as it was.
Device wrap_context(CUctx_st* context, const DeviceOptions& options = DeviceOptions::from_environment());

/// A Weft stream that gives its work to `stream` (null: CUDA's default stream), between what others give it. The stream
/// stays the caller's; it outlives the Weft stream and what the Weft stream was given, and the Weft stream's end does
/// not wait for it, so buffers live until the work that uses them is done. Commands are given to it as they are
/// recorded: Stream::submit() has nothing left to do. Throws invalid_argument for a device of another backend and for a
/// stream of another context.
Stream wrap_stream(const Device& device, CUstream_st* stream);

namespace detail {
std::shared_ptr<backend::Buffer> wrap_pointer(const Device& device, const void* pointer, uint64_t bytes);
}

/// A buffer around `count` elements of device memory that stays the caller's, who frees it when no work uses it any
/// more. Throws invalid_argument, saying what it found, unless all of them lie in one allocation of the device.
template <DeviceCopyable T>
Buffer<T> wrap_pointer(const Device& device, T* pointer, uint64_t count) {
  return Buffer<T>(detail::wrap_pointer(device, pointer, count * sizeof(T)), count);
}

/// The context that a device works in. It stays the device's. Throws invalid_argument for a device of another backend.
CUctx_st* context(const Device& device);

/// The stream that a Weft stream gives its work to: what is given to it next comes after all that was recorded. It
/// stays the Weft stream's, or the caller's where it was wrapped. Throws invalid_argument for a stream of another
/// backend.
CUstream_st* stream(Stream& stream);

/// A view's first element as CUDA code takes it. The memory stays the buffer's; order the use by streams.
template <DeviceCopyable T>
T* pointer(View<T> view) {
  return reinterpret_cast<T*>(view.region().address());
}
template <DeviceCopyable T>
T* pointer(const Buffer<T>& buffer) {
  return pointer(buffer.view());
}

}  // namespace weft::cuda
