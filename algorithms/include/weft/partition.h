#pragma once

#include <memory>
#include <string>

#include <weft/compact.h>
#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/memory.h>
#include <weft/stream.h>

namespace weft {

namespace algorithms {
class SelectionPlan;
}

/// Where a partition puts the elements that are not selected.
enum class Others {
  apart,     ///< In memory of their own, in their order.
  behind,    ///< Behind the selected ones, in their order: a stable partition of one array.
  reversed,  ///< Behind the selected ones, in reversed order, from the end of the output on.
};

/// Writes the selected elements together in their order, and the others, and how many are selected.
///
/// look_back reads and writes each element once. Others::behind cannot: where the others start is known only once all
/// elements have been looked at, so it takes reduce_then_scan, which reads them twice. The result is the same on every
/// run and device. (Merrill and Garland 2016, decoupled look-back.)
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class Partition {
 public:
  struct Options {
    Others others = Others::apart;
    TilePath path = TilePath::automatic;
  };

  /// Compiles for up to `max_count` elements. Throws unsupported when the device lacks the element's type, or 8-bit
  /// members in buffers for 8-bit flags; compile_failed when the expression does not compile; invalid_argument for
  /// Others::behind on look_back, flags of other widths than 8 and 32 bits, and more elements than 1 TiB holds.
  Partition(const Device& device, const Element& element, const Selection& selection, uint64_t max_count,
            const Options& options);
  Partition(const Device& device, const Element& element, const Selection& selection, uint64_t max_count);

  TilePath path() const;
  /// Bytes of temporary storage that record() needs, a multiple of 16. Grows with max_count.
  uint64_t temporary_bytes() const;

  struct Arguments {
    Region input;     ///< At least `count` elements, at a multiple of the element's alignment.
    Region flags;     ///< For Selection::flagged(): `count` flags at a multiple of their size. Otherwise empty.
    Region output;    ///< Room for `count` elements.
    Region others;    ///< For Others::apart: likewise. Otherwise empty.
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

/// Partitions all of `input` into `output`, the selected elements in front, all in their order, and returns how many
/// those are. Waits for it; keeps its plan in the stream.
uint64_t partition(Stream& stream, const Element& element, const Selection& selection, const ElementMemory& input,
                   const Region& flags, const ElementMemory& output);

template <ReadableMemory M>
uint64_t partition(Stream& stream, const std::string& where, const M& input, const View<ValueIn<M>>& output) {
  return partition(stream, Element::of<ValueIn<M>>(), Selection::when(where), input, {}, output);
}

}  // namespace weft
