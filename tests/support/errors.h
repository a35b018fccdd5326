#pragma once

#include <doctest/doctest.h>

#include <cctype>
#include <string>
#include <vector>

#include <weft/error.h>

namespace weft::test {

/// Returns `text` in lower case.
inline std::string lower(std::string text) {
  for (char& c : text) c = char(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// Fails the running test unless `call` throws a weft::Error with that code and a message that holds each of `words`,
/// ignoring case.
template <typename Call>
Error check_error(ErrorCode code, const std::vector<std::string>& words, Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    const std::string message = error.what(), found = to_string(error.code());
    if (error.code() != code) {
      FAIL_CHECK("expected Error(" << std::string(to_string(code)) << "), but got Error(" << found << "): " << message);
    }
    for (const std::string& word : words) {
      if (lower(message).find(lower(word)) == std::string::npos) {
        FAIL_CHECK("'" << word << "' is not in the message: " << message);
      }
    }
    CHECK(true);  // counts as a check
    return error;
  }
  FAIL_CHECK("expected Error(" << std::string(to_string(code)) << "), but nothing was thrown");
  return Error(code, "nothing was thrown");
}

/// The same for ErrorCode::invalid_argument.
template <typename Call>
void check_invalid(const std::vector<std::string>& words, Call&& call) {
  check_error(ErrorCode::invalid_argument, words, call);
}

}  // namespace weft::test
