#include <weft/slab_allocator.h>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "core/src/runtime/messages.h"

namespace weft {
namespace {

// Those of shaders/device/slab_allocator.glsl.
constexpr uint32_t class_shift = 28, count_mask = (1u << class_shift) - 1;
constexpr uint64_t smallest_block = 16, most_heap_bytes = uint64_t{1} << 38;

Pool make_pool(uint64_t heap_bytes, uint32_t slab_bytes) {
  if (!std::has_single_bit(slab_bytes) || slab_bytes < 4096 || slab_bytes > 1 << 20) {
    core::invalid("SlabAllocator",
                  "slabs of " + std::to_string(slab_bytes) + " bytes; they have a power of two from 4 KiB to 1 MiB.");
  }
  if (heap_bytes == 0 || heap_bytes > most_heap_bytes) {
    core::invalid("SlabAllocator",
                  "a heap of " + std::to_string(heap_bytes) + " bytes; it has one at least, and up to 256 GiB.");
  }
  return Pool(uint32_t((heap_bytes + slab_bytes - 1) / slab_bytes), slab_bytes);
}

// Several slabs of a class in use at once spread its counters, but leave fewer for the other classes.
uint32_t hints_of(uint32_t slabs) { return std::clamp(slabs / 32, 1u, 64u); }

}  // namespace

SlabAllocator::SlabAllocator(uint64_t heap_bytes, const Options& options)
    : pool_(make_pool(heap_bytes, options.slab_bytes)) {}
SlabAllocator::SlabAllocator(uint64_t heap_bytes) : SlabAllocator(heap_bytes, Options{}) {}

uint64_t SlabAllocator::hint_words() const { return uint64_t{classes} * hints_of(slabs()); }

uint64_t SlabAllocator::bytes() const {
  const uint64_t states = slabs(), bits = slabs() * uint64_t{slab_bytes()} / smallest_block / 32;
  return pool_.bytes() + (hint_words() + states + bits) * sizeof(uint32_t);
}

Region SlabAllocator::tables(const Region& memory) const {
  if (memory.bytes < bytes() || memory.address() % smallest_block != 0) {
    core::invalid("SlabAllocator", "the memory has " + std::to_string(memory.bytes) + " bytes at address " +
                                       std::to_string(memory.address()) + "; it needs " + std::to_string(bytes()) +
                                       " bytes at a multiple of 16.");
  }
  return memory.part(pool_.bytes(), bytes() - pool_.bytes());
}

SlabAllocator::Block SlabAllocator::block(const Region& memory) const {
  const Region words = tables(memory);
  return {pool_.block(memory), words.address(), hints_of(slabs()), uint32_t(std::countr_zero(slab_bytes()))};
}

void SlabAllocator::record_clear(Recorder& recorder, const Region& memory) const {
  recorder.fill(View<uint32_t>(tables(memory)), 0u);
  pool_.record_clear(recorder, memory);
}

SlabAllocator::Usage SlabAllocator::usage(Stream& stream, const Region& memory) const {
  Usage usage;
  const View<const uint32_t> states(tables(memory).part(hint_words() * sizeof(uint32_t), slabs() * sizeof(uint32_t)));
  for (const uint32_t state : stream.download(states)) {
    if (state == 0) continue;
    ++usage.slabs;
    usage.blocks.at((state >> class_shift) - 1) += state & count_mask;
  }
  return usage;
}

}  // namespace weft
