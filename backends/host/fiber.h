#pragma once

#include <cstdint>
#include <vector>

#include "backends/host/context.h"
#include "backends/translate/prelude/host_abi.h"

namespace weft::host {

class Worker;
struct Rendezvous;
struct Workgroup;

/// What an invocation waits for.
enum class Wait { nothing, barrier, rendezvous };

/// Runs invocations, one after the other.
struct Fiber {
  weft_host_invocation invocation{};
  Context context;
  Worker* worker = nullptr;
  Workgroup* workgroup = nullptr;  ///< Of the invocation that runs now; null between two.
  Fiber* next = nullptr;           ///< In the list that the fiber stands in.
  Rendezvous* held = nullptr;      ///< The meeting whose values this lane may still read.
  uint32_t number = 0;             ///< Of the invocation, for the checking mode.
  uint32_t polls = 0;
  Wait wait = Wait::nothing;
  uint32_t wait_site = 0;
  weft_host_mask wait_lanes{};  ///< Whom a rendezvous waits for.
};

inline Fiber& fiber_of(weft_host_invocation* invocation) { return *static_cast<Fiber*>(invocation->fiber); }

/// Thrown through a kernel to end its invocation: the dispatch stops.
struct Stopped {};

/// Fibers in a row, first in, first out.
class FiberList {
 public:
  bool empty() const { return first_ == nullptr; }
  Fiber* first() const { return first_; }

  void push(Fiber& fiber) { append(&fiber, &fiber); }
  /// Takes over a chain of fibers, which may be empty.
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
  /// Empties the list, and returns its first fiber.
  Fiber* take_all() {
    Fiber* fiber = first_;
    first_ = nullptr;
    return fiber;
  }
  Fiber* last() const { return last_; }

 private:
  Fiber* first_ = nullptr;
  Fiber* last_ = nullptr;  ///< Means something only while there is a first.
};

/// A meeting of some lanes of a subgroup: each leaves a value, and once all have come each may read them all. It is
/// taken again when the last of them has gone on to another.
struct Rendezvous {
  weft_host_mask lanes{};
  uint32_t expected = 0, arrived = 0, readers = 0;
  uint32_t bytes = 0, site = 0;
  FiberList waiting;
  std::vector<unsigned char> slots;
  Rendezvous* next = nullptr;
};

}  // namespace weft::host
