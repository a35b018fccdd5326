#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <weft/api.h>
#include <weft/comparison.h>
#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/element_memory.h>
#include <weft/stream.h>
#include <weft/tuning.h>

namespace weft {

/// Merges two sorted sequences into one. Stable: equal elements keep their order, with those of the first sequence
/// first. With values, a value of any size moves with each element.
///
/// Two dispatches: the first finds where each tile of the output starts in the two sequences (merge path), the second
/// merges the tiles. Each element is read and written once. Results are the same in every run and on every device.
/// (Green, McColl and Bader 2012, GPU Merge Path.)
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class WEFT_API Merge {
 public:
  struct Options {
    std::optional<Element> values{};  ///< The type of a value that moves with each element; by default none.
    std::optional<Tuning> tuning{};   ///< Overrides the device's tuning.
  };

  /// Compiles for up to `max_count` elements of both sequences together. Throws unsupported if the device lacks the
  /// element's type, compile_failed if the comparison does not compile, invalid_argument for a scalar comparison on
  /// structs and for more than 1 TiB of elements or values.
  Merge(const Device& device, const Element& element, const Comparison& comparison, uint64_t max_count,
        const Options& options);
  Merge(const Device& device, const Element& element, const Comparison& comparison, uint64_t max_count);

  /// Bytes of temporary storage, a multiple of 16. Grows with max_count.
  uint64_t temporary_bytes() const;

  struct Sequence {
    Region elements;  ///< At least `count` sorted elements, at a multiple of the element's alignment.
    Region values;    ///< At least `count` values, for a plan with values. Otherwise empty.
    Count count;
  };
  struct Arguments {
    Sequence first, second;
    Region output;         ///< Room for the elements of both sequences.
    Region output_values;  ///< Room for the values of both, for a plan with values. Otherwise empty.
    Region temporary;      ///< temporary_bytes() bytes at any address, uninitialized. Overwritten.
  };
  /// Throws invalid_argument if a region is too small or misaligned, if it overlaps one that it may not share memory
  /// with, or if the counts together exceed the plan's maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

/// Records a merge of all of `first` and `second` into `output`. The stream keeps the plan and its temporary storage.
WEFT_API void merge(Stream& stream, const Element& element, const Comparison& comparison, const ElementMemory& first,
                    const ElementMemory& second, const ElementMemory& output);

template <ReadableMemory M>
void merge(Stream& stream, const M& first, const View<const ValueIn<M>>& second, const View<ValueIn<M>>& output,
           const Comparison& comparison = Comparison::ascending()) {
  merge(stream, Element::of<ValueIn<M>>(), comparison, first, second, output);
}

}  // namespace weft
