#pragma once

#include <memory>
#include <string>

#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/memory.h>
#include <weft/operator.h>
#include <weft/scan.h>
#include <weft/stream.h>

namespace weft {

namespace algorithms {
class SegmentsPlan;
}

/// How a segmented primitive is told where segments start.
enum class SegmentsBy {
  /// One 32-bit word for each element: a segment starts where it is not zero, and at element 0 in any case.
  flags,
  /// An ascending list with one offset more than there are segments: segment s is elements [offset s, offset s + 1),
  /// none
  /// where the two are the same. Offsets are unsigned integers of offset_bytes().
  offsets,
};

/// Combines the elements of each segment, whether there are millions of tiny ones or a few huge ones: work is cut by
/// elements, never by segments, and a segment may span any number of tiles.
///
/// look_back reads each element once; reduce_then_scan reads it twice. Integer results are the same everywhere;
/// floating-point results depend on the device's tile size and, with look_back, may differ between runs in the last
/// places. (Schwartz 1980, scans over segments; Merrill and Garland 2016, decoupled look-back.)
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class SegmentedReduce {
 public:
  struct Options {
    TilePath path = TilePath::automatic;
  };

  /// Compiles for up to `max_count` elements and, for offsets, up to `max_segments` segments. Throws unsupported when
  /// the device lacks the element's type, compile_failed when the operator does not compile, invalid_argument for more
  /// elements than 1 TiB holds and for an operator of scalars on structs.
  SegmentedReduce(const Device& device, const Element& element, const Operator& op, SegmentsBy by, uint64_t max_count,
                  uint64_t max_segments, const Options& options);
  SegmentedReduce(const Device& device, const Element& element, const Operator& op, SegmentsBy by, uint64_t max_count,
                  uint64_t max_segments);

  /// The path taken, never automatic.
  TilePath path() const;
  /// Bytes of an offset: 4, or 8 where there may be about 2^32 elements or segments.
  uint32_t offset_bytes() const;
  /// Bytes of temporary storage that record() needs, a multiple of 16. Grows with max_count,
  /// and by offsets with max_segments.
  uint64_t temporary_bytes() const;

  struct Arguments {
    Region input;     ///< At least `count` elements, at a multiple of the element's alignment.
    Region heads;     ///< The flags or offsets.
    Region output;    ///< One element for each segment, the operator's identity for an empty one; for flags room for
                      ///< `count`.
    Region segments;  ///< For flags: one 64-bit word, how many segments there are. Otherwise empty.
    Count segment_count;  ///< For offsets: how many segments there are. Otherwise 0.
    Count count;          ///< Elements; offsets beyond are taken as this.
    Region temporary;     ///< temporary_bytes(), wherever they start; its contents do not matter before and after.
  };
  /// Throws invalid_argument when a region is too small, misaligned, or over one that it may not share memory with, or
  /// a count is above the plan's maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  std::shared_ptr<const algorithms::SegmentsPlan> plan_;
};

/// Prefix scan that starts anew at each segment. Elements before the first offset, and from the last one on, are
/// scanned as segments of their own. (Schwartz 1980, scans over segments.)
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class SegmentedScan {
 public:
  struct Options {
    ScanKind kind = ScanKind::exclusive;
    TilePath path = TilePath::automatic;
    std::string initial{};  ///< GLSL expression of a T that comes before the elements of each segment; none when empty.
  };

  /// As SegmentedReduce's; compile_failed when the initial element does not compile, too.
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
    Region output;        ///< `count` elements. May be the same region as input.
    Count segment_count;  ///< For offsets: how many segments there are. Otherwise 0.
    Count count;
    Region temporary;  ///< temporary_bytes(), wherever they start; its contents do not matter before and after.
  };
  /// Throws invalid_argument when a region is too small, misaligned, or over one that it may not share memory with, or
  /// a count is above the plan's maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  std::shared_ptr<const algorithms::SegmentsPlan> plan_;
};

/// Records a reduction of the segments of all of `input` that `offsets` names, one more than there are segments, into
/// `output`. Keeps its plan and temporary storage in the stream. Throws invalid_argument where offsets of 32 bits do
/// not do, with about 2^32 elements or segments.
void segmented_reduce(Stream& stream, const Element& element, const Operator& op, const ElementMemory& input,
                      const View<const uint32_t>& offsets, const ElementMemory& output);

template <ReadableMemory M>
void segmented_reduce(Stream& stream, const M& input, const View<const uint32_t>& offsets,
                      const View<ValueIn<M>>& output, const Operator& op = Operator::sum()) {
  segmented_reduce(stream, Element::of<ValueIn<M>>(), op, input, offsets, output);
}

/// Records a scan of the segments of all of `input` that `offsets` names into `output`, which may be the same. As
/// above.
void segmented_scan(Stream& stream, const Element& element, const Operator& op, ScanKind kind,
                    const ElementMemory& input, const View<const uint32_t>& offsets, const ElementMemory& output);

template <ReadableMemory M>
void segmented_scan(Stream& stream, ScanKind kind, const M& input, const View<const uint32_t>& offsets,
                    const View<ValueIn<M>>& output, const Operator& op = Operator::sum()) {
  segmented_scan(stream, Element::of<ValueIn<M>>(), op, kind, input, offsets, output);
}

}  // namespace weft
