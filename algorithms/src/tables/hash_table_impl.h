#pragma once

#include <weft/hash_table.h>
#include <weft/kernel.h>

#include "algorithms/src/base/tiling.h"

namespace weft {

namespace algorithms {
constexpr uint32_t word_bytes = 4;
}  // namespace algorithms

/// What HashTable's plans need to know of it.
struct HashTable::Impl {
  Device device;
  Element key;
  std::optional<Element> value;
  uint64_t capacity;
  Options options;
  HashLayout layout;
  Kernel clear;                // Where a fill does not do.
  algorithms::Tiling tiles{};  // Of that kernel.

  uint64_t reserved_keys() const { return layout == HashLayout::packed ? 1 : 2; }
  uint64_t slots() const { return capacity + reserved_keys(); }
  bool is_bidirectional() const { return options.probing == Probing::bidirectional; }
  uint32_t value_bytes() const { return value ? value->bytes() : 0; }
  uint32_t slot_bytes() const;
  uint64_t bytes() const { return slots() * slot_bytes(); }
  /// Whether indices of slots, and the number of slots, need 64 bits.
  bool is_wide() const { return slots() > UINT32_MAX; }
  std::vector<std::pair<std::string, std::string>> defines() const;
};

}  // namespace weft
