#include "core/src/platform/memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>

namespace weft::core {

void* allocate_aligned(size_t alignment, size_t bytes) {
  constexpr size_t huge_page = size_t{2} << 20;
  const bool large = bytes >= 2 * huge_page;
  if (large) alignment = std::max(alignment, huge_page);
  void* const memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (memory && large) madvise(memory, bytes / huge_page * huge_page, MADV_HUGEPAGE);  // a hint; systems may refuse
  return memory;
}

void free_aligned(void* memory) { std::free(memory); }

void* reserve_pages(size_t bytes) {
  void* const pages =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  return pages == MAP_FAILED ? nullptr : pages;
}

void release_pages(void* pages, size_t bytes) { munmap(pages, bytes); }

bool guard_pages(void* pages, size_t bytes) { return mprotect(pages, bytes, PROT_NONE) == 0; }

}  // namespace weft::core
