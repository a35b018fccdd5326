#include "support/standard_streams.h"

#include <unistd.h>

namespace weft::support {

std::vector<std::string> arguments_of(int argc, char** argv) { return {argv, argv + argc}; }

void prepare_standard_streams() {}

bool output_is_terminal() { return ::isatty(STDOUT_FILENO) != 0; }

bool error_is_terminal() { return ::isatty(STDERR_FILENO) != 0; }

}  // namespace weft::support
