#pragma once

#include <cstdint>
#include <memory>

#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/memory.h>
#include <weft/scan.h>
#include <weft/stream.h>

namespace weft {

/// What of the keys a sort looks at, and which way.
struct SortOrder {
  bool descending = false;
  uint32_t begin_bit = 0;  ///< Only bits [begin_bit, end_bit) of the keys count, as the order below numbers them.
  uint32_t end_bit = UINT32_MAX;  ///< Above the keys' width: up to their last bit. As begin_bit: no order at all.
};

/// Sorts keys, and values along with them, by radix: stable in both directions, in a time that hardly depends on the
/// keys.
///
/// Keys are scalars. Integers are ordered by value; floats by IEEE 754's totalOrder, which is by value but for -0
/// before +0 and NaNs: those with the sign bit set come first of all and the others last. A bit range is of the bits
/// that this order compares as unsigned integers: for signed integers the top bit is inverted, for floats too, and
/// negative floats are inverted whole.
///
/// look_back is Onesweep (Adinets and Merrill 2022): one read of the keys counts all digits, then each pass over a
/// digit reads and writes keys and values once. reduce_then_scan counts before each pass, so that no workgroup waits
/// for another (Satish, Harris and Garland 2009, sorting on manycore GPUs). The result is the same on every device.
/// Where all keys that the plan was made for fit into one workgroup, that sorts them in one dispatch without temporary
/// storage, if subgroups have 8 lanes or more: thousands of keys on GPUs, a thousand or two on CPUs.
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class Sort {
 public:
  struct Options {
    SortOrder order;
    TilePath path = TilePath::automatic;
  };

  /// Compiles for up to `max_count` keys. Throws unsupported when the device cannot move elements of that size,
  /// invalid_argument for keys that are structs, a bit range that ends before it begins, or more keys or values than
  /// 1 TiB holds.
  Sort(const Device& device, const Element& key, uint64_t max_count, const Options& options);
  Sort(const Device& device, const Element& key, uint64_t max_count);
  /// As above, with a value for each key.
  Sort(const Device& device, const Element& key, const Element& value, uint64_t max_count, const Options& options);
  Sort(const Device& device, const Element& key, const Element& value, uint64_t max_count);

  /// The path taken, never automatic; by a plan of one dispatch, the one that more keys would take.
  TilePath path() const;
  /// Bytes of temporary storage that record() needs; none for few keys. Grows with max_count.
  uint64_t temporary_bytes() const;

  struct Arguments {
    Region keys;        ///< At least `count`, at a multiple of their alignment.
    Region values;      ///< As many, for a plan with values. Otherwise empty.
    Region keys_out;    ///< As many. May be the same region as keys.
    Region values_out;  ///< Likewise. May be the same region as values.
    Count count;
    Region temporary;  ///< temporary_bytes(), wherever they start; its contents do not matter before and after.
  };
  /// Throws invalid_argument when a region is too small, misaligned, or over one that it may not share memory with, or
  /// the count is above the plan's maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

/// Records a sort of all keys in place. Keeps its plan and temporary storage in the stream.
void sort(Stream& stream, const Element& key, const SortOrder& order, const ElementMemory& keys);
/// As above, with a value for each key; sorts as many as there are keys.
void sort(Stream& stream, const Element& key, const Element& value, const SortOrder& order, const ElementMemory& keys,
          const ElementMemory& values);

template <WritableMemory K>
void sort(Stream& stream, const K& keys, const SortOrder& order = {}) {
  sort(stream, Element::of<ValueIn<K>>(), order, keys);
}
template <WritableMemory K, WritableMemory V>
void sort(Stream& stream, const K& keys, const V& values, const SortOrder& order = {}) {
  sort(stream, Element::of<ValueIn<K>>(), Element::of<ValueIn<V>>(), order, keys, values);
}

}  // namespace weft
