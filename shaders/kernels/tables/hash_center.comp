#version 460
// Chooses how far entries move from the lowest slots of their order towards the highest: midway.
//
// Inputs:  for each entry, the largest shift at or before it (forward) and the smallest at or after it (backward).
// Output:  its own shift, limited from above (forward) and from below (backward) by the mean of the two.
// Tile:    an entry for each invocation.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#define WEFT_HASH_READ_ONLY
#include "weft/kernels/tables/rebuild.glsl"

void main() {
  uint rank, listed = weft_listed();
  if (!weft_own(listed, rank)) return;
  uvec2 forward = weft_forward(rank), backward = weft_backward(rank, listed);
  uint shift = weft_shift(rank, listed, weft_hash_key_in(weft_hash_load(weft_list(), rank)));
  uint least = weft_load_at(backward, 0u), most = weft_load_at(forward, 0u), middle = least + (most - least) / 2u;
  weft_store_at(forward, 0u, min(shift, middle));
  weft_store_at(backward, 0u, max(shift, middle));
}
