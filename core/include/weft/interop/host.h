#pragma once

#include <cstdint>
#include <memory>

#include <weft/api.h>
#include <weft/device.h>

/// Uses memory of the process on the host device, without a copy. Only in builds with the host backend.
namespace weft::host {

/// Memory that wrap_pointer() takes starts at a multiple of this, as kernels with bindings expect.
constexpr uint64_t wrapped_alignment = 16;

namespace detail {
WEFT_API std::shared_ptr<backend::Buffer> wrap_pointer(const weft::Device& device, const void* pointer, uint64_t bytes);
}

/// Wraps `count` elements of the process's memory in a buffer. The caller keeps the memory, and frees it when no work
/// uses it any more; it may read and write it while none does. Throws invalid_argument for a device of another backend,
/// and for memory that does not start at a multiple of 16 bytes: for a part of an array wrap the memory from such a
/// multiple on, and take the part of the buffer.
template <DeviceCopyable T>
weft::Buffer<T> wrap_pointer(const weft::Device& device, T* pointer, uint64_t count) {
  return weft::Buffer<T>(detail::wrap_pointer(device, pointer, count * sizeof(T)), count);
}

}  // namespace weft::host
