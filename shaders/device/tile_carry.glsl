// The tile that a workgroup processes, and its carry from all earlier tiles, on either path.
//
// Gives:    uint weft_take_tile(WeftTicket ticket)   this workgroup's tile; may be past the last one
//           T WEFT_OP(carry)(uvec2 carries, uint tile, T total)
//                   the totals of tiles 0 to tile - 1, combined in order; `total` is this tile's
//           void WEFT_OP(store_total)(uvec2 carries, uint tile, T total)
//                   without WEFT_LOOK_BACK, by one invocation in the first dispatch: for
//                   weft/kernels/scan/scan_spine.comp
// Macros:   those of weft/thread/operator.glsl, which is included before
//           WEFT_LOOK_BACK   one dispatch claims tiles and looks back. Then also those of weft/device/look_back.glsl;
//                            the ticket and `carries`, the tiles' states, are all zero before the dispatch. Without
//                            this macro, an earlier dispatch has scanned the tiles' totals at `carries`
// Usage:    uint tile = weft_take_tile(args.ticket);
//           ...
//           T carry = weft_carry(args.carries, tile, total);
//
// All invocations of the workgroup call weft_take_tile() and the carry together. With WEFT_LOOK_BACK the carry ends
// with a barrier. Include this file once in a shader.
#extension GL_EXT_buffer_reference_uvec2 : require
#include "weft/device/tickets.glsl"
#include "weft/thread/memory.glsl"
#ifdef WEFT_LOOK_BACK
#include "weft/device/look_back.glsl"

uint weft_take_tile(WeftTicket ticket) { return weft_claim_tile(ticket); }

T WEFT_OP(carry)(uvec2 carries, uint tile, T total) {
  return WEFT_OP(look_back)(WeftTileState(carries), tile, total);
}

#else
uint weft_take_tile(WeftTicket ticket) { return weft_group_index(); }

T WEFT_OP(carry)(uvec2 carries, uint tile, T total) {
  uint words[] = weft_to_words(total);
  [[unroll]] for (int w = 0; w < words.length(); ++w) {
    words[w] = weft_load_word(carries, 0u, tile * words.length() + uint(w));
  }
  weft_from_words(words, total);
  return total;
}

void WEFT_OP(store_total)(uvec2 carries, uint tile, T total) {
  uint words[] = weft_to_words(total);
  [[unroll]] for (int w = 0; w < words.length(); ++w) {
    weft_store_word(carries, 0u, tile * words.length() + uint(w), words[w]);
  }
}
#endif
