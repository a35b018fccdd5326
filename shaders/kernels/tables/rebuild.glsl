// Shared by the kernels that rebuild a bidirectional table from a list of entries: push constants, and access to the
// arrays. The list has all entries in the order of their ranks; reserved keys keep their slots and are not in it.
//
// Gives:    args, weft_table(), weft_capacity(), weft_keys()   number of keys
//           bool weft_own(uint number, out uint i)   this invocation's element, of `number`; false if it has none
//           weft_load_at(memory, i, type), weft_store_at(memory, i, value)   element i of an array
//           uint weft_total_before(sums, i)    sum of the elements before i, of their inclusive scan
//           uint weft_used(), weft_kept_keys(), weft_listed()   entries in the table, new keys that fit, both together
//           weft_list()   the list, as a table whose slots are ranks
//           weft_put(table, slot, word, value)   stores an entry
//           weft_list_entry(rank, listed, word, value)   stores an entry of the list, and its shift
//           uint weft_shift(uint rank, uint listed, WeftHashKey key)   home - rank, kept within the table
//           uvec2 weft_forward(rank), weft_backward(rank, listed)   address of an entry's shift, in either direction
// Macros:   those of weft/kernels/tables/table.glsl
//
// Capacity and number of keys are below 2^32.
#ifndef WEFT_KERNELS_REBUILD
#define WEFT_KERNELS_REBUILD

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
  uvec2 words;    // The keys' hashes, sorted.
  uvec2 indices;  // Of the sorted keys.
  uvec2 gaps;    // Of each sorted key: the first slot in use whose key does not precede it, or the free slot before it.
  uvec2 added;   // Of each sorted key: 1 if it is the first of its kind and the table lacks it; then their sums.
  uvec2 used;    // Of each slot: 1 if it is in use; then their sums. After them, the length of the list.
  uvec2 list;    // The entries, as slots.
  uvec2 shifts;  // Of each entry: a word in the order of the list, and one in the opposite order.
  WeftCount count_on_device;
  uvec2 count;
  uint options;
  uint pass;  // Of hash_sort_words.comp.
}
args;

WeftHashTable weft_table() { return WeftHashTable(args.slots, args.capacity); }
WeftHashTable weft_list() { return WeftHashTable(args.list, args.capacity); }
uint weft_capacity() { return args.capacity.x; }
uint weft_keys() { return weft_count(args.count, args.options, args.count_on_device).x; }

bool weft_own(uint number, out uint i) {
  WeftExtent extent = weft_extent(weft_wide(number));
  uint tile = weft_group_index();
  i = tile * weft_tile_size() + gl_LocalInvocationIndex;
  return tile < extent.tiles && gl_LocalInvocationIndex < weft_tile_limit(extent, tile);
}

uint weft_load_at(uvec2 memory, uint i, uint type) { return WeftWords(weft_element_address(memory, 4u, i)).word[0]; }
uvec2 weft_load_at(uvec2 memory, uint i, uvec2 type) {
  WeftWords from = WeftWords(weft_element_address(memory, 8u, i));
  return uvec2(from.word[0], from.word[1]);
}
uint weft_load_at(uvec2 memory, uint i) { return weft_load_at(memory, i, 0u); }
void weft_store_at(uvec2 memory, uint i, uint x) { WeftWords(weft_element_address(memory, 4u, i)).word[0] = x; }

uint weft_total_before(uvec2 sums, uint i) { return i == 0u ? 0u : weft_load_at(sums, i - 1u); }

uint weft_used() { return weft_total_before(args.used, weft_capacity()); }
uint weft_kept_keys() { return min(weft_total_before(args.added, weft_keys()), weft_capacity() - weft_used()); }
uint weft_listed() { return weft_load_at(args.used, weft_capacity()); }

void weft_put(WeftHashTable table, uint slot, WeftHashWord word, WeftHashValue value) {
  WeftHashSlot(weft_hash_address(table, slot)).word = WEFT_HASH_TO_MEMORY(word);
#if WEFT_HASH_VALUE_WORDS > 0 && !defined(WEFT_HASH_PACKED)
  WeftHashCell(weft_hash_value_address(table, slot)).value = WEFT_HASH_VALUE_TO_MEMORY(value);
#endif
}

// Entries are at rank + shift. Shifts that never decrease keep the order; from 0 to the number of free slots they keep
// the entries in the table.
uint weft_shift(uint rank, uint listed, WeftHashKey key) {
  uint home = weft_hash_home(weft_table(), key);
  return home < rank ? 0u : min(home - rank, weft_capacity() - listed);
}
uvec2 weft_forward(uint rank) { return weft_element_address(args.shifts, 4u, rank); }
uvec2 weft_backward(uint rank, uint listed) {
  return weft_element_address(weft_forward(weft_capacity()), 4u, listed - 1u - rank);
}

// An entry of the list, with its shift, from which its slot is computed.
void weft_list_entry(uint rank, uint listed, WeftHashWord word, WeftHashValue value) {
  weft_put(weft_list(), rank, word, value);
  uint shift = weft_shift(rank, listed, weft_hash_key_in(word));
  weft_store_at(weft_forward(rank), 0u, shift);
  weft_store_at(weft_backward(rank, listed), 0u, shift);
}

#endif
