#pragma once

#include <span>
#include <string_view>

namespace weft::core {

struct EmbeddedFile {
  std::string_view name;  ///< As #include takes it: "weft/subgroup/scan.glsl".
  std::string_view text;
};

/// Every file under shaders/, in a source that CMake generates.
std::span<const EmbeddedFile> shader_library();

}  // namespace weft::core
