#pragma once

#include <string>

namespace weft::algorithms {

/// What is wrong with a text that a user gives as a GLSL expression, as the end of a sentence, or nothing. It stands
/// within a function of Weft's, so it must not be able to end that, or to take in what follows it. Whether it is right
/// is for the compiler to say.
std::string expression_problem(const std::string& text);

}  // namespace weft::algorithms
