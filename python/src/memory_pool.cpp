#include "python/src/memory_pool.h"

#include <algorithm>
#include <bit>

#include "python/src/stream.h"

namespace weft::python {
namespace {

// Sizes in steps of an eighth of a power of two, so that blocks fit arrays of about their size.
uint64_t rounded(uint64_t bytes) {
  constexpr uint64_t smallest = 256;
  if (bytes <= smallest) return smallest;
  const uint64_t step = std::max(std::bit_floor(bytes) / 8, smallest);
  return (bytes + step - 1) / step * step;
}

}  // namespace

MemoryPool::Block MemoryPool::take(const Device& device, uint64_t bytes) {
  const DeviceLimits& limits = device.info().limits;
  const uint64_t wanted = bytes > limits.max_buffer_bytes ? bytes : std::min(rounded(bytes), limits.max_buffer_bytes);
  const auto kept = by_size_.lower_bound(wanted);
  if (kept != by_size_.end() && kept->first - wanted <= wanted / 4) {
    Block block = std::move(kept->second);
    bytes_ -= kept->first;
    by_size_.erase(kept);
    return block;
  }
  try {
    return {device.buffer<std::byte>(wanted)};
  } catch (const Error& error) {
    if (error.code() != ErrorCode::out_of_memory || by_size_.empty()) throw;
  }
  clear();
  return {device.buffer<std::byte>(wanted)};
}

void MemoryPool::give(const Device& device, Block block) {
  const uint64_t bytes = block.buffer.bytes();
  if (bytes > device.info().limits.memory_bytes / 4 - std::min(bytes_, device.info().limits.memory_bytes / 4)) return;
  bytes_ += bytes;
  by_size_.emplace(bytes, std::move(block));
}

void MemoryPool::clear() {
  by_size_.clear();
  bytes_ = 0;
}

}  // namespace weft::python
