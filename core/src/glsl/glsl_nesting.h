#pragma once

#include <cstddef>
#include <string_view>

namespace weft::core {

/// How deep the tree of the deepest statement of a GLSL source is, at most: brackets within one another, operators in a
/// row, and statements within statements. glslang walks such a tree by calling itself. Reads the text as it stands;
/// what macros make of it shows in preprocessed text alone.
size_t glsl_nesting(std::string_view source);

}  // namespace weft::core
