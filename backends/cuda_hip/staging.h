#pragma once

#include <memory>
#include <vector>

#include "backends/cuda_hip/device.h"

namespace weft::cuda_hip {

/// Pinned host memory in a few slots that are reused in turn: while the device copies out of one, the host fills the
/// next. Belongs to one stream. Wants the context to be current, but for its end.
class Staging {
 public:
  static constexpr uint64_t slot_bytes = 8ull << 20;
  static constexpr size_t slot_count = 4;

  struct Piece {
    std::byte* data = nullptr;
    uint64_t bytes = 0;
    std::shared_ptr<Mark> used;  ///< To record behind the copy.
  };

  explicit Staging(Device& device) : device_(device) {}
  ~Staging();
  Staging(const Staging&) = delete;

  /// The next piece of at most `bytes`. Waits while the device still uses its slot.
  Piece take(uint64_t bytes);

 private:
  struct Slot {
    std::byte* data = nullptr;
    uint64_t used = 0;
    std::shared_ptr<Mark> last_use;
  };
  Slot make_slot() const;

  Device& device_;
  std::vector<Slot> slots_;  ///< Grows to slot_count as they are needed.
  size_t current_ = 0;
};

}  // namespace weft::cuda_hip
