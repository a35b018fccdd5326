#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include <weft/api.h>
#include <weft/device.h>

struct VkSemaphore_T;

/// Memory and semaphores that a Vulkan device shares by file descriptor, on one GPU: with CUDA (weft/interop/cuda.h),
/// or with another VkDevice. weft/interop/vulkan.h includes this header.
///
/// The device needs the extension VK_KHR_external_memory_fd or VK_KHR_external_semaphore_fd. open_device() enables them
/// if the driver has them. On your own device, enable them and list them in HostDevice::enabled_extensions. All
/// functions throw unsupported, naming the extension, without it, and invalid_argument for a device of another backend.
/// Thread-safe.
namespace weft::vulkan {

/// VkPhysicalDeviceIDProperties::deviceUUID. cuda::device_uuid() returns the same for the same GPU.
WEFT_API std::array<uint8_t, 16> device_uuid(const Device& device);

namespace detail {
WEFT_API std::shared_ptr<backend::Buffer> exportable_buffer(const Device& device, uint64_t count,
                                                            uint64_t element_bytes);
}

/// Allocates a buffer whose memory others can import. The memory comes from vkAllocateMemory, not from
/// HostDevice::buffer_allocator, and lives until this buffer and all imports are gone. Throws as Device::buffer() does.
template <DeviceCopyable T>
Buffer<T> exportable_buffer(const Device& device, uint64_t count) {
  return Buffer<T>(detail::exportable_buffer(device, count, sizeof(T)), count);
}

/// Returns a new descriptor (VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT) of the memory behind a view of an exportable
/// buffer. Close it, or hand it over to an import. Sets `bytes` to the size of the whole memory, for the import, and
/// `offset` to the start of the view in it; either may be null. Throws invalid_argument for other views.
WEFT_API int export_fd(const Region& region, uint64_t* bytes, uint64_t* offset);

/// Imports all `bytes` of memory that an exportable_buffer() of Weft's exported; see Region::part() for `offset`. Other
/// exporters must use the memory type that Weft uses, which Vulkan cannot check. Closes the descriptor, unless it
/// throws. `exporter_uuid` is device_uuid() of the exporter. Throws invalid_argument for another GPU, 0 bytes and a
/// descriptor that is not open.
WEFT_API Buffer<std::byte> import_fd(const Device& device, int fd, uint64_t bytes,
                                     std::span<const uint8_t, 16> exporter_uuid);

/// Creates a timeline semaphore that others can import, with the value 0, for wait() and signal(). It belongs to Weft
/// and lives as long as the device, so create one for each peer, not for each frame. Throws unsupported if the driver
/// exports no timeline semaphores.
WEFT_API VkSemaphore_T* exportable_semaphore(const Device& device);

/// Returns a new descriptor (VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT) of a semaphore. Close it, or hand it over
/// to an import. Your own semaphore must have been created with VkExportSemaphoreCreateInfo for this type. Throws
/// invalid_argument for a null handle.
WEFT_API int export_semaphore_fd(const Device& device, VkSemaphore_T* semaphore);

}  // namespace weft::vulkan
