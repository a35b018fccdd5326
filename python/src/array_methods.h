#pragma once

#include <nanobind/nanobind.h>

#include "python/src/array.h"

namespace weft::python {

/// Adds the methods that are written in Python, which import NumPy when they are called.
void bind_methods_of_python(nb::class_<Array>& type);

}  // namespace weft::python
