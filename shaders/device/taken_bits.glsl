// Bits that say which of many things are taken, a bit each. Used by weft/device/pool.glsl and slab_allocator.glsl.
//
// Gives:    WeftTakenBits   buffer reference to the words; zero bits are free
//           uint weft_take_bit(bits, word, usable, first)   takes a free bit among the lowest `usable` of a word, the
//                           first one from bit `first` on, and returns its index; weft_no_bit if all are taken
//           bool weft_give_bit(bits, word, bit)   gives back a bit; false if it was free
//           uint weft_spread(uint number, uint count)   maps consecutive numbers to indices below `count`, far apart
// Macros:   none
// Progress: P0. A bit that another invocation takes first costs another try.
//
// Taking acquires what the one that gave it back has released, at device scope.
#ifndef WEFT_DEVICE_TAKEN_BITS
#define WEFT_DEVICE_TAKEN_BITS

#pragma use_vulkan_memory_model
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_KHR_memory_scope_semantics : require

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer WeftTakenBits { uint word[]; };

const uint weft_no_bit = 32u;

uint weft_take_bit(WeftTakenBits bits, uint word, uint usable, uint first) {
  uint all = 0xFFFFFFFFu >> (32u - usable), from_first = 0xFFFFFFFFu << first, bit = first;
  for (;;) {
    uint taken = atomicOr(bits.word[word], 1u << bit, gl_ScopeDevice, gl_StorageSemanticsBuffer,
                          gl_SemanticsAcquire | gl_SemanticsMakeVisible);
    if ((taken >> bit & 1u) == 0u) return bit;
    uint free = all & ~taken;
    if (free == 0u) return weft_no_bit;
    bit = uint(findLSB((free & from_first) != 0u ? free & from_first : free));
  }
}

bool weft_give_bit(WeftTakenBits bits, uint word, uint bit) {
  uint taken = atomicAnd(bits.word[word], ~(1u << bit), gl_ScopeDevice, gl_StorageSemanticsBuffer,
                         gl_SemanticsRelease | gl_SemanticsMakeAvailable);
  return (taken >> bit & 1u) != 0u;
}

// Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4), then a multiplication in place of a remainder.
uint weft_spread(uint number, uint count) {
  uint index, low;
  umulExtended(number * 2654435769u, count, index, low);
  return index;
}

#endif
