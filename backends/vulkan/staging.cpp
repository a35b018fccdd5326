#include "backends/vulkan/staging.h"

#include <algorithm>

#include "backends/vulkan/device.h"

namespace weft::vulkan {

namespace {

/// Pieces start where every type is aligned.
constexpr uint64_t piece_alignment = 16;

}  // namespace

Staging::~Staging() {
  for (const Slot& slot : slots_) release(device_, slot.allocation);
}

std::optional<Staging::Piece> Staging::take(uint64_t bytes, const Timeline& timeline,
                                            std::chrono::nanoseconds timeout) {
  if (slots_.empty()) slots_.push_back({allocate(device_, slot_bytes, use_)});
  if (slots_[current_].used == slot_bytes) {
    const size_t next = (current_ + 1) % slot_count;
    if (next == slots_.size()) {
      slots_.push_back({allocate(device_, slot_bytes, use_)});
    } else {
      Slot& slot = slots_[next];
      if (slot.busy_until > timeline.submitted()) return std::nullopt;
      timeline.wait(slot.busy_until, timeout);
      slot.used = 0;
    }
    current_ = next;
  }
  Slot& slot = slots_[current_];
  Piece piece{slot.allocation.buffer, slot.used, std::min(bytes, slot_bytes - slot.used),
              slot.allocation.mapped + slot.used};
  slot.used = std::min(slot_bytes, (slot.used + piece.bytes + piece_alignment - 1) / piece_alignment * piece_alignment);
  return piece;
}

}  // namespace weft::vulkan
