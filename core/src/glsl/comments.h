#pragma once

#include <string>

namespace weft::core {

/// GLSL without its comments to the ends of lines. A macro has one line, of which such a comment would take the rest.
std::string without_line_comments(const std::string& glsl);

}  // namespace weft::core
