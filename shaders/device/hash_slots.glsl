// The slots of a hash table in device memory: their contents, and the order in which a key visits them. Used by
// weft/device/hash_table.glsl, whose comment has the macros.
//
// Gives:    WeftHashTable, WeftHashKey, WeftHashValue
//           WeftHashWord   the part of a slot that one compare-and-swap changes
//           weft_hash_word(), weft_hash_erased(), weft_hash_key_in(), weft_hash_is_empty(), weft_hash_is_free()
//           weft_hash_load(), weft_hash_swap()   a slot's word
//           weft_hash_value(), weft_hash_store_value(), weft_hash_swap_value()   a slot's value
//           WeftHashProbe weft_hash_probe(table, key), weft_hash_advance(table, probe)   the slots that may hold a key
//
// A packed slot is one word of key and value. A split slot has its key in the word, and its value after it. A free slot
// is empty, which ends a search, or erased, which does not. Memory of all ones is an empty table.
//                packed           split
//   empty        {~0, ~0}         ~0
//   erased       {~0, its key}    ~0 - 1
//   in use       {key, value}     key
// Keys that look like a free slot have slots of their own, after the others; as long as such a key is in the table,
// its slot holds key 0.
#ifndef WEFT_DEVICE_HASH_SLOTS
#define WEFT_DEVICE_HASH_SLOTS

#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_KHR_memory_scope_semantics : require

#include "weft/thread/count.glsl"
#include "weft/thread/memory.glsl"

struct WeftHashTable {
  uvec2 slots;     // Address of the table, a multiple of 16.
  uvec2 capacity;  // Number of slots, without those of reserved keys.
};

#if WEFT_HASH_KEY_WORDS == 2
#define WeftHashKey uvec2
#else
#define WeftHashKey uint
#endif
#if WEFT_HASH_VALUE_WORDS == 2
#define WeftHashValue uvec2
#else
#define WeftHashValue uint
#endif

#if defined(WEFT_HASH_PACKED) || WEFT_HASH_KEY_WORDS == 2
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#define WEFT_HASH_WORD_WORDS 2
#define WeftHashWord uvec2
layout(buffer_reference, scalar, buffer_reference_align = 8) buffer WeftHashSlot { uint64_t word; };
#define WEFT_HASH_TO_MEMORY(word) packUint2x32(word)
#define WEFT_HASH_FROM_MEMORY(word) unpackUint2x32(word)
#else
#define WEFT_HASH_WORD_WORDS 1
#define WeftHashWord uint
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer WeftHashSlot { uint word; };
#define WEFT_HASH_TO_MEMORY(word) word
#define WEFT_HASH_FROM_MEMORY(word) word
#endif

#if defined(WEFT_HASH_PACKED) || WEFT_HASH_VALUE_WORDS == 0
#define WEFT_HASH_SLOT_WORDS WEFT_HASH_WORD_WORDS
#elif WEFT_HASH_KEY_WORDS + WEFT_HASH_VALUE_WORDS == 2
#define WEFT_HASH_SLOT_WORDS 2
#else
#define WEFT_HASH_SLOT_WORDS 4
#endif

// ~key of a key that looks like a free slot, which is below weft_hash_reserved_keys.
uint weft_hash_complement(uint key) { return ~key; }
uint weft_hash_complement(uvec2 key) { return key.y == 0xFFFFFFFFu ? ~key.x : 0xFFFFFFFFu; }

// The key with that complement. `type` is any key.
uint weft_hash_reserved(uint complement, uint type) { return ~complement; }
uvec2 weft_hash_reserved(uint complement, uvec2 type) { return uvec2(~complement, 0xFFFFFFFFu); }

#ifdef WEFT_HASH_PACKED
const uint weft_hash_reserved_keys = 1u;
WeftHashWord weft_hash_word(WeftHashKey key, WeftHashValue value) { return uvec2(key, value); }
WeftHashWord weft_hash_erased(WeftHashKey key) { return uvec2(0xFFFFFFFFu, key); }
WeftHashKey weft_hash_key_in(WeftHashWord word) { return word.x; }
#else
const uint weft_hash_reserved_keys = 2u;
WeftHashWord weft_hash_word(WeftHashKey key, WeftHashValue value) { return key; }
WeftHashWord weft_hash_erased(uint key) { return WeftHashWord(0xFFFFFFFEu); }
WeftHashWord weft_hash_erased(uvec2 key) { return WeftHashWord(uvec2(0xFFFFFFFEu, 0xFFFFFFFFu)); }
WeftHashKey weft_hash_key_in(WeftHashWord word) { return word; }
#endif

bool weft_hash_is_empty(WeftHashWord word) { return word == WeftHashWord(0xFFFFFFFFu); }
bool weft_hash_is_free(WeftHashWord word) {
  return weft_hash_complement(weft_hash_key_in(word)) < weft_hash_reserved_keys;
}

// Accesses. A kernel that only reads the table needs no atomics.

uvec2 weft_hash_address(WeftHashTable table, WeftIndex slot) {
  return weft_element_address(table.slots, WEFT_HASH_SLOT_WORDS * 4u, slot);
}

WeftHashWord weft_hash_load(WeftHashTable table, WeftIndex slot) {
  WeftHashSlot at = WeftHashSlot(weft_hash_address(table, slot));
#ifdef WEFT_HASH_READ_ONLY
  return WEFT_HASH_FROM_MEMORY(at.word);
#else
  return WEFT_HASH_FROM_MEMORY(atomicLoad(at.word, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed));
#endif
}

#ifndef WEFT_HASH_READ_ONLY
// The word before; `wanted` replaces it if that is `expected`.
WeftHashWord weft_hash_swap(WeftHashTable table, WeftIndex slot, WeftHashWord expected, WeftHashWord wanted) {
  WeftHashSlot at = WeftHashSlot(weft_hash_address(table, slot));
  return WEFT_HASH_FROM_MEMORY(
      atomicCompSwap(at.word, WEFT_HASH_TO_MEMORY(expected), WEFT_HASH_TO_MEMORY(wanted)));
}
#endif

#if WEFT_HASH_VALUE_WORDS > 0 && defined(WEFT_HASH_PACKED)
WeftHashValue weft_hash_value(WeftHashTable table, WeftIndex slot) { return weft_hash_load(table, slot).y; }
#elif WEFT_HASH_VALUE_WORDS > 0
#if WEFT_HASH_VALUE_WORDS == 2 && defined(WEFT_INT64_ATOMICS)
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
layout(buffer_reference, scalar, buffer_reference_align = 8) buffer WeftHashCell { uint64_t value; };
#define WEFT_HASH_VALUE_TO_MEMORY(value) packUint2x32(value)
#define WEFT_HASH_VALUE_FROM_MEMORY(value) unpackUint2x32(value)
#else
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer WeftHashCell { WeftHashValue value; };
#define WEFT_HASH_VALUE_TO_MEMORY(value) value
#define WEFT_HASH_VALUE_FROM_MEMORY(value) value
#endif

uvec2 weft_hash_value_address(WeftHashTable table, WeftIndex slot) {
  return weft_add(weft_hash_address(table, slot), WEFT_HASH_SLOT_WORDS * 2u);
}

WeftHashValue weft_hash_value(WeftHashTable table, WeftIndex slot) {
  WeftHashCell at = WeftHashCell(weft_hash_value_address(table, slot));
#if defined(WEFT_HASH_READ_ONLY) || (WEFT_HASH_VALUE_WORDS == 2 && !defined(WEFT_INT64_ATOMICS))
  return WEFT_HASH_VALUE_FROM_MEMORY(at.value);
#else
  return WEFT_HASH_VALUE_FROM_MEMORY(
      atomicLoad(at.value, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed));
#endif
}

#ifndef WEFT_HASH_READ_ONLY
void weft_hash_store_value(WeftHashTable table, WeftIndex slot, WeftHashValue value) {
  WeftHashCell at = WeftHashCell(weft_hash_value_address(table, slot));
#if WEFT_HASH_VALUE_WORDS == 2 && !defined(WEFT_INT64_ATOMICS)
  at.value = value;
#else
  atomicStore(at.value, WEFT_HASH_VALUE_TO_MEMORY(value), gl_ScopeDevice, gl_StorageSemanticsBuffer,
              gl_SemanticsRelaxed);
#endif
}

#if WEFT_HASH_VALUE_WORDS == 1 || defined(WEFT_INT64_ATOMICS)
WeftHashValue weft_hash_swap_value(WeftHashTable table, WeftIndex slot, WeftHashValue expected, WeftHashValue wanted) {
  WeftHashCell at = WeftHashCell(weft_hash_value_address(table, slot));
  return WEFT_HASH_VALUE_FROM_MEMORY(
      atomicCompSwap(at.value, WEFT_HASH_VALUE_TO_MEMORY(expected), WEFT_HASH_VALUE_TO_MEMORY(wanted)));
}
#endif
#endif
#endif

// Probing.

// The finalizers of MurmurHash3 (Appleby), which are bijections.
uint weft_hash_mix(uint key) {
  key = (key ^ (key >> 16)) * 0x85EBCA6Bu;
  key = (key ^ (key >> 13)) * 0xC2B2AE35u;
  return key ^ (key >> 16);
}
#if WEFT_HASH_KEY_WORDS == 2
uvec2 weft_hash_mix(uvec2 words) {
  uint64_t key = packUint2x32(words);
  key = (key ^ (key >> 33)) * packUint2x32(uvec2(0xED558CCDu, 0xFF51AFD7u));
  key = (key ^ (key >> 33)) * packUint2x32(uvec2(0x1A85EC53u, 0xC4CEB9FEu));
  return unpackUint2x32(key ^ (key >> 33));
}
#endif
#ifndef WEFT_HASH
#define WEFT_HASH(key) weft_hash_mix(key)
#endif

uint weft_hash_upper(uint hash) { return hash; }
uint weft_hash_upper(uvec2 hash) { return hash.y; }

// capacity * hash / 2^32: slots in the order of their keys' hashes, for any capacity.
WeftIndex weft_hash_home(WeftHashTable table, WeftHashKey key) {
  uint hash = weft_hash_upper(WEFT_HASH(key)), low, high;
  umulExtended(hash, table.capacity.x, high, low);
#ifdef WEFT_WIDE_INDEX
  return weft_add(weft_multiply(weft_wide(table.capacity.y), hash), high);
#else
  return high;
#endif
}

struct WeftHashProbe {
  WeftIndex slot;   // The slot to look at.
  WeftIndex left;   // Number of slots to look at, this one included.
  WeftHashKey key;  // The key as slots hold it.
};

WeftHashProbe weft_hash_probe(WeftHashTable table, WeftHashKey key) {
  uint reserved = weft_hash_complement(key);
  WeftIndex capacity = weft_index(table.capacity);
  if (reserved < weft_hash_reserved_keys) {
    return WeftHashProbe(weft_add(capacity, reserved), weft_index(1u), WeftHashKey(0u));
  }
  return WeftHashProbe(weft_hash_home(table, key), capacity, key);
}

void weft_hash_advance(WeftHashTable table, inout WeftHashProbe probe) {
  probe.slot = weft_add(probe.slot, 1u);
  if (probe.slot == weft_index(table.capacity)) probe.slot = weft_index(0u);
  probe.left = weft_subtract(probe.left, weft_index(1u));
}

#endif
