#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "backends/host/settings.h"

namespace weft::host {

/// The C++ compiler that DeviceOptions::compiler names, a program or a program and its arguments ("ccache g++"), else
/// the first of c++, g++ and clang++ on the PATH. Immutable.
class Compiler {
 public:
  /// `command`: DeviceOptions::compiler. `timeout`: how long it may take for a kernel. Throws Error(unsupported): when
  /// there is none, saying what to install; when others can change the one that is named.
  static Compiler find(const std::string& command,
                       std::chrono::seconds timeout = std::chrono::seconds(Settings{}.compile_seconds));

  /// What tells this compiler and the way it is called from others, for cache keys.
  const std::string& identity() const { return identity_; }

  /// Compiles C++ to a shared object. Throws Error(compile_failed) with the compiler's messages, also when it takes too
  /// long. The compiler ends with this process.
  std::vector<std::byte> compile(const std::string& code, const std::string& kernel) const;

 private:
  std::string path_, identity_;
  std::vector<std::string> arguments_;  ///< What follows the path: of "ccache g++" the compiler.
  std::chrono::seconds timeout_{};
};

}  // namespace weft::host
