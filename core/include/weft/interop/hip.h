#pragma once

#include <cstdint>

#include <weft/api.h>
#include <weft/device.h>

// hipStream_t of hip_runtime_api.h.
struct ihipStream_t;

/// Shares streams and memory with other HIP code in the process. Only in builds with the hip backend.
///
/// HIP has one context for each device, so open_device("hip:1") shares it with all other code. Its kernels can use
/// memory from hipMalloc, and HIP code can use its buffers, without any of these functions. A kernel that faults
/// destroys the context for everyone.
namespace weft::hip {

/// Wraps a HIP stream (null: the default stream). Each command goes into it as it is recorded, in order with the work
/// of others; Stream::submit() does nothing. The stream must belong to `device`, which HIP 5 cannot check. The caller
/// keeps it, and it must outlive the Weft stream and the work recorded into it. Closing the Weft stream does not wait,
/// so keep buffers until the work that uses them is done. Throws invalid_argument for a device of another backend.
WEFT_API Stream wrap_stream(const Device& device, ihipStream_t* stream);

namespace detail {
WEFT_API std::shared_ptr<backend::Buffer> wrap_pointer(const Device& device, const void* pointer, uint64_t bytes);
}

/// Wraps `count` elements of device memory in a buffer. The caller keeps the memory, and frees it when no work uses it
/// any more. Throws invalid_argument, describing the memory, unless it belongs to the device.
template <DeviceCopyable T>
Buffer<T> wrap_pointer(const Device& device, T* pointer, uint64_t count) {
  return Buffer<T>(detail::wrap_pointer(device, pointer, count * sizeof(T)), count);
}

/// The HIP stream of a Weft stream, which keeps it unless it was wrapped. Work added to it runs after everything
/// recorded so far. Throws invalid_argument for a stream of another backend.
WEFT_API ihipStream_t* stream(Stream& stream);

/// Address of a view's first element, for HIP code. The buffer keeps the memory; order accesses with streams.
template <DeviceCopyable T>
T* pointer(View<T> view) {
  return reinterpret_cast<T*>(view.region().address());
}
template <DeviceCopyable T>
T* pointer(const Buffer<T>& buffer) {
  return pointer(buffer.view());
}

}  // namespace weft::hip
