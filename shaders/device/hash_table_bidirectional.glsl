// A hash table in device memory by bidirectional linear probing: searches stay short up to a load of 0.99, insertions
// take longer than in weft/device/hash_table.glsl, and nothing is erased.
//
// Gives:    WeftHashTable, WeftHashKey, WeftHashValue, weft_hash_slots(), weft_hash_entry() of
//           weft/device/hash_table.glsl
//           uint weft_hash_insert(table, key, value, out WeftIndex slot)
//                   weft_hash_inserted, weft_hash_found, weft_hash_full, or weft_hash_busy if others were in the way
//                   each time: insert the key again, in this dispatch or the next
//           bool weft_hash_find(table, key, out WeftHashValue value, out WeftIndex slot)
//           The slot is the key's until the next insertion.
// Macros:   those of weft/device/hash_table.glsl, apart from WEFT_HASH_ERASES; values of two words need
//           WEFT_INT64_ATOMICS
//           WEFT_HASH_TRIES   optional: how often an insertion tries; 256 without it
// Usage:    see weft/device/hash_table.glsl
//
// Progress: P0. An insertion that finds its part of the table locked gives up its own locks and tries again, a bounded
// number of times. Nobody waits.
//
// Insert in one dispatch and find in another: insertions move keys.
//
// A cluster is a maximal sequence of slots in use. Its keys are in the order of their hashes, and so of their homes; no
// slot between a key and its home is free. So a search knows from the first key that it meets which way to go, and ends
// as soon as it has passed the key's rank. An insertion locks the free slots at both ends of the cluster, finds the
// key's rank, and moves the keys from there to the nearer end by one slot. Whoever holds a lock is alone in the
// clusters on both sides of it. The table is no ring: clusters end at its first and last slot, too.
// (Amble and Knuth 1974, Ordered Hash Tables; van der Vegt 2011, A Concurrent Bidirectional Linear Probing Algorithm.)
#ifndef WEFT_DEVICE_HASH_TABLE_BIDIRECTIONAL
#define WEFT_DEVICE_HASH_TABLE_BIDIRECTIONAL

#include "weft/device/hash_values.glsl"

const uint weft_hash_busy = 3u;

#ifndef WEFT_HASH_TRIES
#define WEFT_HASH_TRIES 256u
#endif

// Keys in the order of their hashes; those of equal hash, in that of their bits.
struct WeftHashRank {
  uint hash;
  WeftHashKey key;
};
WeftHashRank weft_hash_rank(WeftHashKey key) { return WeftHashRank(weft_hash_upper(WEFT_HASH(key)), key); }
bool weft_hash_precedes(WeftHashWord word, WeftHashRank rank) {
  WeftHashRank other = weft_hash_rank(weft_hash_key_in(word));
  return other.hash < rank.hash || (other.hash == rank.hash && weft_less(other.key, rank.key));
}

// One slot up or down. False at the end of the table.
bool weft_hash_step(WeftHashTable table, bool up, inout WeftIndex slot) {
  if (!up && slot == weft_index(0u)) return false;
  slot = up ? weft_add(slot, weft_index(1u)) : weft_subtract(slot, weft_index(1u));
  return slot != weft_index(table.capacity);
}

bool weft_hash_find(WeftHashTable table, WeftHashKey key, out WeftHashValue value, out WeftIndex slot) {
  WeftHashProbe probe = weft_hash_probe(table, key);
  WeftHashRank rank = weft_hash_rank(probe.key);
  slot = probe.slot;
  value = WeftHashValue(0u);
  WeftHashWord word = weft_hash_load(table, slot);
  bool is_own = !weft_less(slot, weft_index(table.capacity));  // The slot of a reserved key.
  bool up = weft_hash_precedes(word, rank);
  while (!weft_hash_is_free(word)) {
    if (weft_hash_key_in(word) == probe.key) {
      value = weft_hash_value_of(table, slot, word);
      return true;
    }
    if (is_own || weft_hash_precedes(word, rank) != up || !weft_hash_step(table, up, slot)) return false;
    word = weft_hash_load(table, slot);
  }
  return false;
}

#ifndef WEFT_HASH_READ_ONLY
// A locked slot looks like an erased one.
bool weft_hash_lock(WeftHashTable table, WeftIndex slot) {
  WeftHashWord empty = WeftHashWord(0xFFFFFFFFu);
  return weft_hash_swap(table, slot, empty, weft_hash_erased(WeftHashKey(0u))) == empty;
}

// After looking at slots and locking: what those who filled and unlocked them have written is seen.
void weft_hash_acquire() { memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire); }

// Ends a lock by the word that is to be in the slot.
void weft_hash_unlock(WeftHashTable table, WeftIndex slot, WeftHashWord word) {
  WeftHashSlot at = WeftHashSlot(weft_hash_address(table, slot));
  atomicStore(at.word, WEFT_HASH_TO_MEMORY(word), gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease);
}

void weft_hash_move_to(WeftHashTable table, WeftIndex slot, WeftHashWord word, WeftHashValue value) {
  WeftHashSlot at = WeftHashSlot(weft_hash_address(table, slot));
#if WEFT_HASH_VALUE_WORDS > 0 && !defined(WEFT_HASH_PACKED)
  weft_hash_store_value(table, slot, value);
#endif
  atomicStore(at.word, WEFT_HASH_TO_MEMORY(word), gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
}

// An end of a cluster: its first free slot in one direction, if there is one before the end of the table.
struct WeftHashEnd {
  WeftIndex slot;
  bool is_there, is_locked;
};

WeftHashEnd weft_hash_end(WeftHashTable table, WeftIndex slot, bool up) {
  WeftHashEnd end = WeftHashEnd(slot, false, false);
  while (weft_hash_step(table, up, end.slot)) {
    WeftHashWord word = weft_hash_load(table, end.slot);
    if (!weft_hash_is_free(word)) continue;
    end.is_there = true;
    end.is_locked = !weft_hash_is_empty(word);
    break;
  }
  return end;
}

// The first slot of the cluster around `slot` whose key does not precede the rank; its upper end if all precede it.
WeftIndex weft_hash_slot_of(WeftHashTable table, WeftIndex slot, WeftHashRank rank) {
  if (weft_hash_precedes(weft_hash_load(table, slot), rank)) {
    while (weft_hash_step(table, true, slot)) {
      WeftHashWord word = weft_hash_load(table, slot);
      if (weft_hash_is_free(word) || !weft_hash_precedes(word, rank)) break;
    }
    return slot;
  }
  WeftIndex below = slot;
  while (weft_hash_step(table, false, below)) {
    WeftHashWord word = weft_hash_load(table, below);
    if (weft_hash_is_free(word) || weft_hash_precedes(word, rank)) break;
    slot = below;
  }
  return slot;
}

// Puts an entry into `slot` and moves those from there to the end by one slot. The end is written last: others see it
// in use once everything is in its slot.
void weft_hash_shift(WeftHashTable table, WeftIndex slot, WeftIndex end, bool up, WeftHashWord word,
                     WeftHashValue value) {
  while (slot != end) {
    WeftHashWord next = weft_hash_load(table, slot);
    WeftHashValue next_value = weft_hash_value_of(table, slot, next);
    weft_hash_move_to(table, slot, word, value);
    word = next;
    value = next_value;
    weft_hash_step(table, up, slot);
  }
#if WEFT_HASH_VALUE_WORDS > 0 && !defined(WEFT_HASH_PACKED)
  weft_hash_store_value(table, end, value);
#endif
  weft_hash_unlock(table, end, word);
}

// Inserts into a cluster whose ends are locked, and unlocks them. Without ends it is the whole table, which is full:
// all slots are in use for good, so no key moves.
uint weft_hash_insert_locked(WeftHashTable table, WeftHashEnd lower, WeftHashEnd upper, WeftHashRank rank,
                             WeftHashValue value, inout WeftIndex slot) {
  WeftHashWord empty = WeftHashWord(0xFFFFFFFFu);
  slot = weft_hash_slot_of(table, slot, rank);
  WeftHashWord word = slot == upper.slot ? empty : weft_hash_load(table, slot);
  uint result = weft_hash_key_in(word) == rank.key ? weft_hash_found : weft_hash_inserted;
  bool up = upper.is_there, down = lower.is_there;
  if (result == weft_hash_found) {
    if (!weft_hash_update(table, slot, word, value)) result = weft_hash_busy;  // In a full table others may.
  } else if (!up && !down) {
    return weft_hash_full;
  } else {
    WeftIndex above = weft_subtract(upper.slot, slot), below = weft_subtract(slot, lower.slot);
    bool to_upper = up && (!down || weft_less(above, below));
    if (!to_upper) weft_hash_step(table, false, slot);
    weft_hash_shift(table, slot, to_upper ? upper.slot : lower.slot, to_upper, weft_hash_word(rank.key, value), value);
    up = up && !to_upper;
    down = down && to_upper;
  }
  if (up) weft_hash_unlock(table, upper.slot, empty);
  if (down) weft_hash_unlock(table, lower.slot, empty);
  return result;
}

uint weft_hash_try_to_insert(WeftHashTable table, WeftHashProbe probe, WeftHashValue value, out WeftIndex slot) {
  slot = probe.slot;
  WeftHashWord word = weft_hash_load(table, slot);
  if (weft_hash_is_free(word)) {
    if (!weft_hash_is_empty(word) || !weft_hash_lock(table, slot)) return weft_hash_busy;
    weft_hash_shift(table, slot, slot, true, weft_hash_word(probe.key, value), value);
    return weft_hash_inserted;
  }
  if (!weft_less(slot, weft_index(table.capacity))) {  // The slot of a reserved key.
    weft_hash_acquire();
    return weft_hash_update(table, slot, word, value) ? weft_hash_found : weft_hash_busy;
  }
  WeftHashEnd upper = weft_hash_end(table, slot, true), lower = weft_hash_end(table, slot, false);
  if (upper.is_locked || lower.is_locked) return weft_hash_busy;
  // The upper end first: of those that hold one, the lowest gets its other one, so that somebody always goes on.
  if (upper.is_there && !weft_hash_lock(table, upper.slot)) return weft_hash_busy;
  if (lower.is_there && !weft_hash_lock(table, lower.slot)) {
    if (upper.is_there) weft_hash_unlock(table, upper.slot, WeftHashWord(0xFFFFFFFFu));
    return weft_hash_busy;
  }
  weft_hash_acquire();
  return weft_hash_insert_locked(table, lower, upper, weft_hash_rank(probe.key), value, slot);
}

uint weft_hash_insert(WeftHashTable table, WeftHashKey key, WeftHashValue value, out WeftIndex slot) {
  WeftHashProbe probe = weft_hash_probe(table, key);
  uint result = weft_hash_busy;
#ifndef WEFT_HASH_UPDATED
  WeftHashValue kept;  // Most keys that the table has are found without locks.
  if (weft_hash_find(table, key, kept, slot)) return weft_hash_found;
#endif
  for (uint tries = 0u; tries < WEFT_HASH_TRIES && result == weft_hash_busy; ++tries) {
    result = weft_hash_try_to_insert(table, probe, value, slot);
  }
  return result;
}
#endif

#endif
