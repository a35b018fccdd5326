#include "tests/c/allocation.h"

#include <cstdlib>
#include <new>

namespace weft::test {
namespace {

thread_local bool fails = false;
thread_local int64_t left = 0;

}  // namespace

FailingAllocations::FailingAllocations(int64_t allowed) {
  left = allowed;
  fails = true;
}
FailingAllocations::~FailingAllocations() { fails = false; }
bool FailingAllocations::failed() const { return left < 0; }

}  // namespace weft::test

// The program's own, also for the library.
void* operator new(size_t bytes) {
  using namespace weft::test;
  if (fails && --left < 0) throw std::bad_alloc();
  if (void* const memory = std::malloc(bytes ? bytes : 1)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
