// Memory for invocations: blocks of 16 bytes to 4 KiB, allocated and freed while kernels run.
//
// Gives:    WeftSlabAllocator   the block of weft::SlabAllocator (weft/slab_allocator.h), in the push constants
//           uvec2 weft_allocate(allocator, bytes)   address of a block of at least that size, at a multiple of 16;
//                           weft_null if none is left, for 0 bytes, and above 4096
//           bool weft_free(allocator, address)   frees a block; false, without effect, if it is not allocated
// Macros:   none
// Usage:    layout(buffer_reference, scalar, buffer_reference_align = 16) buffer Node { nonprivate uint word[4]; };
//           ...
//           uvec2 node = weft_allocate(args.allocator, 16u);
//           if (node == weft_null) { ... }
//           Node(node).word[0] = 1u;
// Progress: P1. An invocation waits while another replaces the slab from which both allocate; that one does not wait.
//
// Any invocation may call its functions at any time. It may free what another has allocated, in an earlier dispatch
// too. Size classes are the powers of two. A slab is a buffer of a pool, with blocks of one class; it goes back when
// its last block is freed. An allocation fails only after a look at every slab, so failure takes longer than success.
//
// Each slab has a state, which is its class and its number of blocks in use, and a bit for each block. An allocation
// first counts its block and then takes a bit; a free first gives back the bit. So there is a bit for each block that
// was counted. (Bonwick 1994, The Slab Allocator; Steinberger et al. 2012, ScatterAlloc.)
#ifndef WEFT_DEVICE_SLAB_ALLOCATOR
#define WEFT_DEVICE_SLAB_ALLOCATOR

#include "weft/device/pool.glsl"

struct WeftSlabAllocator {
  WeftPool slabs;
  uvec2 tables;  // WeftSlabTables
  uint hints;    // of each class
  uint log2_slab_bytes;
};

const uvec2 weft_null = uvec2(0u);
const uint weft_slab_classes = 9u;  // 16 << class bytes
const uint weft_slab_class_shift = 28u;  // A state: the class and 1 above, the number of blocks below. 0: a free slab.
const uint weft_slab_replacing = 0xFFFFFFFFu;

// Hints, classes * hints: the slab to allocate from and 1, 0 for none yet, or weft_slab_replacing. Then the slabs'
// states. Then their bits, enough for the smallest class.
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer WeftSlabTables { uint word[]; };

uint weft_slab_state(WeftSlabAllocator a, uint slab) { return weft_slab_classes * a.hints + slab; }
uint weft_slab_bits(WeftSlabAllocator a, uint slab) {
  return weft_slab_state(a, a.slabs.count) + (slab << (a.log2_slab_bytes - 9u));
}
uint weft_slab_capacity(WeftSlabAllocator a, uint size_class) { return 1u << (a.log2_slab_bytes - 4u - size_class); }
uint weft_slab_count(uint state) { return state & ((1u << weft_slab_class_shift) - 1u); }
uint weft_slab_tag(uint size_class) { return (size_class + 1u) << weft_slab_class_shift; }

// Takes back one from a slab's count. Whoever finds it 0 then gives the slab back.
void weft_slab_release(WeftSlabAllocator a, uint slab) {
  WeftSlabTables tables = WeftSlabTables(a.tables);
  uint word = weft_slab_state(a, slab);
  uint state = atomicAdd(tables.word[word], 0xFFFFFFFFu, gl_ScopeDevice, gl_StorageSemanticsBuffer,
                         gl_SemanticsRelease | gl_SemanticsMakeAvailable) - 1u;
  if (state == 0u || weft_slab_count(state) != 0u) return;
  if (atomicCompSwap(tables.word[word], state, 0u) == state) weft_pool_give(a.slabs, slab);
}

// Counts one more block in a slab of the class. Returns whether there is room; `first` is the count before.
bool weft_slab_reserve(WeftSlabAllocator a, uint slab, uint size_class, out uint first) {
  WeftSlabTables tables = WeftSlabTables(a.tables);
  uint word = weft_slab_state(a, slab), end = weft_slab_tag(size_class) + weft_slab_capacity(a, size_class);
  first = atomicLoad(tables.word[word], gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
  if (first < weft_slab_tag(size_class) || first >= end) return false;
  first = atomicAdd(tables.word[word], 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer,
                    gl_SemanticsAcquire | gl_SemanticsMakeVisible);
  if (first >= weft_slab_tag(size_class) && first < end) return true;
  weft_slab_release(a, slab);
  return false;
}

// Takes the bit of a block that was counted. The search starts at block `first`.
uint weft_slab_take_block(WeftSlabAllocator a, uint slab, uint size_class, uint first) {
  uint capacity = weft_slab_capacity(a, size_class), words = (capacity + 31u) / 32u;
  first &= capacity - 1u;
  uint word = first / 32u, bit = weft_no_bit;
  first %= 32u;
  for (;;) {
    bit = weft_take_bit(WeftTakenBits(a.tables), weft_slab_bits(a, slab) + word, min(capacity, 32u), first);
    if (bit != weft_no_bit) return word * 32u + bit;
    word = word + 1u == words ? 0u : word + 1u;
    first = 0u;
  }
}

bool weft_slab_is_free(WeftSlabAllocator a) {
  WeftTakenBits taken = WeftTakenBits(a.slabs.taken);
  for (uint word = 0u; word * 32u < a.slabs.count; ++word) {
    uint all = 0xFFFFFFFFu >> (32u - min(a.slabs.count - word * 32u, 32u));
    uint found = atomicLoad(taken.word[word], gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
    if (found != all) return true;
  }
  return false;
}

// Replaces the hint `seen` by a slab of the pool, with one block counted. weft_pool_none if another invocation was
// faster. The hint is a lock meanwhile: nothing in here waits.
uint weft_slab_replace(WeftSlabAllocator a, uint hint, uint seen, uint size_class, out uint first) {
  WeftSlabTables tables = WeftSlabTables(a.tables);
  first = 0u;
  if (atomicCompSwap(tables.word[hint], seen, weft_slab_replacing) != seen) return weft_pool_none;
  uint slab = weft_pool_take(a.slabs, hint);
  if (slab != weft_pool_none) {
    // The bits of blocks order less: a block of another class covers other bits.
    first = atomicAdd(tables.word[weft_slab_state(a, slab)], weft_slab_tag(size_class) + 1u, gl_ScopeDevice,
                      gl_StorageSemanticsBuffer, gl_SemanticsAcquire | gl_SemanticsMakeVisible);
    seen = slab + 1u;
  }
  atomicStore(tables.word[hint], seen, gl_ScopeDevice, gl_StorageSemanticsBuffer,
              gl_SemanticsRelease | gl_SemanticsMakeAvailable);
  return slab;
}

// A slab of the class with one block counted for this invocation; weft_pool_none if there is no room.
uint weft_slab_find(WeftSlabAllocator a, uint size_class, out uint first) {
  WeftSlabTables tables = WeftSlabTables(a.tables);
  uint number = weft_group_index() * gl_NumSubgroups + gl_SubgroupID;
  uint hint = size_class * a.hints + weft_spread(number, a.hints), start = weft_spread(number, a.slabs.count);
  for (;;) {
    uint seen = atomicLoad(tables.word[hint], gl_ScopeDevice, gl_StorageSemanticsBuffer,
                           gl_SemanticsAcquire | gl_SemanticsMakeVisible);
    if (seen == weft_slab_replacing) continue;
    if (seen != 0u && weft_slab_reserve(a, seen - 1u, size_class, first)) return seen - 1u;
    if (weft_slab_is_free(a)) {
      uint slab = weft_slab_replace(a, hint, seen, size_class, first);
      if (slab != weft_pool_none) return slab;
      continue;
    }
    // A slab without a class is on its way from the pool or to it: look again.
    bool settled = true;
    for (uint k = 0u, slab = start; k < a.slabs.count; ++k) {
      if (weft_slab_reserve(a, slab, size_class, first)) {
        atomicCompSwap(tables.word[hint], seen, slab + 1u);
        return slab;
      }
      settled = settled && first >> weft_slab_class_shift != 0u;
      slab = slab + 1u == a.slabs.count ? 0u : slab + 1u;
    }
    if (settled) return weft_pool_none;
  }
}

uvec2 weft_allocate(WeftSlabAllocator a, uint bytes) {
  if (bytes == 0u || bytes > 4096u) return weft_null;
  uint size_class = uint(findMSB(max(bytes, 16u) - 1u)) - 3u, first;
  uint slab = weft_slab_find(a, size_class, first);
  if (slab == weft_pool_none) return weft_null;
  uint block = weft_slab_take_block(a, slab, size_class, first);
  return weft_add(weft_pool_address(a.slabs, slab), block << (size_class + 4u));
}

bool weft_free(WeftSlabAllocator a, uvec2 address) {
  uvec2 offset = weft_subtract(address, a.slabs.buffers);
  uint slab = (offset.y << (32u - a.log2_slab_bytes)) | (offset.x >> a.log2_slab_bytes);
  if (offset.y >> a.log2_slab_bytes != 0u || slab >= a.slabs.count) return false;
  uint state = atomicLoad(WeftSlabTables(a.tables).word[weft_slab_state(a, slab)], gl_ScopeDevice,
                          gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
  uint tag = state >> weft_slab_class_shift, within = offset.x & ((1u << a.log2_slab_bytes) - 1u);
  if (tag == 0u || (within & ((8u << tag) - 1u)) != 0u) return false;
  uint block = within >> (tag + 3u);
  if (!weft_give_bit(WeftTakenBits(a.tables), weft_slab_bits(a, slab) + block / 32u, block % 32u)) return false;
  weft_slab_release(a, slab);
  return true;
}

#endif
