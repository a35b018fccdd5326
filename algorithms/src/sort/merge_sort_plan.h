#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <weft/comparison.h>
#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/stream.h>

#include "algorithms/src/sort/merge_tuning.h"

namespace weft::algorithms {

/// The parameters of a MergeSortPlan, filled in by MergeSort and SegmentedSort.
struct MergeSortWork {
  const char* primitive;  ///< For messages.
  const TunedPrimitive<MergeTuning>* tuned;
  std::optional<Tuning> tuning;  ///< Overrides the device's tuning.
  Element element;
  Comparison comparison;
  std::optional<Element> values;
  uint64_t max_count;
  std::optional<uint64_t> max_segments;  ///< If set, each segment is sorted on its own.
};

/// Merge sort, of everything or within segments: sorts tiles, then merges pairs of neighbouring runs, which are sorted
/// sequences. With segments, a merge moves only elements of the segment that straddles the two runs, and short segments
/// are merged before. Immutable.
class MergeSortPlan {
 public:
  MergeSortPlan(const Device& device, const MergeSortWork& work);

  uint64_t temporary_bytes() const;
  /// Bytes of an offset: 4, or 8 for a maximum of about 2^32 elements or segments.
  uint32_t offset_bytes() const;

  struct Arguments {
    Region input, input_values;
    Region output, output_values;
    Region offsets;           ///< With segments. Otherwise empty.
    Count segment_count = 0;  ///< One less than the number of offsets.
    Count count;
    Region temporary;
  };
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace weft::algorithms
