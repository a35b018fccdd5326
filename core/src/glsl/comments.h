#pragma once

#include <string>

namespace weft::core {

/// Removes // comments. In a macro, which is one line, such a comment would remove all that follows.
std::string without_line_comments(const std::string& glsl);

}  // namespace weft::core
