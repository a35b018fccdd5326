// A hash table in device memory, a set or a map, that all invocations may use at once. Open addressing, linear probing.
// weft/hash_table.h has the memory, the macros, and plans that insert, find and erase arrays of keys.
//
// Gives:    WeftHashTable   address and capacity, for push constants; HashTable::block() of weft/hash_table.h fills it
//           WeftHashKey, WeftHashValue   uint, or uvec2 with the low word in x
//           uint weft_hash_insert(table, key, value, out WeftIndex slot)
//                   weft_hash_inserted, weft_hash_found if the table held the key, or weft_hash_full
//           bool weft_hash_find(table, key, out WeftHashValue value, out WeftIndex slot)
//           bool weft_hash_erase(table, key)   whether the table held the key; with WEFT_HASH_ERASES
//           WeftHashValue weft_hash_value(table, slot)   of a slot that insert or find gave
//           WeftIndex weft_hash_slots(table)   number of slots, among them those of reserved keys
//           bool weft_hash_entry(table, slot, out key, out value)   the entry in a slot; false if there is none
//           Sets: the same without values.
// Macros:   HashTable::defines() defines those marked *.
//           WEFT_HASH_KEY_WORDS *     1 or 2
//           WEFT_HASH_VALUE_WORDS *   0 for a set, 1 or 2
//           WEFT_HASH_PACKED *        key and value in one 64-bit word
//           WEFT_INT64_ATOMICS *      the device has 64-bit atomics on buffers
//           WEFT_WIDE_INDEX *         the capacity is 2^32 - 2 or more
//           WEFT_HASH_ADDS            the function is an integer sum, for which packed slots have an atomic
//           WEFT_HASH_REPLACE *       insert replaces the value of a key that it finds; otherwise it is kept
//           WEFT_HASH_COMBINE(a, b)   or combines it: the name of a function of the value in the table and a new one
//           WEFT_HASH_IDENTITY        with it, for split slots: the WeftHashValue that HashTable::record_clear() stores
//           WEFT_HASH_ERASES          the kernel erases keys
//           WEFT_HASH_READ_ONLY       no kernel that runs at the same time changes the table
//           WEFT_HASH(key)            optional: a hash, uint or uvec2, all of whose bits depend on the key
// Usage:    layout(push_constant, scalar) uniform Arguments { WeftHashTable table; Words keys; } args;
//           ...
//           WeftIndex slot;
//           uint result = weft_hash_insert(args.table, args.keys.word[i], i, slot);
//           if (result == weft_hash_full) ...
//
// Progress: P0. Nobody waits; an invocation tries again only if another one has changed the slot. All operations end,
// also in a full table.
//
// Guarantees within one dispatch:
// - Keys: operations take effect one at a time. Of equal keys one is inserted and the others are found. A split table
//   cannot be erased from in a dispatch that inserts; that does not compile.
// - Values of packed slots: always those of their keys. Of split slots: after the dispatch.
// - Replace: the value is one of those that were inserted. Combine: all of them, in any order.
// - A kernel without WEFT_HASH_ERASES inserts into erased slots. One with it inserts into empty slots and the erased
//   slot of the same key alone, so it may say full earlier.
// - A slot keeps its key until that is erased, so your own memory can have an element for each slot.
#ifndef WEFT_DEVICE_HASH_TABLE
#define WEFT_DEVICE_HASH_TABLE

#include "weft/device/hash_values.glsl"

bool weft_hash_find(WeftHashTable table, WeftHashKey key, out WeftHashValue value, out WeftIndex slot) {
  WeftHashProbe probe = weft_hash_probe(table, key);
  value = WeftHashValue(0u);
  slot = probe.slot;
  while (probe.left != weft_index(0u)) {
    WeftHashWord word = weft_hash_load(table, probe.slot);
    if (weft_hash_is_empty(word)) return false;
    if (weft_hash_key_in(word) == probe.key) {
      slot = probe.slot;
      value = weft_hash_value_of(table, slot, word);
      return true;
    }
    weft_hash_advance(table, probe);
  }
  return false;
}

#ifndef WEFT_HASH_READ_ONLY
#if !defined(WEFT_HASH_ERASES) || defined(WEFT_HASH_PACKED)
// Which slots an insertion may take, and which end its search. It takes the first that it may, having seen that no
// later one holds the key. All insertions of a key meet at that slot, because no slot before it becomes one that they
// may take: without erasures none becomes free, and with them an erased slot is for its own key.
#ifdef WEFT_HASH_ERASES
bool weft_hash_may_take(WeftHashWord word, WeftHashKey key) {
  return weft_hash_is_empty(word) || word == weft_hash_erased(key);
}
bool weft_hash_ends(WeftHashWord word, WeftHashKey key) { return weft_hash_may_take(word, key); }
#else
bool weft_hash_may_take(WeftHashWord word, WeftHashKey key) { return weft_hash_is_free(word); }
bool weft_hash_ends(WeftHashWord word, WeftHashKey key) { return weft_hash_is_empty(word); }
#endif

uint weft_hash_insert(WeftHashTable table, WeftHashKey key, WeftHashValue value, out WeftIndex slot) {
  WeftHashProbe probe = weft_hash_probe(table, key), free = probe;
  WeftHashWord free_word = weft_hash_erased(probe.key);
  bool has_free = false;
  while (true) {
    slot = probe.slot;
    bool ends = probe.left == weft_index(0u);
    if (!ends) {
      WeftHashWord word = weft_hash_load(table, slot);
      if (weft_hash_key_in(word) == probe.key) {
        if (weft_hash_update(table, slot, word, value)) return weft_hash_found;
        continue;  // Its value has changed, or it was erased.
      }
      if (!has_free && weft_hash_may_take(word, probe.key)) {
        has_free = true;
        free = probe;
        free_word = word;
      }
      ends = weft_hash_ends(word, probe.key);
    }
    if (!ends) {
      weft_hash_advance(table, probe);
      continue;
    }
    if (!has_free) return weft_hash_full;
    slot = free.slot;
    if (weft_hash_swap(table, slot, free_word, weft_hash_word(probe.key, value)) == free_word) break;
    probe = free;  // Taken meanwhile, perhaps for this key: look again from there.
    has_free = false;
  }
#if WEFT_HASH_VALUE_WORDS > 0 && !defined(WEFT_HASH_PACKED)
  weft_hash_update_value(table, slot, value);
#endif
  return weft_hash_inserted;
}
#endif

#ifdef WEFT_HASH_ERASES
bool weft_hash_erase(WeftHashTable table, WeftHashKey key) {
  WeftHashProbe probe = weft_hash_probe(table, key);
  while (probe.left != weft_index(0u)) {
    WeftHashWord word = weft_hash_load(table, probe.slot), erased = weft_hash_erased(probe.key);
    if (weft_hash_is_empty(word)) return false;
    if (weft_hash_key_in(word) == probe.key) {
      if (weft_hash_swap(table, probe.slot, word, erased) != word) continue;  // Its value has changed, or it is gone.
#ifdef WEFT_HASH_RESETS_VALUES
      weft_hash_store_value(table, probe.slot, WEFT_HASH_IDENTITY);
#endif
      return true;
    }
    weft_hash_advance(table, probe);
  }
  return false;
}
#endif
#endif

#if WEFT_HASH_VALUE_WORDS == 0
#if !defined(WEFT_HASH_READ_ONLY) && (!defined(WEFT_HASH_ERASES) || defined(WEFT_HASH_PACKED))
uint weft_hash_insert(WeftHashTable table, WeftHashKey key, out WeftIndex slot) {
  return weft_hash_insert(table, key, 0u, slot);
}
#endif
bool weft_hash_find(WeftHashTable table, WeftHashKey key, out WeftIndex slot) {
  WeftHashValue none;
  return weft_hash_find(table, key, none, slot);
}
#endif

#endif
