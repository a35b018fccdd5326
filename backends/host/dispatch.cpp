#include "backends/host/dispatch.h"

#include <bit>
#include <utility>

#include "backends/host/random.h"

namespace weft::host {

Progress::Progress(const Dispatch& dispatch, const std::atomic<bool>& cancelled)
    : dispatch_(dispatch), cancelled_(cancelled) {}

// A Feistel network permutes the range up to the next power of four. Indices beyond the count go through it again.
uint64_t Progress::permuted(uint64_t index) const {
  const uint64_t count = dispatch_.workgroups();
  const int half = (std::bit_width(count - 1) + 1) / 2;
  const uint64_t mask = (uint64_t{1} << half) - 1;
  do {
    uint64_t left = index >> half, right = index & mask;
    for (uint64_t round = 0; round < 4; ++round) {
      left = std::exchange(right, left ^ (mixed(right + mixed(*dispatch_.schedule + round)) & mask));
    }
    index = left << half | right;
  } while (index >= count);
  return index;
}

std::optional<std::array<uint32_t, 3>> Progress::take_workgroup() {
  if (stopped()) return std::nullopt;
  uint64_t index = next_.fetch_add(1, std::memory_order_relaxed);
  if (index >= dispatch_.workgroups()) return std::nullopt;
  if (dispatch_.schedule && dispatch_.workgroups() > 1) index = permuted(index);
  const Groups& groups = dispatch_.groups;
  const uint64_t row = index / groups.x;
  return std::array{uint32_t(index % groups.x), uint32_t(row % groups.y), uint32_t(row / groups.y)};
}

void Progress::stop(std::exception_ptr error) {
  {
    std::lock_guard lock(mutex_);
    if (!error_) error_ = std::move(error);
  }
  stopped_ = true;
}

std::exception_ptr Progress::error() const {
  std::lock_guard lock(mutex_);
  return error_;
}

}  // namespace weft::host
