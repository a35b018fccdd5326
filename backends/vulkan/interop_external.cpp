#include <string>

#include <weft/interop/vulkan_external.h>

#include "backends/vulkan/buffer.h"
#include "backends/vulkan/public_device.h"
#include "core/src/runtime/messages.h"

namespace weft::vulkan {

namespace {}  // namespace

std::array<uint8_t, 16> device_uuid(const weft::Device& device) {
  return vulkan_device(device, "device_uuid")->external().device_uuid();
}

std::shared_ptr<backend::Buffer> detail::exportable_buffer(const weft::Device& device, uint64_t count,
                                                           uint64_t element_bytes) {
  const std::shared_ptr<Device> on = vulkan_device(device, "exportable_buffer");
  return on->new_buffer(count, element_bytes,
                        [&](uint64_t bytes) { return on->external().create_buffer("exportable_buffer", bytes); });
}

int export_fd(const Region& region, uint64_t* bytes, uint64_t* offset) {
  if (!region.buffer) core::invalid("export_fd", "the view is empty");
  const auto* const buffer = dynamic_cast<const ExportableBuffer*>(region.buffer);
  if (!buffer) {
    core::invalid("export_fd", "the view is memory of " + region.buffer->device().info().selector +
                                   " that exportable_buffer() did not allocate");
  }
  if (bytes) *bytes = buffer->allocation().memory_bytes;
  if (offset) *offset = region.offset;
  return static_cast<Device&>(buffer->device()).external().export_memory("export_fd", *buffer);
}

weft::Buffer<std::byte> import_fd(const weft::Device& device, int fd, uint64_t bytes,
                                  std::span<const uint8_t, 16> exporter_uuid) {
  const std::shared_ptr<Device> on = vulkan_device(device, "import_fd");
  if (bytes == 0) core::invalid("import_fd", "the size of the memory is 0; export_fd() returns it");
  core::check_same_gpu("import_fd", device.info(), on->external().device_uuid(), exporter_uuid);
  core::HandedOver handed("import_fd", fd);
  return weft::Buffer<std::byte>(on->external().import_memory("import_fd", handed, bytes), bytes);
}

VkSemaphore exportable_semaphore(const weft::Device& device) {
  return vulkan_device(device, "exportable_semaphore")->external().create_semaphore("exportable_semaphore");
}

int export_semaphore_fd(const weft::Device& device, VkSemaphore semaphore) {
  const std::shared_ptr<Device> on = vulkan_device(device, "export_semaphore_fd");
  if (!semaphore) core::invalid("export_semaphore_fd", "the semaphore is null");
  return on->external().export_semaphore("export_semaphore_fd", semaphore);
}

}  // namespace weft::vulkan
