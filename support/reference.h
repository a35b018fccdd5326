#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

#include "support/extremes.h"
#include "support/scalar_type.h"

namespace weft::support {

// Serial references on the CPU, fed in pieces so that arrays larger than host memory can be checked.
//
// Integers, min and max must agree exactly, but for the bits of NaNs. The reference for floating-point sums is a
// compensated sum in double precision. A sum of n elements may differ from it by (128 + n/1024) roundings of the sum of
// the magnitudes: the error bound of 128 additions in a tile of at least 1024 elements plus a chain over all preceding
// tiles.

enum class Operation { sum, min, max };

template <typename T>
constexpr ScalarType scalar_type_of() {
  constexpr size_t at = std::bit_width(sizeof(T)) - 1;
  if constexpr (is_float_type<T>) return std::array{ScalarType::f16, ScalarType::f32, ScalarType::f64}[at - 1];
  if constexpr (std::is_signed_v<T>)
    return std::array{ScalarType::i8, ScalarType::i16, ScalarType::i32, ScalarType::i64}[at];
  return std::array{ScalarType::u8, ScalarType::u16, ScalarType::u32, ScalarType::u64}[at];
}

/// A floating-point type's largest value, its smallest normal value, and the distance from 1 to the next value.
template <typename T>
struct FloatLimits {
  static constexpr double max = std::numeric_limits<T>::max(), min = std::numeric_limits<T>::min(),
                          epsilon = std::numeric_limits<T>::epsilon();
};
template <>
struct FloatLimits<Half> {
  static constexpr double max = 65504, min = 1.0 / 16384, epsilon = 1.0 / 1024;
};

/// Combines all elements added so far.
template <typename T>
class RunningReference {
 public:
  explicit RunningReference(Operation operation) : operation_(operation) {}

  void add(T x) {
    ++count_;
    if (operation_ != Operation::sum) {
      if (count_ == 1 || precedes(x, extreme_, operation_ == Operation::max)) extreme_ = x;
    } else if constexpr (is_float_type<T>) {
      add_compensated(double(x));
    } else {
      using U = std::make_unsigned_t<T>;
      integer_sum_ = T(U(integer_sum_) + U(x));
    }
  }

  /// Returns why `got` is wrong, or nothing if it is right.
  std::optional<std::string> check(T got) const {
    if (operation_ != Operation::sum) {
      const T wanted = count_ ? extreme_ : of_nothing();
      if (!precedes(got, wanted, false) && !precedes(wanted, got, false)) return std::nullopt;
      return message(got, wanted, "");
    }
    if constexpr (is_float_type<T>) {
      const double wanted = sum_ + compensation_;
      const double roundings = 128.0 + double(count_) / 512.0;
      const double tolerance = roundings * (FloatLimits<T>::epsilon / 2 * magnitudes_ + FloatLimits<T>::min);
      // Overflow: infinite elements, a total beyond the type's range, or a partial sum beyond it in some order.
      const bool may_overflow = !(magnitudes_ + tolerance <= FloatLimits<T>::max);
      if (may_overflow && !std::isfinite(double(got))) return std::nullopt;
      if (!std::isfinite(wanted)) return message(got, T(wanted), "");
      if (std::fabs(double(got) - wanted) <= tolerance) return std::nullopt;
      const double shown = tolerance;
      return message(got, T(wanted), " within " + format_value(ScalarType::f64, &shown));
    } else {
      if (got == integer_sum_) return std::nullopt;
      return message(got, integer_sum_, "");
    }
  }

 private:
  static std::string message(T got, T wanted, const std::string& within) {
    return "got " + format_value(scalar_type_of<T>(), &got) + ", expected " +
           format_value(scalar_type_of<T>(), &wanted) + within;
  }

  T of_nothing() const {
    if constexpr (is_float_type<T>) {
      constexpr float infinity = std::numeric_limits<float>::infinity();
      return T(operation_ == Operation::min ? infinity : -infinity);
    } else {
      using Limits = std::numeric_limits<T>;
      return operation_ == Operation::min ? Limits::max() : Limits::lowest();
    }
  }

  // Neumaier's variant of Kahan's summation.
  void add_compensated(double x) {
    magnitudes_ += std::fabs(x);
    const double sum = sum_ + x;
    if (std::isfinite(sum)) compensation_ += std::fabs(sum_) >= std::fabs(x) ? (sum_ - sum) + x : (x - sum) + sum_;
    sum_ = sum;
  }

  Operation operation_;
  uint64_t count_ = 0;
  T extreme_{}, integer_sum_{};
  double sum_ = 0, compensation_ = 0, magnitudes_ = 0;
};

/// Checks a scan's output. Call check() with consecutive pieces of input and output.
template <typename T>
class ScanReference {
 public:
  ScanReference(Operation operation, bool inclusive) : running_(operation), inclusive_(inclusive) {}

  /// Sets a number that precedes all elements. Call it before check().
  void start_from(T initial) { running_.add(initial); }

  /// Describes the first wrong element, or returns nothing.
  std::optional<std::string> check(std::span<const T> input, std::span<const T> output) {
    for (size_t i = 0; i < input.size(); ++i, ++index_) {
      if (inclusive_) running_.add(input[i]);
      if (const auto wrong = running_.check(output[i])) return "element " + std::to_string(index_) + ": " + *wrong;
      if (!inclusive_) running_.add(input[i]);
    }
    return std::nullopt;
  }

 private:
  RunningReference<T> running_;
  bool inclusive_;
  uint64_t index_ = 0;
};

}  // namespace weft::support
