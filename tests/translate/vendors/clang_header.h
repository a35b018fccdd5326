#pragma once

#include <span>

#include "core/src/glsl/shader_library.h"

namespace weft::test {

/// hip_for_clang.h, in a source that CMake generates.
std::span<const core::EmbeddedFile> clang_headers();

}  // namespace weft::test
