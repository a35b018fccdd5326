#pragma once

#include <nanobind/nanobind.h>

/// The parts of the extension module `weft._core`. Python's side, python/weft, gives them NumPy's habits.
namespace weft::python {

namespace nb = nanobind;

/// Makes weft::Error an exception of weft/errors.py.
void bind_errors(nb::module_& module);
void bind_devices(nb::module_& module);
void bind_streams(nb::module_& module);
void bind_arrays(nb::module_& module);
void bind_exchange(nb::module_& module);
void bind_compilers(nb::module_& module);
void bind_kernels(nb::module_& module);
void bind_plans(nb::module_& module);

}  // namespace weft::python
