#version 460
// Lists the entries of a bidirectional table in their order, leaving room for the keys that are added.
//
// Inputs:  a table, and which of its slots to list; `count` sorted keys, or none.
// Tile:    a slot for each invocation.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#define WEFT_HASH_READ_ONLY
#include "weft/kernels/tables/rebuild.glsl"

// Number of added keys that precede the entry in a slot: those whose gap is at or before it.
uint added_before(uint slot) {
  uint low = 0u, high = weft_keys();
  while (low != high) {
    uint middle = low + (high - low) / 2u;
    if (weft_load_at(args.gaps, middle) <= slot) {
      low = middle + 1u;
    } else {
      high = middle;
    }
  }
  return weft_total_before(args.added, low);
}

void main() {
  uint slot;
  if (!weft_own(weft_capacity(), slot)) return;
  uint kept = weft_kept_keys(), listed = weft_used() + kept, rank = weft_total_before(args.used, slot);
  if (slot == 0u) weft_store_at(args.used, weft_capacity(), listed);
  if (weft_load_at(args.used, slot) == rank) return;
  WeftHashWord word = weft_hash_load(weft_table(), slot);
  rank += min(added_before(slot), kept);
  weft_list_entry(rank, listed, word, weft_hash_value_of(weft_table(), slot, word));
}
