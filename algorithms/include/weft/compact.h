#pragma once

#include <memory>
#include <optional>
#include <string>

#include <weft/api.h>
#include <weft/buffer.h>
#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/element_memory.h>
#include <weft/equality.h>
#include <weft/stream.h>
#include <weft/tile_path.h>
#include <weft/tuning.h>

namespace weft {

namespace algorithms {
class SelectionPlan;
}

/// Which elements to select.
struct Selection {
  std::string where;     ///< GLSL expression of `x`, the element, and `i`, its index (uint, the low 32 bits). Empty for
                         ///< the other two kinds.
  bool of_runs = false;  ///< Select the first element of each run.
  Equality equality;     ///< For of_runs: when neighbours belong to one run.
  uint32_t flag_bits = 32;  ///< For flagged(): bits of a flag, 8 or 32.

  /// Selects x if the GLSL expression is true: Selection::when("x > 0.5 && i % 2 == 0").
  static Selection when(std::string expression) { return {std::move(expression), false, {}}; }
  /// Selects x[i] if flags[i] is not zero. Flags are unsigned integers of 8 or 32 bits.
  static Selection flagged(uint32_t bits = 32) { return {{}, false, {}, bits}; }
  /// Selects x[0], and each x[i] that differs from x[i - 1].
  static Selection first_of_runs(Equality equality = {}) { return {{}, true, std::move(equality)}; }

  bool by_flags() const { return where.empty() && !of_runs; }
};

/// Writes the selected elements, in their order, to the front of the output, and also writes their number. Selects by
/// an expression or by flags; with Selection::first_of_runs() this is `unique`. With `index_bits` it writes their
/// indices instead: `nonzero`, flatnonzero or argwhere.
///
/// Scans the number of selected elements of each tile. look_back reads and writes each element once. Results are the
/// same in every run and on every device. (Merrill and Garland 2016, decoupled look-back.)
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class WEFT_API Compact {
 public:
  struct Options {
    TilePath path = TilePath::automatic;
    std::optional<Tuning> tuning{};  ///< Overrides the device's tuning.
    uint32_t index_bits = 0;  ///< 32 or 64: writes the indices of the selected elements, unsigned integers of as many
                              ///< bits, instead of the elements.
  };

  /// Compiles for up to `max_count` elements. Throws unsupported if the device lacks the element's type, or 8-bit
  /// members in buffers for 8-bit flags; compile_failed if the expression does not compile; invalid_argument for flags
  /// and indices of other widths, for more than 1 TiB of elements, and for 32-bit indices of more than 2^32. Indices by
  /// flags need no elements, so `element` does not matter.
  Compact(const Device& device, const Element& element, const Selection& selection, uint64_t max_count,
          const Options& options);
  Compact(const Device& device, const Element& element, const Selection& selection, uint64_t max_count);

  TilePath path() const;
  /// Bytes of temporary storage, a multiple of 16. Grows with max_count.
  uint64_t temporary_bytes() const;

  struct Arguments {
    Region input;          ///< At least `count` elements, at a multiple of the element's alignment. Empty for indices
                           ///< by flags.
    Region flags;          ///< For Selection::flagged(): `count` flags at a multiple of their size. Otherwise empty.
    Region output;         ///< Room for `count` elements or indices. Memory after the selected ones is left as it was.
    CountOutput selected;  ///< One word: the number of selected elements.
    Count count;
    Region temporary;  ///< temporary_bytes() bytes at any address.
  };
  /// Throws invalid_argument if a region is too small or misaligned, if it overlaps one that it may not share memory
  /// with, or if the count exceeds the plan's maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  std::shared_ptr<const algorithms::SelectionPlan> plan_;
};

/// Compacts all of `input` into `output` and returns the number of selected elements. Waits for the result. The stream
/// keeps the plan.
WEFT_API uint64_t compact(Stream& stream, const Element& element, const Selection& selection,
                          const ElementMemory& input, const Region& flags, const ElementMemory& output);

template <ReadableMemory M>
uint64_t compact(Stream& stream, const std::string& where, const M& input, const View<ValueIn<M>>& output) {
  return compact(stream, Element::of<ValueIn<M>>(), Selection::when(where), input, {}, output);
}

/// Writes the indices of the selected elements of all of `input`, or for Selection::flagged() of all flags, to
/// `output`. Returns their number. Waits for the result. The stream keeps the plan.
WEFT_API uint64_t compact_indices(Stream& stream, const Element& element, const Selection& selection,
                                  const ElementMemory& input, const Region& flags, const View<uint32_t>& output);
WEFT_API uint64_t compact_indices(Stream& stream, const Element& element, const Selection& selection,
                                  const ElementMemory& input, const Region& flags, const View<uint64_t>& output);

/// The indices of the elements for which the expression is true, uint32_t or uint64_t as the output has them.
template <ReadableMemory M, WritableMemory W>
uint64_t compact_indices(Stream& stream, const std::string& where, const M& input, const W& output) {
  return compact_indices(stream, Element::of<ValueIn<M>>(), Selection::when(where), input, {},
                         View<ValueIn<W>>(output));
}

/// The indices of the elements that are not zero: compact_indices() with "x != T(0)".
template <ReadableMemory M, WritableMemory W>
uint64_t nonzero(Stream& stream, const M& input, const W& output) {
  return compact_indices(stream, "x != T(0)", input, output);
}

/// Writes the first element of each run to `output` and returns the number of runs: compact() with
/// Selection::first_of_runs().
template <ReadableMemory M>
uint64_t unique(Stream& stream, const M& input, const View<ValueIn<M>>& output, const Equality& equality = {}) {
  return compact(stream, Element::of<ValueIn<M>>(), Selection::first_of_runs(equality), input, {}, output);
}

}  // namespace weft
