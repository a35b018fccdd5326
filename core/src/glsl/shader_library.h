#pragma once

#include <span>
#include <string_view>

namespace weft::core {

struct EmbeddedFile {
  std::string_view name;  ///< As in #include: "weft/subgroup/reduce_scan.glsl".
  std::string_view text;
};

/// Every file under shaders/. CMake generates the definition.
std::span<const EmbeddedFile> shader_library();

}  // namespace weft::core
