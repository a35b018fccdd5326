#include "backends/host/buffer.h"

namespace weft::host {

Buffer::Buffer(std::shared_ptr<Device> device, std::shared_ptr<Memory> memory)
    : backend::Buffer(std::move(device), reinterpret_cast<uint64_t>(memory->data()), memory->bytes()),
      memory_(std::make_unique<RetiredMemory>(std::move(memory))) {}

// Kernels may use the address alone, so all work recorded so far counts as using the memory.
Buffer::~Buffer() { static_cast<Device&>(*device_).retire(std::move(memory_)); }

}  // namespace weft::host
