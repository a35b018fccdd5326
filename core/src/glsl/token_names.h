#pragma once

#include <string>

namespace weft::core {

/// Replaces the names of glslang's grammar in a syntax error by what the source has: SEMICOLON by ';', IDENTIFIER by "a
/// name". Other messages stay as they are.
std::string with_tokens_as_written(const std::string& message);

}  // namespace weft::core
