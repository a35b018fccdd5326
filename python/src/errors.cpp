#include <weft/error.h>

#include "python/src/bindings.h"

namespace weft::python {
namespace {

const char* class_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument:
      return "InvalidArgument";
    case ErrorCode::unsupported:
      return "Unsupported";
    case ErrorCode::out_of_memory:
      return "OutOfMemory";
    case ErrorCode::compile_failed:
      return "CompileFailed";
    case ErrorCode::timeout:
      return "Timeout";
    case ErrorCode::device_lost:
      return "DeviceLost";
    case ErrorCode::kernel_failed:
      return "KernelFailed";
    case ErrorCode::io_failed:
      return "IoFailed";
  }
  return "Error";
}

void translate(const std::exception_ptr& exception, void*) {
  try {
    std::rethrow_exception(exception);
  } catch (const Error& error) {
    try {
      const nb::object type = nb::module_::import_("weft.errors").attr(class_of(error.code()));
      const nb::object value = type(error.what(), error.log().c_str());
      PyErr_SetObject(type.ptr(), value.ptr());
    } catch (nb::python_error& other) {
      other.restore();
    }
  }
}

}  // namespace

void bind_errors(nb::module_&) { nb::register_exception_translator(translate); }

}  // namespace weft::python
