#pragma once

#include <span>

#include "core/src/glsl/shader_library.h"

namespace weft::test {

/// abi.h, kernel.h and entry.h, in a source that CMake generates.
std::span<const core::EmbeddedFile> emulation_headers();

}  // namespace weft::test
