#pragma once

#include <atomic>
#include <cstdint>
#include <limits>

namespace weft::vulkan {

/// Progress of an arena's frames: the last one recorded, and the last one that the host says is done. Frames are
/// counted from 1, so that 0 means none. Thread-safe.
class Frames {
 public:
  /// The host's number in that count. The highest two numbers share one.
  static uint64_t counted(uint64_t frame) { return frame == std::numeric_limits<uint64_t>::max() ? frame : frame + 1; }

  /// The frame that covers all work recorded so far.
  uint64_t last_use() const { return recorded_; }
  bool reached(uint64_t frame) const { return all_done_ || frame == 0 || finished_ >= frame; }

  void set_recording(uint64_t frame) { recorded_ = frame; }
  void set_finished(uint64_t frame) { finished_ = frame; }
  /// The arena is being destroyed: nothing that was recorded still runs.
  void set_all_done() { all_done_ = true; }

 private:
  std::atomic<uint64_t> recorded_ = 0, finished_ = 0;
  std::atomic<bool> all_done_ = false;
};

}  // namespace weft::vulkan
