#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>

#include <weft/api.h>
#include <weft/element_memory.h>
#include <weft/reduce.h>

namespace weft {

/// A common reduction: the arguments of its Reduce plan (Harris 2007, parallel reduction):
///
///   const Reduction r = Reduction::arg_min(Element::of<float>());
///   const Reduce plan(device, r.element, r.op, count, {.transform = r.transform});
///
/// The result is a struct of 32-bit words. A value takes one word, or two if it has 64 bits; values of 8 and 16 bits
/// are widened to int, uint or float. A plain value.
struct WEFT_API Reduction {
  Element element;  ///< Type of the result.
  Operator op;
  Transform transform;

  /// The smallest or largest of these scalars: two words of its index, then its value. Of several equal ones, the
  /// first. NaNs are skipped. Without elements, or with only NaNs, all bits of the index are set.
  static Reduction arg_min(const Element& of);
  static Reduction arg_max(const Element& of);
  /// The smallest and the largest of these scalars, by Operator::min() and max(); without elements, the type's largest
  /// and smallest value, or infinity and -infinity.
  static Reduction min_max(const Element& of);
  /// The bounding box of points of 2 to 4 floats: low corner, then high corner; without points, infinity and -infinity.
  /// Along each axis NaNs give way to numbers, as in Operator::min(). Throws invalid_argument for another number of
  /// dimensions.
  static Reduction bounds(uint32_t dimensions);
  /// As above for points in larger elements. `point` is a GLSL expression of `x`: bounds(3, particle, "x.at").
  static Reduction bounds(uint32_t dimensions, const Element& of, const std::string& point);
  /// The sum of the products of two inputs of these scalars. The result is one such scalar.
  static Reduction dot_product(const Element& of);
};

/// Reduces all of `input`, and of `second` for a transform of two inputs, and returns the result. Waits for it. The
/// stream keeps the plan. Throws invalid_argument if the result has another size than the reduction's element, or if
/// the inputs differ in length.
WEFT_API void reduce(Stream& stream, const Reduction& reduction, const ElementMemory& input,
                     const ElementMemory& second, std::span<std::byte> result);

/// Reduces the values, of type R, of a GLSL expression of each element `x`: reduce<float>(stream, "x * x", numbers).
/// For structs: reduce<float>(stream, particle, "x.mass", particles).
template <typename R>
R reduce(Stream& stream, const Element& of, const std::string& expression, const ElementMemory& input,
         const Operator& op = Operator::sum()) {
  R result{};
  reduce(stream, {Element::of<R>(), op, Transform::of(of, expression)}, input, {},
         std::as_writable_bytes(std::span(&result, 1)));
  return result;
}
template <typename R, ReadableMemory M>
R reduce(Stream& stream, const std::string& expression, const M& input, const Operator& op = Operator::sum()) {
  return reduce<R>(stream, Element::of<ValueIn<M>>(), expression, input, op);
}
/// Converts each number to R, then reduces: reduce<uint64_t>(stream, bytes) is a sum that does not wrap at 8 bits.
template <typename R, ReadableMemory M>
R reduce(Stream& stream, const M& input, const Operator& op = Operator::sum()) {
  return reduce<R>(stream, Element::of<ValueIn<M>>(), "T(x)", input, op);
}

namespace detail {

/// Reads a value of type T from the words of a result.
template <typename T>
T value_in_words(const uint32_t* words) {
  if constexpr (std::is_integral_v<T> && sizeof(T) < 4) {
    return T(words[0]);
  } else if constexpr (std::is_same_v<T, Half>) {
    float wide;
    std::memcpy(&wide, words, sizeof wide);
    return Half(wide);
  } else {
    T value;
    std::memcpy(&value, words, sizeof value);
    return value;
  }
}
template <typename T>
constexpr size_t value_words = sizeof(T) <= 4 ? 1 : 2;

}  // namespace detail

/// An extreme value and its index; `no_index` if there is none.
template <typename T>
struct Extreme {
  static constexpr uint64_t no_index = ~uint64_t{0};
  uint64_t index;
  T value;
};

template <ReadableMemory M>
Extreme<ValueIn<M>> arg_extreme(Stream& stream, const M& input, const Reduction& reduction) {
  uint32_t words[2 + detail::value_words<ValueIn<M>>];
  reduce(stream, reduction, input, {}, std::as_writable_bytes(std::span(words)));
  return {words[0] | uint64_t{words[1]} << 32, detail::value_in_words<ValueIn<M>>(words + 2)};
}
/// The index and value of the smallest element; see Reduction::arg_min().
template <ReadableMemory M>
Extreme<ValueIn<M>> arg_min(Stream& stream, const M& input) {
  return arg_extreme(stream, input, Reduction::arg_min(Element::of<ValueIn<M>>()));
}
template <ReadableMemory M>
Extreme<ValueIn<M>> arg_max(Stream& stream, const M& input) {
  return arg_extreme(stream, input, Reduction::arg_max(Element::of<ValueIn<M>>()));
}

template <typename T>
struct MinMax {
  T smallest, largest;
};
/// See Reduction::min_max().
template <ReadableMemory M>
MinMax<ValueIn<M>> min_max(Stream& stream, const M& input) {
  using T = ValueIn<M>;
  uint32_t words[2 * detail::value_words<T>];
  reduce(stream, Reduction::min_max(Element::of<T>()), input, {}, std::as_writable_bytes(std::span(words)));
  return {detail::value_in_words<T>(words), detail::value_in_words<T>(words + detail::value_words<T>)};
}

template <uint32_t N>
struct Box {
  std::array<float, N> low, high;
};
/// Bounding box of an array of points, see Reduction::bounds(): bounds<3>(stream, points).
template <uint32_t N>
Box<N> bounds(Stream& stream, const ElementMemory& input) {
  Box<N> box{};
  reduce(stream, Reduction::bounds(N), input, {}, std::as_writable_bytes(std::span(&box, 1)));
  return box;
}
/// As above for points in larger elements: bounds<3>(stream, particle, "x.at", particles).
template <uint32_t N>
Box<N> bounds(Stream& stream, const Element& of, const std::string& point, const ElementMemory& input) {
  Box<N> box{};
  reduce(stream, Reduction::bounds(N, of, point), input, {}, std::as_writable_bytes(std::span(&box, 1)));
  return box;
}

/// x[0] * y[0] + x[1] * y[1] + ...
template <ReadableMemory M>
ValueIn<M> dot_product(Stream& stream, const M& x, const View<const ValueIn<M>>& y) {
  ValueIn<M> result{};
  reduce(stream, Reduction::dot_product(Element::of<ValueIn<M>>()), x, y,
         std::as_writable_bytes(std::span(&result, 1)));
  return result;
}

}  // namespace weft
