#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace weft::python {

namespace nb = nanobind;

/// The type of an array's elements: a number of NumPy's, or a struct. Immutable.
struct DType {
  std::string code;     ///< As the module struct writes it: "I"; of a struct, its format.
  std::string name;     ///< NumPy's: "uint32"; of a struct, that of its numpy.dtype as text.
  std::string element;  ///< As plans name it: "uint", "struct{float lo; float hi;}".
  uint32_t bytes = 0;
  uint32_t align = bytes;
  nb::object numpy{};  ///< A struct's numpy.dtype.
};
using SharedDType = std::shared_ptr<const DType>;

/// A field of a struct, as NumPy has it.
struct Field {
  std::string type, name;  ///< The type as GLSL names it.
  uint64_t offset = 0;     ///< In bytes.
};
/// Makes a struct known by its name. Throws a TypeError if kernels lay it out otherwise.
SharedDType add_struct(const DType& dtype, const std::vector<Field>& fields);
/// Throws a TypeError for the name of no type that Weft has.
SharedDType dtype_named(const std::string& name);
/// The numpy.dtype. Imports NumPy.
nb::object numpy_dtype(const DType& dtype);

}  // namespace weft::python
