#pragma once

#include <string>

namespace weft::host {

/// The instruction set that every processor has which runs this program: "x86-64", "aarch64".
extern const char* const base_architecture;

/// The one with this processor's vector instructions: "x86-64-v3", "x86-64-v4"; otherwise the base.
std::string vector_architecture();

/// Lines in front of a kernel's C++ that let it use the vector instructions of `architecture`. GCC's macros do not tell
/// what a pragma selects.
std::string select_instructions(const std::string& architecture);

}  // namespace weft::host
