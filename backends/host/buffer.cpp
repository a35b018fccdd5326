#include "backends/host/buffer.h"

namespace weft::host {

Buffer::Buffer(std::shared_ptr<Device> device, std::shared_ptr<Memory> memory)
    : backend::Buffer(std::move(device), reinterpret_cast<uint64_t>(memory->data()), memory->bytes()),
      memory_(std::move(memory)) {}

// Kernels may reach the memory by its address alone, so every stream's work so far counts as its user.
Buffer::~Buffer() { static_cast<Device&>(*device_).keep_until_done(memory_); }

}  // namespace weft::host
