#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <weft/api.h>
#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/element_memory.h>
#include <weft/stream.h>
#include <weft/tuning.h>

namespace weft {

/// Computes the Morton code of each point: its cell in a grid over bounds, with the bits of the coordinates interleaved
/// and x's the highest of each group. Sorted by code, near points are mostly near in memory. Also called Z-order.
///
///   dimensions   bits of a code   bits of each coordinate   codes
///   2            32, wide 64      16, wide 32               uint32_t, wide uint64_t
///   3            30, wide 63      10, wide 21               uint32_t, wide uint64_t
///
/// Bounds are given, or computed from the points: their box, without coordinates that are infinite or NaN. The grid has
/// the same number of cells along each axis. A point outside takes the nearest cell: infinity the last one, -infinity
/// and NaN cell 0. If bounds along an axis are less than 2^-90 apart, or not finite, all points have cell 0 there.
/// Cells are computed in floats, so those of 32 bits have 24 that count; above 2^24, all but the last are multiples.
///
/// One dispatch, after those of a Reduce if bounds are computed. Codes are the same on every device that rounds to
/// nearest even. Devices need no 64-bit integers. (Morton 1966, A Computer Oriented Geodetic Data Base.)
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class WEFT_API Morton {
 public:
  struct Options {
    bool wide = false;               ///< Codes of 64 bits.
    bool given_bounds = false;       ///< Arguments have bounds. Otherwise they are computed.
    std::optional<Tuning> tuning{};  ///< Overrides the device's tuning.
  };

  /// Compiles for up to `max_count` points of `dimensions` floats. Throws invalid_argument unless dimensions are 2 or
  /// 3, and for more than 1 TiB of points or codes.
  Morton(const Device& device, uint32_t dimensions, uint64_t max_count, const Options& options);
  Morton(const Device& device, uint32_t dimensions, uint64_t max_count);
  /// As above for points in larger elements. `point` is a GLSL expression of `x`, a vec2 or vec3. Throws
  /// compile_failed if it does not compile.
  Morton(const Device& device, uint32_t dimensions, const Element& of, const std::string& point, uint64_t max_count,
         const Options& options);

  /// Bytes of temporary storage, a multiple of 16; 0 if bounds are given. Grows with max_count.
  uint64_t temporary_bytes() const;

  struct Arguments {
    Region points;  ///< At least `count` points, or elements that have them, at a multiple of their alignment.
    Region bounds;  ///< For Options::given_bounds: low corner, high corner, as floats. Otherwise empty.
    Region codes;   ///< Room for `count` codes.
    Count count;
    Region temporary;  ///< temporary_bytes() bytes at any address, uninitialized. Overwritten.
  };
  /// Throws invalid_argument if a region is too small or misaligned, if it overlaps one that it may not share memory
  /// with, or if the count exceeds the plan's maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

/// Records the codes of all points, of 2 or 3 floats, in their own bounds. The stream keeps the plan and its temporary
/// storage. Throws invalid_argument unless there is a code for each point.
WEFT_API void morton(Stream& stream, uint32_t dimensions, const ElementMemory& points, const View<uint32_t>& codes);
WEFT_API void morton(Stream& stream, uint32_t dimensions, const ElementMemory& points, const View<uint64_t>& codes);

}  // namespace weft
