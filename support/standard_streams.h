#pragma once

#include <string>
#include <vector>

namespace weft::support {

// The command's arguments and standard streams, as a system gives them: in linux/ and windows/.

/// The program's name and arguments, in UTF-8.
std::vector<std::string> arguments_of(int argc, char** argv);

/// Has standard output and error take UTF-8, and newlines as they are. Linux always does.
void prepare_standard_streams();

bool output_is_terminal();
/// Whether standard error is a terminal that obeys escape sequences.
bool error_is_terminal();

}  // namespace weft::support
