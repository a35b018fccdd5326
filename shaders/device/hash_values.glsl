// Values and entries of a hash table. Used by weft/device/hash_table.glsl and hash_table_bidirectional.glsl, whose
// comments have the macros.
//
// Gives:    what weft/device/hash_slots.glsl gives
//           weft_hash_found, weft_hash_inserted, weft_hash_full
//           bool weft_hash_update(table, slot, word, value)   replaces or combines the value of a key in the table
//           void weft_hash_update_value(table, slot, value)   the same for split slots
//           WeftHashValue weft_hash_value_of(table, slot, word)
//           WeftIndex weft_hash_slots(table)
//           bool weft_hash_entry(table, slot, out key, out value)
#ifndef WEFT_DEVICE_HASH_VALUES
#define WEFT_DEVICE_HASH_VALUES

#include "weft/device/hash_slots.glsl"

const uint weft_hash_found = 0u;
const uint weft_hash_inserted = 1u;
const uint weft_hash_full = 2u;

#ifdef WEFT_HASH_REPLACE
#define WEFT_HASH_UPDATED(a, b) b
#elif defined(WEFT_HASH_COMBINE)
#define WEFT_HASH_UPDATED(a, b) WEFT_HASH_COMBINE(a, b)
#endif
#if defined(WEFT_HASH_COMBINE) && !defined(WEFT_HASH_PACKED)
#define WEFT_HASH_RESETS_VALUES
#endif

#if WEFT_HASH_VALUE_WORDS > 0 && !defined(WEFT_HASH_PACKED) && !defined(WEFT_HASH_READ_ONLY)
// Values of split slots. With WEFT_HASH_COMBINE they start as the identity, because others may combine theirs before
// the invocation that inserted the key.
#ifdef WEFT_HASH_COMBINE
void weft_hash_update_value(WeftHashTable table, WeftIndex slot, WeftHashValue value) {
  WeftHashValue found = weft_hash_value(table, slot), expected;
  do {
    expected = found;
    WeftHashValue wanted = WEFT_HASH_COMBINE(expected, value);
    if (wanted == expected) return;
    found = weft_hash_swap_value(table, slot, expected, wanted);
  } while (found != expected);
}
#else
void weft_hash_update_value(WeftHashTable table, WeftIndex slot, WeftHashValue value) {
  weft_hash_store_value(table, slot, value);
}
#endif
#endif

#ifndef WEFT_HASH_READ_ONLY
// Brings the value of a slot that holds the key up to date. False if the slot has changed since `word` was read.
bool weft_hash_update(WeftHashTable table, WeftIndex slot, WeftHashWord word, WeftHashValue value) {
#ifndef WEFT_HASH_UPDATED
  return true;
#elif !defined(WEFT_HASH_PACKED)
  weft_hash_update_value(table, slot, value);
  return true;
#elif defined(WEFT_HASH_ADDS) && !defined(WEFT_HASH_ERASES)
  WeftHashSlot at = WeftHashSlot(weft_hash_address(table, slot));
  atomicAdd(at.word, packUint2x32(uvec2(0u, value)));  // The value is the high word.
  return true;
#else
  WeftHashWord wanted = uvec2(word.x, WEFT_HASH_UPDATED(word.y, value));
  return wanted == word || weft_hash_swap(table, slot, word, wanted) == word;
#endif
}
#endif

// The value of a slot that holds a key, given its word.
WeftHashValue weft_hash_value_of(WeftHashTable table, WeftIndex slot, WeftHashWord word) {
#ifdef WEFT_HASH_PACKED
  return word.y;
#elif WEFT_HASH_VALUE_WORDS > 0
  return weft_hash_value(table, slot);
#else
  return 0u;
#endif
}

WeftIndex weft_hash_slots(WeftHashTable table) { return weft_add(weft_index(table.capacity), weft_hash_reserved_keys); }

bool weft_hash_entry(WeftHashTable table, WeftIndex slot, out WeftHashKey key, out WeftHashValue value) {
  WeftHashWord word = weft_hash_load(table, slot);
  key = weft_hash_key_in(word);
  value = WeftHashValue(0u);
  if (weft_hash_is_free(word)) return false;
  value = weft_hash_value_of(table, slot, word);
  WeftIndex capacity = weft_index(table.capacity);
  if (!weft_less(slot, capacity)) key = weft_hash_reserved(weft_low(weft_subtract(slot, capacity)), key);
  return true;
}

#endif
