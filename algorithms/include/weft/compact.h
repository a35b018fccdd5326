#pragma once

#include <memory>
#include <string>

#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/equality.h>
#include <weft/memory.h>
#include <weft/scan.h>
#include <weft/stream.h>

namespace weft {

namespace algorithms {
class SelectionPlan;
}

/// Which elements a selection keeps.
struct Selection {
  std::string where;  ///< GLSL expression of `x`, the element, and `i`, its index (uint, the low 32 bits); else empty.
  bool of_runs = false;     ///< The first element of each run of neighbours that are the same.
  Equality equality;        ///< For of_runs: which are.
  uint32_t flag_bits = 32;  ///< For flagged(): of a flag, 8 or 32.

  /// Keeps x where the GLSL expression is true: Selection::when("x > 0.5 && i % 2 == 0").
  static Selection when(std::string expression) { return {std::move(expression), false, {}}; }
  /// Keeps x[i] where flags[i] is not zero; flags are unsigned integers of 8 or 32 bits.
  static Selection flagged(uint32_t bits = 32) { return {{}, false, {}, bits}; }
  /// Keeps x[0], and x[i] where it is not the same as x[i - 1].
  static Selection first_of_runs(Equality equality = {}) { return {{}, true, std::move(equality)}; }

  bool by_flags() const { return where.empty() && !of_runs; }
};

/// Writes the selected elements together at the front of the output, in their order, and how many there are: selection
/// by an expression or by flags, and with Selection::first_of_runs() what is called unique.
///
/// A scan of counts with the elements carried along: look_back reads and writes each element once. The result is the
/// same on every run and device. (Merrill and Garland 2016, decoupled look-back.)
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class Compact {
 public:
  struct Options {
    TilePath path = TilePath::automatic;
  };

  /// Compiles for up to `max_count` elements. Throws unsupported when the device lacks the element's type, or 8-bit
  /// members in buffers for 8-bit flags; compile_failed when the expression does not compile; invalid_argument for
  /// flags of other widths and for more elements than 1 TiB holds.
  Compact(const Device& device, const Element& element, const Selection& selection, uint64_t max_count,
          const Options& options);
  Compact(const Device& device, const Element& element, const Selection& selection, uint64_t max_count);

  TilePath path() const;
  /// Bytes of temporary storage that record() needs, a multiple of 16. Grows with max_count.
  uint64_t temporary_bytes() const;

  struct Arguments {
    Region input;     ///< At least `count` elements, at a multiple of the element's alignment.
    Region flags;     ///< For Selection::flagged(): `count` flags at a multiple of their size. Otherwise empty.
    Region output;    ///< Room for `count` elements; what lies behind the selected ones is left as it was.
    Region selected;  ///< One 64-bit word: how many were selected.
    Count count;
    Region temporary;  ///< temporary_bytes(), wherever they start.
  };
  /// Throws invalid_argument when a region is too small, misaligned, or over one that it may not share memory with, or
  /// the count is above the plan's maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  std::shared_ptr<const algorithms::SelectionPlan> plan_;
};

/// Compacts all of `input` into `output` and returns how many were kept. Waits for it; keeps its plan in the stream.
uint64_t compact(Stream& stream, const Element& element, const Selection& selection, const ElementMemory& input,
                 const Region& flags, const ElementMemory& output);

template <ReadableMemory M>
uint64_t compact(Stream& stream, const std::string& where, const M& input, const View<ValueIn<M>>& output) {
  return compact(stream, Element::of<ValueIn<M>>(), Selection::when(where), input, {}, output);
}

/// Writes the first element of each run of equal neighbours to `output` and returns how many there are: compact() with
/// Selection::first_of_runs().
template <ReadableMemory M>
uint64_t unique(Stream& stream, const M& input, const View<ValueIn<M>>& output, const Equality& equality = {}) {
  return compact(stream, Element::of<ValueIn<M>>(), Selection::first_of_runs(equality), input, {}, output);
}

}  // namespace weft
