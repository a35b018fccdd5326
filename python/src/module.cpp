#include <weft/version.h>

#include "python/src/bindings.h"

NB_MODULE(_core, module) {
  using namespace weft::python;
  // A device that a module keeps lives until the interpreter ends. That is no leak.
  nanobind::set_leak_warnings(false);
  module.attr("__version__") = WEFT_VERSION;
  bind_errors(module);
  bind_devices(module);
  bind_streams(module);
  bind_arrays(module);
  bind_exchange(module);
  bind_compilers(module);
  bind_kernels(module);
  bind_plans(module);
}
