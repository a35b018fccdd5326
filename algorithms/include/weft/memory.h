#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <weft/buffer.h>

/// Functions on memory, such as weft::scan(), take their arguments in one order: the stream; what the elements are,
/// where their memory does not say; what is done with them (operator, comparison, selection, bins); the memory that is
/// read, and the memory that is written; and at the end what may be left out.
///
///   compact(stream, "x > 5", input, output)                            elements as C++ knows them
///   compact(stream, element, selection, input, flags, output)          elements as an Element says
///   merge_sort(stream, elements, Comparison::descending())             what may be left out
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

/// What functions read elements from: a Buffer<T>, a View<T> or a View<const T>.
template <typename M>
concept ReadableMemory = requires {
  typename detail::ElementIn<M>::type;
};

/// What functions write elements to: a Buffer<T> or a View<T>.
template <typename M>
concept WritableMemory = ReadableMemory<M> && !std::is_const_v<typename detail::ElementIn<M>::type>;

/// Memory of elements as an Element says: a Buffer<T> or View<T>, whose T has to be as large as an element, or as a
/// scalar of which the element's fields all are. A Region, and memory of std::byte, hold what the Element says.
class ElementMemory {
 public:
  ElementMemory() = default;
  ElementMemory(const Region& region) : region_(region) {}
  template <typename T>
  ElementMemory(const View<T>& view) : region_(view.region()), element_bytes_(bytes_of<T>) {}
  template <typename T>
  ElementMemory(const Buffer<T>& buffer) : ElementMemory(buffer.view()) {}

  const Region& region() const { return region_; }
  /// Of a T; 0 where that is not known.
  uint64_t element_bytes() const { return element_bytes_; }

 private:
  template <typename T>
  static constexpr uint64_t bytes_of = std::is_same_v<std::remove_const_t<T>, std::byte> ? 0 : sizeof(T);

  Region region_;
  uint64_t element_bytes_ = 0;
};

/// The T of such memory. A function's first memory of a kind says what it is, and the others convert to views of it.
template <ReadableMemory M>
using ValueIn = std::remove_const_t<typename detail::ElementIn<M>::type>;

}  // namespace weft
