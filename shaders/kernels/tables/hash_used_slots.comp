#version 460
// Which slots of a hash table are in use, without those of reserved keys.
//
// Inputs:  a table.
// Tile:    a slot for each invocation.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#define WEFT_HASH_READ_ONLY
#include "weft/kernels/tables/rebuild.glsl"

void main() {
  uint slot;
  if (!weft_own(weft_capacity(), slot)) return;
  weft_store_at(args.used, slot, uint(!weft_hash_is_free(weft_hash_load(weft_table(), slot))));
}
