#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include <weft/api.h>
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
WEFT_API Device wrap_context(CUctx_st* context, const DeviceOptions& options = DeviceOptions::from_environment());

/// Wraps a CUDA stream (null: the default stream). Each command goes into it as it is recorded, in order with the work
/// of others; Stream::submit() does nothing. The caller keeps the stream, which must outlive the Weft stream and the
/// work recorded into it. Closing the Weft stream does not wait, so keep buffers until the work that uses them is done.
/// Throws invalid_argument for a device of another backend, or a stream of another context.
WEFT_API Stream wrap_stream(const Device& device, CUstream_st* stream);

namespace detail {
WEFT_API std::shared_ptr<backend::Buffer> wrap_pointer(const Device& device, const void* pointer, uint64_t bytes);
}

/// Wraps `count` elements of device memory in a buffer. The caller keeps the memory, and frees it when no work uses it
/// any more. Throws invalid_argument, describing the memory, unless all elements are in one allocation of the device.
template <DeviceCopyable T>
Buffer<T> wrap_pointer(const Device& device, T* pointer, uint64_t count) {
  return Buffer<T>(detail::wrap_pointer(device, pointer, count * sizeof(T)), count);
}

/// The context of a device, which keeps it. Throws invalid_argument for a device of another backend.
WEFT_API CUctx_st* context(const Device& device);

/// The CUDA stream of a Weft stream, which keeps it unless it was wrapped. Work added to it runs after everything
/// recorded so far. Throws invalid_argument for a stream of another backend.
WEFT_API CUstream_st* stream(Stream& stream);

/// Address of a view's first element, for CUDA code. The buffer keeps the memory; order accesses with streams.
template <DeviceCopyable T>
T* pointer(View<T> view) {
  return reinterpret_cast<T*>(view.region().address());
}
template <DeviceCopyable T>
T* pointer(const Buffer<T>& buffer) {
  return pointer(buffer.view());
}

// ---- memory and semaphores of Vulkan ------------------------------------------------------------------------------

/// The UUID of the GPU; vulkan::device_uuid() returns the same for the same GPU. Throws invalid_argument for a device
/// of another backend, as all functions below do.
WEFT_API std::array<uint8_t, 16> device_uuid(const Device& device);

/// Imports memory by a descriptor and size from vulkan::export_fd(); its `offset` counts from the start of the returned
/// buffer. Closes the descriptor, unless it throws. `exporter_uuid` is the device_uuid() of the exporter, or empty to
/// leave it unchecked. Throws invalid_argument for another GPU, 0 bytes and a descriptor that is not open. The memory
/// may be used until this buffer is gone, even if the exporter's is.
WEFT_API Buffer<std::byte> import_fd(const Device& device, int fd, uint64_t bytes,
                                     std::span<const uint8_t> exporter_uuid = {});

/// A timeline semaphore of Vulkan, imported into a CUDA device. May be destroyed while recorded work uses it.
class WEFT_API ExternalSemaphore {
 public:
  ExternalSemaphore(ExternalSemaphore&&) noexcept;
  ExternalSemaphore& operator=(ExternalSemaphore&&) noexcept;
  ~ExternalSemaphore();

  struct Impl;
  explicit ExternalSemaphore(std::unique_ptr<Impl> impl);
  /// False after a move.
  explicit operator bool() const { return impl_ != nullptr; }
  Impl& impl() const { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

/// Imports a semaphore by a descriptor from vulkan::export_semaphore_fd(). Closes the descriptor, unless it throws.
/// `exporter_uuid` is as for import_fd().
WEFT_API ExternalSemaphore import_semaphore_fd(const Device& device, int fd,
                                               std::span<const uint8_t> exporter_uuid = {});

/// Work recorded from now on starts when the semaphore has reached `value`, which may be signalled later. Vulkan's
/// writes before the signal are visible to it. Throws invalid_argument for a semaphore of another device.
WEFT_API void wait(Stream& stream, ExternalSemaphore& semaphore, uint64_t value);
/// Sets the semaphore to `value`, which must be greater than any before, when the work recorded so far is done. Throws
/// as wait() does.
WEFT_API void signal(Stream& stream, ExternalSemaphore& semaphore, uint64_t value);

}  // namespace weft::cuda
