// The ranks of a tile's elements in its stable order by one digit of each.
//
// Gives:    WEFT_DIGITS              the number of digits: 2^WEFT_DIGIT_BITS
//           uint weft_own_digit(k)   the k-th digit assigned to this invocation; none if WEFT_DIGITS or more
//           void weft_count_digits(digit, out count)   the tile's count of each of this invocation's digits
//           void weft_scan_digits(count, out first)    the rank of the first element of each; called next
//           void weft_rank_digits(digit, out rank)     the rank of each element; called after that
//           weft_sort_memory[]       workgroup memory, free for the caller after the last of these and a barrier
// Macros:   WEFT_ROWS            elements of an invocation, in the order of weft/workgroup/tile.glsl with WEFT_PACK 1
//           WEFT_DIGIT_BITS
//           WEFT_OWN_DIGITS      digits of an invocation: WEFT_DIGITS / workgroup size, at least 1
//           WEFT_LANE_WORDS      32-bit words that hold a bit for each lane of a subgroup, 1 to 4
//           WEFT_SORT_WORDS      size of weft_sort_memory: WEFT_DIGITS words for each subgroup, and with
//                                WEFT_MATCH_ATOMIC WEFT_DIGITS * WEFT_LANE_WORDS more
//           WEFT_MATCH_ATOMIC    optional: in two of three rows, lanes find others with the same digit by atomics in
//                                workgroup memory; in the first row and every third one after it, by a ballot for
//                                each bit. Without it, by ballots in all rows
// Usage:    uint digit[WEFT_ROWS], rank[WEFT_ROWS], count[WEFT_OWN_DIGITS], first[WEFT_OWN_DIGITS];
//           weft_count_digits(digit, count);
//           weft_scan_digits(count, first);
//           weft_rank_digits(digit, rank);
//
// All invocations of the workgroup call them together, in full subgroups. Counting before ranking lets a tile publish
// its counts early. (Merrill and Grimshaw 2010, Revisiting Sorting for GPGPU Stream Architectures; Adinets and Merrill
// 2022, Onesweep.)
#ifndef WEFT_WORKGROUP_RANK_DIGITS
#define WEFT_WORKGROUP_RANK_DIGITS

#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#include "weft/workgroup/scan_counts.glsl"

#define WEFT_DIGITS (1u << WEFT_DIGIT_BITS)

shared uint weft_sort_memory[WEFT_SORT_WORDS];

uint weft_own_digit(int k) { return gl_LocalInvocationIndex * WEFT_OWN_DIGITS + uint(k); }

// Slot of the subgroup's count of a digit; during the ranking, of the rank of its next element of that digit.
uint weft_digit_slot(uint subgroup, uint digit) { return subgroup * WEFT_DIGITS + digit; }

#ifdef WEFT_MATCH_ATOMIC
uint weft_match_slot(uint digit) {
  return (gl_NumSubgroups + gl_SubgroupID * WEFT_LANE_WORDS) * WEFT_DIGITS + digit * WEFT_LANE_WORDS;
}
#endif

void weft_count_digits(uint digit[WEFT_ROWS], out uint count[WEFT_OWN_DIGITS]) {
  for (uint d = gl_SubgroupInvocationID; d < WEFT_DIGITS; d += gl_SubgroupSize) {
    weft_sort_memory[weft_digit_slot(gl_SubgroupID, d)] = 0u;
#ifdef WEFT_MATCH_ATOMIC
    [[unroll]] for (int w = 0; w < WEFT_LANE_WORDS; ++w) weft_sort_memory[weft_match_slot(d) + uint(w)] = 0u;
#endif
  }
  subgroupBarrier();
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    atomicAdd(weft_sort_memory[weft_digit_slot(gl_SubgroupID, digit[row])], 1u);
  }
  barrier();
  [[unroll]] for (int k = 0; k < WEFT_OWN_DIGITS; ++k) {
    count[k] = 0u;
    if (weft_own_digit(k) >= WEFT_DIGITS) continue;
    for (uint s = 0u; s < gl_NumSubgroups; ++s) count[k] += weft_sort_memory[weft_digit_slot(s, weft_own_digit(k))];
  }
}

void weft_scan_digits(uint count[WEFT_OWN_DIGITS], out uint first[WEFT_OWN_DIGITS]) {
  uint own = 0u, total;
  [[unroll]] for (int k = 0; k < WEFT_OWN_DIGITS; ++k) own += count[k];
  uint rank = weft_count_workgroup_exclusive_scan(own, total);
  [[unroll]] for (int k = 0; k < WEFT_OWN_DIGITS; ++k) {
    first[k] = rank;
    if (weft_own_digit(k) >= WEFT_DIGITS) continue;
    for (uint s = 0u; s < gl_NumSubgroups; ++s) {
      uint slot = weft_digit_slot(s, weft_own_digit(k));
      uint there = weft_sort_memory[slot];
      weft_sort_memory[slot] = rank;
      rank += there;
    }
  }
  barrier();
}

#if WEFT_LANE_WORDS == 1
#define WeftLanes uint
WeftLanes weft_lane_bits(uvec4 ballot) { return ballot.x; }
uint weft_count_lanes(WeftLanes lanes) { return uint(bitCount(lanes)); }
#else
#define WeftLanes uvec4
WeftLanes weft_lane_bits(uvec4 ballot) { return ballot; }
uint weft_count_lanes(WeftLanes lanes) {
  ivec4 counts = bitCount(lanes);
  return uint(counts.x + counts.y + counts.z + counts.w);
}
#endif

// The lanes with this lane's digit.
WeftLanes weft_match_by_ballots(uint digit) {
  WeftLanes lanes = weft_lane_bits(subgroupBallot(true));
  [[unroll]] for (int bit = 0; bit < WEFT_DIGIT_BITS; ++bit) {
    bool set = (digit & (1u << uint(bit))) != 0u;
    WeftLanes with = weft_lane_bits(subgroupBallot(set));
    lanes &= set ? with : ~with;
  }
  return lanes;
}

#ifdef WEFT_MATCH_ATOMIC
WeftLanes weft_match_by_atomics(uint digit) {
  uint slot = weft_match_slot(digit);
  atomicOr(weft_sort_memory[slot + gl_SubgroupInvocationID / 32u], 1u << (gl_SubgroupInvocationID % 32u));
  subgroupBarrier();
#if WEFT_LANE_WORDS == 1
  return weft_sort_memory[slot];
#else
  WeftLanes lanes = uvec4(0u);
  [[unroll]] for (int w = 0; w < WEFT_LANE_WORDS; ++w) lanes[w] = weft_sort_memory[slot + uint(w)];
  return lanes;
#endif
}

void weft_clear_match(uint digit) {
  [[unroll]] for (int w = 0; w < WEFT_LANE_WORDS; ++w) weft_sort_memory[weft_match_slot(digit) + uint(w)] = 0u;
}

// Ballots and workgroup memory keep different units busy, so every third row is matched by ballots (measured on an
// H200: docs/performance-notes.md).
bool weft_row_has_atomics(int row) { return row % 3 != 0; }

WeftLanes weft_match(int row, uint digit) {
  WeftLanes same;
  if (weft_row_has_atomics(row)) {
    same = weft_match_by_atomics(digit);
  } else {
    same = weft_match_by_ballots(digit);
  }
  return same;
}
void weft_end_match(int row, uint digit) {
  if (weft_row_has_atomics(row)) weft_clear_match(digit);
}
#else
WeftLanes weft_match(int row, uint digit) { return weft_match_by_ballots(digit); }
void weft_end_match(int row, uint digit) {}
#endif

void weft_rank_digits(uint digit[WEFT_ROWS], out uint rank[WEFT_ROWS]) {
  WeftLanes earlier = weft_lane_bits(gl_SubgroupLtMask);
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    WeftLanes same = weft_match(row, digit[row]);
    uint before = weft_count_lanes(same & earlier);
    uint slot = weft_digit_slot(gl_SubgroupID, digit[row]);
    rank[row] = weft_sort_memory[slot] + before;
    subgroupBarrier();
    if (before == 0u) {
      weft_sort_memory[slot] = rank[row] + weft_count_lanes(same);
      weft_end_match(row, digit[row]);
    }
    subgroupBarrier();
  }
}

#endif
