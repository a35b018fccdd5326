#pragma once

#include <optional>
#include <vector>

#include "backends/vulkan/memory.h"
#include "backends/vulkan/timeline.h"

namespace weft::vulkan {

/// Memory that the host and the device share, in a few slots that are reused in turn: while the device copies out of
/// one, the host fills the next. Belongs to one stream.
class Staging {
 public:
  static constexpr uint64_t slot_bytes = 8ull << 20;
  static constexpr size_t slot_count = 4;

  struct Piece {
    VkBuffer buffer = VK_NULL_HANDLE;
    uint64_t offset = 0;
    uint64_t bytes = 0;
    std::byte* data = nullptr;
  };

  Staging(Device& device, MemoryUse use) : device_(device), use_(use) {}
  ~Staging();
  Staging(const Staging&) = delete;

  /// The next piece of at most `bytes`, or nullopt when the slot that it would come from belongs to work that was not
  /// submitted yet: submit, then ask again. Waits, up to `timeout`, while the device still uses the slot.
  std::optional<Piece> take(uint64_t bytes, const Timeline& timeline, std::chrono::nanoseconds timeout);
  /// The piece just taken is in use until submission `value` is done.
  void use_until(uint64_t value) { slots_[current_].busy_until = value; }

 private:
  struct Slot {
    Allocation allocation;
    uint64_t used = 0;
    uint64_t busy_until = 0;
  };

  Device& device_;
  MemoryUse use_;
  std::vector<Slot> slots_;  ///< Grows to slot_count as they are needed.
  size_t current_ = 0;
};

}  // namespace weft::vulkan
