#version 460
// Stores a list of entries into the slots of an empty bidirectional table.
//
// Inputs:  for each entry, bounds of its shift: the largest at or before it (forward), the smallest at or after it
//          (backward).
// Tile:    an entry for each invocation.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#define WEFT_HASH_READ_ONLY
#include "weft/kernels/tables/rebuild.glsl"

void main() {
  uint rank, listed = weft_listed();
  if (!weft_own(listed, rank)) return;
  WeftHashWord word = weft_hash_load(weft_list(), rank);
  uint shift = weft_shift(rank, listed, weft_hash_key_in(word));
  shift = max(shift, weft_load_at(weft_forward(rank), 0u));
  shift = min(shift, weft_load_at(weft_backward(rank, listed), 0u));
  weft_put(weft_table(), rank + shift, word, weft_hash_value_of(weft_list(), rank, word));
}
