#pragma once

#include <type_traits>

#include <weft/buffer.h>

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

/// The T of such memory. A function's first memory of a kind says what it is, and the others convert to views of it.
template <ReadableMemory M>
using ValueIn = std::remove_const_t<typename detail::ElementIn<M>::type>;

}  // namespace weft
