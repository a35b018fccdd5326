#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <weft/api.h>
#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/element_memory.h>
#include <weft/stream.h>
#include <weft/tile_path.h>
#include <weft/tuning.h>

namespace weft {

/// Direction of a sort, and the bits of the keys that it compares.
struct SortOrder {
  bool descending = false;
  uint32_t begin_bit = 0;         ///< Only the bits [begin_bit, end_bit) are compared, numbered as described at Sort.
  uint32_t end_bit = UINT32_MAX;  ///< Clamped to the keys' width. If equal to begin_bit, the keys keep their order.
};

/// Sorts keys, and optionally values with them, by radix. Stable in both directions. The time hardly depends on the
/// keys.
///
/// Keys are scalars. Integers are ordered by value. Floats are ordered by IEEE 754's totalOrder: by value, with -0
/// before +0, NaNs with the sign bit first and other NaNs last. Bits are numbered in the unsigned integer that has this
/// order: signed integers and floats have their top bit inverted, negative floats all bits.
///
/// look_back is Onesweep (Adinets and Merrill 2022): one read of the keys counts all digits, then the pass of each
/// digit reads and writes keys and values once. reduce_then_scan counts before each pass, so no workgroup waits for
/// another (Satish, Harris and Garland 2009, sorting on manycore GPUs). Results are the same on every device. If
/// max_count keys fit into one workgroup and subgroups have at least 8 lanes, a single dispatch sorts them without
/// temporary storage: thousands of keys on GPUs, one or two thousand on CPUs.
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class WEFT_API Sort {
 public:
  struct Options {
    SortOrder order{};
    TilePath path = TilePath::automatic;
    std::optional<Tuning> tuning{};  ///< Overrides the device's tuning.
  };

  /// Compiles for up to `max_count` keys. Throws unsupported if the device cannot move elements of that size;
  /// invalid_argument for keys that are structs, a bit range that ends before it begins, or more than 1 TiB of keys or
  /// values.
  Sort(const Device& device, const Element& key, uint64_t max_count, const Options& options);
  Sort(const Device& device, const Element& key, uint64_t max_count);
  /// As above, with a value for each key.
  Sort(const Device& device, const Element& key, const Element& value, uint64_t max_count, const Options& options);
  Sort(const Device& device, const Element& key, const Element& value, uint64_t max_count);

  /// The path that the plan takes, never automatic. For a plan of one dispatch: the path that more keys would take.
  TilePath path() const;
  /// Bytes of temporary storage; 0 for a plan of one dispatch. Grows with max_count.
  uint64_t temporary_bytes() const;

  struct Arguments {
    Region keys;        ///< At least `count` keys, at a multiple of their alignment.
    Region values;      ///< At least `count` values, for a plan with values. Otherwise empty.
    Region keys_out;    ///< Room for `count` keys. May be the same region as keys.
    Region values_out;  ///< Room for `count` values, for a plan with values. Otherwise empty. May be the same region as
                        ///< values.
    Count count;
    Region temporary;  ///< temporary_bytes() bytes at any address, uninitialized. Overwritten.
  };
  /// Throws invalid_argument if a region is too small or misaligned, if it overlaps one that it may not share memory
  /// with, or if the count exceeds the plan's maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

/// Records a sort of all keys in place. The stream keeps the plan and its temporary storage.
WEFT_API void sort(Stream& stream, const Element& key, const SortOrder& order, const ElementMemory& keys);
/// As above, with a value for each key. The number of keys is the count.
WEFT_API void sort(Stream& stream, const Element& key, const Element& value, const SortOrder& order,
                   const ElementMemory& keys, const ElementMemory& values);

template <WritableMemory K>
void sort(Stream& stream, const K& keys, const SortOrder& order = {}) {
  sort(stream, Element::of<ValueIn<K>>(), order, keys);
}
template <WritableMemory K, WritableMemory V>
void sort(Stream& stream, const K& keys, const V& values, const SortOrder& order = {}) {
  sort(stream, Element::of<ValueIn<K>>(), Element::of<ValueIn<V>>(), order, keys, values);
}

}  // namespace weft
