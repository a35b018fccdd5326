#include "backends/cuda_hip/retirement.h"

#include <algorithm>
#include <iterator>

namespace weft::cuda_hip {

namespace {

/// A lost device completes nothing more, and what was in its context went with it: nothing is left to wait for.
template <typename Work>
bool done_or_lost(Work& work) {
  try {
    return work.done();
  } catch (const Error&) {
    return true;
  }
}

}  // namespace

void Retirement::add(const std::shared_ptr<Queue>& queue) {
  std::lock_guard lock(mutex_);
  std::erase_if(queues_, [](const auto& weak) { return weak.expired(); });
  queues_.push_back(queue);
}

std::vector<std::shared_ptr<Queue>> Retirement::queues() {
  std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<Queue>> alive;
  for (const auto& weak : queues_) {
    if (auto queue = weak.lock()) alive.push_back(std::move(queue));
  }
  return alive;
}

void Retirement::retire(std::function<void()> destroy) {
  Entry entry{{}, std::move(destroy)};
  try {
    for (const auto& queue : queues()) {
      if (queue->done()) continue;
      entry.uses.push_back(std::make_shared<Mark>(api_, context_, false));
      entry.uses.back()->record(*queue);
    }
  } catch (const Error& error) {
    // What cannot be marked might still be in use: better kept for ever than destroyed under way.
    if (error.code() != ErrorCode::device_lost) throw;
    entry.uses.clear();
  }
  if (!entry.uses.empty()) {
    std::lock_guard lock(mutex_);
    entries_.push_back(std::move(entry));
  } else {
    entry.destroy();
  }
  collect();
}

void Retirement::collect() {
  std::vector<Entry> due;
  {
    std::lock_guard lock(mutex_);
    const auto waiting = [](const Entry& entry) {
      return !std::ranges::all_of(entry.uses, [](const auto& mark) { return done_or_lost(*mark); });
    };
    const auto first_due = std::stable_partition(entries_.begin(), entries_.end(), waiting);
    std::move(first_due, entries_.end(), std::back_inserter(due));
    entries_.erase(first_due, entries_.end());
  }
  for (Entry& entry : due) entry.destroy();
}

bool Retirement::idle() {
  return std::ranges::all_of(queues(), [](const auto& queue) { return done_or_lost(*queue); });
}

void Retirement::drain() {
  std::vector<Entry> all;
  {
    std::lock_guard lock(mutex_);
    all.swap(entries_);
  }
  for (Entry& entry : all) entry.destroy();
}

}  // namespace weft::cuda_hip
