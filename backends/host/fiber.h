#pragma once

#include <cstdint>

#include "backends/host/context.h"
#include "backends/translate/prelude/host_abi.h"

namespace weft::host {

class Worker;
struct Rendezvous;
struct Workgroup;

/// What an invocation is waiting for.
enum class Wait { nothing, barrier, rendezvous };

/// Runs invocations, one after the other.
struct Fiber {
  weft_host_invocation invocation{};
  Context context;
  Worker* worker = nullptr;
  Workgroup* workgroup = nullptr;  ///< Of the running invocation; null between two.
  Fiber* next = nullptr;           ///< Next fiber in the same list.
  Rendezvous* held = nullptr;      ///< The rendezvous whose values this lane may still read.
  uint32_t number = 0;             ///< Number of the invocation, for checking mode.
  uint32_t polls = 0;
  Wait wait = Wait::nothing;
  uint32_t wait_site = 0;
  weft_host_mask wait_lanes{};  ///< Lanes that a rendezvous waits for.
};

inline Fiber& fiber_of(weft_host_invocation* invocation) { return *static_cast<Fiber*>(invocation->fiber); }

/// Thrown through a kernel to end its invocation when the dispatch stops.
struct Stopped {};

/// A queue of fibers, first in, first out.
class FiberList {
 public:
  bool empty() const { return first_ == nullptr; }
  Fiber* first() const { return first_; }

  void push(Fiber& fiber) { append(&fiber, &fiber); }
  /// Appends a chain of fibers, which may be empty.
  void append(Fiber* first, Fiber* last) {
    if (!first) return;
    last->next = nullptr;
    (first_ ? last_->next : first_) = first;
    last_ = last;
  }
  Fiber* pop() {
    Fiber* fiber = first_;
    if (fiber) first_ = fiber->next;
    return fiber;
  }
  /// Empties the list and returns its first fiber.
  Fiber* take_all() {
    Fiber* fiber = first_;
    first_ = nullptr;
    return fiber;
  }
  Fiber* last() const { return last_; }

 private:
  Fiber* first_ = nullptr;
  Fiber* last_ = nullptr;  ///< Valid only while first_ is not null.
};

}  // namespace weft::host
