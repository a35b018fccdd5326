#include "backends/host/scheduler.h"

#include <utility>

namespace weft::host {

Fiber* Scheduler::any() {
  if (drawn_from_.empty()) return nullptr;
  std::swap(drawn_from_[draw(uint32_t(drawn_from_.size()))], drawn_from_.back());
  Fiber* fiber = drawn_from_.back();
  drawn_from_.pop_back();
  return fiber;
}

void Scheduler::add_unordered(FiberList& fibers) {
  while (Fiber* fiber = fibers.pop()) drawn_from_.push_back(fiber);
}

}  // namespace weft::host
