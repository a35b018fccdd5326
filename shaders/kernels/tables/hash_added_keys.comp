#version 460
// Which of sorted keys a bidirectional table lacks, and where they belong among its entries.
//
// Inputs:  a table; `count` sorted keys.
// Tile:    a key for each invocation. Neighbours search neighbouring slots.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#define WEFT_HASH_READ_ONLY
#include "weft/kernels/tables/sorted_keys.glsl"

// The first slot in use whose key does not precede this one, or the free slot before it.
uint gap_of(WeftHashTable table, WeftHashKey key, out bool has_key) {
  WeftHashRank rank = weft_hash_rank(key);
  uint slot = weft_hash_home(table, key);
  WeftHashWord word = weft_hash_load(table, slot);
  if (weft_hash_is_free(word)) {
    has_key = false;
  } else if (weft_hash_precedes(word, rank)) {
    do {
      ++slot;
      word = slot == weft_capacity() ? WeftHashWord(0xFFFFFFFFu) : weft_hash_load(table, slot);
    } while (!weft_hash_is_free(word) && weft_hash_precedes(word, rank));
    has_key = !weft_hash_is_free(word) && weft_hash_key_in(word) == key;
  } else {
    for (; slot != 0u; --slot) {
      WeftHashWord below = weft_hash_load(table, slot - 1u);
      if (weft_hash_is_free(below) || weft_hash_precedes(below, rank)) break;
      word = below;
    }
    has_key = weft_hash_key_in(word) == key;
  }
  return slot;
}

void main() {
  uint j;
  if (!weft_own(weft_keys(), j)) return;
  WeftHashKey key = weft_sorted_key(j);
  bool has_key;
  weft_store_at(args.gaps, j, gap_of(weft_table(), key, has_key));
  weft_store_at(args.added, j, uint(!has_key && weft_is_first(j, key) && !weft_is_reserved(key)));
}
