#pragma once

#include <cstdint>

#include <weft/device.h>

// What hip_runtime_api.h calls hipStream_t.
struct ihipStream_t;

/// Weft beside other HIP code in one process: in its streams, on its memory. In builds with the hip backend only.
///
/// In HIP the device is the context: open_device("hip:1") shares it with everyone in the process, and buffers and
/// memory from hipMalloc may be passed to and fro without any of the functions here. A kernel that faults takes it from
/// all.
namespace weft::hip {

/// A Weft stream that gives its work to `stream` (null: HIP's default stream), between what others give it. The stream
/// is one of `device`, which HIP 5 has no way to ask for. It stays the caller's; it outlives the Weft stream and what
/// the Weft stream was given, and the Weft stream's end does not wait for it, so buffers live until the work that
/// uses them is done. Commands are given to it as they are recorded: Stream::submit() has nothing left to do. Throws
/// invalid_argument for a device of another backend.
Stream wrap_stream(const Device& device, ihipStream_t* stream);

namespace detail {
std::shared_ptr<backend::Buffer> wrap_pointer(const Device& device, const void* pointer, uint64_t bytes);
}

/// A buffer around `count` elements of device memory that stays the caller's, who frees it when no work uses it any
/// more. Throws invalid_argument, saying what it found, unless it is memory of the device.
template <DeviceCopyable T>
Buffer<T> wrap_pointer(const Device& device, T* pointer, uint64_t count) {
  return Buffer<T>(detail::wrap_pointer(device, pointer, count * sizeof(T)), count);
}

/// The stream that a Weft stream gives its work to: what is given to it next comes after all that was recorded. It
/// stays the Weft stream's, or the caller's where it was wrapped. Throws invalid_argument for a stream of another
/// backend.
ihipStream_t* stream(Stream& stream);

/// A view's first element as HIP code takes it. The memory stays the buffer's; order the use by streams.
template <DeviceCopyable T>
T* pointer(View<T> view) {
  return reinterpret_cast<T*>(view.region().address());
}
template <DeviceCopyable T>
T* pointer(const Buffer<T>& buffer) {
  return pointer(buffer.view());
}

}  // namespace weft::hip
