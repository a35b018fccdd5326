#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <weft/buffer.h>

/// Functions on memory, such as weft::scan(), take their arguments in this order: the stream; the element type, unless
/// the memory has it; the operation (operator, comparison, selection, bins); the inputs; the outputs; optional
/// arguments.
///
///   compact(stream, "x > 5", input, output)                            element type from the buffers
///   compact(stream, element, selection, input, flags, output)          element type from an Element
///   merge_sort(stream, elements, Comparison::descending())             an optional argument
namespace weft {

namespace detail {

template <typename M>
struct ElementIn {};
template <typename T>
struct ElementIn<Buffer<T>> {
  using type = T;
};
template <typename T>
struct ElementIn<View<T>> {
  using type = T;
};

}  // namespace detail

/// Memory that functions read elements from: a Buffer<T>, a View<T> or a View<const T>.
template <typename M>
concept ReadableMemory = requires { typename detail::ElementIn<M>::type; };

/// Memory that functions write elements to: a Buffer<T> or a View<T>.
template <typename M>
concept WritableMemory = ReadableMemory<M> && !std::is_const_v<typename detail::ElementIn<M>::type>;

/// Memory whose elements an Element describes. T of a Buffer<T> or View<T> must be as large as an element, or as each
/// scalar of a struct whose scalars all have one size. A Region and memory of std::byte fit any Element.
class ElementMemory {
 public:
  ElementMemory() = default;
  ElementMemory(const Region& region) : region_(region) {}
  template <typename T>
  ElementMemory(const View<T>& view) : region_(view.region()), element_bytes_(bytes_of<T>) {}
  template <typename T>
  ElementMemory(const Buffer<T>& buffer) : ElementMemory(buffer.view()) {}

  const Region& region() const { return region_; }
  /// Size of a T; 0 if it is unknown.
  uint64_t element_bytes() const { return element_bytes_; }

 private:
  template <typename T>
  static constexpr uint64_t bytes_of = std::is_same_v<std::remove_const_t<T>, std::byte> ? 0 : sizeof(T);

  Region region_;
  uint64_t element_bytes_ = 0;
};

/// The T of readable memory. In a call, the first such argument determines T; the others convert to views of T.
template <ReadableMemory M>
using ValueIn = std::remove_const_t<typename detail::ElementIn<M>::type>;

}  // namespace weft
