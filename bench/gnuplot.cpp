#include "bench/gnuplot.h"

#include <sys/wait.h>

#include <csignal>
#include <cstdio>
#include <iterator>

#include <weft/error.h>

namespace weft::bench {
namespace {

// The exit status of a shell command that reads `input`.
int run_with_input(const char* command, const std::string& input) {
  std::FILE* pipe = ::popen(command, "w");
  if (!pipe) return -1;
  const auto previous = std::signal(SIGPIPE, SIG_IGN);  // a command that stops reading is told by its status
  std::fwrite(input.data(), 1, input.size(), pipe);
  const int status = ::pclose(pipe);
  std::signal(SIGPIPE, previous);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

void require_gnuplot() {
  if (run_with_input("command -v gnuplot >/dev/null 2>&1", "") == 0) return;
  throw Error(ErrorCode::io_failed,
              "--plot draws with gnuplot, which is not installed (Debian and Ubuntu: apt install gnuplot-nox); "
              "--json keeps the results, and weft bench --from FILE --plot draws them later");
}

bool run_gnuplot(const std::string& script) {
  require_gnuplot();
  return run_with_input("gnuplot", script) == 0;
}

std::string in_quotes(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("''") : c == '\n' ? std::string(" ") : std::string(1, c);
  return result + "'";
}

const char* colour(size_t index) {
  static constexpr const char* colours[] = {"#4269d0", "#e8762d", "#2f9e62", "#c5375d", "#8a63c7",
                                            "#1c96ad", "#8c6d31", "#d16ba5", "#555f6b", "#97a13c"};
  return colours[index % std::size(colours)];
}

std::string devices_of(const Report& report) {
  std::string text;
  for (const DeviceReport& device : report.devices) {
    text += (text.empty() ? "" : ", ") + (report.devices.size() > 1 ? device.selector + " " : "") + device.name;
  }
  return text;
}

}  // namespace weft::bench
