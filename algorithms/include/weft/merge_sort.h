#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <weft/api.h>
#include <weft/comparison.h>
#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/element_memory.h>
#include <weft/stream.h>
#include <weft/tuning.h>

namespace weft {

namespace algorithms {
class MergeSortPlan;
}

/// Sorts elements of any type by any comparison. Stable: equal elements keep their order. With values, a value of any
/// size moves with each element.
///
/// Sorts tiles in workgroup memory, then merges pairs of sorted sequences until one is left: each doubling of the count
/// takes one more pass over everything. No workgroup waits for another. Results are the same in every run and on every
/// device. (Satish, Harris and Garland 2009, sorting on manycore GPUs.)
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class WEFT_API MergeSort {
 public:
  struct Options {
    std::optional<Element> values{};  ///< The type of a value that moves with each element; by default none.
    std::optional<Tuning> tuning{};   ///< Overrides the device's tuning.
  };

  /// Compiles for up to `max_count` elements. Throws unsupported if the device lacks the element's type, compile_failed
  /// if the comparison does not compile, invalid_argument for a scalar comparison on structs and for more than 1 TiB of
  /// elements or values.
  MergeSort(const Device& device, const Element& element, const Comparison& comparison, uint64_t max_count,
            const Options& options);
  MergeSort(const Device& device, const Element& element, const Comparison& comparison, uint64_t max_count);

  /// Bytes of temporary storage, a multiple of 16: a little more than the elements and values take. Grows with
  /// max_count.
  uint64_t temporary_bytes() const;

  struct Arguments {
    Region input;          ///< At least `count` elements, at a multiple of the element's alignment.
    Region input_values;   ///< At least `count` values, for a plan with values. Otherwise empty.
    Region output;         ///< Room for `count` elements. May be the same region as input.
    Region output_values;  ///< Room for `count` values, for a plan with values. Otherwise empty. May be the same region
                           ///< as input_values.
    Count count;
    Region temporary;  ///< temporary_bytes() bytes at any address, uninitialized. Overwritten.
  };
  /// Throws invalid_argument if a region is too small or misaligned, if it overlaps one that it may not share memory
  /// with, or if the count exceeds the plan's maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  std::shared_ptr<const algorithms::MergeSortPlan> plan_;
};

/// Records a sort of all of `input` into `output`, which may be the same memory. The stream keeps the plan and its
/// temporary storage.
WEFT_API void merge_sort(Stream& stream, const Element& element, const Comparison& comparison,
                         const ElementMemory& input, const ElementMemory& output);

template <WritableMemory M>
void merge_sort(Stream& stream, const M& elements, const Comparison& comparison = Comparison::ascending()) {
  merge_sort(stream, Element::of<ValueIn<M>>(), comparison, elements, elements);
}

}  // namespace weft
