#version 460
// Lists the keys that are added to a bidirectional table, with their values, between its entries. Inserts reserved
// keys.
//
// Inputs:  `count` sorted keys and, for a map without WEFT_VALUE_AT, values.
// Results: those of reserved keys that are the first of their kind.
// Tile:    a key for each invocation.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/kernels/tables/counts.glsl"
#include "weft/kernels/tables/sorted_keys.glsl"

// No other invocation has this key.
uint insert_reserved(WeftHashKey key, WeftHashValue value) {
  uint slot = weft_capacity() + weft_hash_complement(key);
  WeftHashWord word = weft_hash_load(weft_table(), slot);
  if (weft_hash_is_empty(word)) {
    weft_put(weft_table(), slot, weft_hash_word(WeftHashKey(0u), value), value);
    return weft_hash_inserted;
  }
  weft_hash_update(weft_table(), slot, word, value);
  return weft_hash_found;
}

uvec3 list_key(uint j) {
  if (weft_is_added(j)) {
    uint added = weft_total_before(args.added, j), kept = weft_kept_keys();
    if (added >= kept) return uvec3(0u);
    WeftHashValue value = weft_sorted_value(j);
    uint rank = added + weft_total_before(args.used, weft_load_at(args.gaps, j));
    weft_list_entry(rank, weft_used() + kept, weft_hash_word(weft_sorted_key(j), value), value);
    return uvec3(0u);
  }
  WeftHashKey key = weft_sorted_key(j);
  if (!weft_is_reserved(key) || !weft_is_first(j, key)) return uvec3(0u);
  uint result = insert_reserved(key, weft_sorted_value(j));
  if (args.results != uvec2(0u)) weft_store_at(args.results, weft_load_at(args.indices, j), result);
  return weft_one(result);
}

void main() {
  uint j;
  uvec3 results = uvec3(0u);
  if (weft_own(weft_keys(), j)) results = list_key(j);
  weft_add_results(args.counts, args.options, results);
}
