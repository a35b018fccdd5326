#pragma once

#include <string>

#include <weft/error.h>
#include <weft/weft_c.h>

/// How exceptions become result codes.
namespace weft::c {

/// Throws invalid_argument.
[[noreturn]] void refuse(const std::string& sentence);

/// The code of the exception that is being handled. Keeps its message for this thread, after the function's name.
weft_result failed(const char* function) noexcept;

/// The body of a function of the C interface.
template <typename Call>
weft_result guarded(const char* function, const Call& call) noexcept {
  try {
    call();
    return WEFT_OK;
  } catch (...) {
    return failed(function);
  }
}

/// Throws invalid_argument for a null pointer, unless it points to `count` == 0 elements.
template <typename T>
T* given(T* pointer, const char* parameter, size_t count = 1) {
  if (!pointer && count != 0) refuse(std::string("'") + parameter + "' is null.");
  return pointer;
}

/// A text, or what null stands for.
inline std::string text_or(const char* text, const char* otherwise) { return text ? text : otherwise; }

}  // namespace weft::c
