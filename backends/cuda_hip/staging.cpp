#include "backends/cuda_hip/staging.h"

#include <algorithm>

#include "backends/cuda_hip/waiting.h"

namespace weft::cuda_hip {

namespace {

/// Pieces start where every type is aligned.
constexpr uint64_t piece_alignment = 16;

}  // namespace

Staging::~Staging() {
  device_.clean_up([&] {
    for (const Slot& slot : slots_) device_.api().release_pinned(slot.data);
  });
}

Staging::Slot Staging::make_slot() const {
  return {device_.api().allocate_pinned(slot_bytes), 0,
          std::make_shared<Mark>(device_.setup().api, device_.setup().context, false)};
}

Staging::Piece Staging::take(uint64_t bytes) {
  if (slots_.empty()) slots_.push_back(make_slot());
  if (slots_[current_].used == slot_bytes) {
    const size_t next = (current_ + 1) % slot_count;
    if (next == slots_.size()) {
      slots_.push_back(make_slot());
    } else {
      wait_until([&] { return slots_[next].last_use->done(); }, device_.timeout(), device_.info().name,
                 *slots_[next].last_use->patience());
      slots_[next].used = 0;
    }
    current_ = next;
  }
  Slot& slot = slots_[current_];
  Piece piece{slot.data + slot.used, std::min(bytes, slot_bytes - slot.used), slot.last_use};
  slot.used = std::min(slot_bytes, (slot.used + piece.bytes + piece_alignment - 1) / piece_alignment * piece_alignment);
  return piece;
}

}  // namespace weft::cuda_hip
