#version 460
// Takes keys off the slots of a bidirectional table that will be listed. Erases reserved keys.
//
// Inputs:  a table, and which of its slots are in use; `count` keys.
// Results: 1 if this took the key off, else 0.
// Tile:    a key for each invocation.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/kernels/tables/counts.glsl"
#include "weft/kernels/tables/rebuild.glsl"

bool erase_reserved(uint slot) {
  WeftHashWord empty = WeftHashWord(0xFFFFFFFFu), word = weft_hash_load(weft_table(), slot);
  return !weft_hash_is_empty(word) && weft_hash_swap(weft_table(), slot, word, empty) == word;
}

bool unlist(WeftHashKey key) {
  WeftHashValue value;
  WeftIndex slot;
  if (!weft_hash_find(weft_table(), key, value, slot)) return false;
  if (slot >= weft_capacity()) return erase_reserved(slot);
  WeftWords used = WeftWords(weft_element_address(args.used, 4u, slot));
  return atomicExchange(used.word[0], 0u) == 1u;
}

void main() {
  uint i;
  uvec3 results = uvec3(0u);
  if (weft_own(weft_keys(), i)) {
    uint result = uint(unlist(weft_load_at(args.keys, i, WeftHashKey(0u))));
    if (args.results != uvec2(0u)) weft_store_at(args.results, i, result);
    results = weft_one(result);
  }
  weft_add_results(args.counts, args.options, results);
}
