#pragma once

#include <span>

#include "core/src/glsl/shader_library.h"

namespace weft::translate {

/// All files of backends/translate/prelude/, from a source that CMake generates.
std::span<const core::EmbeddedFile> prelude_files();

}  // namespace weft::translate
