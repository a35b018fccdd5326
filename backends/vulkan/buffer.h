#pragma once

#include <memory>

#include "backends/vulkan/buffer_allocator.h"
#include "backends/vulkan/device.h"
#include "backends/vulkan/owned_memory.h"
#include "core/src/runtime/backend.h"

namespace weft::vulkan {

/// Part of a VkBuffer from `offset` on, or memory known by its address alone.
class Buffer : public backend::Buffer, public std::enable_shared_from_this<Buffer> {
 public:
  /// Null if only the address is known.
  VkBuffer handle() const { return handle_; }
  /// Host address of the first byte; null if the host cannot access it.
  std::byte* mapped() const { return mapped_; }

 protected:
  Buffer(std::shared_ptr<Device> device, const Allocation& allocation, uint64_t bytes)
      : backend::Buffer(std::move(device), allocation.address, bytes, allocation.offset),
        handle_(allocation.buffer),
        mapped_(allocation.mapped) {}

 private:
  VkBuffer handle_;
  std::byte* mapped_;
};

/// A buffer that Weft allocated, released when no work uses it any more.
class OwnedBuffer : public Buffer {
 public:
  OwnedBuffer(std::shared_ptr<Device> device, std::unique_ptr<OwnedMemory> memory, uint64_t bytes);
  ~OwnedBuffer() override;

  const Allocation& allocation() const { return memory_->allocation(); }

 private:
  std::unique_ptr<OwnedMemory> memory_;
};

/// A buffer whose memory others can import.
class ExportableBuffer final : public OwnedBuffer {
 public:
  using OwnedBuffer::OwnedBuffer;
};

/// A buffer that belongs to the host program.
class WrappedBuffer final : public Buffer {
 public:
  WrappedBuffer(std::shared_ptr<Device> device, const Allocation& borrowed, uint64_t bytes)
      : Buffer(std::move(device), borrowed, bytes) {}
};

/// A position in a VkBuffer, as Vulkan's commands take it.
struct BufferSlice {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceSize offset = 0;
};

/// Start of a region that the public classes have checked to be this backend's. Throws invalid_argument if only the
/// address of its memory is known; `what` names the operation that needs a VkBuffer, "dispatch_indirect()".
BufferSlice slice_of(const Region& region, const char* what);

}  // namespace weft::vulkan
