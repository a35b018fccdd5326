#include "backends/host/memory.h"

#include <weft/error.h>
#include <cstdlib>
#include <limits>
#include <string>

namespace weft::host {

Memory::Memory(uint64_t bytes) : data_(nullptr), bytes_(bytes) {
  if (bytes <= std::numeric_limits<uint64_t>::max() - alignment) {
    const uint64_t rounded = (bytes + alignment - 1) / alignment * alignment;
    data_ = static_cast<unsigned char*>(std::aligned_alloc(alignment, rounded));
  }
  if (!data_) {
    throw Error(ErrorCode::out_of_memory,
                "The system could not allocate " + std::to_string(bytes) + " bytes for a buffer of the host device.");
  }
}

Memory::~Memory() { std::free(data_); }

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
