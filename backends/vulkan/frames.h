#pragma once

#include <atomic>
#include <cstdint>

namespace weft::vulkan {

/// The frames that an arena has recorded for, and those that the host says are done. Thread-safe.
class Frames {
 public:
  /// The frame that covers all work recorded so far.
  uint64_t last_use() const { return recorded_; }
  bool reached(uint64_t frame) const { return all_done_ || frame == 0 || finished_ >= frame; }

  /// Both are counted from 1: no frame has been recorded or finished where they are 0.
  void set_recording(uint64_t frame) { recorded_ = frame; }
  void set_finished(uint64_t frame) { finished_ = frame; }
  /// The arena goes: nothing that was recorded still runs.
  void set_all_done() { all_done_ = true; }

 private:
  std::atomic<uint64_t> recorded_ = 0, finished_ = 0;
  std::atomic<bool> all_done_ = false;
};

}  // namespace weft::vulkan
