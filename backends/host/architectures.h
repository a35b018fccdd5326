#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft::host {

// An architecture is what the objects of kernels are for: an instruction set, and the system if it is not Linux.
// "x86-64-v3", "aarch64", "x86-64-v3-windows".

/// All for which objects are compiled.
std::span<const char* const> known_architectures();

/// The one of every processor that runs this program.
extern const char* const base_architecture;

/// The one with this processor's vector instructions: "x86-64-v3", "x86-64-v4"; otherwise the base.
std::string vector_architecture();

/// Whether this system's own compiler makes its objects, which programs of this system load.
bool is_native(std::string_view architecture);

/// What compiles for an architecture.
struct Toolchain {
  std::vector<const char*> compilers;  ///< Programs, the first on the PATH counts.
  const char* package;                 ///< Debian's.
  std::vector<const char*> options;    ///< Beside those of every kernel.
  /// Whether its C library and its own functions need one another, so that the linker gets its usual list.
  bool reads_cxx_library = false;
};
Toolchain toolchain_for(std::string_view architecture);

/// Lines in front of a kernel's C++ that let it use the vector instructions of `architecture`. GCC's macros do not tell
/// what a pragma selects.
std::string select_instructions(std::string_view architecture);

}  // namespace weft::host
