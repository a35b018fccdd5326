#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <limits>

#include "core/src/runtime/retirement.h"

namespace weft::vulkan {

/// Progress of an arena's frames: the last one recorded, and the last one that the host says is done. Frames are
/// counted from 1, so that 0 means none. Thread-safe.
class Frames final : public core::Work {
 public:
  /// The highest number of a frame. Above it are differences below zero.
  static constexpr uint64_t highest = std::numeric_limits<int64_t>::max();
  /// The host's number in that count.
  static uint64_t counted(uint64_t frame) { return frame + 1; }

  /// The frame that covers all work recorded so far.
  uint64_t last_use() const { return recorded_; }
  uint64_t finished() const { return finished_; }
  bool reached(uint64_t frame) const { return all_done_ || frame == 0 || finished_ >= frame; }

  void set_recording(uint64_t frame) { recorded_ = frame; }
  void set_finished(uint64_t frame) { finished_ = frame; }
  void mark(size_t mark) noexcept override { marked_[mark] = last_use(); }
  bool is_marked(size_t mark) noexcept override { return marked_[mark] == last_use(); }
  bool passed(size_t mark) noexcept override { return reached(marked_[mark]); }
  /// The arena is being destroyed: nothing that was recorded still runs.
  void set_all_done() { all_done_ = true; }

 private:
  std::atomic<uint64_t> recorded_ = 0, finished_ = 0;
  std::array<std::atomic<uint64_t>, marks> marked_{};
  std::atomic<bool> all_done_ = false;
};

}  // namespace weft::vulkan
