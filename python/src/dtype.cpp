#include "python/src/dtype.h"

#include <array>

namespace weft::python {
namespace {

const std::array<SharedDType, 12>& numbers() {
  static const auto all = [] {
    const DType types[] = {
        {"?", "bool", "uint8_t", 1},      {"b", "int8", "int8_t", 1},     {"B", "uint8", "uint8_t", 1},
        {"h", "int16", "int16_t", 2},     {"H", "uint16", "uint16_t", 2}, {"i", "int32", "int", 4},
        {"I", "uint32", "uint", 4},       {"q", "int64", "int64_t", 8},   {"Q", "uint64", "uint64_t", 8},
        {"e", "float16", "float16_t", 2}, {"f", "float32", "float", 4},   {"d", "float64", "double", 8},
    };
    std::array<SharedDType, 12> shared;
    for (size_t i = 0; i < shared.size(); ++i) shared[i] = std::make_shared<const DType>(types[i]);
    return shared;
  }();
  return all;
}

}  // namespace

SharedDType dtype_named(const std::string& name) {
  for (const SharedDType& number : numbers()) {
    if (number->name == name) return number;
  }
  throw nb::type_error(("'" + name +
                        "' is no type of Weft's arrays; those are bool, integers of 8 to 64 bits, "
                        "float16, float32 and float64.")
                           .c_str());
}

nb::object numpy_dtype(const DType& dtype) {
  if (dtype.numpy.is_valid()) return dtype.numpy;
  return nb::module_::import_("numpy").attr("dtype")(dtype.name);
}

}  // namespace weft::python
