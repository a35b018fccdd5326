#pragma once

#include <memory>
#include <optional>
#include <string>

#include <weft/api.h>
#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/element_memory.h>
#include <weft/operator.h>
#include <weft/stream.h>
#include <weft/tile_path.h>
#include <weft/transform.h>
#include <weft/tuning.h>

namespace weft {

enum class ScanKind {
  inclusive,  ///< out[i] = in[0] op ... op in[i]
  exclusive,  ///< out[i] = in[0] op ... op in[i-1]; out[0] is the initial element, or Operator::nothing
};

/// Prefix scan with any associative operator, commutative or not.
///
/// look_back reads and writes each element once; reduce_then_scan reads it twice. Integer results are exact and the
/// same everywhere. Floating-point results depend on the device's tile size. With look_back their last digits may
/// differ between runs, because totals are combined in the order of their arrival.
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class WEFT_API Scan {
 public:
  struct Options {
    ScanKind kind = ScanKind::exclusive;
    TilePath path = TilePath::automatic;
    std::string initial{};                 ///< GLSL expression of a T that precedes all elements; empty: none.
    std::optional<Transform> transform{};  ///< Computes the elements from the input.
    std::optional<Tuning> tuning{};        ///< Overrides the device's tuning.
  };

  /// Compiles for up to `max_count` elements. Throws unsupported if the device lacks a type, compile_failed if the
  /// operator, the initial element or the transform does not compile, invalid_argument for more than 1 TiB of elements
  /// and for a scalar operator on structs.
  Scan(const Device& device, const Element& element, const Operator& op, uint64_t max_count, const Options& options);
  Scan(const Device& device, const Element& element, const Operator& op, uint64_t max_count);

  /// The path that the plan takes, never automatic.
  TilePath path() const;
  /// Bytes of temporary storage, a multiple of 16. Grows with max_count.
  uint64_t temporary_bytes() const;

  struct Arguments {
    Region input;  ///< At least `count` elements, or `count` inputs of the transform, at a multiple of their alignment.
    Region output;  ///< Room for `count` elements. May be the region of an input with elements of the same size.
    Count count;
    Region temporary;  ///< temporary_bytes() bytes at any address, uninitialized. Overwritten.
    Region second{};   ///< For a transform of two inputs: at least `count` of the second. Otherwise empty.
  };
  /// Throws invalid_argument if a region is too small or misaligned, if it overlaps one that it may not share memory
  /// with, or if the count exceeds the plan's maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

/// Records a scan of all of `input` into `output`, which may be the same memory. The stream keeps the plan and its
/// temporary storage.
WEFT_API void scan(Stream& stream, const Element& element, const Operator& op, ScanKind kind,
                   const ElementMemory& input, const ElementMemory& output);
/// As above, with elements that a transform of one input computes from `input`.
WEFT_API void scan(Stream& stream, const Element& element, const Operator& op, ScanKind kind,
                   const Transform& transform, const ElementMemory& input, const ElementMemory& output);

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

/// Scans the values, of the output's type, of a GLSL expression of each element `x`: inclusive_scan(stream, "T(x)",
/// bytes, sums) adds bytes to wider sums.
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
