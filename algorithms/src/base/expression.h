#pragma once

#include <string>

namespace weft::algorithms {

/// What makes a user's text no GLSL expression, as the end of a sentence; empty if nothing does. The text is pasted
/// into a function, so it must not be able to end the function or swallow the code after it. The compiler judges the
/// rest.
std::string expression_problem(const std::string& text);

}  // namespace weft::algorithms
