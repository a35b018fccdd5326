#include "core/src/runtime/retirement.h"

#include <utility>

namespace weft::core {

void Retirement::Chain::append(Chain other) {
  if (!other.first) return;
  (first ? last->next_ : first) = other.first;
  last = other.last;
}

void Retirement::Chain::release() {
  while (Remains* const remains = first) {
    first = remains->next_;
    delete remains;
  }
}

size_t Retirement::current_group() noexcept {
  const auto at = [&](size_t index) { return (first_ + index) % Work::marks; };
  if (used_ > 0 && works_.all_of([&](Work& work) { return work.is_marked(at(used_ - 1)); })) return at(used_ - 1);
  if (used_ < Work::marks) ++used_;
  const size_t group = at(used_ - 1);
  works_.each([&](Work& work) { work.mark(group); });
  return group;
}

void Retirement::retire(std::unique_ptr<Remains> remains) noexcept {
  {
    const std::lock_guard lock(mutex_);
    Remains* const one = remains.release();
    groups_[current_group()].append({one, one});
  }
  collect();
}

// Remains are released outside the lock: their destructors may retire others.
void Retirement::collect() noexcept {
  Chain due;
  {
    const std::lock_guard lock(mutex_);
    while (used_ > 0 && works_.all_of([&](Work& work) { return work.passed(first_); })) {
      due.append(std::exchange(groups_[first_], {}));
      first_ = (first_ + 1) % Work::marks;
      --used_;
    }
  }
  due.release();
}

void Retirement::drain() noexcept {
  Chain all;
  {
    const std::lock_guard lock(mutex_);
    for (; used_ > 0; --used_) {
      all.append(std::exchange(groups_[first_], {}));
      first_ = (first_ + 1) % Work::marks;
    }
  }
  all.release();
}

}  // namespace weft::core
