#pragma once

#include <memory>
#include <optional>
#include <string>

#include <weft/api.h>
#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/element_memory.h>
#include <weft/operator.h>
#include <weft/scan.h>
#include <weft/stream.h>
#include <weft/tile_path.h>
#include <weft/tuning.h>

namespace weft {

namespace algorithms {
class SegmentsPlan;
}

/// How segments are given.
enum class SegmentsBy {
  /// One 32-bit word for each element. A segment starts at each word that is not zero, and at element 0.
  flags,
  /// Ascending offsets, in elements, one more than there are segments. Segment s holds the elements from offset s up to
  /// offset s + 1 and may be empty. Offsets are unsigned integers of offset_bytes() bytes.
  offsets,
};

/// Combines the elements of each segment. Work is divided by elements, never by segments, so millions of tiny segments
/// and a few huge ones are equally fine; a segment may span any number of tiles.
///
/// look_back reads each element once; reduce_then_scan reads it twice. Integer results are the same everywhere;
/// floating-point results depend on the device's tile size and, with look_back, may differ between runs in the last
/// digits. (Schwartz 1980, scans over segments; Merrill and Garland 2016, decoupled look-back.)
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class WEFT_API SegmentedReduce {
 public:
  struct Options {
    TilePath path = TilePath::automatic;
    std::optional<Tuning> tuning{};  ///< Overrides the device's tuning.
  };

  /// Compiles for up to `max_count` elements and, for offsets, up to `max_segments` segments. Throws unsupported if the
  /// device lacks the element's type, compile_failed if the operator does not compile, invalid_argument for more than 1
  /// TiB of elements and for a scalar operator on structs.
  SegmentedReduce(const Device& device, const Element& element, const Operator& op, SegmentsBy by, uint64_t max_count,
                  uint64_t max_segments, const Options& options);
  SegmentedReduce(const Device& device, const Element& element, const Operator& op, SegmentsBy by, uint64_t max_count,
                  uint64_t max_segments);

  /// The path that the plan takes, never automatic.
  TilePath path() const;
  /// Bytes of an offset: 4, or 8 for a maximum of about 2^32 elements or segments.
  uint32_t offset_bytes() const;
  /// Bytes of temporary storage, a multiple of 16. Grows with max_count, and for offsets with max_segments.
  uint64_t temporary_bytes() const;

  struct Arguments {
    Region input;          ///< At least `count` elements, at a multiple of the element's alignment.
    Region heads;          ///< The flags or offsets.
    Region output;         ///< One element for each segment, Operator::nothing for an empty one. For flags: room for
                           ///< `count`.
    CountOutput segments;  ///< For flags: one word, the number of segments. Otherwise empty.
    Count segment_count;   ///< For offsets: the number of segments. Otherwise 0.
    Count count;           ///< Number of elements. Larger offsets are taken as this.
    Region temporary;      ///< temporary_bytes() bytes at any address, uninitialized. Overwritten.
  };
  /// Throws invalid_argument if a region is too small or misaligned, if it overlaps one that it may not share memory
  /// with, or if a count exceeds the plan's maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  std::shared_ptr<const algorithms::SegmentsPlan> plan_;
};

/// Prefix scan that restarts at each segment. Elements before the first offset, and from the last offset on, are
/// scanned as segments of their own. (Schwartz 1980, scans over segments.)
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class WEFT_API SegmentedScan {
 public:
  struct Options {
    ScanKind kind = ScanKind::exclusive;
    TilePath path = TilePath::automatic;
    std::string initial{};  ///< GLSL expression of a T that precedes the elements of each segment; empty: none.
    std::optional<Tuning> tuning{};  ///< Overrides the device's tuning.
  };

  /// Throws what SegmentedReduce does, and compile_failed if the initial element does not compile.
  SegmentedScan(const Device& device, const Element& element, const Operator& op, SegmentsBy by, uint64_t max_count,
                uint64_t max_segments, const Options& options);
  SegmentedScan(const Device& device, const Element& element, const Operator& op, SegmentsBy by, uint64_t max_count,
                uint64_t max_segments);

  TilePath path() const;
  uint32_t offset_bytes() const;
  uint64_t temporary_bytes() const;

  struct Arguments {
    Region input;         ///< At least `count` elements, at a multiple of the element's alignment.
    Region heads;         ///< The flags or offsets.
    Region output;        ///< Room for `count` elements. May be the same region as input.
    Count segment_count;  ///< For offsets: the number of segments. Otherwise 0.
    Count count;
    Region temporary;  ///< temporary_bytes() bytes at any address, uninitialized. Overwritten.
  };
  /// Throws invalid_argument if a region is too small or misaligned, if it overlaps one that it may not share memory
  /// with, or if a count exceeds the plan's maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  std::shared_ptr<const algorithms::SegmentsPlan> plan_;
};

/// Records a reduction of segments of `input` into `output`. There is one offset more than there are segments. The
/// stream keeps the plan and its temporary storage. Throws invalid_argument for about 2^32 elements or segments or
/// more, which need 64-bit offsets.
WEFT_API void segmented_reduce(Stream& stream, const Element& element, const Operator& op, const ElementMemory& input,
                               const View<const uint32_t>& offsets, const ElementMemory& output);

template <ReadableMemory M>
void segmented_reduce(Stream& stream, const M& input, const View<const uint32_t>& offsets,
                      const View<ValueIn<M>>& output, const Operator& op = Operator::sum()) {
  segmented_reduce(stream, Element::of<ValueIn<M>>(), op, input, offsets, output);
}

/// Records a scan of segments of `input` into `output`, which may be the same memory. Otherwise as above.
WEFT_API void segmented_scan(Stream& stream, const Element& element, const Operator& op, ScanKind kind,
                             const ElementMemory& input, const View<const uint32_t>& offsets,
                             const ElementMemory& output);

template <ReadableMemory M>
void segmented_scan(Stream& stream, ScanKind kind, const M& input, const View<const uint32_t>& offsets,
                    const View<ValueIn<M>>& output, const Operator& op = Operator::sum()) {
  segmented_scan(stream, Element::of<ValueIn<M>>(), op, kind, input, offsets, output);
}

}  // namespace weft
