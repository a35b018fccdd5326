#include "support/shell.h"

#include <sys/wait.h>

#include <csignal>
#include <cstdio>

namespace weft::support {

int run_with_input(const std::string&, const std::string& command, const std::string& input) {
  std::FILE* pipe = ::popen(command.c_str(), "w");
  if (!pipe) return -1;
  const auto previous = std::signal(SIGPIPE, SIG_IGN);  // a command that stops reading shows in its exit status
  std::fwrite(input.data(), 1, input.size(), pipe);
  const int status = ::pclose(pipe);
  std::signal(SIGPIPE, previous);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace weft::support
