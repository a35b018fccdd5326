#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <weft/api.h>
#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/element_memory.h>
#include <weft/stream.h>
#include <weft/transform.h>
#include <weft/tuning.h>

namespace weft {

/// Computes each element of the output by a GLSL expression: out[i] = f(in[i]), f(in[i], second[i]) or f(i). Also
/// called transform, elementwise or for-each; of the index alone it is iota, sequence or tabulate.
///
/// One dispatch, no temporary storage; reads each input and writes the output once, in 16-byte vectors where memory is
/// aligned to 16 bytes. Integer results are the same everywhere. Floats are the same in every run on one
/// device; devices may contract operations or differ in functions such as exp().
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class WEFT_API Map {
 public:
  struct Options {
    std::optional<Tuning> tuning{};  ///< Overrides the device's tuning.
  };

  /// Compiles for up to `max_count` elements of the output, of type `element`; the transform has the inputs' type.
  /// Throws unsupported if the device lacks a type, compile_failed if the expression does not compile, invalid_argument
  /// for an empty one and for more than 1 TiB of elements.
  Map(const Device& device, const Element& element, const Transform& transform, uint64_t max_count,
      const Options& options);
  Map(const Device& device, const Element& element, const Transform& transform, uint64_t max_count);
  /// As above without inputs: the expression has only `i`, the index (uint, the low 32 bits), `i_high`, the others, and
  /// `T`, the output's type: Map(device, Element::of<float>(), "T(i) * 0.5", count).
  Map(const Device& device, const Element& element, const std::string& expression, uint64_t max_count,
      const Options& options);
  Map(const Device& device, const Element& element, const std::string& expression, uint64_t max_count);

  struct Arguments {
    Region input;   ///< At least `count` elements, at a multiple of their alignment. Empty for a plan without inputs.
    Region output;  ///< Room for `count` elements. May be the region of an input with elements of the same size.
    Count count;
    Region second{};  ///< For a transform of two inputs: at least `count` of the second. Otherwise empty.
  };
  /// Throws invalid_argument if a region is too small or misaligned, if it overlaps one that it may not share memory
  /// with, or if the count exceeds the plan's maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

/// Records a map: computes each element of `output` from one of `input`, and one of `second` for a transform of two
/// inputs. The stream keeps the plan. Throws invalid_argument if `output` is too small, or if
/// the inputs differ in length.
WEFT_API void map(Stream& stream, const Element& element, const Transform& transform, const ElementMemory& input,
                  const ElementMemory& second, const ElementMemory& output);
/// Records a map that computes all elements of `output` from their indices alone.
WEFT_API void map(Stream& stream, const Element& element, const std::string& expression, const ElementMemory& output);

/// Maps numbers to numbers, here squares: map(stream, "x * x", input, output). T(x) converts to the output's type.
template <ReadableMemory M, WritableMemory W>
void map(Stream& stream, const std::string& expression, const M& input, const W& output) {
  map(stream, Element::of<ValueIn<W>>(), Transform::of(Element::of<ValueIn<M>>(), expression), input, {}, output);
}
/// Maps pairs of numbers: map(stream, "x * y", input, second, output).
template <ReadableMemory M, WritableMemory W>
void map(Stream& stream, const std::string& expression, const M& input, const View<const ValueIn<M>>& second,
         const W& output) {
  map(stream, Element::of<ValueIn<W>>(), Transform::of_two(Element::of<ValueIn<M>>(), expression), input, second,
      output);
}
/// Computes numbers from their indices, here 0, 1, 2 and so on: map(stream, "T(i)", output).
template <WritableMemory W>
void map(Stream& stream, const std::string& expression, const W& output) {
  map(stream, Element::of<ValueIn<W>>(), expression, output);
}

}  // namespace weft
