// Reduction and scan of a pack: the few consecutive elements that one invocation holds, as weft/workgroup/tile.glsl
// loads them.
//
// Gives:    T WEFT_OP(pack_reduce)(T x[WEFT_PACK])                         x[0] op x[1] op ...
//           void WEFT_OP(pack_inclusive_scan)(inout T x[WEFT_PACK], T before)   x[k] = before op x[0] op ... op x[k]
//           void WEFT_OP(pack_exclusive_scan)(inout T x[WEFT_PACK], T before)   x[k] = before op x[0] op ... op x[k-1]
// Macros:   those of weft/thread/operator.glsl, which is included before, and of weft/thread/pack_size.glsl
//
// Include this file once for each operator.

#include "weft/thread/pack_size.glsl"

T WEFT_OP(pack_reduce)(T x[WEFT_PACK]) {
  T total = x[0];
  [[unroll]] for (int k = 1; k < WEFT_PACK; ++k) total = WEFT_OP(combine)(total, x[k]);
  return total;
}

void WEFT_OP(pack_inclusive_scan)(inout T x[WEFT_PACK], T before) {
  [[unroll]] for (int k = 0; k < WEFT_PACK; ++k) {
    before = WEFT_OP(combine)(before, x[k]);
    x[k] = before;
  }
}

void WEFT_OP(pack_exclusive_scan)(inout T x[WEFT_PACK], T before) {
  [[unroll]] for (int k = 0; k < WEFT_PACK; ++k) {
    T next = WEFT_OP(combine)(before, x[k]);
    x[k] = before;
    before = next;
  }
}
