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

// The program's own, also for the library and for drivers: all that an operator delete below may get.
void* operator new(size_t bytes, const std::nothrow_t&) noexcept {
  using namespace weft::test;
  return fails && --left < 0 ? nullptr : std::malloc(bytes ? bytes : 1);
}
void* operator new(size_t bytes) {
  if (void* const memory = operator new(bytes, std::nothrow)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
