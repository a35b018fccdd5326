#pragma once

#include <memory>
#include <optional>
#include <string>

#include <weft/api.h>
#include <weft/compact.h>
#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/element_memory.h>
#include <weft/stream.h>
#include <weft/tile_path.h>
#include <weft/tuning.h>

namespace weft {

namespace algorithms {
class SelectionPlan;
}

/// Where a partition writes the elements that are not selected.
enum class Others {
  apart,     ///< To a separate output, in their order.
  behind,    ///< After the selected ones, in their order: a stable partition of one array.
  reversed,  ///< After the selected ones, in reverse order, from the end of the output backwards.
};

/// Writes the selected elements in their order, the others, and the number of selected elements.
///
/// look_back reads and writes each element once. Others::behind cannot take it: the index of the first of the others is
/// known only after a pass over all elements. So it takes reduce_then_scan, which reads them twice. Results are the
/// same in every run and on every device. (Merrill and Garland 2016, decoupled look-back.)
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class WEFT_API Partition {
 public:
  struct Options {
    Others others = Others::apart;
    TilePath path = TilePath::automatic;
    std::optional<Tuning> tuning{};  ///< Overrides the device's tuning.
  };

  /// Compiles for up to `max_count` elements. Throws unsupported if the device lacks the element's type, or 8-bit
  /// members in buffers for 8-bit flags; compile_failed if the expression does not compile; invalid_argument for
  /// Others::behind on look_back, flags of other widths than 8 and 32 bits, and more than 1 TiB of elements.
  Partition(const Device& device, const Element& element, const Selection& selection, uint64_t max_count,
            const Options& options);
  Partition(const Device& device, const Element& element, const Selection& selection, uint64_t max_count);

  TilePath path() const;
  /// Bytes of temporary storage, a multiple of 16. Grows with max_count.
  uint64_t temporary_bytes() const;

  struct Arguments {
    Region input;          ///< At least `count` elements, at a multiple of the element's alignment.
    Region flags;          ///< For Selection::flagged(): `count` flags at a multiple of their size. Otherwise empty.
    Region output;         ///< Room for `count` elements.
    Region others;         ///< For Others::apart: room for `count` elements. Otherwise empty.
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

/// Partitions all of `input` into `output`, selected elements first, all in their order. Returns the number of selected
/// elements. Waits for the result. The stream keeps the plan.
WEFT_API uint64_t partition(Stream& stream, const Element& element, const Selection& selection,
                            const ElementMemory& input, const Region& flags, const ElementMemory& output);

template <ReadableMemory M>
uint64_t partition(Stream& stream, const std::string& where, const M& input, const View<ValueIn<M>>& output) {
  return partition(stream, Element::of<ValueIn<M>>(), Selection::when(where), input, {}, output);
}

}  // namespace weft
