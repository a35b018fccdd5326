#pragma once

#include <string>

namespace weft::algorithms {

/// What makes a user's text no GLSL expression, as the end of a sentence; empty if nothing does. The text is pasted
/// into a function, so it must not be able to end the function or swallow the code after it. The compiler judges the
/// rest.
std::string expression_problem(const std::string& text);

/// What GLSL has instead of a word or operator that a text has from another language, as a sentence; empty if there is
/// none. `messages` are the compiler's on the text.
std::string expression_hint(const std::string& text, const std::string& messages);

}  // namespace weft::algorithms
