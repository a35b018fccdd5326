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

/// Sorts each segment on its own, elements of any type by any comparison, whether there are millions of tiny or empty
/// segments or a few huge ones. Stable: equal elements keep their order. With values, each element carries a value of
/// any size along.
///
/// A merge sort of all elements at once that lets none pass an element of another segment. Work is cut by elements,
/// never by segments: tiles are sorted in workgroup memory, and of each two sorted runs the one segment that they share
/// is merged. Segments within one tile are written once and done, so tiny ones take little more than the memory traffic
/// of one pass, and a single huge one what MergeSort takes. No workgroup waits for another. The result is the same on
/// every run and device. (Baxter 2013, Modern GPU: Segmented Sort.)
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class SegmentedSort {
 public:
  struct Options {
    std::optional<Element> values;  ///< What each element carries along; nothing if left out.
  };

  /// Compiles for up to `max_count` elements in up to `max_segments` segments. Throws unsupported when the device lacks
  /// the element's type, compile_failed when the comparison does not compile, invalid_argument for a comparison of
  /// scalars on structs and for more elements or values than 1 TiB holds.
  SegmentedSort(const Device& device, const Element& element, const Comparison& comparison, uint64_t max_count,
                uint64_t max_segments, const Options& options);
  SegmentedSort(const Device& device, const Element& element, const Comparison& comparison, uint64_t max_count,
                uint64_t max_segments);

  /// Bytes of an offset: 4, or 8 where there may be about 2^32 elements or segments.
  uint32_t offset_bytes() const;
  /// Bytes of temporary storage that record() needs, a multiple of 16: those of elements and values, and some more.
  /// Grows with max_count and max_segments.
  uint64_t temporary_bytes() const;

  struct Arguments {
    Region input;         ///< At least `count` elements, at a multiple of the element's alignment.
    Region input_values;  ///< As many, for a plan with values. Otherwise empty.
    Region offsets;  ///< Ascending, one more than there are segments, unsigned integers of offset_bytes(): segment s is
                     ///< elements [offset s, offset s + 1), none where the two are the same. Elements before the first
                     ///< offset, and from the last one on, are sorted as segments of their own.
    Region output;   ///< As many as input. May be the same region as input.
    Region output_values;  ///< Likewise, for a plan with values. Otherwise empty.
    Count segment_count;
    Count count;       ///< Elements; offsets beyond are taken as this.
    Region temporary;  ///< temporary_bytes(), wherever they start; its contents do not matter before and after.
  };
  /// Throws invalid_argument when a region is too small, misaligned, or over one that it may not share memory with, or
  /// a count is above the plan's maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  std::shared_ptr<const algorithms::MergeSortPlan> plan_;
};

/// Records a sort of the segments of all of `input` that `offsets` names, one more than there are segments, into
/// `output`, which may be the same. Keeps its plan and temporary storage in the stream. Throws invalid_argument where
/// offsets of 32 bits do not do, with about 2^32 elements or segments.
void segmented_sort(Stream& stream, const Element& element, const Comparison& comparison, const ElementMemory& input,
                    const View<const uint32_t>& offsets, const ElementMemory& output);

template <WritableMemory M>
void segmented_sort(Stream& stream, const M& elements, const View<const uint32_t>& offsets,
                    const Comparison& comparison = Comparison::ascending()) {
  segmented_sort(stream, Element::of<ValueIn<M>>(), comparison, elements, offsets, elements);
}

}  // namespace weft
