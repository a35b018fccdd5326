#pragma once

#include <cstring>

#include "tests/algorithms/tables/table_check.h"

/// The slots of a bidirectional hash table.
namespace weft::test {

inline const HashTable::Options bidirectional_options{.probing = Probing::bidirectional};
inline const HashTable::Options in_packed_slots{.probing = Probing::bidirectional, .layout = HashLayout::packed};
inline const HashTable::Options in_split_slots{.probing = Probing::bidirectional, .layout = HashLayout::split};
inline const HashTable::Options replacing{.probing = Probing::bidirectional, .update = HashUpdate::replace};
inline const HashTable::Options summing{
    .probing = Probing::bidirectional, .update = HashUpdate::combine, .combine = Operator::sum()};

/// The upper 32 bits of the hash.
using Hash = uint32_t (*)(uint64_t key);

inline uint32_t mixed(uint32_t key) {
  key = (key ^ (key >> 16)) * 0x85EBCA6B;
  key = (key ^ (key >> 13)) * 0xC2B2AE35;
  return key ^ (key >> 16);
}
inline uint32_t mixed_word(uint64_t key) { return mixed(uint32_t(key)); }
inline uint32_t mixed_wide(uint64_t key) {
  key = (key ^ (key >> 33)) * 0xFF51AFD7ED558CCD;
  key = (key ^ (key >> 33)) * 0xC4CEB9FE1A85EC53;
  return uint32_t((key ^ (key >> 33)) >> 32);
}

/// Keys stand in the order of their hashes, no slot between a key and its home is empty, and no lock is left.
template <typename K, typename V>
void check_order(Stream& stream, const CheckedTable<K, V>& table, Hash hash) {
  const HashTable& shape = table.shape();
  const std::vector<std::byte> memory = stream.download(View<std::byte>(table.memory()));
  const uint64_t slot_bytes = shape.bytes() / shape.slots(), word_bytes = std::min<uint64_t>(slot_bytes, 8);
  const bool packed = shape.layout() == HashLayout::packed;
  bool ordered = true, reached = true, unlocked = true;
  std::optional<std::pair<uint32_t, K>> before;      // In the cluster.
  std::vector<uint64_t> full(shape.capacity() + 1);  // Number of slots in use below each.
  for (uint64_t slot = 0; slot < shape.slots(); ++slot) {
    K key;
    std::memcpy(&key, &memory[slot * slot_bytes], sizeof(K));
    const bool empty = key == K(~K(0));
    const bool all_ones =
        std::all_of(memory.begin() + std::ptrdiff_t(slot * slot_bytes),
                    memory.begin() + std::ptrdiff_t(slot * slot_bytes + (packed ? word_bytes : sizeof(K))),
                    [](std::byte b) { return b == std::byte{0xFF}; });
    unlocked = unlocked && (packed ? !empty || all_ones : key != K(~K(1)));
    if (slot >= shape.capacity()) continue;
    full[slot + 1] = full[slot] + !empty;
    if (empty) {
      before.reset();
      continue;
    }
    const std::pair<uint32_t, K> rank{hash(key), key};
    ordered = ordered && (!before || *before < rank);
    before = rank;
  }
  for (uint64_t slot = 0; slot < shape.capacity(); ++slot) {
    K key;
    std::memcpy(&key, &memory[slot * slot_bytes], sizeof(K));
    if (key == K(~K(0))) continue;
    const auto home = uint64_t(hash(key)) * shape.capacity() >> 32;
    const uint64_t low = std::min(home, slot), high = std::max(home, slot);
    reached = reached && full[high + 1] - full[low] == high + 1 - low;
  }
  CHECK_MESSAGE(ordered, "keys of a cluster are in the order of their hashes");
  CHECK_MESSAGE(reached, "no empty slot is between a key and its home");
  CHECK_MESSAGE(unlocked, "no lock is left");
}

}  // namespace weft::test
