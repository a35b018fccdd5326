#pragma once

#include <Python.h>

namespace weft::python {

/// The buffer protocol of arrays on the host device: NumPy sees their memory in place.
extern PyType_Slot buffer_slots[];

}  // namespace weft::python
