#pragma once

#include <memory>
#include <optional>

#include <weft/api.h>
#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/element_memory.h>
#include <weft/stream.h>
#include <weft/tuning.h>

namespace weft {

/// Finds the k largest keys, or the k smallest, sorted.
///
/// Radix selection: histograms find the k-th key digit by digit, eight bits at a time; then the keys before it are
/// gathered and sorted. Keys and their order are those of Sort. The keys found are the same in every run and on every
/// device. The indices may differ: the order among equal keys, and the choice among keys equal to the k-th. Reads the
/// keys once for each byte of a key and once more. (Alabi and others 2012, k-selection on GPUs.)
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class WEFT_API TopK {
 public:
  struct Options {
    bool smallest = false;
    bool indices = false;            ///< Also write the keys' indices in the input.
    std::optional<Tuning> tuning{};  ///< Overrides the device's tuning.
  };

  /// Compiles for up to `max_k` of up to `max_count` keys. Throws unsupported if the device cannot move elements of
  /// that size, or lacks 64-bit atomics for a `max_count` of 2^32 or more; invalid_argument for structs, and for more
  /// than 1 TiB of keys or of `max_k` indices.
  TopK(const Device& device, const Element& key, uint64_t max_count, uint64_t max_k, const Options& options);
  TopK(const Device& device, const Element& key, uint64_t max_count, uint64_t max_k);

  /// Bytes of an index, an unsigned integer: 4, or 8 for a `max_count` of 2^32 or more.
  uint32_t index_bytes() const;
  /// Bytes of temporary storage, a multiple of 16. Grows with max_count and max_k.
  uint64_t temporary_bytes() const;

  struct Arguments {
    Region input;       ///< At least `count` keys, at a multiple of their alignment.
    Region output;      ///< Room for `k` keys, starting with the largest or the smallest.
    Region indices;     ///< For `indices`: room for `k` indices of index_bytes() bytes. Otherwise empty.
    CountOutput found;  ///< One word: the number of keys found, the smaller of k and the count.
    uint64_t k = 0;     ///< At most max_k.
    Count count;
    Region temporary;  ///< temporary_bytes() bytes at any address.
  };
  /// Throws invalid_argument if a region is too small or misaligned, if it overlaps one that it may not share memory
  /// with, or if k or the count exceeds the plan's maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

/// Finds the largest or smallest keys of `input`, up to the size of `output`, and their indices unless `indices` is
/// empty. Returns the number of keys found. Waits for the result. The stream keeps the plan. Throws invalid_argument
/// for indices of 2^32 keys or more, which need 64 bits.
WEFT_API uint64_t top_k(Stream& stream, const Element& key, bool smallest, const ElementMemory& input,
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
