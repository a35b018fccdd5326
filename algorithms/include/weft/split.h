#pragma once

#include <memory>
#include <optional>
#include <string>

#include <weft/api.h>
#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/stream.h>
#include <weft/tile_path.h>
#include <weft/tuning.h>

namespace weft {

/// Which outputs an element goes to: two GLSL expressions of `x`, the element, and `i`, its index (uint, the low 32
/// bits).
struct Sides {
  std::string first, second;
  bool three = false;  ///< Each element goes to one of three outputs. Otherwise to either, both or none of two.

  /// Partition into three: the elements for which `first` is true; of the others, those for which `second` is true; and
  /// the rest.
  static Sides three_way(std::string first, std::string second) { return {std::move(first), std::move(second), true}; }
  /// Split of a kd-tree node: an element goes to both sides if both are true, and to none if neither is.
  ///
  ///   Sides::overlapping("x.low < 0.5", "x.high > 0.5")
  static Sides overlapping(std::string left, std::string right) { return {std::move(left), std::move(right), false}; }
};

/// Writes each element to its outputs, in order. Also writes the number of elements in each output.
///
/// Scans the numbers of elements that each tile sends to the first two outputs. look_back reads each element once and
/// writes it once for each output. Results are the same in every run and on every device. (Merrill and Garland 2016,
/// decoupled look-back.)
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class WEFT_API Split {
 public:
  struct Options {
    TilePath path = TilePath::automatic;
    std::optional<Tuning> tuning{};  ///< Overrides the device's tuning.
  };

  /// Compiles for up to `max_count` elements. Throws unsupported if the device lacks the element's type, compile_failed
  /// if an expression does not compile, invalid_argument if one is missing and for more than 1 TiB of elements.
  Split(const Device& device, const Element& element, const Sides& sides, uint64_t max_count, const Options& options);
  Split(const Device& device, const Element& element, const Sides& sides, uint64_t max_count);

  TilePath path() const;
  /// Bytes of temporary storage, a multiple of 16. Grows with max_count.
  uint64_t temporary_bytes() const;

  struct Arguments {
    Region input;        ///< At least `count` elements, at a multiple of the element's alignment.
    Region first;        ///< Room for `count` elements. Memory after those written is left as it was.
    Region second;       ///< As first.
    Region third;        ///< As first, for Sides::three_way(). Otherwise empty.
    CountOutput counts;  ///< Two or three words: the number of elements in each output.
    Count count;
    Region temporary;  ///< temporary_bytes() bytes at any address.
  };
  /// Throws invalid_argument if a region is too small or misaligned, if it overlaps one that it may not share memory
  /// with, or if the count exceeds the plan's maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace weft
