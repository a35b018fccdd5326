// The insertion of one key, with its value from an array or an expression.
//
// Gives:    uint weft_process(uint tile, uint element, WeftHashKey key) of weft/kernels/tables/keys.glsl
// Macros:   WEFT_VALUE_AT   optional: expression of `i`, the key's index
#include "weft/kernels/tables/keys.glsl"

WeftHashValue weft_value_at(uint tile, uint element) {
#ifdef WEFT_VALUE_AT
  uint i = tile * weft_tile_size() + element;
  return weft_value_of(WEFT_VALUE_AT);
#elif WEFT_HASH_VALUE_WORDS > 0
  return weft_load_words(args.values, tile, element, WeftHashValue(0u));
#else
  return 0u;
#endif
}

uint weft_process(uint tile, uint element, WeftHashKey key) {
  WeftIndex slot;
  return weft_hash_insert(weft_table(), key, weft_value_at(tile, element), slot);
}
