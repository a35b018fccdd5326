// How segmented reductions end: each segment's total goes where the segment's number says.
//
// Gives:    void weft_stage_totals(x, masks, before, heads)   what comes before each head, by the head's rank
//           void weft_store_totals(heads, tile, limit, total, carry, last)   `last` says that no tile follows
// Macros:   those of weft/kernels/segments.glsl, which is included before with WEFT_STAGED
//
// A segment's total is known where the next one starts, so each tile writes that of the segment which reaches it and of
// all of its own but the last; the last tile writes that as well.
#ifndef WEFT_KERNELS_SEGMENTED_REDUCE
#define WEFT_KERNELS_SEGMENTED_REDUCE

const uint weft_most_staged = gl_WorkGroupSize.x * (WEFT_ROWS * WEFT_PACK);
#if defined(WEFT_HEADS_AT_KEYS)
shared uint weft_staged_keys[weft_most_staged * K_WORDS];
#elif defined(WEFT_HEADS_AT_OFFSETS)
shared uint weft_staged_places[weft_most_staged];
#endif

void weft_stage_value(uint place, WEFT_VALUE value) {
  uint words[WEFT_VALUE_WORDS] = weft_to_words(value);
  [[unroll]] for (int w = 0; w < WEFT_VALUE_WORDS; ++w) weft_staged[place * WEFT_VALUE_WORDS + uint(w)] = words[w];
}

WEFT_VALUE weft_staged_value(uint place) {
  uint words[WEFT_VALUE_WORDS];
  [[unroll]] for (int w = 0; w < WEFT_VALUE_WORDS; ++w) words[w] = weft_staged[place * WEFT_VALUE_WORDS + uint(w)];
  WEFT_VALUE value;
  weft_from_words(words, value);
  return value;
}

void weft_stage_totals(WEFT_VALUE x[WEFT_ROWS][WEFT_PACK], uint masks[WEFT_ROWS], WeftSegment before[WEFT_ROWS],
                       WeftTileHeads heads) {
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    uint place = weft_wide(before[row].heads).x;
    WEFT_VALUE running = before[row].value;
    [[unroll]] for (int k = 0; k < WEFT_PACK; ++k) {
      if (weft_is_head(masks[row], k)) {
        weft_stage_value(place, running);
#if defined(WEFT_HEADS_AT_KEYS)
        uint words[K_WORDS] = weft_to_words(heads.keys[row][k]);
        [[unroll]] for (int w = 0; w < K_WORDS; ++w) weft_staged_keys[place * K_WORDS + uint(w)] = words[w];
#elif defined(WEFT_HEADS_AT_OFFSETS)
        weft_staged_places[place] = weft_pack_index(gl_SubgroupID, row) * WEFT_PACK + uint(k);
#endif
        running = weft_value_identity();
        ++place;
      }
      running = weft_value_combine(running, x[row][k]);
    }
  }
}

// The total that is staged first lacks what the tiles before come to. Has barriers around it.
void weft_complete_first_total(uint staged, WeftSegment carry) {
  barrier();
  if (gl_LocalInvocationIndex == 0u && staged > 0u) {
    weft_stage_value(0u, weft_value_combine(carry.value, weft_staged_value(0u)));
  }
  barrier();
}

#ifdef WEFT_HEADS_AT_OFFSETS
// Segment s starts at offset s, so the one that ends at an element has the number of the first offset there, less one.
void weft_store_total(WeftIndex offset, WeftIndex segments, WEFT_VALUE total) {
  bool there = offset != weft_index(0u) && !weft_less(segments, offset);
  if (there) weft_store_at(args.destination, weft_subtract(offset, weft_index(1u)), total);
}

void weft_store_totals(WeftTileHeads heads, uint tile, uint limit, WeftSegment total, WeftSegment carry, bool last) {
  uint staged = weft_wide(total.heads).x;
  weft_complete_first_total(staged, carry);
  WeftOffsetRange offsets = heads.offsets;
  WeftIndex segments = weft_segment_number();
  // Where no two offsets are the same, the heads are the offsets in order.
  bool distinct = weft_subtract(offsets.end, offsets.first) == weft_index(staged);
  for (uint j = gl_LocalInvocationIndex; j < staged; j += gl_WorkGroupSize.x) {
    WeftIndex offset = weft_add(offsets.first, weft_index(j));
    if (!distinct) {
      WeftIndex element = weft_add(weft_tile_start(tile), weft_index(weft_staged_places[j]));
      offset = weft_lower_bound(args.heads, offsets.first, offsets.end, element);
    }
    weft_store_total(offset, segments, weft_staged_value(j));
  }
  bool ends = last && gl_LocalInvocationIndex == 0u;
  if (ends) weft_store_total(offsets.end, segments, weft_segment_combine(carry, total).value);
}

#else
#ifdef WEFT_HEADS_AT_KEYS
void weft_store_staged_keys(WeftIndex first, uint number) {
  WeftPlace start = weft_key_place(first);
  for (uint word = gl_LocalInvocationIndex; word < number * K_WORDS; word += gl_WorkGroupSize.x) {
    WEFT_STORE_KEY_UNIT(args.keys_destination, start.block, start.word + word, weft_staged_keys[word]);
  }
}
#endif

void weft_store_totals(WeftTileHeads heads, uint tile, uint limit, WeftSegment total, WeftSegment carry, bool last) {
  uint staged = weft_wide(total.heads).x;
  weft_complete_first_total(staged, carry);
  uint first = tile == 0u ? 1u : 0u;  // No segment ends where the first one starts.
  if (staged > first) {
    WeftIndex segment = weft_subtract(weft_add(carry.heads, weft_index(first)), weft_index(1u));
    weft_store_staged(args.destination, segment, first, staged - first);
  }
#ifdef WEFT_HEADS_AT_KEYS
  weft_store_staged_keys(carry.heads, staged);
#endif
  if (!last || gl_LocalInvocationIndex != 0u) return;
  WeftSegment all = weft_segment_combine(carry, total);
  args.segments.value = weft_wide(all.heads);
  if (weft_has_head(all)) weft_store_at(args.destination, weft_subtract(all.heads, weft_index(1u)), all.value);
}
#endif

#endif
