#include "backends/host/linux/stacks.h"

#include <doctest/doctest.h>
#include <sys/mman.h>

#include <cstring>
#include <optional>

using namespace weft::host;

// For a program linked with AddressSanitizer, sanitized or not.
extern "C" void __asan_poison_memory_region(void const volatile*, size_t) __attribute__((weak));
extern "C" void* __asan_region_is_poisoned(void*, size_t) __attribute__((weak));

TEST_CASE("the memory of a destroyed pool is usable by others") {
  std::optional<StackPool> pool(std::in_place);
  const boost::context::stack_context stack = pool->take();
  constexpr size_t bytes = 64 * 1024;
  char* memory = static_cast<char*>(stack.sp) - bytes;
  memory -= reinterpret_cast<uintptr_t>(memory) % 4096;
  std::memset(memory, 1, bytes);
  if (__asan_poison_memory_region != nullptr) __asan_poison_memory_region(memory, bytes);  // as frames do
  pool.reset();

  void* next = mmap(memory, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  REQUIRE_EQ(next, memory);
  if (__asan_region_is_poisoned != nullptr) CHECK_EQ(__asan_region_is_poisoned(next, bytes), nullptr);
  CHECK_EQ(*static_cast<char*>(next), 0);
  munmap(next, bytes);
}
