#pragma once

#include <cstddef>
#include <string_view>

namespace weft::core {

/// Upper bound for the depth of the deepest syntax tree of a statement: nested brackets, operators in a row and nested
/// statements. glslang walks such trees recursively. Does not expand macros; for their result pass preprocessed text.
size_t glsl_nesting(std::string_view source);

}  // namespace weft::core
