#pragma once

#include <stdlib.h>

#include <optional>
#include <string>

namespace weft::test {

/// Sets an environment variable, or removes it, for as long as the object lives.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    if (const char* old = getenv(name)) old_ = old;
    if (value) {
      setenv(name, value, 1);
    } else {
      unsetenv(name);
    }
  }
  ~Environment() {
    if (old_) {
      setenv(name_, old_->c_str(), 1);
    } else {
      unsetenv(name_);
    }
  }
  Environment(const Environment&) = delete;

 private:
  const char* name_;
  std::optional<std::string> old_;
};

/// While one lives, programs that are started have a file fail: see failing_files/failing_files.cpp for what `fault`
/// says. The sanitizers of a sanitized program bear a library before theirs.
class FailingFile {
 public:
  explicit FailingFile(const std::string& fault)
      : fault_("WEFT_TEST_FAIL", fault.c_str()),
        library_("LD_PRELOAD", text("WEFT_FAILING_FILES").c_str()),
        sanitizer_("ASAN_OPTIONS", (text("ASAN_OPTIONS") + ":verify_asan_link_order=0").c_str()) {}

  /// Whether the tests know where the library is.
  static bool possible() { return !text("WEFT_FAILING_FILES").empty(); }

 private:
  static std::string text(const char* name) {
    const char* value = getenv(name);
    return value ? value : "";
  }

  Environment fault_, library_, sanitizer_;
};

}  // namespace weft::test
