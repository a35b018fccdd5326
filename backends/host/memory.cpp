#include "backends/host/memory.h"

#include <sys/mman.h>

#include <cstdlib>
#include <string>

#include <weft/error.h>

namespace weft::host {

namespace {

constexpr uint64_t huge_page = 2u << 20, address_space = uint64_t{1} << 56;  // More is not worth a try.

// Memory gets its pages where and when it is first touched. For a large buffer, huge pages make that several times
// faster: one page fault in place of 512.
unsigned char* allocate(uint64_t bytes) {
  const bool large = bytes >= 2 * huge_page;
  const uint64_t alignment = large ? huge_page : Memory::alignment;
  if (bytes > address_space) return nullptr;
  void* data = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (data && large) madvise(data, bytes / huge_page * huge_page, MADV_HUGEPAGE);  // a hint, which systems may refuse
  return static_cast<unsigned char*>(data);
}

}  // namespace

Memory::Memory(uint64_t bytes) : data_(allocate(bytes)), bytes_(bytes) {
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
