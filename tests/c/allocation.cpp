#include "tests/c/allocation.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace weft::test {
namespace {

thread_local bool fails = false, spared = false;
thread_local int64_t left = 0;
std::atomic<bool> others_fail = false;
std::atomic<int64_t> left_to_others = 0;

bool may_allocate() {
  if (fails && --left < 0) return false;
  return !others_fail || spared || --left_to_others >= 0;
}

}  // namespace

FailingAllocations::FailingAllocations(int64_t allowed, On on) : on_(on) {
  if (on_ == On::this_thread) {
    left = allowed;
    fails = true;
  } else {
    left_to_others = allowed;
    others_fail = spared = true;
  }
}
FailingAllocations::~FailingAllocations() {
  if (on_ == On::this_thread) {
    fails = false;
  } else {
    others_fail = spared = false;
  }
}
bool FailingAllocations::failed() const { return (on_ == On::this_thread ? left : left_to_others.load()) < 0; }

}  // namespace weft::test

// The program's own, also for the library and for drivers: all that an operator delete below may get.
void* operator new(size_t bytes, const std::nothrow_t&) noexcept {
  return weft::test::may_allocate() ? std::malloc(bytes ? bytes : 1) : nullptr;
}
void* operator new(size_t bytes) {
  if (void* const memory = operator new(bytes, std::nothrow)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
