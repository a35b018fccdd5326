#include "weft_calls.h"

#include <weft/weft.h>

#ifndef __cpp_exceptions
#error "compiled without exceptions"
#endif

std::string error_of(const std::function<void()>& work) try {
  work();
  return "";
} catch (const weft::Error& error) {
  return error.what();
}
