#include <weft/work_queue.h>

#include <algorithm>
#include <bit>
#include <string>

#include "algorithms/src/persistent/structure_memory.h"
#include "core/src/runtime/messages.h"

namespace weft {
namespace {

using namespace algorithms;

// Offsets in the WeftWorkQueue of shaders/device/work_queue.glsl.
constexpr uint64_t free_offset = 0, pushed_offset = 128, items_offset = 256, capacity_offset = 640, slots_offset = 768,
                   word_bytes = 4;

}  // namespace

WorkQueue::WorkQueue(uint64_t capacity) : capacity_(std::bit_ceil(std::max<uint64_t>(capacity, 2))) {
  if (capacity == 0 || capacity > max_capacity) {
    core::invalid("WorkQueue", "a capacity of " + std::to_string(capacity) + " was given; it must be between 1 and " +
                                   std::to_string(max_capacity) + ".");
  }
}

uint64_t WorkQueue::bytes() const { return slots_offset + capacity_ * 2 * word_bytes; }

void WorkQueue::record_clear(Recorder& recorder, const Region& memory, View<const uint32_t> items) const {
  const Region queue = require_memory("WorkQueue", memory, bytes());
  if (items.size() > capacity_) {
    core::invalid("WorkQueue", std::to_string(items.size()) + " items were given; the queue has room for " +
                                   std::to_string(capacity_) + ".");
  }
  const auto fill = [&](uint64_t offset, uint64_t bytes, uint64_t value) {
    fill_words(recorder, queue.part(offset, bytes), uint32_t(value));
  };
  // A slot with an item is one turn further.
  const uint64_t filled = items.size() * word_bytes;
  fill(0, slots_offset, 0);
  fill(free_offset, word_bytes, capacity_ - items.size());
  fill(capacity_offset, word_bytes, capacity_);
  fill(slots_offset, filled, 1);
  fill(slots_offset + filled, capacity_ * word_bytes - filled, 0);
  if (items.empty()) return;
  recorder.copy_region(items.region(), queue.part(slots_offset + capacity_ * word_bytes, filled));
  fill(pushed_offset, word_bytes, items.size());
  fill(items_offset, word_bytes, items.size());
}

}  // namespace weft
