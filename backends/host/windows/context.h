#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

namespace weft::host {

/// What the system needs to know of fibers' stacks, which it allocates itself, with a guard page each. Thread-safe.
class StackPool {
 public:
  explicit StackPool(uint32_t invocations = 1) : stack_bytes_(invocation_bytes * invocations) {}
  size_t stack_bytes() const { return stack_bytes_; }

 private:
  static constexpr size_t invocation_bytes = size_t{128} * 1024;
  const size_t stack_bytes_;
};

/// Lets its thread run fibers while it exists: during work, since a thread_local object may be gone before its
/// destructor runs where GCC emulates them.
class FiberThread {
 public:
  /// Throws out_of_memory.
  FiberThread();
  ~FiberThread();
  FiberThread(const FiberThread&) = delete;

 private:
  bool is_ours_ = false;  ///< Not of a host program whose fibers run here.
};

/// The state of a flow of control: a fiber, or the thread that fibers run on. Flows of one thread switch directly to
/// each other. As linux/context.h, by the system's fibers: Boost.Context is not in Debian for Windows.
class Context {
 public:
  /// The thread's own flow, or a fiber before start().
  Context() = default;
  Context(const Context&) = delete;
  ~Context();

  /// Creates a fiber, which runs `body` when it is first switched to. When `body` returns, the fiber ends and the flow
  /// that last switched to it continues. Throws out_of_memory.
  template <typename Body>
  void start(StackPool& pool, Body body) {
    body_ = std::move(body);
    create(pool.stack_bytes());
  }

  /// Switches from this flow, the running one, to `to`. Returns when a flow switches back. Needs a FiberThread.
  void hand_over(Context& to);

 private:
  void create(size_t stack_bytes);
  void run();

  void* fiber_ = nullptr;
  bool is_started_ = false;  ///< Here: so the fiber is deleted here too.
  Context* came_from_ = nullptr;
  std::function<void()> body_;
};

}  // namespace weft::host
