#include "c/src/errors.h"

#include <new>

#include <weft/version.h>

namespace weft::c {
namespace {

/// The last failure of a thread. A message for which there was no memory is a fixed one.
struct LastError {
  std::string message, log;
  const char* fixed = nullptr;
};
thread_local LastError last;

constexpr const char* no_memory = "The host has too little memory.";

weft_result keep(weft_result result, const char* function, const char* message, const std::string& log) noexcept {
  try {
    last.message = std::string(function) + ": " + message;
    last.log = log;
    last.fixed = nullptr;
  } catch (...) {
    last.fixed = no_memory;
  }
  return result;
}

weft_result result_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument:
      return WEFT_INVALID_ARGUMENT;
    case ErrorCode::unsupported:
      return WEFT_UNSUPPORTED;
    case ErrorCode::out_of_memory:
      return WEFT_OUT_OF_MEMORY;
    case ErrorCode::compile_failed:
      return WEFT_COMPILE_FAILED;
    case ErrorCode::timeout:
      return WEFT_TIMEOUT;
    case ErrorCode::device_lost:
      return WEFT_DEVICE_LOST;
    case ErrorCode::kernel_failed:
      return WEFT_KERNEL_FAILED;
    case ErrorCode::io_failed:
      return WEFT_IO_FAILED;
  }
  return WEFT_UNKNOWN_ERROR;
}

}  // namespace

void refuse(const std::string& sentence) { throw Error(ErrorCode::invalid_argument, sentence); }

weft_result failed(const char* function) noexcept {
  try {
    throw;
  } catch (const Error& error) {
    return keep(result_of(error.code()), function, error.what(), error.log());
  } catch (const std::bad_alloc&) {
    last.fixed = no_memory;
    return WEFT_OUT_OF_HOST_MEMORY;
  } catch (const std::exception& error) {
    return keep(WEFT_UNKNOWN_ERROR, function, error.what(), {});
  } catch (...) {
    return keep(WEFT_UNKNOWN_ERROR, function, "something was thrown that is no std::exception.", {});
  }
}

}  // namespace weft::c

using namespace weft::c;

const char* weft_result_name(weft_result result) {
  switch (result) {
    case WEFT_OK:
      return "ok";
    case WEFT_OUT_OF_HOST_MEMORY:
      return "out_of_host_memory";
    default:
      // The codes follow ErrorCode's, which begin at 0.
      return result < WEFT_OK ? "unknown" : weft::to_string(weft::ErrorCode(result - WEFT_INVALID_ARGUMENT));
  }
}

const char* weft_error_message() { return last.fixed ? last.fixed : last.message.c_str(); }
const char* weft_error_log() { return last.fixed ? "" : last.log.c_str(); }
const char* weft_version() { return WEFT_VERSION; }
