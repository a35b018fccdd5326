#include "bench/report/gnuplot.h"

#include <iterator>

#include <weft/error.h>

#include "support/shell.h"
#include "support/text.h"

namespace weft::bench {
namespace {

int run_shell(const std::string& command, const std::string& input) {
  return support::run_with_input("--plot: gnuplot", command, input);
}

const char* terminal_of(const std::string& picture) {
  if (picture.ends_with(".svg")) return "svg";
  if (picture.ends_with(".png")) return "pngcairo";
  throw Error(ErrorCode::invalid_argument, "--plot " + picture + ": the name of a picture must end in .svg or .png");
}

void require_installed() {
  if (run_shell("command -v gnuplot >/dev/null 2>&1", "") == 0) return;
  throw Error(ErrorCode::io_failed,
              "--plot needs gnuplot, which is not installed (Debian and Ubuntu: apt install gnuplot-nox); --json saves "
              "the results, and weft bench --from FILE --plot plots them later");
}

}  // namespace

void require_gnuplot(const std::string& picture) {
  const std::string terminal = terminal_of(picture);
  require_installed();
  if (run_shell("gnuplot 2>/dev/null", "set terminal " + terminal + "\n") == 0) return;
  throw Error(ErrorCode::io_failed, "--plot " + picture + ": the installed gnuplot has no terminal '" + terminal +
                                        "' (Debian and Ubuntu: apt install gnuplot-nox)");
}

bool run_gnuplot(const std::string& script) {
  require_installed();
  return run_shell("gnuplot", script) == 0;
}

std::string output_commands(const std::string& picture, const std::string& file, uint32_t width, size_t height) {
  const std::string terminal = terminal_of(picture);
  return support::format("set terminal %s size %u,%zu %s background rgb 'white' font '%s'\n", terminal.c_str(), width,
                         height, terminal == "svg" ? "dynamic" : "", terminal == "svg" ? "sans-serif,14" : "sans,10") +
         "set output " + in_quotes(file) + "\n";
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
