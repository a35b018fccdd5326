#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <weft/api.h>
#include <weft/comparison.h>
#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/stream.h>
#include <weft/tuning.h>

namespace weft {

/// Sorting networks (Batcher 1968).
enum class SortingNetwork {
  bitonic,
  odd_even,  ///< Odd-even merge sort, with fewer comparisons.
};

/// Sorts a small number of elements, or many sequences of equal length, each on its own, in workgroup memory. Any
/// length works, not only powers of two. Not stable: use MergeSort if the order of equal elements matters. With values,
/// a value of any size moves with each element.
///
/// One dispatch, no temporary storage. Results are the same in every run and on every device.
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class WEFT_API TileSort {
 public:
  struct Options {
    SortingNetwork network = SortingNetwork::odd_even;
    std::optional<Element> values{};  ///< The type of a value that moves with each element; by default none.
    std::optional<Tuning> tuning{};   ///< Overrides the device's tuning.
  };

  /// Compiles for sequences of `length` elements, up to `max_count` elements in all. Throws unsupported if a sequence
  /// does not fit into the device's workgroup memory or the device lacks the element's type; compile_failed if the
  /// comparison does not compile; invalid_argument for a length of 0, a scalar comparison on structs, and more than 1
  /// TiB of elements or values.
  TileSort(const Device& device, const Element& element, const Comparison& comparison, uint32_t length,
           uint64_t max_count, const Options& options);
  TileSort(const Device& device, const Element& element, const Comparison& comparison, uint32_t length,
           uint64_t max_count);

  struct Arguments {
    Region input;          ///< At least `count` elements, at a multiple of the element's alignment.
    Region input_values;   ///< At least `count` values, for a plan with values. Otherwise empty.
    Region output;         ///< Room for `count` elements. May be the same region as input.
    Region output_values;  ///< Room for `count` values, for a plan with values. Otherwise empty. May be the same region
                           ///< as input_values.
    Count count;           ///< Number of elements of all sequences. The last sequence may be shorter.
  };
  /// Throws invalid_argument if a region is too small or misaligned, if it overlaps one that it may not share memory
  /// with, or if the count exceeds the plan's maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace weft
