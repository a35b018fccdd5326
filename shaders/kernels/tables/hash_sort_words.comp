#version 460
// The words by which keys are sorted, one for each of several stable sorts: those of the key (passes 1 and 2), then its
// hash (pass 0). Different keys of one word have different hashes by weft/device/hash_slots.glsl: the hash will do.
//
// Inputs:  `count` keys; after the first pass, their indices in the order so far.
// Tile:    a key for each invocation.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#define WEFT_HASH_READ_ONLY
#include "weft/kernels/tables/rebuild.glsl"

#ifdef WEFT_HASHES_HAVE_KEYS
const uint first_pass = 0u;
#else
const uint first_pass = 1u;
#endif

uint word_of(WeftHashKey key) {
  if (args.pass == 0u) return weft_hash_upper(WEFT_HASH(key));
#if WEFT_HASH_KEY_WORDS == 2
  return args.pass == 1u ? key.x : key.y;
#else
  return key;
#endif
}

void main() {
  uint j;
  if (!weft_own(weft_keys(), j)) return;
  uint i = j;
  if (args.pass == first_pass) {
    weft_store_at(args.indices, j, i);
  } else {
    i = weft_load_at(args.indices, j);
  }
  weft_store_at(args.words, j, word_of(weft_load_at(args.keys, i, WeftHashKey(0u))));
}
