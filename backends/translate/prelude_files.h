#pragma once

#include <span>

#include "core/src/glsl/shader_library.h"

namespace weft::translate {

/// Every file under backends/translate/prelude/, in a source that CMake generates.
std::span<const core::EmbeddedFile> prelude_files();

}  // namespace weft::translate
