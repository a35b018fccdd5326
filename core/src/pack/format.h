#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/src/runtime/cache.h"

/// The bytes of a pack. A header, the table of its entries in ascending order of their keys, then each entry as a frame
/// of Zstandard. Numbers are little-endian.
///
/// Kernels share code, and those of one file differ in a few macros, so a frame may be compressed against another
/// entry, its base, as a dictionary. Bases come before what is compressed against them, and there are at most
/// most_bases in a row.
namespace weft::core {

struct PackHeader {
  std::array<char, 8> magic{'W', 'E', 'F', 'T', 'P', 'A', 'C', 'K'};
  uint32_t format = 1;
  uint32_t entries = 0;
  std::array<char, 32> sources{};  ///< The start of pack_sources(): what made it, and what can read it.
  uint64_t bytes = 0;              ///< Of the whole pack.
  std::array<uint64_t, 2> hash{};  ///< pack_hash()
};
static_assert(sizeof(PackHeader) == 72);

struct PackEntry {
  CacheKey key;         ///< pack_key().
  uint64_t offset = 0;  ///< Of the frame, from the start of the pack.
  uint32_t packed = 0;  ///< Bytes of the frame.
  uint32_t bytes = 0;   ///< Bytes of the entry.
  uint32_t base = 0;    ///< Number of the entry that it was compressed against; its own if there is none.
  uint32_t unused = 0;
};
static_assert(sizeof(PackEntry) == 40);

constexpr uint32_t most_bases = 8;  ///< More hardly save bytes, and each takes time to unpack.

/// An entry's key: its kind, and its key of that kind.
inline CacheKey pack_key(std::string_view kind, const CacheKey& key) {
  return CacheKey().add(kind).add(std::as_bytes(std::span(&key, 1)));
}

// Entries with an empty key: a text about the others, the devices that they are for, and the text of a Tuning.
constexpr std::string_view description_kind = "description";
constexpr std::string_view served_kind = "served";
constexpr std::string_view tuning_kind = "tuning";

/// XXH3 with 128 bits of a whole pack, as if the hash in its header were zero. It must have the bytes of a header.
std::array<uint64_t, 2> pack_hash(std::span<const std::byte> pack);

/// Hashes of the sources that shape what is in packs. CMake generates the definition.
const char* pack_sources();

}  // namespace weft::core
