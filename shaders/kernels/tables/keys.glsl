// Shared by the kernels that process an array of keys: push constants, and access to the arrays.
//
// Gives:    args, weft_table()
//           WeftExtent weft_keys_extent()
//           uint weft_process_one(tile, element)   processes a key, stores its result and returns it
//           weft_load_words(memory, tile, element, type), weft_store_words(memory, tile, element, value)
// Needs:    uint weft_process(uint tile, uint element, WeftHashKey key)   the result of a key
// Macros:   those of weft/kernels/tables/table.glsl and weft/workgroup/extent.glsl
//
// Tile:     workgroup size * WEFT_ROWS keys (WEFT_PACK is 1).
#ifndef WEFT_KERNELS_KEYS
#define WEFT_KERNELS_KEYS

#include "weft/kernels/tables/table.glsl"

#include "weft/device/tickets.glsl"
#include "weft/kernels/base/options.glsl"
#include "weft/thread/memory.glsl"
#include "weft/workgroup/extent.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 slots;
  uvec2 capacity;
  uvec2 keys;
  uvec2 values;
  uvec2 results;  // A word for each key, or 0.
  uvec2 counts;   // A word of 64 or 32 bits for each result, or 0.
  WeftCount count_on_device;
  uvec2 count;
  uvec2 left;  // Of weft/kernels/tables/left_keys.glsl, for a bidirectional table.
  uint options;
  uint unused;
}
args;

WeftHashTable weft_table() { return WeftHashTable(args.slots, args.capacity); }

uint weft_process(uint tile, uint element, WeftHashKey key);

// The 256-byte block in which a tile's elements start, of `words` words each.
uint weft_tile_block(uint tile, uint words) { return tile * (gl_WorkGroupSize.x / 64u * WEFT_ROWS) * words; }

uint weft_load_words(uvec2 memory, uint tile, uint element, uint type) {
  return weft_load_word(memory, weft_tile_block(tile, 1u), element);
}
uvec2 weft_load_words(uvec2 memory, uint tile, uint element, uvec2 type) {
  uint block = weft_tile_block(tile, 2u);
  return uvec2(weft_load_word(memory, block, 2u * element), weft_load_word(memory, block, 2u * element + 1u));
}
void weft_store_words(uvec2 memory, uint tile, uint element, uint value) {
  weft_store_word(memory, weft_tile_block(tile, 1u), element, value);
}
void weft_store_words(uvec2 memory, uint tile, uint element, uvec2 value) {
  uint block = weft_tile_block(tile, 2u);
  weft_store_word(memory, block, 2u * element, value.x);
  weft_store_word(memory, block, 2u * element + 1u, value.y);
}

uint weft_process_one(uint tile, uint element) {
  uint result = weft_process(tile, element, weft_load_words(args.keys, tile, element, WeftHashKey(0u)));
  if (args.results != uvec2(0u)) weft_store_words(args.results, tile, element, result);
  return result;
}

WeftExtent weft_keys_extent() { return weft_extent(weft_count(args.count, args.options, args.count_on_device)); }

#endif
