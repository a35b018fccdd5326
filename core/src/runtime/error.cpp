#include <weft/error.h>

namespace weft {

const char* to_string(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument:
      return "invalid_argument";
    case ErrorCode::unsupported:
      return "unsupported";
    case ErrorCode::out_of_memory:
      return "out_of_memory";
    case ErrorCode::compile_failed:
      return "compile_failed";
    case ErrorCode::timeout:
      return "timeout";
    case ErrorCode::device_lost:
      return "device_lost";
    case ErrorCode::kernel_failed:
      return "kernel_failed";
    case ErrorCode::io_failed:
      return "io_failed";
  }
  return "unknown";
}

}  // namespace weft
