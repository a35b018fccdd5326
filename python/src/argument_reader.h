#pragma once

#include <nanobind/nanobind.h>

#include <cmath>
#include <string>
#include <type_traits>

#include <weft/count.h>

#include "python/src/array.h"

namespace weft::python {

/// Reads the arguments of a plan from those that Python's call names.
class ArgumentReader {
 public:
  /// `temporary`: for a plan's temporary storage, if the caller gives none.
  ArgumentReader(const char* plan, const nb::kwargs& given, const Region& temporary)
      : plan_(plan), given_(given), temporary_(temporary) {}

  /// Of an Array; empty if it is left out or None.
  Region region(const char* name);
  /// An int, or an Array of one uint32 or uint64.
  Count count(const char* name);
  CountOutput count_output(const char* name);
  template <typename T>
  T number(const char* name, T otherwise) {
    const nb::handle value = take(name);
    return value.is_valid() ? number_in<T>(name, value) : otherwise;
  }
  /// Throws a TypeError if an argument was given that the plan does not have.
  void require_all_read() const;

 private:
  /// The value, or an invalid handle for None.
  nb::handle take(const char* name);
  const Array& array_in(const char* name, nb::handle value) const;
  /// Throws a ValueError if the plan writes to the argument.
  void require_read_only(const char* name) const;
  template <typename T>
  static T number_in(const char* name, nb::handle value) {
    T number{};
    if (!nb::try_cast<T>(value, number)) fail_number(name, std::is_floating_point_v<T>);
    return number;
  }
  [[noreturn]] static void fail_number(const char* name, bool is_float);

  const char* const plan_;
  const nb::kwargs& given_;
  size_t taken_ = 0;
  const Region temporary_;
};

}  // namespace weft::python
