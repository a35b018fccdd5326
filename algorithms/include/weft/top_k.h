#pragma once

#include <memory>

#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/memory.h>
#include <weft/stream.h>

namespace weft {

/// The k largest keys, or the k smallest, sorted.
///
/// Radix selection: histograms find the k-th key digit by digit, eight bits at a time, and what lies before it is
/// gathered and sorted. Keys and their order are those of Sort. The keys are the same on every run and device; where
/// several keys equal the k-th one, which of their indices are given is not, and neither is the order of the indices of
/// equal keys. Reads the keys once for each of their bytes and once more. (Alabi and others 2012,
/// k-selection on GPUs.)
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class TopK {
 public:
  struct Options {
    bool smallest = false;
    bool indices = false;  ///< Give the keys' places in the input too.
  };

  /// Compiles for up to `max_k` out of up to `max_count` keys. Throws unsupported when the device cannot move elements
  /// of that size, or lacks 64-bit atomics for a `max_count` of 2^32 and more; invalid_argument for structs,
  /// and for more keys, or indices of `max_k` keys, than 1 TiB holds.
  TopK(const Device& device, const Element& key, uint64_t max_count, uint64_t max_k, const Options& options);
  TopK(const Device& device, const Element& key, uint64_t max_count, uint64_t max_k);

  /// Bytes of an index, an unsigned integer: 4, or 8 for a `max_count` of 2^32 and more.
  uint32_t index_bytes() const;
  /// Bytes of temporary storage that record() needs, a multiple of 16. Grows with max_count and max_k.
  uint64_t temporary_bytes() const;

  struct Arguments {
    Region input;    ///< At least `count` keys, at a multiple of their alignment.
    Region output;   ///< Room for `k` keys: the first one is the largest, or the smallest.
    Region indices;  ///< For `indices`: room for as many indices of index_bytes(). Otherwise empty.
    Region found;    ///< One 64-bit word: how many keys were found, k or all that there are.
    uint64_t k = 0;  ///< At most max_k.
    Count count;
    Region temporary;  ///< temporary_bytes(), wherever they start.
  };
  /// Throws invalid_argument when a region is too small, misaligned, or over one that it may not share memory with, or
  /// k or the count is above the plan's maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

/// Finds as many of the largest or smallest keys of all of `input` as `output` has room for, and where they are unless
/// `indices` is empty, and returns how many were found. Waits for it; keeps its plan in the stream. Throws
/// invalid_argument where indices of 32 bits do not do, with 2^32 keys and more.
uint64_t top_k(Stream& stream, const Element& key, bool smallest, const ElementMemory& input,
               const ElementMemory& output, const View<uint32_t>& indices);

template <ReadableMemory M>
uint64_t top_k(Stream& stream, const M& input, const View<ValueIn<M>>& output, const View<uint32_t>& indices = {}) {
  return top_k(stream, Element::of<ValueIn<M>>(), false, input, output, indices);
}
/// The k smallest instead.
template <ReadableMemory M>
uint64_t bottom_k(Stream& stream, const M& input, const View<ValueIn<M>>& output, const View<uint32_t>& indices = {}) {
  return top_k(stream, Element::of<ValueIn<M>>(), true, input, output, indices);
}

}  // namespace weft
