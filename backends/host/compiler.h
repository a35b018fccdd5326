#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace weft::host {

/// The system's C++ compiler: $WEFT_CXX, else $CXX, each a program and what it is called with ("ccache g++"), else the
/// first of c++, g++ and clang++ on the PATH. Stateless beside what was found.
class Compiler {
 public:
  /// Throws Error(unsupported), saying what to install, when there is none.
  static Compiler find();

  /// What tells this compiler and the way it is called from others, for cache keys.
  const std::string& identity() const { return identity_; }

  /// Compiles C++ to a shared object. Throws Error(compile_failed) with the compiler's messages.
  std::vector<std::byte> compile(const std::string& code, const std::string& kernel) const;

 private:
  std::string path_, identity_;
  std::vector<std::string> arguments_;  ///< What follows the path: of "ccache g++" the compiler.
};

}  // namespace weft::host
