#pragma once

#include "backends/host/device.h"
#include "backends/host/memory.h"
#include "core/src/runtime/backend.h"

namespace weft::host {

/// Memory that work may use when its buffer is gone.
struct RetiredMemory final : core::Remains {
  explicit RetiredMemory(std::shared_ptr<Memory> of) : memory(std::move(of)) {}

  std::shared_ptr<Memory> memory;
};

class Buffer final : public backend::Buffer {
 public:
  Buffer(std::shared_ptr<Device> device, std::shared_ptr<Memory> memory);
  ~Buffer() override;

  const std::shared_ptr<Memory>& memory() const { return memory_->memory; }

 private:
  std::unique_ptr<RetiredMemory> memory_;
};

/// The memory of a region. The public classes have checked that the region belongs to this backend.
inline const std::shared_ptr<Memory>& memory_of(const Region& region) {
  return static_cast<const Buffer*>(region.buffer)->memory();
}

}  // namespace weft::host
