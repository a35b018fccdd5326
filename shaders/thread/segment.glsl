// The operator that makes scans, reductions and look-backs segmented. Its values are pairs: the number of heads in a
// stretch of elements, and the total of the elements from its last head on. It is associative if the operator on values
// is. (Schwartz 1980, Ultracomputers; Blelloch 1990, Prefix Sums and Their Applications.)
//
// Gives:    WeftSegment{WeftIndex heads; T value;} with its words, weft_has_head()
//           weft_value_combine(), weft_value_identity(), weft_value_nothing()   the operator on values
//           weft_segment_combine(), weft_segment_identity()
//           and then T as WeftSegment and WEFT_OP(name) as weft_segment_##name, for the files that scan and reduce
// Macros:   T, WEFT_COMBINE, WEFT_IDENTITY, WEFT_NOTHING   the values and their operator, as weft/thread/operator.glsl
//                                                          takes them
//           WEFT_VALUE_WORDS, WEFT_SEGMENT_WORDS   32-bit words of a value, and of a pair
//           those of weft/thread/count.glsl
// Usage:    #include "weft/thread/segment.glsl"
//           #include "weft/device/tile_carry.glsl"   // weft_segment_carry()
//           #undef T
//           #undef WEFT_OP
#include "weft/thread/indices.glsl"
#include "weft/thread/words.glsl"

#undef WEFT_OP
#define WEFT_OP(name) weft_value_##name
#include "weft/thread/operator.glsl"
#undef WEFT_OP

struct WeftSegment {
  WeftIndex heads;
  T value;  // Of all elements if none is a head.
};

uint[WEFT_SEGMENT_WORDS] weft_to_words(WeftSegment x) {
  uint words[WEFT_SEGMENT_WORDS], heads[WEFT_INDEX_WORDS] = weft_to_words(x.heads);
  uint value[WEFT_VALUE_WORDS] = weft_to_words(x.value);
  [[unroll]] for (int w = 0; w < WEFT_INDEX_WORDS; ++w) words[w] = heads[w];
  [[unroll]] for (int w = 0; w < WEFT_VALUE_WORDS; ++w) words[WEFT_INDEX_WORDS + w] = value[w];
  return words;
}

void weft_from_words(uint words[WEFT_SEGMENT_WORDS], out WeftSegment x) {
  uint heads[WEFT_INDEX_WORDS], value[WEFT_VALUE_WORDS];
  [[unroll]] for (int w = 0; w < WEFT_INDEX_WORDS; ++w) heads[w] = words[w];
  [[unroll]] for (int w = 0; w < WEFT_VALUE_WORDS; ++w) value[w] = words[WEFT_INDEX_WORDS + w];
  weft_from_words(heads, x.heads);
  weft_from_words(value, x.value);
}

bool weft_has_head(WeftSegment x) { return x.heads != weft_index(0u); }

WeftSegment weft_join(WeftSegment a, WeftSegment b) {
  WeftSegment joined = WeftSegment(weft_add(a.heads, b.heads), b.value);
  if (!weft_has_head(b)) joined.value = weft_value_combine(a.value, b.value);
  return joined;
}

#undef T
#define T WeftSegment
#define WEFT_OP(name) weft_segment_##name
#define WEFT_COMBINE weft_join(a, b)
#define WEFT_IDENTITY WeftSegment(weft_index(0u), weft_value_identity())
#include "weft/thread/operator.glsl"
