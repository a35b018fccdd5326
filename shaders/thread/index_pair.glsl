// A pair of indices or counts.
//
// Gives:    WeftIndexPair, weft_index_pair(uint first, uint second), weft_first(pair), weft_second(pair)
//           WeftIndexPair weft_add_pairs(a, b)
// Macros:   those of weft/thread/count.glsl
#ifndef WEFT_THREAD_INDEX_PAIR
#define WEFT_THREAD_INDEX_PAIR

#include "weft/thread/count.glsl"

#ifdef WEFT_WIDE_INDEX
#define WeftIndexPair uvec4
WeftIndexPair weft_index_pair(uint first, uint second) { return uvec4(first, 0u, second, 0u); }
WeftIndex weft_first(WeftIndexPair pair) { return pair.xy; }
WeftIndex weft_second(WeftIndexPair pair) { return pair.zw; }
WeftIndexPair weft_add_pairs(WeftIndexPair a, WeftIndexPair b) {
  return uvec4(weft_add(a.xy, b.xy), weft_add(a.zw, b.zw));
}
#else
#define WeftIndexPair uvec2
WeftIndexPair weft_index_pair(uint first, uint second) { return uvec2(first, second); }
WeftIndex weft_first(WeftIndexPair pair) { return pair.x; }
WeftIndex weft_second(WeftIndexPair pair) { return pair.y; }
WeftIndexPair weft_add_pairs(WeftIndexPair a, WeftIndexPair b) { return a + b; }
#endif

#endif
