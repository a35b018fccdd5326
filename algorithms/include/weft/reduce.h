#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/memory.h>
#include <weft/operator.h>
#include <weft/stream.h>
#include <weft/transform.h>

namespace weft {

/// Combines all elements into one: out[0] = in[0] op in[1] op ... op in[n-1]; the operator's identity for n = 0.
///
/// Workgroups reduce tiles (registers, then subgroup shuffles, then workgroup memory): they take them in turn where the
/// operator is commutative, and otherwise a run of them each. A second dispatch combines their results in order, so no
/// workgroup waits for another. The result of one plan for one count is the same on every run. For floating point it
/// may differ between devices, counts, tuning files and plans' maxima, and between a count and the same one in device
/// memory, because the order of the sum does. Reads each element once. (Harris 2007, parallel reduction.)
///
/// With Options::fixed_order the elements are combined along one tree whatever the device and however it is set up, so
/// that floating-point results agree to the last bit between devices that round alike; a sum of nothing but negative
/// zeros may be either zero. That takes a dispatch for each factor of some thousand elements.
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class Reduce {
 public:
  struct Options {
    std::optional<Transform> transform{};  ///< Computes the elements; the input then holds what it is of.
    bool fixed_order = false;
  };

  /// Compiles for up to `max_count` elements. Throws unsupported when the device lacks a type, compile_failed when the
  /// operator or the transform does not compile, invalid_argument for more elements than 1 TiB holds and for an
  /// operator of scalars on structs.
  Reduce(const Device& device, const Element& element, const Operator& op, uint64_t max_count, const Options& options);
  Reduce(const Device& device, const Element& element, const Operator& op, uint64_t max_count);

  /// Bytes of temporary storage that record() needs, a multiple of 16. Grows with max_count.
  uint64_t temporary_bytes() const;

  struct Arguments {
    Region input;   ///< At least `count` elements or what a transform is of, at a multiple of their alignment.
    Region output;  ///< One element. May be in `input`.
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

/// Combines all elements of `input` and returns the result to the host. Waits for it; keeps its plan in the stream.
template <ReadableMemory M>
ValueIn<M> reduce(Stream& stream, const M& input, const Operator& op = Operator::sum());

/// As above for elements that are structs.
void reduce(Stream& stream, const Element& element, const Operator& op, const ElementMemory& input,
            std::span<std::byte> result);

template <ReadableMemory M>
ValueIn<M> reduce(Stream& stream, const M& input, const Operator& op) {
  ValueIn<M> result{};
  reduce(stream, Element::of<ValueIn<M>>(), op, input, std::as_writable_bytes(std::span(&result, 1)));
  return result;
}

}  // namespace weft
