// The keys of a tile, which lie in an array of their own beside the tile's elements.
//
// Gives:    K, and for structs weft_to_words() and weft_from_words()
//           void weft_load_keys(out keys, memory, vectors, tile, run, limit)   zeros stand behind `limit`
//           K weft_load_key(memory, block, key)
//           uint weft_tile_key_blocks()   256-byte blocks of a tile's keys
//           WeftPlace weft_key_place(WeftIndex key), WEFT_STORE_KEY_UNIT(memory, block, unit, word)
// Macros:   those of weft/workgroup/tile.glsl
//           K_WORDS, K_BYTES   a key's 32-bit words in registers, and its bytes in memory
//           WEFT_KEY_SCALAR    a scalar's type; or for a struct WEFT_KEY_STRUCT_FIELDS, WEFT_KEY_STRUCT_TO_WORDS and
//                              WEFT_KEY_STRUCT_FROM_WORDS, as weft/thread/element.glsl takes them for elements
// Usage:    K keys[WEFT_ROWS][WEFT_PACK];
//           weft_load_keys(keys, args.keys, vectors, tile, gl_SubgroupID, limit);
#ifndef WEFT_WORKGROUP_KEYS
#define WEFT_WORKGROUP_KEYS

#include "weft/workgroup/tile.glsl"

#ifdef WEFT_KEY_SCALAR
#define K WEFT_KEY_SCALAR
#else
struct WeftKey {
  WEFT_KEY_STRUCT_FIELDS
};
#define K WeftKey

uint[K_WORDS] weft_to_words(WeftKey e) { return uint[K_WORDS](WEFT_KEY_STRUCT_TO_WORDS); }
void weft_from_words(uint words[K_WORDS], out WeftKey e) { e = WeftKey(WEFT_KEY_STRUCT_FROM_WORDS); }
#endif

#if K_BYTES / K_WORDS == 1
const uint weft_key_units_of_block = weft_block_words * 4u;
#define WEFT_LOAD_KEY_UNIT weft_load_byte
#define WEFT_STORE_KEY_UNIT weft_store_byte
#elif K_BYTES / K_WORDS == 2
const uint weft_key_units_of_block = weft_block_words * 2u;
#define WEFT_LOAD_KEY_UNIT weft_load_half
#define WEFT_STORE_KEY_UNIT weft_store_half
#else
const uint weft_key_units_of_block = weft_block_words;
#define WEFT_LOAD_KEY_UNIT weft_load_word
#define WEFT_STORE_KEY_UNIT weft_store_word
#endif

// The block where the key lies, and which of its units is the key's first: words, or where its size is no multiple of
// them halves of words or bytes.
WeftPlace weft_key_place(WeftIndex key) {
  uvec2 unit = weft_multiply(weft_wide(key), K_WORDS);
  const uint blocks_in_4_giga_units = 0xFFFFFFFFu / weft_key_units_of_block + 1u;
  return WeftPlace(unit.y * blocks_in_4_giga_units + unit.x / weft_key_units_of_block, unit.x % weft_key_units_of_block);
}

uint weft_tile_key_blocks() { return gl_WorkGroupSize.x / 64u * (WEFT_ROWS * WEFT_PACK * K_BYTES / 4); }

K weft_load_key(uvec2 memory, uint block, uint key) {
  uint words[K_WORDS];
  [[unroll]] for (int w = 0; w < K_WORDS; ++w) {
    words[w] = WEFT_LOAD_KEY_UNIT(memory, block, key * K_WORDS + uint(w));
  }
  K x;
  weft_from_words(words, x);
  return x;
}

K weft_zero_key() {
  uint words[K_WORDS];
  [[unroll]] for (int w = 0; w < K_WORDS; ++w) words[w] = 0u;
  K x;
  weft_from_words(words, x);
  return x;
}

#if WEFT_PACK * K_BYTES % 16 == 0
void weft_load_key_pack(out K keys[WEFT_PACK], uvec2 memory, uint block, uint pack) {
  const int vectors = WEFT_PACK * K_BYTES / 16;
  uint words[vectors * 4];
  [[unroll]] for (int v = 0; v < vectors; ++v) {
    uvec4 vector = weft_load_vector(memory, block, pack * vectors + uint(v));
    [[unroll]] for (int w = 0; w < 4; ++w) words[v * 4 + w] = vector[w];
  }
  [[unroll]] for (int k = 0; k < WEFT_PACK; ++k) {
    uint key[K_WORDS];
    [[unroll]] for (int w = 0; w < K_WORDS; ++w) {
#if K_BYTES / K_WORDS < 4
      const int byte = k * K_BYTES + w * (K_BYTES / K_WORDS);
      key[w] = words[byte / 4] >> (byte % 4 * 8);
#else
      key[w] = words[k * K_WORDS + w];
#endif
    }
    weft_from_words(key, keys[k]);
  }
}
#endif

void weft_load_keys(out K keys[WEFT_ROWS][WEFT_PACK], uvec2 memory, bool vectors, uint tile, uint run, uint limit) {
  uint block = tile * weft_tile_key_blocks();
  bool whole = false;
#if WEFT_PACK * K_BYTES % 16 == 0
  whole = vectors && weft_run_is_full(run, limit);
  if (whole) {
    [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
      weft_load_key_pack(keys[row], memory, block, weft_pack_index(run, row));
    }
  }
#endif
  if (whole) return;
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    uint first = weft_pack_index(run, row) * WEFT_PACK;
    [[unroll]] for (int k = 0; k < WEFT_PACK; ++k) {
      keys[row][k] = weft_zero_key();
      if (first + uint(k) < limit) keys[row][k] = weft_load_key(memory, block, first + uint(k));
    }
  }
}

#endif
