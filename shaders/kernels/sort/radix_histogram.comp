#version 460
// The number of keys of each digit, for all passes of a radix sort at once.
//
// Then the last workgroup leaves out passes that would move no key, because all keys share their digit: two neighbours
// at a time, from pass first_left_out on.
//
// Inputs:  `count` keys; totals in memory that was set to zero, WEFT_DIGITS of them for each pass; so were the tickets
//          and the number of workgroups that have counted; any number of workgroups.
// Tile:    workgroup size * WEFT_ROWS keys. Workgroups take tiles in turn and count in workgroup memory. A word there
//          has 16 bits for a digit of one pass and 16 for the same digit of the next. Counts are added to the totals at
//          the end, and before these bits may overflow.
// Macros:  WEFT_PASSES   the most passes, each of WEFT_DIGIT_BITS
//          WEFT_COPIES   copies of the counts: see weft/workgroup/histogram.glsl
// After:   Adinets and Merrill 2022, Onesweep: A Faster Least Significant Digit Radix Sort for GPUs.
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x_id = 0) in;

#define WEFT_DIGITS (1u << WEFT_DIGIT_BITS)
#define WEFT_SHARED_BINS ((WEFT_PASSES + 1) / 2 * WEFT_DIGITS)

#include "weft/kernels/sort/radix_histogram_arguments.glsl"
#include "weft/kernels/sort/radix_rows.glsl"
#include "weft/thread/radix_key.glsl"
#include "weft/workgroup/histogram.glsl"

// `whole`, a literal: the tile is full.
void count_rows(uint tile, uint limit, bool whole) {
  uvec2 bits[WEFT_ROWS];
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) bits[row] = uvec2(0u);
  weft_load_sort_rows(args.keys, WEFT_KEY_BYTES, tile, limit, whole, bits);
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) bits[row] = weft_order_bits(bits[row]);
  for (uint pass = 0u; pass < args.passes; ++pass) {
    uint begin = weft_begin_of(pass), mask = weft_mask_of(pass);
    uint first = weft_own_copy(pass / 2u * WEFT_DIGITS), one = pass % 2u == 0u ? 1u : 1u << 16;
    [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
      uint counter = first + weft_digit_of_bits(bits[row], begin, mask) * WEFT_COPIES;
      if (whole || weft_pack_index(gl_SubgroupID, row) < limit) atomicAdd(weft_bins[counter], one);
    }
  }
}

shared uint last_to_count;
shared uint share_a_digit[most_passes / 32u];  // A bit for each pass: whether all keys do.

// Whether all other workgroups have added their counts.
bool counts_last() {
  memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
  barrier();
  if (gl_LocalInvocationIndex == 0u) last_to_count = uint(weft_tree_arrive(args.counted, 0u, args.groups));
  if (gl_LocalInvocationIndex < most_passes / 32u) share_a_digit[gl_LocalInvocationIndex] = 0u;
  barrier();
  memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
  return last_to_count != 0u;
}

uvec2 total_of(uint index) {
#ifdef WEFT_WIDE_INDEX
  return uvec2(atomicAdd(args.totals.word[2u * index], 0u), atomicAdd(args.totals.word[2u * index + 1u], 0u));
#else
  return uvec2(atomicAdd(args.totals.word[index], 0u), 0u);
#endif
}

bool moves_no_key(uint pass) { return (share_a_digit[pass / 32u] & (1u << pass % 32u)) != 0u; }

void leave_out_passes(uvec2 count) {
  for (uint i = gl_LocalInvocationIndex; i < args.passes * WEFT_DIGITS; i += gl_WorkGroupSize.x) {
    uint pass = i / WEFT_DIGITS;
    if (total_of(i) == count) atomicOr(share_a_digit[pass / 32u], 1u << pass % 32u);
  }
  barrier();
  if (gl_LocalInvocationIndex != 0u) return;
  for (uint pass = args.first_left_out; pass + 1u < args.passes; ++pass) {
    if (!moves_no_key(pass) || !moves_no_key(pass + 1u)) continue;
    args.tickets.next[pass] = args.tickets.next[pass + 1u] = 0x80000000u;
    ++pass;
  }
}

void main() {
  uvec2 count = weft_count(args.count, args.options, args.count_on_device);
  WeftExtent extent = weft_extent(count);
  // The keys of a tile that may share a counter: those of the invocations that share a copy.
  uint sharing = (gl_WorkGroupSize.x + WEFT_COPIES - 1u) / WEFT_COPIES * WEFT_ROWS;
  uint most_tiles = 0xFFFFu / sharing;
  for (uint tile = weft_group_index(); tile < extent.tiles;) {
    weft_clear_counts();
    barrier();
    for (uint n = 0u; n < most_tiles && tile < extent.tiles; ++n, tile += args.groups) {
      if (tile < extent.full) {
        count_rows(tile, weft_tile_size(), true);
      } else {
        count_rows(tile, extent.tail, false);
      }
    }
    barrier();
    for (uint bin = gl_LocalInvocationIndex; bin < WEFT_SHARED_BINS; bin += gl_WorkGroupSize.x) {
      uvec2 sum = weft_sum_of_halves(bin);
      uint pass = bin / WEFT_DIGITS * 2u, digit = bin % WEFT_DIGITS;
      weft_add_to_total(pass, digit, sum.x);
      weft_add_to_total(pass + 1u, digit, sum.y);
    }
    barrier();
  }
  if (args.first_left_out + 1u < args.passes && counts_last()) leave_out_passes(count);
}
