#pragma once

#include <boost/context/fiber.hpp>
#include <boost/context/preallocated.hpp>
#include <cstddef>
#include <utility>

#include "backends/host/linux/stacks.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace weft::host {

/// Lets its thread run fibers while it exists. Any thread does.
class FiberThread {
 public:
  FiberThread() {}  // NOLINT(modernize-use-equals-default): an object is used by being there
  FiberThread(const FiberThread&) = delete;
};

/// The state of a flow of control: a fiber, or the thread that fibers run on. Flows of one thread switch directly to
/// each other.
class Context {
 public:
  /// The thread's own flow, or a fiber before start().
  Context() = default;
  Context(const Context&) = delete;

  /// Creates a fiber, which runs `body` when it is first switched to. When `body` returns, the fiber ends and the flow
  /// that last switched to it continues.
  template <typename Body>
  void start(StackPool& pool, Body body) {
    const boost::context::stack_context stack = pool.take();
    stack_bottom_ = static_cast<char*>(stack.sp) - stack.size;
    stack_bytes_ = stack.size;
    fiber_ =
        boost::context::fiber(std::allocator_arg, boost::context::preallocated(stack.sp, stack.size, stack),
                              PooledStacks(pool), [this, body = std::move(body)](boost::context::fiber&& back) mutable {
                                arrived(std::move(back));
                                body();
                                return leave();
                              });
  }

  /// Switches from this flow, the running one, to `to`. Returns when a flow switches back.
  void hand_over(Context& to) {
    to.came_from_ = this;
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(&fake_stack_, to.stack_bottom_, to.stack_bytes_);
#endif
    arrived(std::move(to.fiber_).resume());
  }

 private:
  void arrived(boost::context::fiber&& back) {
#if defined(__SANITIZE_ADDRESS__)
    // Yields the bounds of the previous flow's stack, which are not known otherwise for the thread's.
    __sanitizer_finish_switch_fiber(fake_stack_, &came_from_->stack_bottom_, &came_from_->stack_bytes_);
#endif
    came_from_->fiber_ = std::move(back);
  }

  boost::context::fiber leave() {
    came_from_->came_from_ = this;
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(nullptr, came_from_->stack_bottom_, came_from_->stack_bytes_);
#endif
    return std::move(came_from_->fiber_);
  }

  boost::context::fiber fiber_;
  Context* came_from_ = nullptr;
  const void* stack_bottom_ = nullptr;
  size_t stack_bytes_ = 0;
  [[maybe_unused]] void* fake_stack_ = nullptr;  // for AddressSanitizer only
};

}  // namespace weft::host
