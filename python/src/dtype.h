#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <string>

namespace weft::python {

namespace nb = nanobind;

/// The type of an array's elements: a number of NumPy's, or a struct. Immutable.
struct DType {
  std::string code;     ///< As the module struct writes it: "I"; of a struct, its format.
  std::string name;     ///< NumPy's: "uint32"; empty for a struct.
  std::string element;  ///< As plans name it: "uint", "struct{float lo; float hi;}".
  uint32_t bytes = 0;
  nb::object numpy{};  ///< A struct's numpy.dtype.
};
using SharedDType = std::shared_ptr<const DType>;

/// Throws a TypeError for the name of no number that Weft has.
SharedDType dtype_named(const std::string& name);
/// The numpy.dtype. Imports NumPy.
nb::object numpy_dtype(const DType& dtype);

}  // namespace weft::python
