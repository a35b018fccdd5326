#include "core/src/runtime/retirement.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace weft::core {

Retirement::~Retirement() {
  if (!entries_->empty()) static_cast<void>(entries_.release());
}

void Retirement::retire(std::vector<CompletionPoint> points, std::function<void()> destroy) {
  {
    std::lock_guard lock(mutex_);
    entries_->push_back({std::move(points), std::move(destroy)});
  }
  collect();
}

// Objects are destroyed outside the lock: their destructors may retire others.
void Retirement::collect() {
  std::vector<Entry> due;
  {
    std::lock_guard lock(mutex_);
    const auto waiting = [](const Entry& entry) {
      return !std::ranges::all_of(entry.points, [](const CompletionPoint& reached) { return reached(); });
    };
    const auto first_due = std::stable_partition(entries_->begin(), entries_->end(), waiting);
    std::move(first_due, entries_->end(), std::back_inserter(due));
    entries_->erase(first_due, entries_->end());
  }
  for (Entry& entry : due) entry.destroy();
}

void Retirement::drain() {
  std::vector<Entry> all;
  {
    std::lock_guard lock(mutex_);
    all.swap(*entries_);
  }
  for (Entry& entry : all) entry.destroy();
}

}  // namespace weft::core
