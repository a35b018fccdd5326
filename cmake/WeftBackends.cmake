# WEFT_BACKENDS picks what is built in, best first: open_device("") tries them in this order.
set(WEFT_KNOWN_BACKENDS cuda hip vulkan host)
set(WEFT_BACKENDS "vulkan;host" CACHE STRING "Backends to build in, a list of: ${WEFT_KNOWN_BACKENDS}")

if(NOT WEFT_BACKENDS)
  message(FATAL_ERROR "WEFT_BACKENDS is empty; name at least one of: ${WEFT_KNOWN_BACKENDS}")
endif()
foreach(backend IN LISTS WEFT_BACKENDS)
  if(NOT backend IN_LIST WEFT_KNOWN_BACKENDS)
    message(FATAL_ERROR "WEFT_BACKENDS names '${backend}', which this version of Weft does not have; it has: ${WEFT_KNOWN_BACKENDS}")
  endif()
endforeach()

# Writes the source that defines weft::backend::built_in_backends() for the chosen list.
function(weft_write_backend_registry file)
  set(declarations "")
  set(entries "")
  foreach(backend IN LISTS WEFT_BACKENDS)
    string(APPEND declarations "const Backend& ${backend}_backend();\n")
    list(APPEND entries "&${backend}_backend()")
  endforeach()
  list(JOIN entries ", " entries)
  file(CONFIGURE OUTPUT ${file} CONTENT [=[
#include "core/src/backend.h"

namespace weft::backend {

@declarations@
std::span<const Backend* const> built_in_backends() {
  static const Backend* const backends[] = {@entries@};
  return backends;
}

}  // namespace weft::backend
]=] @ONLY)
endfunction()
