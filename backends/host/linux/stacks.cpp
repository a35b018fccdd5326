#include "backends/host/linux/stacks.h"

#include <weft/error.h>

#include "core/src/platform/memory.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace weft::host {

namespace {

constexpr size_t guard_bytes = 4096, slab_stacks = 32;

// Each guard page splits a mapping in two, and Linux allows 65,530 mappings per process. Beyond this many stacks (64
// threads with workgroups of 256) there are no guard pages, so that the host program has enough mappings left.
constexpr size_t most_guarded_slabs = 16384 / slab_stacks;

// Stacks that start at multiples of a power of two would share the same few cache sets, so their tops are spread over
// 16 KiB.
size_t offset_of(size_t stack) { return stack % slab_stacks * 512; }

}  // namespace

StackPool::~StackPool() {
  for (void* slab : slabs_) {
#if defined(__SANITIZE_ADDRESS__)
    // Otherwise the marks of fibers' frames would apply to what is mapped here next, such as a driver's library.
    ASAN_UNPOISON_MEMORY_REGION(slab, slab_stacks * stack_bytes_);
#endif
    core::release_pages(slab, slab_stacks * stack_bytes_);
  }
}

void StackPool::add_slab() {
  // Room for all stacks, so that none needs memory to come back.
  slabs_.reserve(slabs_.size() + 1);
  free_.reserve((slabs_.size() + 1) * slab_stacks);
  void* slab = core::reserve_pages(slab_stacks * stack_bytes_);
  if (!slab) {
    throw Error(ErrorCode::out_of_memory, "The system has no memory left for stacks of invocations (" +
                                              std::to_string(slabs_.size() * slab_stacks) + " are in use).");
  }
  slabs_.push_back(slab);
  for (size_t i = slab_stacks; i-- > 0;) {
    char* bottom = static_cast<char*>(slab) + i * stack_bytes_;
    if (slabs_.size() <= most_guarded_slabs && !core::guard_pages(bottom, guard_bytes)) {
      throw Error(ErrorCode::out_of_memory, "The system refused a guard page for the stacks of invocations.");
    }
    boost::context::stack_context stack;
    stack.size = stack_bytes_ - guard_bytes - offset_of(i);
    stack.sp = bottom + stack_bytes_ - offset_of(i);
    free_.push_back(stack);
  }
}

boost::context::stack_context StackPool::take() {
  std::lock_guard lock(mutex_);
  if (free_.empty()) add_slab();
  const boost::context::stack_context stack = free_.back();
  free_.pop_back();
  return stack;
}

void StackPool::give_back(const boost::context::stack_context& stack) noexcept {
  std::lock_guard lock(mutex_);
  free_.push_back(stack);
}

}  // namespace weft::host
