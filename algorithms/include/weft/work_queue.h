#pragma once

#include <cstdint>

#include <weft/api.h>
#include <weft/stream.h>

namespace weft {

/// The host's side of weft/device/work_queue.glsl, a bounded queue of words that many invocations push and pop: the
/// size of a queue, and its initial state.
///
/// The queue is your own memory, whose address a kernel takes as a WeftWorkQueue. Its items outlive a dispatch. A
/// value: copyable, thread-safe.
class WEFT_API WorkQueue {
 public:
  static constexpr uint64_t max_capacity = uint64_t(1) << 28;

  /// A queue with room for at least `capacity` items: the next power of two, and at least 2. Throws invalid_argument
  /// for 0 and for more than max_capacity.
  explicit WorkQueue(uint64_t capacity);

  /// Number of items that fit.
  uint64_t capacity() const { return capacity_; }
  /// Bytes of its memory, which starts at a multiple of 4.
  uint64_t bytes() const;

  /// Records the initial state: the queue holds the words of `items`, in this order, none of them finished. Throws
  /// invalid_argument if the memory is too small or misaligned, or if there are more items than fit.
  void record_clear(Recorder& recorder, const Region& memory, View<const uint32_t> items = {}) const;

 private:
  uint64_t capacity_;
};

}  // namespace weft
