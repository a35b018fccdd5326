#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "backends/host/fiber.h"
#include "backends/host/random.h"

namespace weft::host {

/// The fibers of a thread that can go on: first in, first out, or with a schedule drawn at random.
class Scheduler {
 public:
  /// Begins a dispatch. `seed`: of the schedule, if there is one.
  void begin(const std::optional<uint64_t>& seed) {
    random_.reset();
    if (seed) random_.emplace(mixed(*seed + 1));
  }
  bool is_random() const { return random_.has_value(); }
  /// With a schedule: a random number below `bound`.
  uint32_t draw(uint32_t bound) { return random_->below(bound); }

  /// Makes room for that many fibers, so that adding one needs no memory.
  void reserve(size_t fibers) { drawn_from_.reserve(fibers); }

  bool empty() const { return ready_.empty() && drawn_from_.empty(); }
  /// Takes all fibers from the list.
  void add(FiberList& fibers) {
    if (random_) return add_unordered(fibers);
    ready_.append(fibers.first(), fibers.last());
    fibers.take_all();
  }
  void add(Fiber& fiber) {
    FiberList one;
    one.push(fiber);
    add(one);
  }
  /// Without a schedule: the fiber that has waited longest; null if there is none.
  Fiber* first() { return ready_.pop(); }
  /// With a schedule: one of the fibers; null if there is none.
  Fiber* any();

 private:
  void add_unordered(FiberList& fibers);

  std::optional<Random> random_;
  FiberList ready_;
  std::vector<Fiber*> drawn_from_;  ///< Replaces ready_ with a schedule.
};

}  // namespace weft::host
