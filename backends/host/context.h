#pragma once

#include <boost/context/fiber.hpp>
#include <boost/context/preallocated.hpp>
#include <cstddef>
#include <utility>

#include "backends/host/stacks.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace weft::host {

/// Where a flow of control stands: a fiber's, or the thread's that fibers run on. Flows of one thread hand over to one
/// another directly.
class Context {
 public:
  /// The thread's own flow, or a fiber's before start().
  Context() = default;
  Context(const Context&) = delete;

  /// Makes a fiber that runs `body` once it is handed over to. When `body` returns, the fiber is over, and the flow
  /// that handed over to it last goes on.
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

  /// Hands over to `to`, and returns when some flow hands over to this one again. This is the flow that runs now.
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
    // Tells where the stack of the flow before lies: the thread's is not known otherwise.
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
  [[maybe_unused]] void* fake_stack_ = nullptr;  // AddressSanitizer's alone
};

}  // namespace weft::host
