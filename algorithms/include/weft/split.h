#pragma once

#include <memory>
#include <string>

#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/scan.h>
#include <weft/stream.h>

namespace weft {

/// Which outputs elements go to: two GLSL expressions of `x`, the element, and `i`, its index (uint, the low 32 bits).
struct Sides {
  std::string first, second;
  bool three = false;  ///< What goes to the first output does not go to the second, and the rest goes to a third.

  /// Partition into three: those where `first` is true, of the others those where `second` is, and the rest.
  static Sides three_way(std::string first, std::string second) { return {std::move(first), std::move(second), true}; }
  /// Split of a kd-tree's node: elements where both are true go to both sides, those where neither is to none.
  ///
  ///   Sides::overlapping("x.low < 0.5", "x.high > 0.5")
  static Sides overlapping(std::string left, std::string right) { return {std::move(left), std::move(right), false}; }
};

/// Writes each element to the outputs that are its own, in their order, and how many each output has.
///
/// A scan of pairs of counts with the elements carried along: look_back reads each element once and writes it once for
/// each output. The result is the same on every run and device. (Merrill and Garland 2016, decoupled look-back.)
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class Split {
 public:
  struct Options {
    TilePath path = TilePath::automatic;
  };

  /// Compiles for up to `max_count` elements. Throws unsupported when the device lacks the element's type,
  /// compile_failed when an expression does not compile, invalid_argument when one is missing and for more elements
  /// than 1 TiB holds.
  Split(const Device& device, const Element& element, const Sides& sides, uint64_t max_count, const Options& options);
  Split(const Device& device, const Element& element, const Sides& sides, uint64_t max_count);

  TilePath path() const;
  /// Bytes of temporary storage that record() needs, a multiple of 16. Grows with max_count.
  uint64_t temporary_bytes() const;

  struct Arguments {
    Region input;   ///< At least `count` elements, at a multiple of the element's alignment.
    Region first;   ///< Room for `count` elements each; what lies behind the
    Region second;  ///< elements that an output gets is left as it was.
    Region third;   ///< For Sides::three_way(). Otherwise empty.
    Region counts;  ///< 64-bit words: how many elements the outputs have, two words or three.
    Count count;
    Region temporary;  ///< temporary_bytes(), wherever they start.
  };
  /// Throws invalid_argument when a region is too small, misaligned, or over one that it may not share memory with, or
  /// the count is above the plan's maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace weft
