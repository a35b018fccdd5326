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

/// Sorts each segment on its own, elements of any type by any comparison. Millions of tiny or empty segments and a few
/// huge ones are equally fine. Stable: equal elements keep their order. With values, a value of any size moves with
/// each element.
///
/// One merge sort of all elements, in which none moves past an element of another segment. Work is divided by elements,
/// never by segments: tiles are sorted in workgroup memory, then each merge of two neighbouring sorted sequences
/// touches only the segment that straddles them. Segments within one tile are written once and short ones in two tiles
/// twice, so tiny ones take little more than the memory traffic of one pass; a single huge one takes what MergeSort
/// does. No workgroup waits for another. Results are the same in every run and on every device. (Baxter 2013, Modern
/// GPU: Segmented Sort.)
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class WEFT_API SegmentedSort {
 public:
  struct Options {
    std::optional<Element> values{};  ///< The type of a value that moves with each element; by default none.
    std::optional<Tuning> tuning{};   ///< Overrides the device's tuning.
  };

  /// Compiles for up to `max_count` elements in up to `max_segments` segments. Throws unsupported if the device lacks
  /// the element's type, compile_failed if the comparison does not compile, invalid_argument for a scalar comparison on
  /// structs and for more than 1 TiB of elements or values.
  SegmentedSort(const Device& device, const Element& element, const Comparison& comparison, uint64_t max_count,
                uint64_t max_segments, const Options& options);
  SegmentedSort(const Device& device, const Element& element, const Comparison& comparison, uint64_t max_count,
                uint64_t max_segments);

  /// Bytes of an offset: 4, or 8 for a maximum of about 2^32 elements or segments.
  uint32_t offset_bytes() const;
  /// Bytes of temporary storage, a multiple of 16: a little more than the elements and values take. Grows with
  /// max_count and max_segments.
  uint64_t temporary_bytes() const;

  struct Arguments {
    Region input;         ///< At least `count` elements, at a multiple of the element's alignment.
    Region input_values;  ///< At least `count` values, for a plan with values. Otherwise empty.
    Region offsets;       ///< Ascending offsets, in elements, one more than there are segments: unsigned integers of
                     ///< offset_bytes() bytes. Segment s holds the elements from offset s up to offset s + 1 and may be
                     ///< empty. Elements before the first offset, and from the last offset on, are sorted as segments
                     ///< of their own.
    Region output;         ///< Room for `count` elements. May be the same region as input.
    Region output_values;  ///< Room for `count` values, for a plan with values. Otherwise empty. May be the same region
                           ///< as input_values.
    Count segment_count;
    Count count;       ///< Number of elements. Larger offsets are taken as this.
    Region temporary;  ///< temporary_bytes() bytes at any address, uninitialized. Overwritten.
  };
  /// Throws invalid_argument if a region is too small or misaligned, if it overlaps one that it may not share memory
  /// with, or if a count exceeds the plan's maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  std::shared_ptr<const algorithms::MergeSortPlan> plan_;
};

/// Records a sort of the segments of `input` into `output`, which may be the same memory. There is one offset more than
/// there are segments. The stream keeps the plan and its temporary storage. Throws invalid_argument for about 2^32
/// elements or segments or more, which need 64-bit offsets.
WEFT_API void segmented_sort(Stream& stream, const Element& element, const Comparison& comparison,
                             const ElementMemory& input, const View<const uint32_t>& offsets,
                             const ElementMemory& output);

template <WritableMemory M>
void segmented_sort(Stream& stream, const M& elements, const View<const uint32_t>& offsets,
                    const Comparison& comparison = Comparison::ascending()) {
  segmented_sort(stream, Element::of<ValueIn<M>>(), comparison, elements, offsets, elements);
}

}  // namespace weft
