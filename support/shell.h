#pragma once

#include <string>

namespace weft::support {

/// Runs a command of the shell that reads `input`. Returns its exit status; -1 if it does not exit by itself. Throws
/// unsupported on Windows, where Weft starts no programs; `what` starts the error.
int run_with_input(const std::string& what, const std::string& command, const std::string& input);

}  // namespace weft::support
