#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include <weft/api.h>
#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/element_memory.h>
#include <weft/operator.h>
#include <weft/stream.h>
#include <weft/transform.h>
#include <weft/tuning.h>

namespace weft {

/// Combines all elements into one: out[0] = in[0] op in[1] op ... op in[n-1], or Operator::nothing if n = 0.
///
/// Workgroups reduce tiles in registers, then by subgroup shuffles, then in workgroup memory. With a
/// commutative operator the workgroups take tiles in turn; otherwise each takes consecutive tiles. A second dispatch
/// combines their results in order, so no workgroup waits for another. The result of one plan for one count is the same
/// in every run. Floating-point results depend on the order of combining, which differs between devices, tunings,
/// counts and maximum counts, and between a number and a count in device memory. Reads each element once. (Harris 2007,
/// parallel reduction.)
///
/// With Options::fixed_order the elements are combined along the same tree on every device and with every tuning.
/// Floating-point results then agree to the last bit between devices that round alike, except that a sum of only
/// negative zeros may be either zero. This takes one dispatch for each factor of 1024 or 4096 elements.
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class WEFT_API Reduce {
 public:
  struct Options {
    std::optional<Transform> transform{};  ///< Computes the elements from the input.
    bool fixed_order = false;
    std::optional<Tuning> tuning{};  ///< Overrides the device's tuning.
  };

  /// Compiles for up to `max_count` elements. Throws unsupported if the device lacks a type, compile_failed if the
  /// operator or the transform does not compile, invalid_argument for more than 1 TiB of elements and for a scalar
  /// operator on structs.
  Reduce(const Device& device, const Element& element, const Operator& op, uint64_t max_count, const Options& options);
  Reduce(const Device& device, const Element& element, const Operator& op, uint64_t max_count);

  /// Bytes of temporary storage, a multiple of 16. Grows with max_count.
  uint64_t temporary_bytes() const;

  struct Arguments {
    Region input;  ///< At least `count` elements, or `count` inputs of the transform, at a multiple of their alignment.
    Region output;  ///< One element. May be anywhere in `input`.
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

/// Combines all elements of `input` and returns the result. Waits for the result. The stream keeps the plan.
template <ReadableMemory M>
ValueIn<M> reduce(Stream& stream, const M& input, const Operator& op = Operator::sum());

/// As above, for elements that are structs.
WEFT_API void reduce(Stream& stream, const Element& element, const Operator& op, const ElementMemory& input,
                     std::span<std::byte> result);

template <ReadableMemory M>
ValueIn<M> reduce(Stream& stream, const M& input, const Operator& op) {
  ValueIn<M> result{};
  reduce(stream, Element::of<ValueIn<M>>(), op, input, std::as_writable_bytes(std::span(&result, 1)));
  return result;
}

}  // namespace weft
