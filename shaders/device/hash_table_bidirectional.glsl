// A hash table in device memory by bidirectional linear probing: searches stay short up to a load of 0.99, insertions
// take longer than in weft/device/hash_table.glsl, and nothing is erased.
//
// Gives:    WeftHashTable, WeftHashKey, WeftHashValue, weft_hash_slots(), weft_hash_entry() of
//           weft/device/hash_table.glsl
//           uint weft_hash_insert(table, key, value, out WeftIndex slot)
//                   weft_hash_inserted, weft_hash_found, weft_hash_full, or weft_hash_busy if others were in the way
//                   each time: insert the key again, in this dispatch or the next
//           uint weft_hash_insert_together(table, key, value, bool wanted, out WeftIndex slot)
//                   the same for all lanes of a subgroup, which call it together; a lane that does not want to insert
//                   gets weft_hash_found. After each try the lanes meet. So none tries in vain while another lane,
//                   which has what it needs, is not scheduled; GPUs run the branches of a subgroup one by one.
//           bool weft_hash_find(table, key, out WeftHashValue value, out WeftIndex slot)
//           The slot is the key's until the next insertion.
// Macros:   those of weft/device/hash_table.glsl, apart from WEFT_HASH_ERASES; values of two words need
//           WEFT_INT64_ATOMICS
//           WEFT_HASH_TRIES   optional: how often an insertion tries; 256 without it
// Usage:    see weft/device/hash_table.glsl
//
// Progress: P0. An insertion that meets a lock, or finds that keys have moved, gives up its own lock and tries again, a
// bounded number of times. Nobody waits.
//
// Insert in one dispatch and find in another: insertions move keys.
//
// A cluster is a maximal sequence of slots in use. Its keys are in the order of their hashes, and so of their homes; no
// slot between a key and its home is free. So a search knows from the first key that it meets which way to go, and ends
// as soon as it has passed the key's rank. The table is no ring: clusters end at its first and last slot, too.
// (Amble and Knuth 1974, Ordered Hash Tables; van der Vegt 2011, A Concurrent Bidirectional Linear Probing Algorithm.)
//
// An insertion into an empty home is one compare-and-swap. Any other finds the key's rank and the free slot nearest to
// it, locks that one slot, and moves the keys between by one slot. That one lock suffices:
// - Slots in use stay in use, so the nearest free slot is still the nearest when it is locked.
// - Two insertions that lock the two ends of a cluster move disjoint parts of it, because each rank is nearer to the
//   end that is locked for it. An insertion reads the slots beside its rank again under its lock; the other one does
//   not move those either.
// - The rank was found without a lock. If keys have moved since, those slots show it, and the insertion tries again.
#ifndef WEFT_DEVICE_HASH_TABLE_BIDIRECTIONAL
#define WEFT_DEVICE_HASH_TABLE_BIDIRECTIONAL

#extension GL_KHR_shader_subgroup_vote : require

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

// To call after slots were read and locked: makes visible what was written before they were filled and unlocked.
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

// Puts an entry into an empty slot. False if the slot is not empty any more.
bool weft_hash_fill(WeftHashTable table, WeftIndex slot, WeftHashWord word, WeftHashValue value) {
#if WEFT_HASH_VALUE_WORDS > 0 && !defined(WEFT_HASH_PACKED)
  if (!weft_hash_lock(table, slot)) return false;
  weft_hash_store_value(table, slot, value);
  weft_hash_unlock(table, slot, word);
  return true;
#else
  WeftHashWord empty = WeftHashWord(0xFFFFFFFFu);
  return weft_hash_swap(table, slot, empty, word) == empty;
#endif
}

// Where a key belongs in the cluster around its home, and the nearest free slot.
struct WeftHashGap {
  WeftIndex slot;     // The first slot whose key does not precede the rank. It has the key if the table has.
  WeftIndex hole;     // The free slot nearest to it.
  WeftHashWord word;  // What that slot holds: it is empty or locked.
  bool up;            // The hole is not below `slot`.
  bool has_hole;      // False if all slots of the table are in use.
  bool has_key;       // The key was seen.
};

// Finds the gap of a key whose home is in use, and holds `word`. Other invocations may move keys meanwhile.
WeftHashGap weft_hash_gap(WeftHashTable table, WeftHashProbe probe, WeftHashWord word, WeftHashRank rank) {
  WeftIndex capacity = weft_index(table.capacity), bottom = weft_index(0u);
  WeftIndex lower = probe.slot, upper = weft_add(lower, 1u);  // Slots from `lower` to below `upper` are in use.
  bool rises = weft_hash_precedes(word, rank), ranks = true;
  WeftHashGap gap = WeftHashGap(rises ? upper : lower, lower, word, rises, true, weft_hash_key_in(word) == probe.key);
  while (true) {
    // First to the key's rank, then alternately up and down, whichever is nearer to it.
    gap.up = ranks ? rises : !weft_less(weft_subtract(gap.slot, lower), weft_subtract(upper, gap.slot));
    if (gap.up ? upper == capacity : lower == bottom) {
      gap.up = !gap.up;
      ranks = false;
    }
    gap.has_hole = !(gap.up ? upper == capacity : lower == bottom);
    if (!gap.has_hole) return gap;
    gap.hole = gap.up ? upper : weft_subtract(lower, weft_index(1u));
    gap.word = weft_hash_load(table, gap.hole);
    if (weft_hash_is_free(gap.word)) return gap;
    if (gap.up) {
      upper = weft_add(upper, 1u);
    } else {
      lower = gap.hole;
    }
    if (!ranks) continue;
    gap.has_key = gap.has_key || weft_hash_key_in(gap.word) == probe.key;
    ranks = weft_hash_precedes(gap.word, rank) == rises;
    if (ranks) gap.slot = rises ? upper : lower;
#ifndef WEFT_HASH_UPDATED
    if (gap.has_key) return gap;
#endif
  }
  return gap;
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

// Whether the key's gap is where it was seen. The hole is locked, or there is none.
bool weft_hash_holds(WeftHashTable table, WeftHashGap gap, WeftHashRank rank, out WeftHashWord word) {
  WeftIndex below = weft_subtract(gap.slot, weft_index(1u));
  word = WeftHashWord(0xFFFFFFFFu);  // There is no key at the upper end of the cluster.
  if (gap.slot != weft_index(0u) && !(gap.has_hole && below == gap.hole) &&
      !weft_hash_precedes(weft_hash_load(table, below), rank)) {
    return false;
  }
  if (gap.slot == weft_index(table.capacity) || (gap.has_hole && gap.slot == gap.hole)) return true;
  word = weft_hash_load(table, gap.slot);
  return !weft_hash_precedes(word, rank);
}

// Inserts a key into its gap. Without a hole the whole table is in use for good, so no key moves.
uint weft_hash_insert_at(WeftHashTable table, WeftHashGap gap, WeftHashRank rank, WeftHashValue value,
                         out WeftIndex slot) {
  WeftHashWord empty = WeftHashWord(0xFFFFFFFFu), added = weft_hash_word(rank.key, value), word;
  slot = gap.up ? gap.slot : weft_subtract(gap.slot, weft_index(1u));
  if (gap.has_hole) {
    if (!weft_hash_is_empty(gap.word)) return weft_hash_busy;
    if (slot == gap.hole && !gap.has_key) {
      return weft_hash_fill(table, slot, added, value) ? weft_hash_inserted : weft_hash_busy;
    }
    if (!weft_hash_lock(table, gap.hole)) return weft_hash_busy;
  }
  weft_hash_acquire();
  uint result = weft_hash_busy;
  if (weft_hash_holds(table, gap, rank, word)) {
    if (weft_hash_key_in(word) == rank.key) {
      slot = gap.slot;
      if (weft_hash_update(table, slot, word, value)) result = weft_hash_found;  // In a full table others may.
    } else if (!gap.has_hole) {
      return weft_hash_full;
    } else {
      weft_hash_shift(table, slot, gap.hole, gap.up, added, value);
      return weft_hash_inserted;
    }
  }
  if (gap.has_hole) weft_hash_unlock(table, gap.hole, empty);
  return result;
}

uint weft_hash_try_to_insert(WeftHashTable table, WeftHashProbe probe, WeftHashValue value, out WeftIndex slot) {
  slot = probe.slot;
  WeftHashWord word = weft_hash_load(table, slot);
  if (weft_hash_is_empty(word)) {
    bool fills = weft_hash_fill(table, slot, weft_hash_word(probe.key, value), value);
    return fills ? weft_hash_inserted : weft_hash_busy;
  }
  if (weft_hash_is_free(word)) return weft_hash_busy;
  if (!weft_less(slot, weft_index(table.capacity))) {  // The slot of a reserved key.
    weft_hash_acquire();
    return weft_hash_update(table, slot, word, value) ? weft_hash_found : weft_hash_busy;
  }
  WeftHashRank rank = weft_hash_rank(probe.key);
  WeftHashGap gap = weft_hash_gap(table, probe, word, rank);
#ifndef WEFT_HASH_UPDATED
  slot = gap.slot;
  if (gap.has_key) return weft_hash_found;
#endif
  return weft_hash_insert_at(table, gap, rank, value, slot);
}

uint weft_hash_insert(WeftHashTable table, WeftHashKey key, WeftHashValue value, out WeftIndex slot) {
  WeftHashProbe probe = weft_hash_probe(table, key);
  uint result = weft_hash_busy;
  for (uint tries = 0u; tries < WEFT_HASH_TRIES && result == weft_hash_busy; ++tries) {
    result = weft_hash_try_to_insert(table, probe, value, slot);
  }
  return result;
}

uint weft_hash_insert_together(WeftHashTable table, WeftHashKey key, WeftHashValue value, bool wanted,
                               out WeftIndex slot) {
  WeftHashProbe probe = weft_hash_probe(table, key);
  uint result = wanted ? weft_hash_busy : weft_hash_found;
  slot = probe.slot;
  for (uint tries = 0u; tries < WEFT_HASH_TRIES && subgroupAny(result == weft_hash_busy); ++tries) {
    if (result == weft_hash_busy) result = weft_hash_try_to_insert(table, probe, value, slot);
  }
  return result;
}
#endif

#endif
