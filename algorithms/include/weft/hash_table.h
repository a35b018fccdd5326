#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <weft/api.h>
#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/operator.h>
#include <weft/stream.h>
#include <weft/tuning.h>

/// Hash tables in device memory: sets and maps that kernels insert into, search and erase from, all invocations at
/// once. The same operations are GLSL functions for your own kernels (weft/device/hash_table.glsl) and plans over
/// arrays.
///
/// Nobody waits (progress class P0), so tables work on every device. All operations end, also in a full table.
namespace weft {

/// Where a table looks for a key.
enum class Probing {
  linear,         ///< In the slots after its home.
  bidirectional,  ///< In those before and after its home, ordered by hash. Searches are short at loads up to 0.99;
                  ///< insertions take longer, and run apart from searches. Keys change their slots. Kernels of
                  ///< yours cannot erase: an erased slot would have to be filled by its neighbours, while others
                  ///< search and insert there. HashErase rebuilds the table instead.
};

/// How a slot holds its entry.
enum class HashLayout {
  automatic,  ///< packed if the key has 4 bytes, the value at most 4, and the device has 64-bit atomics on buffers.
  packed,     ///< Key and value are one 64-bit word. A kernel may insert, find and erase at once.
  split,  ///< The value is beside the key. A kernel may insert and find, or erase and find, but not insert and erase.
};

/// What an insertion does if the table already has the key.
enum class HashUpdate {
  keep,     ///< The table keeps its value.
  replace,  ///< The new value replaces it.
  combine,  ///< The table's value and the new one are combined, in any order.
};

/// A hash table's shape: types, capacity, layout. The table itself is your own Region. The search for a key starts at
/// its home, slot capacity * hash / 2^32.
///
/// A plain value; keeps its device open.
class WEFT_API HashTable {
 public:
  struct Options {
    Probing probing = Probing::linear;
    HashLayout layout = HashLayout::automatic;
    HashUpdate update = HashUpdate::keep;
    Operator combine{};  ///< For HashUpdate::combine, and only then: a commutative operator on values.
    std::string hash{};  ///< GLSL expression of `key` (uint, or uvec2 with the low word in x), a uint all of whose bits
                         ///< depend on the key. Empty: MurmurHash3's finalizer.
  };

  /// A set of keys of 4 or 8 bytes. Keys are equal if their bytes are; every key is allowed. The capacity is a number
  /// of keys, any number of at least 1.
  ///
  /// Throws invalid_argument for keys of another size or with padding, for capacity 0 and for tables beyond 1 TiB;
  /// unsupported if the layout or keys of 8 bytes need 64-bit atomics on buffers and the device has none.
  HashTable(const Device& device, const Element& key, uint64_t capacity, const Options& options);
  HashTable(const Device& device, const Element& key, uint64_t capacity);
  /// A map to values of 4 or 8 bytes. For larger ones, store their indices, or keep them in your own memory at the
  /// index of the key's slot. Throws as above; also invalid_argument for values of another size, and for an operator
  /// that is missing, not commutative or not used; unsupported for values of 8 bytes that are replaced, combined or in
  /// a bidirectional table, without 64-bit atomics on buffers. HashInsert's constructor throws compile_failed if the
  /// operator or the hash does not compile; for values that are combined in split slots, this one does.
  HashTable(const Device& device, const Element& key, const Element& value, uint64_t capacity, const Options& options);
  HashTable(const Device& device, const Element& key, const Element& value, uint64_t capacity);

  const Device& device() const;
  const Element& key() const;
  /// The type of values; empty for a set.
  const std::optional<Element>& value() const;
  const Options& options() const;
  uint64_t capacity() const;
  /// Not automatic.
  HashLayout layout() const;
  /// Number of slots: the capacity, and one or two for keys that look like free slots.
  uint64_t slots() const;
  /// Bytes of the table's memory. It starts at a multiple of 16.
  uint64_t bytes() const;

  /// Empties the table; do this before the first use. One fill, or one dispatch for split slots whose values are
  /// combined. Throws invalid_argument if the region is too small or misaligned.
  void record_clear(Recorder& recorder, const Region& table) const;

  /// A WeftHashTable in the push constants of your kernel.
  struct Block {
    uint64_t slots, capacity;
  };
  /// Throws invalid_argument if the region is too small or misaligned.
  Block block(const Region& table) const;
  /// The macros of weft/device/hash_table.glsl for your kernel: GlslOptions::defines. With HashUpdate::combine
  /// the kernel defines WEFT_HASH_COMBINE(a, b), and for split slots WEFT_HASH_IDENTITY, itself.
  std::vector<std::pair<std::string, std::string>> defines() const;

  struct Impl;
  const Impl& impl() const { return *impl_; }

 private:
  HashTable(const Device& device, const Element& key, std::optional<Element> value, uint64_t capacity,
            const Options& options);

  std::shared_ptr<const Impl> impl_;
};

/// Result of inserting a key.
enum class HashResult : uint32_t {
  found = 0,     ///< The table had the key, or another one with it was inserted first.
  inserted = 1,  ///< Of equal keys one has this result.
  full = 2,      ///< No slot is left. The key is not in the table.
};

/// Options of the plans.
struct HashPlanOptions {
  std::optional<Tuning> tuning{};  ///< Overrides the device's tuning.
};

/// Inserts keys, with their values, into a table. Reuses the slots of erased keys.
///
/// A plan, like those below: immutable, thread-safe, copyable; keeps its device open.
class WEFT_API HashInsert {
 public:
  struct Options {
    std::string value{};  ///< GLSL expression of `i`, the key's index (uint, the low 32 bits): its value, instead of an
                          ///< array of values. "T(1)" counts keys where sums are combined; "T(i)" stores indices.
    /// For a bidirectional table. Up to that many keys are sorted by hash, and the table is rebuilt with them, without
    /// locks; of equal keys the first is inserted. 0: keys are inserted one by one. So they are by a record() that is
    /// given `results` and a small count on the host: below an eighth of the capacity, on CPUs below the capacity. The
    /// bound is a tuning value.
    uint64_t max_count = 0;
    std::optional<Tuning> tuning{};
  };

  /// Throws invalid_argument for an expression of a set's values, for a max_count of 2^32 or more or of a linear table;
  /// unsupported for max_count and about 2^32 slots; compile_failed if the expression does not compile.
  HashInsert(const HashTable& table, const Options& options);
  explicit HashInsert(const HashTable& table);

  /// Bytes of temporary storage: none, or for a bidirectional table about 1 KiB. With max_count at least 16 for each
  /// key and 12 for each slot, beside a copy of the table, and what sorting the keys needs.
  uint64_t temporary_bytes() const;

  struct Arguments {
    Region table;          ///< HashTable::bytes() bytes at a multiple of 16.
    Region keys;           ///< At least `count` keys.
    Region values{};       ///< At least `count` values. Empty for a set, and with Options::value.
    Region results{};      ///< A HashResult for each key; may be empty for a linear table, and with max_count. As flags
                           ///< they select the inserted keys, if none is full.
    CountOutput counts{};  ///< Three words, or empty: number of keys with each HashResult.
    Count count = 0;
    Region temporary{};  ///< temporary_bytes() bytes at any address.
  };
  /// Throws invalid_argument if a region is too small or misaligned, if it overlaps one that it may not share memory
  /// with, and for more than max_count or 2^37 keys, or 2^32 - 1 if the device has no 64-bit atomics on buffers.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

/// Looks keys up.
class WEFT_API HashFind {
 public:
  HashFind(const HashTable& table, const HashPlanOptions& options);
  explicit HashFind(const HashTable& table);

  struct Arguments {
    Region table;
    Region keys;      ///< At least `count` keys.
    Region values{};  ///< Room for `count` values, or empty. Those of keys that are not in the table are left as they
                      ///< were.
    Region found{};   ///< A 32-bit word for each key, or empty: 1 if the table has it, else 0.
    CountOutput counts{};  ///< Two words, or empty: number of keys that the table lacks, and of those that it has.
    Count count = 0;
  };
  /// Throws as HashInsert::record() does.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

/// Erases keys. In a linear table their slots stay in the way of searches until they are reused; HashRehash frees them.
/// A bidirectional table is rebuilt without the keys.
class WEFT_API HashErase {
 public:
  /// Throws unsupported for a bidirectional table of about 2^32 slots.
  HashErase(const HashTable& table, const HashPlanOptions& options);
  explicit HashErase(const HashTable& table);

  /// Bytes of temporary storage: none, or for a bidirectional table 12 for each slot, beside a copy of the table.
  uint64_t temporary_bytes() const;

  struct Arguments {
    Region table;
    Region keys;           ///< At least `count` keys.
    Region erased{};       ///< A 32-bit word for each key, or empty: 1 if it was erased. Of equal keys one is.
    CountOutput counts{};  ///< Two words, or empty: number of keys that were not erased, and of those that were.
    Count count = 0;
    Region temporary{};  ///< temporary_bytes() bytes at any address.
  };
  /// Throws as HashInsert::record() does.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

/// Lists a table's entries, in any order, and counts them: its size.
class WEFT_API HashEntries {
 public:
  /// Throws unsupported for 2^32 slots and more if the device has no 64-bit atomics on buffers.
  HashEntries(const HashTable& table, const HashPlanOptions& options);
  explicit HashEntries(const HashTable& table);

  struct Arguments {
    Region table;
    Region keys{};        ///< Room for keys, or empty. Entries beyond it are counted and not written.
    Region values{};      ///< Room for the same number of values, or empty.
    CountOutput entries;  ///< One word: number of entries.
  };
  /// Throws invalid_argument if a region is too small or misaligned, or if it overlaps one that it may not share memory
  /// with.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

/// Inserts the entries of one linear table into another of a different capacity, or of the same: that frees the slots
/// of erased keys. Entries of a bidirectional table move by HashEntries and HashInsert.
class WEFT_API HashRehash {
 public:
  /// Throws invalid_argument if the tables differ in more than their capacity, unsupported if they are bidirectional.
  HashRehash(const HashTable& from, const HashTable& to, const HashPlanOptions& options);
  HashRehash(const HashTable& from, const HashTable& to);

  struct Arguments {
    Region from;
    Region to;             ///< A cleared table.
    CountOutput counts{};  ///< Three words, or empty: number of entries with each HashResult.
  };
  /// Throws as HashEntries::record() does.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace weft
