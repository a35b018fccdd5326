// Loads and stores of a tile's rows of values of one type E. weft/workgroup/tile.glsl includes it for the elements T,
// weft/workgroup/keys.glsl for the keys K.
//
// Gives:    void WEFT_OF(load_rows)(out E x[WEFT_ROWS][WEFT_PACK], source, vectors, block, run, limit, outside)
//                   loads the run of rows with index `run`, of the tile that starts at `block` and has `limit`
//                   elements; those past `limit` are set to `outside`, and not read. `vectors`: the memory starts at
//                   a multiple of 16 bytes
//           void WEFT_OF(store_rows)(x, destination, vectors, block, run, limit)   stores the elements below `limit`
//           everything in weft/thread/typed_memory.glsl, which is included before
// Macros:   those of weft/thread/typed_memory.glsl
//           WEFT_ROWS, WEFT_PACK   rows of a run, and elements of a lane's pack
//
// Packs that fill whole 16-byte vectors move as such. Include this file once for each type.

#define E_UNIT_BYTES (E_BYTES / E_WORDS)

#if WEFT_PACK * E_BYTES % 16 == 0
void WEFT_OF(load_pack)(out E x[WEFT_PACK], uvec2 source, uint block, uint pack) {
  const int vectors = WEFT_PACK * E_BYTES / 16;
  uint words[vectors * 4];
  [[unroll]] for (int v = 0; v < vectors; ++v) {
    uvec4 vector = weft_load_vector(source, block, pack * vectors + uint(v));
    [[unroll]] for (int w = 0; w < 4; ++w) words[v * 4 + w] = vector[w];
  }
  [[unroll]] for (int k = 0; k < WEFT_PACK; ++k) {
    uint element[E_WORDS];
    [[unroll]] for (int w = 0; w < E_WORDS; ++w) {
#if E_UNIT_BYTES < 4
      const int byte = (k * E_WORDS + w) * E_UNIT_BYTES;
      element[w] = words[byte / 4] >> (byte % 4 * 8);
#else
      element[w] = words[k * E_WORDS + w];
#endif
    }
    weft_from_words(element, x[k]);
  }
}

void WEFT_OF(store_pack)(E x[WEFT_PACK], uvec2 destination, uint block, uint pack) {
  const int vectors = WEFT_PACK * E_BYTES / 16;
  uint words[vectors * 4];
  [[unroll]] for (int k = 0; k < WEFT_PACK; ++k) {
    uint element[E_WORDS] = weft_to_words(x[k]);
    [[unroll]] for (int w = 0; w < E_WORDS; ++w) {
#if E_UNIT_BYTES < 4
      const int byte = (k * E_WORDS + w) * E_UNIT_BYTES, shift = byte % 4 * 8;
      uint bits = (element[w] & (0xFFFFFFFFu >> (32 - E_UNIT_BYTES * 8))) << shift;
      words[byte / 4] = shift == 0 ? bits : words[byte / 4] | bits;
#else
      words[k * E_WORDS + w] = element[w];
#endif
    }
  }
  [[unroll]] for (int v = 0; v < vectors; ++v) {
    uvec4 vector = uvec4(words[v * 4], words[v * 4 + 1], words[v * 4 + 2], words[v * 4 + 3]);
    weft_store_vector(destination, block, pack * vectors + uint(v), vector);
  }
}
#endif

void WEFT_OF(load_rows)(out E x[WEFT_ROWS][WEFT_PACK], uvec2 source, bool vectors, uint block, uint run, uint limit,
                        E outside) {
  bool whole = false;
#if WEFT_PACK * E_BYTES % 16 == 0
  whole = vectors && weft_run_is_full(run, limit);
  if (whole) {
    [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
      WEFT_OF(load_pack)(x[row], source, block, weft_pack_index(run, row));
    }
  }
#endif
  if (whole) return;
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    uint first = weft_pack_index(run, row) * WEFT_PACK;
    [[unroll]] for (int k = 0; k < WEFT_PACK; ++k) {
      x[row][k] = outside;
      if (first + uint(k) < limit) x[row][k] = WEFT_OF(load_element)(source, block, first + uint(k));
    }
  }
}

void WEFT_OF(store_rows)(E x[WEFT_ROWS][WEFT_PACK], uvec2 destination, bool vectors, uint block, uint run, uint limit) {
  bool whole = false;
#if WEFT_PACK * E_BYTES % 16 == 0
  whole = vectors && weft_run_is_full(run, limit);
  if (whole) {
    [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
      WEFT_OF(store_pack)(x[row], destination, block, weft_pack_index(run, row));
    }
  }
#endif
  if (whole) return;
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    uint first = weft_pack_index(run, row) * WEFT_PACK;
    [[unroll]] for (int k = 0; k < WEFT_PACK; ++k) {
      if (first + uint(k) < limit) WEFT_OF(store_element)(destination, block, first + uint(k), x[row][k]);
    }
  }
}

#undef E_UNIT_BYTES
