#include <weft/pool.h>

#include <bit>
#include <string>

#include <weft/error.h>

#include "core/src/runtime/messages.h"

namespace weft {
namespace {

constexpr uint64_t align = 16, most_pool_bytes = uint64_t{1} << 40;

uint64_t aligned(uint64_t bytes) { return (bytes + align - 1) / align * align; }
uint64_t words_of_bits(uint32_t buffers) { return (uint64_t{buffers} + 31) / 32; }

void check_memory(const Pool& pool, const Region& memory) {
  if (memory.bytes >= pool.bytes() && memory.address() % align == 0) return;
  core::invalid("Pool", "the memory has " + std::to_string(memory.bytes) + " bytes at address " +
                            std::to_string(memory.address()) + "; it needs " + std::to_string(pool.bytes()) +
                            " bytes at a multiple of 16.");
}

}  // namespace

Pool::Pool(uint32_t buffers, uint32_t buffer_bytes) : buffers_(buffers), buffer_bytes_(0) {
  const uint64_t each = aligned(buffer_bytes);
  if (buffers == 0 || each == 0 || each > UINT32_MAX || buffers > most_pool_bytes / each) {
    throw Error(ErrorCode::invalid_argument, "Pool of " + std::to_string(buffers) + " buffers of " +
                                                 std::to_string(buffer_bytes) +
                                                 " bytes: there must be at least one, of at least one byte and less "
                                                 "than 4 GiB, and they take up to 1 TiB in all.");
  }
  buffer_bytes_ = uint32_t(each);
}

uint64_t Pool::bytes() const {
  return aligned(words_of_bits(buffers_) * sizeof(uint32_t)) + uint64_t{buffers_} * buffer_bytes_;
}

Region Pool::taken_bits(const Region& memory) const {
  check_memory(*this, memory);
  return memory.part(0, words_of_bits(buffers_) * sizeof(uint32_t));
}

Pool::Block Pool::block(const Region& memory) const {
  const Region bits = taken_bits(memory);
  return {bits.address(), bits.address() + aligned(bits.bytes), buffers_, buffer_bytes_};
}

void Pool::record_clear(Recorder& recorder, const Region& memory) const {
  recorder.fill(View<uint32_t>(taken_bits(memory)), 0u);
}

uint32_t Pool::count_taken(Stream& stream, const Region& memory) const {
  uint32_t taken = 0;
  for (const uint32_t word : stream.download(View<const uint32_t>(taken_bits(memory))))
    taken += uint32_t(std::popcount(word));
  return taken;
}

}  // namespace weft
