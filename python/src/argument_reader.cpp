#include "python/src/argument_reader.h"

#include <cstring>

#include "algorithms/src/base/argument_rules.h"

namespace weft::python {

nb::handle ArgumentReader::take(const char* name) {
  PyObject* const value = PyDict_GetItemString(given_.ptr(), name);
  if (value) ++taken_;
  return value == Py_None ? nullptr : value;
}

const Array& ArgumentReader::array_in(const char* name, nb::handle value) const {
  if (!nb::isinstance<Array>(value)) {
    throw nb::type_error(("'" + std::string(name) + "' takes a weft.Array.").c_str());
  }
  return *nb::inst_ptr<Array>(value);
}

Region ArgumentReader::region(const char* name) {
  const nb::handle value = take(name);
  if (!value.is_valid()) return std::strcmp(name, "temporary") == 0 ? temporary_ : Region{};
  const Array& array = array_in(name, value);
  if (!array.memory()->is_writable()) require_read_only(name);
  return array.region();
}

Count ArgumentReader::count(const char* name) {
  const nb::handle value = take(name);
  if (!value.is_valid()) return 0;
  if (!nb::isinstance<Array>(value)) return number_in<uint64_t>(name, value);
  const Array& words = array_in(name, value);
  if (words.dtype()->bytes == 4) return View<const uint32_t>(words.region());
  if (words.dtype()->bytes == 8) return View<const uint64_t>(words.region());
  throw nb::type_error(("'" + std::string(name) + "' takes an int, or an array of uint32 or uint64.").c_str());
}

CountOutput ArgumentReader::count_output(const char* name) {
  const nb::handle value = take(name);
  if (!value.is_valid()) return {};
  const Array& words = array_in(name, value);
  if (words.dtype()->bytes == 4) return View<uint32_t>(words.region());
  if (words.dtype()->bytes == 8) return View<uint64_t>(words.region());
  throw nb::type_error(("'" + std::string(name) + "' takes an array of uint32 or uint64.").c_str());
}

void ArgumentReader::require_read_only(const char* name) const {
  for (const algorithms::ArgumentRule& rule : algorithms::rules_of(plan_).arguments) {
    if (rule.name == name && rule.access == algorithms::Access::read) return;
  }
  throw nb::value_error(("'" + std::string(name) + "' is read-only, and the plan writes to it.").c_str());
}

void ArgumentReader::fail_number(const char* name, bool is_float) {
  throw nb::type_error(
      ("'" + std::string(name) + "' takes " + (is_float ? "a number." : "a whole number that is not negative."))
          .c_str());
}

void ArgumentReader::require_all_read() const {
  if (taken_ == size_t(PyDict_Size(given_.ptr()))) return;
  throw nb::type_error((std::string(plan_) + " has no argument of one of these names: " +
                        nb::cast<std::string>(nb::str(", ").attr("join")(given_.attr("keys")())) + ".")
                           .c_str());
}

}  // namespace weft::python
