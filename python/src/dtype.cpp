#include "python/src/dtype.h"

#include <array>
#include <map>

#include <weft/element.h>

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

/// Structs by name. They hold objects of Python, so they are never destroyed.
std::map<std::string, SharedDType>& structs() {
  static auto& all = *new std::map<std::string, SharedDType>();
  return all;
}

}  // namespace

SharedDType add_struct(const DType& dtype, const std::vector<Field>& fields) {
  std::vector<Element::Field> members;
  for (const Field& field : fields) members.push_back({field.type, field.name});
  const Element element = Element::structure(members);
  for (size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].offset == element.offset(i)) continue;
    throw nb::type_error(("field '" + fields[i].name + "' lies at byte " + std::to_string(fields[i].offset) +
                          ", and kernels have it at " + std::to_string(element.offset(i)) +
                          "; numpy.dtype(fields, align=True) lays it out so")
                             .c_str());
  }
  if (dtype.bytes != element.bytes()) {
    throw nb::type_error(("the struct has " + std::to_string(dtype.bytes) + " bytes, and kernels have " +
                          std::to_string(element.bytes()) + "; numpy.dtype(fields, align=True) lays it out so")
                             .c_str());
  }
  DType known = dtype;
  known.element = element.name();
  known.align = element.align();
  return structs()[dtype.name] = std::make_shared<const DType>(std::move(known));
}

SharedDType dtype_named(const std::string& name) {
  for (const SharedDType& number : numbers()) {
    if (number->name == name) return number;
  }
  if (const auto found = structs().find(name); found != structs().end()) return found->second;
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
