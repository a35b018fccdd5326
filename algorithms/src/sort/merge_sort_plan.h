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

/// What a MergeSortPlan is made for. MergeSort and SegmentedSort fill it in.
struct MergeSortWork {
  const char* primitive;  ///< For messages.
  const TunedPrimitive<MergeTuning>* tuned;
  std::optional<Tuning> tuning;  ///< In place of the device's.
  Element element;
  Comparison comparison;
  std::optional<Element> values;
  uint64_t max_count;
  std::optional<uint64_t> max_segments;  ///< With it each segment is sorted on its own.
};

/// Sorts by merging, of everything or within segments: sorted tiles, and merges of two neighbouring runs each. With
/// segments, a merge moves only elements of the one segment that the two runs share. Immutable.
class MergeSortPlan {
 public:
  MergeSortPlan(const Device& device, const MergeSortWork& work);

  uint64_t temporary_bytes() const;
  /// Bytes of an offset: 8 where there may be about 2^32 elements or segments.
  uint32_t offset_bytes() const;

  struct Arguments {
    Region input, input_values;
    Region output, output_values;
    Region offsets;           ///< With segments. Otherwise empty.
    Count segment_count = 0;  ///< One less than there are offsets.
    Count count;
    Region temporary;
  };
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace weft::algorithms
