#version 460
// Results of keys that were inserted in their order, and the values of those that a table has already.
//
// Inputs:  a bidirectional table; `count` sorted keys and, for a map without WEFT_VALUE_AT, values.
// Results: weft_hash_found, weft_hash_inserted, weft_hash_full; not those of hash_list_keys.comp.
// Tile:    a key for each invocation.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/kernels/tables/counts.glsl"
#include "weft/kernels/tables/sorted_keys.glsl"

// Others may combine values of the same key.
uint update(uint j, WeftHashKey key) {
  WeftHashValue value;
  WeftIndex slot;
  if (!weft_hash_find(weft_table(), key, value, slot)) return weft_hash_full;
#ifdef WEFT_HASH_UPDATED
  value = weft_sorted_value(j);
  while (!weft_hash_update(weft_table(), slot, weft_hash_load(weft_table(), slot), value)) {
  }
#endif
  return weft_hash_found;
}

uvec3 finish(uint j) {
  uint result = weft_hash_inserted;
  if (!weft_is_added(j) || weft_total_before(args.added, j) >= weft_kept_keys()) {
    WeftHashKey key = weft_sorted_key(j);
    if (weft_is_reserved(key) && weft_is_first(j, key)) return uvec3(0u);
    result = update(j, key);
  }
  if (args.results != uvec2(0u)) weft_store_at(args.results, weft_load_at(args.indices, j), result);
  return weft_one(result);
}

void main() {
  uint j;
  uvec3 results = uvec3(0u);
  if (weft_own(weft_keys(), j)) results = finish(j);
  weft_add_results(args.counts, args.options, results);
}
