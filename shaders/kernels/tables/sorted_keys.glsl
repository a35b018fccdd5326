// Keys to insert, sorted by rank. Used with weft/kernels/tables/rebuild.glsl.
//
// Gives:    WeftHashKey weft_sorted_key(uint j), bool weft_is_first(uint j, WeftHashKey key)   of equal keys
//           WeftHashValue weft_sorted_value(uint j)
//           bool weft_is_added(uint j)   whether the key is the first of its kind, and the table lacks it
//           bool weft_is_reserved(WeftHashKey key)
// Macros:   WEFT_HASHES_HAVE_KEYS   keys of one word with the hash of weft/device/hash_slots.glsl, which has an inverse
//           WEFT_VALUE_AT           optional: expression of `i`, the key's index
#ifndef WEFT_KERNELS_SORTED_KEYS
#define WEFT_KERNELS_SORTED_KEYS

#include "weft/kernels/tables/rebuild.glsl"

uint weft_hash_unmix(uint hash) {
  hash = (hash ^ (hash >> 16)) * 0x7ED1B41Du;
  hash = (hash ^ (hash >> 13) ^ (hash >> 26)) * 0xA5CB9243u;
  return hash ^ (hash >> 16);
}

WeftHashKey weft_sorted_key(uint j) {
#ifdef WEFT_HASHES_HAVE_KEYS
  return weft_hash_unmix(weft_load_at(args.words, j));
#else
  return weft_load_at(args.keys, weft_load_at(args.indices, j), WeftHashKey(0u));
#endif
}
bool weft_is_first(uint j, WeftHashKey key) { return j == 0u || weft_sorted_key(j - 1u) != key; }

WeftHashValue weft_sorted_value(uint j) {
#ifdef WEFT_VALUE_AT
  uint i = weft_load_at(args.indices, j);
  return weft_value_of(WEFT_VALUE_AT);
#elif WEFT_HASH_VALUE_WORDS > 0
  return weft_load_at(args.values, weft_load_at(args.indices, j), WeftHashValue(0u));
#else
  return 0u;
#endif
}

bool weft_is_added(uint j) { return weft_load_at(args.added, j) != weft_total_before(args.added, j); }
bool weft_is_reserved(WeftHashKey key) { return weft_hash_complement(key) < weft_hash_reserved_keys; }

#endif
