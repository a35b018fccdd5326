#include "core/src/platform/memory.h"

#include <malloc.h>

#include "core/src/platform/windows/system.h"

namespace weft::core {

void* allocate_aligned(size_t alignment, size_t bytes) { return _aligned_malloc(bytes, alignment); }

void free_aligned(void* memory) { _aligned_free(memory); }

// Windows counts committed pages against the memory of the machine, touched or not.
void* reserve_pages(size_t bytes) { return VirtualAlloc(nullptr, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE); }

void release_pages(void* pages, size_t) { VirtualFree(pages, 0, MEM_RELEASE); }

bool guard_pages(void* pages, size_t bytes) {
  DWORD before = 0;
  return VirtualProtect(pages, bytes, PAGE_NOACCESS, &before) != 0;
}

}  // namespace weft::core
