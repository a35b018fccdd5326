#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>

#include "c/src/errors.h"

/// Structs that carry their size, so that a program and a library of different versions understand each other.
namespace weft::c {

/// Larger sizes are taken for uninitialised ones.
constexpr size_t largest_struct = 4096;

/// Throws invalid_argument unless `size` is one that a struct of some version may have. All members are, alone or
/// together, multiples of 8 bytes, so that none is in the padding of an older version.
void check_size(const char* parameter, size_t size);
/// Throws invalid_argument if a struct of a newer version sets something that this one does not know.
void check_zeros(const char* parameter, const void* given, size_t known, size_t size);

/// The caller's struct, whose members beyond its size are 0. All 0 for null.
template <typename T>
T copy_of(const T* given, const char* parameter) {
  static_assert(std::is_trivially_copyable_v<T> && std::has_unique_object_representations_v<T> && sizeof(T) % 8 == 0);
  T copy{};
  if (!given) return copy;
  check_size(parameter, given->size);
  const size_t known = given->size < sizeof(T) ? given->size : sizeof(T);
  std::memcpy(&copy, given, known);
  check_zeros(parameter, given, known, given->size);
  return copy;
}

/// Writes as much of `value` as the caller's struct has room for, and zeros to what a newer one has besides.
template <typename T>
void copy_to(T* given, const char* parameter, T value) {
  static_assert(std::is_trivially_copyable_v<T> && std::has_unique_object_representations_v<T> && sizeof(T) % 8 == 0);
  const size_t size = given->size, known = size < sizeof(T) ? size : sizeof(T);
  check_size(parameter, size);
  value.size = size;
  std::memcpy(given, &value, known);
  std::memset(reinterpret_cast<std::byte*>(given) + known, 0, size - known);
}

}  // namespace weft::c
