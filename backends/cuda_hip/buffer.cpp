#include "backends/cuda_hip/buffer.h"

#include "core/src/runtime/messages.h"

namespace weft::cuda_hip {

namespace {

uint64_t allocate(const Device& device, uint64_t bytes) {
  return device.call([&] {
    try {
      return device.api().allocate(bytes);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::out_of_memory) throw;
      throw Error(ErrorCode::out_of_memory,
                  "allocating " + core::gibibytes(bytes) + " (" + std::to_string(bytes) + " bytes) on " +
                      device.info().name + ", which has " + core::gibibytes(device.api().free_memory_bytes()) +
                      " left of " + core::gibibytes(device.info().limits.memory_bytes) + ", failed: " + error.what());
    }
  });
}

}  // namespace

Buffer::Buffer(std::shared_ptr<Device> device, uint64_t bytes)
    : backend::Buffer(device, allocate(*device, bytes), bytes), owned_(true) {}

Buffer::Buffer(std::shared_ptr<Device> device, uint64_t address, uint64_t bytes)
    : backend::Buffer(std::move(device), address, bytes), owned_(false) {}

Buffer::~Buffer() {
  if (!owned_) return;
  auto& device = static_cast<Device&>(*device_);
  device.clean_up([&] { device.retire([&api = device.api(), address = address_] { api.release(address); }); });
}

}  // namespace weft::cuda_hip
