#pragma once

#include <memory>
#include <optional>
#include <string>

#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/memory.h>
#include <weft/operator.h>
#include <weft/stream.h>
#include <weft/transform.h>

namespace weft {

enum class ScanKind {
  inclusive,  ///< out[i] = in[0] op ... op in[i]
  exclusive,  ///< out[i] = in[0] op ... op in[i-1]; for i = 0 the initial element, or the identity
};

/// How tiles learn what came before them.
enum class TilePath {
  automatic,  ///< look_back where the device promises forward progress between workgroups.
  look_back,  ///< One pass: a tile waits for its predecessors' totals (Merrill and Garland 2016, decoupled look-back).
  reduce_then_scan,  ///< Totals first, then their scan, then the tiles: three dispatches, none waits for another
                     ///< (Blelloch 1990, prefix sums).
};

/// Prefix scan with any associative operator, commutative or not.
///
/// look_back reads and writes each element once; reduce_then_scan reads it twice. Integer results are exact and the
/// same everywhere; floating-point results depend on the device's tile size and, with look_back, may differ between
/// runs in the last places because totals are combined in the order in which they arrive.
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class Scan {
 public:
  struct Options {
    ScanKind kind = ScanKind::exclusive;
    TilePath path = TilePath::automatic;
    std::string initial{};                 ///< GLSL expression of a T that comes before all elements; none when empty.
    std::optional<Transform> transform{};  ///< Computes the elements; the input then holds what it is of.
  };

  /// Compiles for up to `max_count` elements. Throws unsupported when the device lacks a type, compile_failed when
  /// the operator, the initial element or the transform does not compile, invalid_argument for more elements than 1 TiB
  /// holds and for an operator of scalars on structs.
  Scan(const Device& device, const Element& element, const Operator& op, uint64_t max_count, const Options& options);
  Scan(const Device& device, const Element& element, const Operator& op, uint64_t max_count);

  /// The path taken, never automatic.
  TilePath path() const;
  /// Bytes of temporary storage that record() needs, a multiple of 16. Grows with max_count.
  uint64_t temporary_bytes() const;

  struct Arguments {
    Region input;   ///< At least `count` elements or what a transform is of, at a multiple of their alignment.
    Region output;  ///< As many elements. May be at the start of an input of elements of that size.
    Count count;
    Region temporary;  ///< temporary_bytes(), wherever they start; its contents do not matter before and after.
    Region second{};   ///< For a transform of two inputs: as many as in `input`. Otherwise empty.
  };
  /// Throws invalid_argument when a region is too small, misaligned, or over one that it may not share memory with, or
  /// the count is above the plan's maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

/// Records a scan of all of `input` into `output`, which may be the same. Keeps its plan and temporary storage in the
/// stream.
void scan(Stream& stream, const Element& element, const Operator& op, ScanKind kind, const ElementMemory& input,
          const ElementMemory& output);
/// As above, of elements that a transform of one input computes from those of `input`.
void scan(Stream& stream, const Element& element, const Operator& op, ScanKind kind, const Transform& transform,
          const ElementMemory& input, const ElementMemory& output);

template <ReadableMemory M>
void inclusive_scan(Stream& stream, const M& input, const View<ValueIn<M>>& output,
                    const Operator& op = Operator::sum()) {
  scan(stream, Element::of<ValueIn<M>>(), op, ScanKind::inclusive, input, output);
}
template <ReadableMemory M>
void exclusive_scan(Stream& stream, const M& input, const View<ValueIn<M>>& output,
                    const Operator& op = Operator::sum()) {
  scan(stream, Element::of<ValueIn<M>>(), op, ScanKind::exclusive, input, output);
}

/// Scans what a GLSL expression of each `x` gives, elements of the output: inclusive_scan(stream, "T(x)", bytes, sums)
/// of wider sums than bytes hold.
template <ReadableMemory M, WritableMemory W>
void inclusive_scan(Stream& stream, const std::string& expression, const M& input, const W& output,
                    const Operator& op = Operator::sum()) {
  scan(stream, Element::of<ValueIn<W>>(), op, ScanKind::inclusive, Transform::of(Element::of<ValueIn<M>>(), expression),
       input, output);
}
template <ReadableMemory M, WritableMemory W>
void exclusive_scan(Stream& stream, const std::string& expression, const M& input, const W& output,
                    const Operator& op = Operator::sum()) {
  scan(stream, Element::of<ValueIn<W>>(), op, ScanKind::exclusive, Transform::of(Element::of<ValueIn<M>>(), expression),
       input, output);
}

}  // namespace weft
