#include <limits>
#include <string>

#include <weft/interop/vulkan.h>

#include "backends/vulkan/buffer.h"
#include "backends/vulkan/public_device.h"
#include "backends/vulkan/stream.h"
#include "backends/vulkan/wrapped_device.h"
#include "core/src/runtime/messages.h"
#include "core/src/runtime/process.h"

namespace weft::vulkan {

namespace {

uint64_t checked_bytes(const char* what, uint64_t count, uint64_t element_bytes) {
  if (count > std::numeric_limits<uint64_t>::max() / element_bytes) {
    core::invalid(what, std::to_string(count) + " elements of " + std::to_string(element_bytes) +
                            " bytes are more than 64 bits can say");
  }
  return count * element_bytes;
}

std::shared_ptr<backend::Buffer> borrowed(const char* what, std::shared_ptr<Device> device,
                                          const Allocation& allocation, uint64_t bytes, uint64_t alignment) {
  if (allocation.address == 0) core::invalid(what, "the address is null");
  const uint64_t last = std::numeric_limits<uint64_t>::max() - bytes;
  if (allocation.offset > last || allocation.address > last) {
    core::invalid(what, std::to_string(bytes) + " bytes at offset " + std::to_string(allocation.offset) +
                            " and address " + std::to_string(allocation.address) +
                            " exceed 64-bit offsets or addresses");
  }
  if (allocation.address % alignment != 0) {
    core::invalid(what, "the elements start at address " + std::to_string(allocation.address) +
                            ", which is no multiple of their alignment, " + std::to_string(alignment));
  }
  return core::make_here<WrappedBuffer>(std::move(device), allocation, bytes);
}

}  // namespace

weft::Device wrap_device(const HostDevice& host, const DeviceOptions& options) {
  return weft::Device(WrappedDevice::wrap(host, options));
}

void prepare(const weft::Device& device) { vulkan_device(device, "prepare")->built_in().prepare(); }

uint64_t validation_messages(const weft::Device& device) {
  return vulkan_device(device, "validation_messages")->validation_messages();
}

uint32_t buffer_usage() {
  return VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
         VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT;
}

std::shared_ptr<backend::Buffer> detail::wrap_buffer(const weft::Device& device, const HostBuffer& buffer,
                                                     uint64_t count, uint64_t element_bytes, uint64_t alignment) {
  std::shared_ptr<Device> on = vulkan_device(device, "wrap_buffer");
  if (!buffer.buffer) core::invalid("wrap_buffer", "the VkBuffer is null");
  const uint64_t bytes = checked_bytes("wrap_buffer", count, element_bytes);
  if (bytes > buffer.bytes) {
    core::invalid("wrap_buffer", std::to_string(count) + " elements of " + std::to_string(element_bytes) +
                                     " bytes do not fit into " + std::to_string(buffer.bytes) + " bytes of a VkBuffer");
  }
  if (count == 0) return nullptr;
  Allocation allocation;
  allocation.buffer = buffer.buffer;
  allocation.offset = buffer.offset;
  allocation.bytes = buffer.bytes;
  allocation.mapped = static_cast<std::byte*>(buffer.mapped);
  allocation.address = buffer.address ? buffer.address : on->address_of(buffer.buffer) + buffer.offset;
  return borrowed("wrap_buffer", std::move(on), allocation, bytes, alignment);
}

std::shared_ptr<backend::Buffer> detail::wrap_address(const weft::Device& device, uint64_t address, uint64_t count,
                                                      uint64_t element_bytes, uint64_t alignment) {
  std::shared_ptr<Device> on = vulkan_device(device, "wrap_address");
  const uint64_t bytes = checked_bytes("wrap_address", count, element_bytes);
  if (count == 0) return nullptr;
  Allocation allocation;
  allocation.address = address;
  allocation.bytes = bytes;
  return borrowed("wrap_address", std::move(on), allocation, bytes, alignment);
}

HostBuffer host_buffer(const Region& region) {
  if (!region.buffer) core::invalid("host_buffer", "the view is empty");
  const auto* const buffer = dynamic_cast<const Buffer*>(region.buffer);
  if (!buffer) core::invalid("host_buffer", "the view is memory of " + region.buffer->device().info().selector);
  const BufferSlice slice = slice_of(region, "host_buffer");
  return {slice.buffer, slice.offset, region.bytes, region.address(),
          buffer->mapped() ? buffer->mapped() + region.offset : nullptr};
}

namespace {

Stream& vulkan_stream(weft::Stream& stream, const char* what) {
  auto* const found = dynamic_cast<Stream*>(&stream.impl());
  if (!found) core::invalid(what, "the stream is one of " + stream.device().info().selector);
  return *found;
}

void check_semaphore(const SemaphoreValue& point, const char* what) {
  if (!point.semaphore) core::invalid(what, "the semaphore is null");
}

}  // namespace

weft::Stream wrap_queue(const weft::Device& device, const HostQueue& queue) {
  const std::shared_ptr<Device> on = vulkan_device(device, "wrap_queue");
  if (!queue.queue) core::invalid("wrap_queue", "the queue is null");
  return weft::Stream(on->create_stream(on->host_queue(queue.queue, queue.family, queue.lock, queue.unlock)));
}

void wait(weft::Stream& stream, const SemaphoreValue& point) {
  check_semaphore(point, "wait");
  vulkan_stream(stream, "wait").wait(point);
}

void signal(weft::Stream& stream, const SemaphoreValue& point) {
  check_semaphore(point, "signal");
  vulkan_stream(stream, "signal").signal(point);
}

SemaphoreValue semaphore(const weft::Event& event) {
  const auto* const found = dynamic_cast<const Event*>(event.shared_impl().get());
  if (!found) core::invalid("semaphore", "the event is empty, or one of another backend");
  return found->point();
}

}  // namespace weft::vulkan
