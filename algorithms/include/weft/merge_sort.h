#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <weft/comparison.h>
#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/memory.h>
#include <weft/stream.h>

namespace weft {

namespace algorithms {
class MergeSortPlan;
}

/// Sorts elements of any type by any comparison. Stable: equal elements keep their order. With values, each element
/// carries a value of any size along.
///
/// Tiles are sorted in workgroup memory, and pairs of sorted runs are merged until one is left: each doubling of the
/// count reads and writes everything once more. No workgroup waits for another. The result is the same on every run and
/// device. (Satish, Harris and Garland 2009, sorting on manycore GPUs.)
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class MergeSort {
 public:
  struct Options {
    std::optional<Element> values;  ///< What each element carries along; nothing if left out.
  };

  /// Compiles for up to `max_count` elements. Throws unsupported when the device lacks the element's type,
  /// compile_failed when the comparison does not compile, invalid_argument for a comparison of scalars on structs and
  /// for more elements or values than 1 TiB holds.
  MergeSort(const Device& device, const Element& element, const Comparison& comparison, uint64_t max_count,
            const Options& options);
  MergeSort(const Device& device, const Element& element, const Comparison& comparison, uint64_t max_count);

  /// Bytes of temporary storage that record() needs, a multiple of 16: those of elements and values, and some more.
  /// Grows with max_count.
  uint64_t temporary_bytes() const;

  struct Arguments {
    Region input;          ///< At least `count` elements, at a multiple of the element's alignment.
    Region input_values;   ///< As many, for a plan with values. Otherwise empty.
    Region output;         ///< As many. May be the same region as input.
    Region output_values;  ///< Likewise, for a plan with values. Otherwise empty.
    Count count;
    Region temporary;  ///< temporary_bytes(), wherever they start; its contents do not matter before and after.
  };
  /// Throws invalid_argument when a region is too small, misaligned, or over one that it may not share memory with, or
  /// the count is above the plan's maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  std::shared_ptr<const algorithms::MergeSortPlan> plan_;
};

/// Records a sort of all of `input` into `output`, which may be the same. Keeps its plan and temporary storage in the
/// stream.
void merge_sort(Stream& stream, const Element& element, const Comparison& comparison, const ElementMemory& input,
                const ElementMemory& output);

template <WritableMemory M>
void merge_sort(Stream& stream, const M& elements, const Comparison& comparison = Comparison::ascending()) {
  merge_sort(stream, Element::of<ValueIn<M>>(), comparison, elements, elements);
}

}  // namespace weft
