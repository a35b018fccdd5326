#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/equality.h>
#include <weft/operator.h>
#include <weft/scan.h>
#include <weft/stream.h>

#include "algorithms/src/base/kernel_maker.h"
#include "algorithms/src/base/tuning.h"

namespace weft::algorithms {

/// Makes the operator combine pairs of a number of heads and a value of `value_words` words:
/// shaders/thread/segment.glsl.
void define_segments(KernelMaker& maker, uint32_t value_words, bool wide);

/// How segments are given: by keys that differ from their neighbour's, by flags that are not zero, or by offsets.
enum class Heads { keys, flags, offsets };

/// The parameters of a SegmentsPlan, filled in by ScanByKey, ReduceByKey, SegmentedScan and SegmentedReduce.
struct SegmentsWork {
  const char* primitive;  ///< For messages.
  const TunedPrimitive<StagedTuning>* tuned;
  std::optional<Tuning> tuning;  ///< Overrides the device's tuning.
  Heads heads;
  std::optional<Element> key;  ///< For Heads::keys, with `equality`.
  Equality equality;
  Element element;
  Operator op;
  uint64_t max_count;
  uint64_t max_segments;  ///< For Heads::offsets.
  TilePath path;
  std::optional<ScanKind> scan;  ///< Without it, segments are reduced.
  std::string initial{};         ///< For scans: GLSL expression of an element that precedes each segment; empty: none.
};

/// Segmented scans and reductions: a scan of the pairs of shaders/thread/segment.glsl. Immutable.
class SegmentsPlan {
 public:
  SegmentsPlan(const Device& device, const SegmentsWork& work);

  TilePath path() const;
  uint64_t temporary_bytes() const;
  /// Bytes of an offset: 4, or 8 for a maximum of about 2^32 elements or segments.
  uint32_t offset_bytes() const;

  struct Arguments {
    Region heads;
    Region values;
    Region keys_output;  ///< For reductions by key.
    Region output;
    CountOutput segments;     ///< For reductions by keys and flags: one 64-bit word.
    Count segment_count = 0;  ///< For offsets: one less than the number of offsets.
    Count count;
    Region temporary;
  };
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace weft::algorithms
