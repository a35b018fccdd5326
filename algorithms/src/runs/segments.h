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

/// The operator then combines pairs of a number of heads and a value of `value_words` words:
/// shaders/thread/segment.glsl.
void define_segments(KernelMaker& maker, uint32_t value_words, bool wide);

/// Where segments start: where neighbours' keys differ, at flags that are not zero, or at the offsets of a list.
enum class Heads { keys, flags, offsets };

/// What a SegmentsPlan is made for. ScanByKey, ReduceByKey, SegmentedScan and SegmentedReduce fill it in.
struct SegmentsWork {
  const char* primitive;  ///< For messages.
  const TunedPrimitive<StagedTuning>* tuned;
  std::optional<Tuning> tuning;  ///< In place of the device's.
  Heads heads;
  std::optional<Element> key;  ///< For Heads::keys, with `equality`.
  Equality equality;
  Element element;
  Operator op;
  uint64_t max_count;
  uint64_t max_segments;  ///< For Heads::offsets.
  TilePath path;
  std::optional<ScanKind> scan;  ///< Without it segments are reduced.
  std::string initial{};         ///< For scans: a GLSL expression that comes before each segment; none when empty.
};

/// Segmented scans and reductions: a scan of the pairs of shaders/thread/segment.glsl. Immutable.
class SegmentsPlan {
 public:
  SegmentsPlan(const Device& device, const SegmentsWork& work);

  TilePath path() const;
  uint64_t temporary_bytes() const;
  /// Bytes of an offset: 8 where there may be 2^32 elements or segments.
  uint32_t offset_bytes() const;

  struct Arguments {
    Region heads;
    Region values;
    Region keys_output;  ///< For reductions by key.
    Region output;
    Region segments;          ///< For reductions by keys and flags: one 64-bit word.
    Count segment_count = 0;  ///< For offsets: one less than there are offsets.
    Count count;
    Region temporary;
  };
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace weft::algorithms
