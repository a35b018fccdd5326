#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <weft/comparison.h>
#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/stream.h>

namespace weft {

/// Sorting networks (Batcher 1968).
enum class SortingNetwork {
  bitonic,
  odd_even,  ///< Odd-even merge sort: fewer comparisons.
};

/// Sorts a small number of elements, or many runs of as many elements each, every run on its own, in workgroup memory.
/// Any length will do, not only powers of two. Not stable: use MergeSort where the order of equal elements matters.
/// With values, each element carries a value of any size along.
///
/// One dispatch, no temporary storage. The result is the same on every run and device.
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class TileSort {
 public:
  struct Options {
    SortingNetwork network = SortingNetwork::odd_even;
    std::optional<Element> values;  ///< What each element carries along; nothing if left out.
  };

  /// Compiles for runs of `length` elements, up to `max_count` in all. Throws unsupported when a run does not fit into
  /// the device's workgroup memory or the device lacks the element's type, compile_failed when the comparison does not
  /// compile, invalid_argument for a length of 0, a comparison of scalars on structs, and more elements or values than
  /// 1 TiB holds.
  TileSort(const Device& device, const Element& element, const Comparison& comparison, uint32_t length,
           uint64_t max_count, const Options& options);
  TileSort(const Device& device, const Element& element, const Comparison& comparison, uint32_t length,
           uint64_t max_count);

  struct Arguments {
    Region input;          ///< At least `count` elements, at a multiple of the element's alignment.
    Region input_values;   ///< As many, for a plan with values. Otherwise empty.
    Region output;         ///< As many. May be the same region as input.
    Region output_values;  ///< Likewise, for a plan with values. Otherwise empty.
    Count count;           ///< Of all runs together; the last run has what is left.
  };
  /// Throws invalid_argument when a region is too small, misaligned, or over one that it may not share memory with, or
  /// the count is above the plan's maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace weft
