#include "backends/host/memory.h"

#include <string>

#include <weft/error.h>

#include "core/src/platform/memory.h"

namespace weft::host {

namespace {

constexpr uint64_t address_space = uint64_t{1} << 56;  // More is not worth a try.

unsigned char* allocate(uint64_t bytes) {
  if (bytes > address_space) return nullptr;
  return static_cast<unsigned char*>(core::allocate_aligned(Memory::alignment, bytes));
}

}  // namespace

Memory::Memory(uint64_t bytes) : data_(allocate(bytes)), bytes_(bytes) {
  if (!data_) {
    throw Error(ErrorCode::out_of_memory,
                "The system could not allocate " + std::to_string(bytes) + " bytes for a buffer of the host device.");
  }
}

Memory::~Memory() {
  if (is_own_) core::free_aligned(data_);
}

void MemoryMap::add(const std::shared_ptr<Memory>& memory) {
  std::lock_guard lock(mutex_);
  std::erase_if(by_start_, [](const auto& entry) { return entry.second.expired(); });
  by_start_[reinterpret_cast<uintptr_t>(memory->data())] = memory;
}

std::shared_ptr<Memory> MemoryMap::find_before(const void* address) {
  std::lock_guard lock(mutex_);
  auto after = by_start_.upper_bound(reinterpret_cast<uintptr_t>(address));
  while (after != by_start_.begin()) {
    if (auto memory = (--after)->second.lock()) return memory;
  }
  return nullptr;
}

}  // namespace weft::host
