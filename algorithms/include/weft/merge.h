#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <weft/comparison.h>
#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/memory.h>
#include <weft/stream.h>

namespace weft {

/// Merges two sorted sequences into one. Stable: equal elements keep their order, those of the first sequence before
/// those of the second. With values, each element carries a value of any size along.
///
/// Two dispatches: where each tile of the output starts in the two sequences (merge path), then the tiles. Each element
/// is read and written once. The result is the same on every run and device. (Green, McColl and Bader 2012, GPU Merge
/// Path.)
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class Merge {
 public:
  struct Options {
    std::optional<Element> values;  ///< What each element carries along; nothing if left out.
  };

  /// Compiles for up to `max_count` elements of both sequences together. Throws unsupported when the device lacks the
  /// element's type, compile_failed when the comparison does not compile, invalid_argument for a comparison of scalars
  /// on structs and for more elements or values than 1 TiB holds.
  Merge(const Device& device, const Element& element, const Comparison& comparison, uint64_t max_count,
        const Options& options);
  Merge(const Device& device, const Element& element, const Comparison& comparison, uint64_t max_count);

  /// Bytes of temporary storage that record() needs, a multiple of 16. Grows with max_count.
  uint64_t temporary_bytes() const;

  struct Sequence {
    Region elements;  ///< At least `count`, sorted, at a multiple of the element's alignment.
    Region values;    ///< As many for a plan with values. Otherwise empty.
    Count count;
  };
  struct Arguments {
    Sequence first, second;
    Region output;         ///< Room for both counts together.
    Region output_values;  ///< Likewise, for a plan with values. Otherwise empty.
    Region temporary;      ///< temporary_bytes(), wherever they start; its contents do not matter before and after.
  };
  /// Throws invalid_argument when a region is too small, misaligned, or over one that it may not share memory with, or
  /// the counts together are above the plan's maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

/// Records a merge of all of `first` and `second` into `output`. Keeps its plan and temporary storage in the stream.
void merge(Stream& stream, const Element& element, const Comparison& comparison, const ElementMemory& first,
           const ElementMemory& second, const ElementMemory& output);

template <ReadableMemory M>
void merge(Stream& stream, const M& first, const View<const ValueIn<M>>& second, const View<ValueIn<M>>& output,
           const Comparison& comparison = Comparison::ascending()) {
  merge(stream, Element::of<ValueIn<M>>(), comparison, first, second, output);
}

}  // namespace weft
