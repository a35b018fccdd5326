#pragma once

#include <stdlib.h>

#include <optional>
#include <string>

namespace weft::test {

/// Sets an environment variable, or removes it if `value` is null.
inline void set_variable(const char* name, const char* value) {
#if defined(_WIN32)
  _putenv_s(name, value ? value : "");
#else
  if (value) {
    setenv(name, value, 1);
  } else {
    unsetenv(name);
  }
#endif
}

/// Sets or removes an environment variable for the object's lifetime.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    if (const char* old = getenv(name)) old_ = old;
    set_variable(name, value);
  }
  ~Environment() { set_variable(name_, old_ ? old_->c_str() : nullptr); }
  Environment(const Environment&) = delete;

 private:
  const char* name_;
  std::optional<std::string> old_;
};

/// While one exists, a file fails in every program that is started; failing_files/failing_files.cpp describes `fault`.
/// Lets a sanitized program's sanitizers accept a library before theirs.
class FailingFile {
 public:
  explicit FailingFile(const std::string& fault)
      : fault_("WEFT_TEST_FAIL", fault.c_str()),
        library_("LD_PRELOAD", text("WEFT_FAILING_FILES").c_str()),
        sanitizer_("ASAN_OPTIONS", (text("ASAN_OPTIONS") + ":verify_asan_link_order=0").c_str()) {}

  /// Whether the library's location is known.
  static bool possible() { return !text("WEFT_FAILING_FILES").empty(); }

 private:
  static std::string text(const char* name) {
    const char* value = getenv(name);
    return value ? value : "";
  }

  Environment fault_, library_, sanitizer_;
};

}  // namespace weft::test
