#include "bench/plot.h"

#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "tools/support/text.h"

namespace weft::bench {
namespace {

using tools::format;

struct Curve {
  std::string title;
  std::vector<std::pair<uint64_t, double>> points;  // elements, GB/s
};

// As gnuplot reads a string in single quotes.
std::string in_quotes(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("''") : c == '\n' ? std::string(" ") : std::string(1, c);
  return result + "'";
}

// The parts of a curve's name that do not differ between curves are left out of the key.
std::vector<Curve> curves(const Report& report) {
  std::map<std::tuple<std::string, std::string, std::string>, std::vector<std::pair<uint64_t, double>>> groups;
  std::map<std::string, int> types, devices;
  for (const Result& result : report.results) {
    if (!result.skipped.empty()) continue;
    groups[{result.device, result.name(), result.type}].emplace_back(result.elements, result.bytes_per_second() * 1e-9);
    ++types[result.type];
    ++devices[result.device];
  }
  std::vector<Curve> list;
  for (auto& [key, points] : groups) {
    const auto& [device, name, type] = key;
    std::sort(points.begin(), points.end());
    std::string title = name;
    if (types.size() > 1) title += " " + type;
    if (devices.size() > 1) title += ", " + device;
    list.push_back({title, std::move(points)});
  }
  return list;
}

std::string title(const Report& report) {
  std::string text;
  for (const DeviceReport& device : report.devices) {
    text += (text.empty() ? "" : ", ") + (report.devices.size() > 1 ? device.selector + " " : "") + device.name;
  }
  return text;
}

// Curves that a linear axis would press to its bottom.
bool wide_apart(const Report& report, const std::vector<Curve>& list) {
  double highest = 0, lowest_peak = 1e300;
  for (const Curve& curve : list) {
    double peak = 0;
    for (const auto& point : curve.points) peak = std::max(peak, point.second);
    highest = std::max(highest, peak);
    lowest_peak = std::min(lowest_peak, peak);
  }
  for (const DeviceReport& device : report.devices) highest = std::max(highest, device.copy.best() * 1e-9);
  return highest > 20 * lowest_peak;
}

std::string script(const Report& report, const std::string& file) {
  const std::vector<Curve> list = curves(report);
  if (list.empty()) throw Error(ErrorCode::invalid_argument, "there is nothing to plot: no benchmark has run");
  std::string text = "set terminal svg size 960,560 dynamic background rgb 'white' font 'sans-serif,14'\n";
  text += "set output " + in_quotes(file) + "\n";
  text += "set title " + in_quotes(title(report)) + " noenhanced\n";
  text += "set xlabel 'elements'\nset ylabel 'bytes that must move over time [GB/s]'\n";
  text += "set logscale x 2\nset format x '2^{%L}'\nset xrange [*<1024:*]\n";
  text += wide_apart(report, list) ? "set logscale y\nset format y '%g'\nset yrange [*:*]\n"
                                   : "set yrange [0:*]\nset offsets graph 0, 0, graph 0.05, 0\n";
  text +=
      "set grid xtics ytics lc rgb '#dddddd'\nset border 3\nset tics nomirror\nset key outside right top reverse Left "
      "noenhanced\n";
  static constexpr const char* colours[] = {"#4269d0", "#e8762d", "#2f9e62", "#c5375d", "#8a63c7",
                                            "#1c96ad", "#8c6d31", "#d16ba5", "#555f6b", "#97a13c"};
  for (size_t i = 0; i < list.size(); ++i) {
    text += format("set linetype %zu lc rgb '%s' lw 2 pt 7 ps 0.6\n", i + 1, colours[i % std::size(colours)]);
    text += format("$curve%zu << EOD\n", i);
    for (const auto& [elements, rate] : list[i].points)
      text += format("%llu %.9g\n", static_cast<unsigned long long>(elements), rate);
    text += "EOD\n";
  }
  text += "plot ";
  for (size_t i = 0; i < list.size(); ++i) {
    text += format("$curve%zu using 1:2 with linespoints title ", i) + in_quotes(list[i].title) + ", ";
  }
  for (const DeviceReport& device : report.devices) {
    if (device.copy.best() <= 0) continue;
    std::string name = std::string("copy rate (") + device.copy.best_name() + ")";
    if (report.devices.size() > 1) name += ", " + device.selector;
    text += format("%.9g with lines lc rgb '#888888' dt 2 title ", device.copy.best() * 1e-9) + in_quotes(name) + ", ";
  }
  text.resize(text.size() - 2);
  return text + "\n";
}

[[noreturn]] void throw_missing() {
  throw Error(ErrorCode::io_failed,
              "--plot draws with gnuplot, which is not installed (Debian and Ubuntu: apt install gnuplot-nox); "
              "--json keeps the results, and weft bench --from FILE --plot draws them later");
}

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
  if (run_with_input("command -v gnuplot >/dev/null 2>&1", "") != 0) throw_missing();
}

void plot(const Report& report, const tools::OutputFile& svg) {
  require_gnuplot();
  if (svg.temporary().empty()) {
    throw Error(ErrorCode::invalid_argument,
                "--plot " + svg.target().string() + ": pictures are drawn to ordinary files only");
  }
  if (run_with_input("gnuplot", script(report, svg.temporary().string())) != 0) {
    throw Error(ErrorCode::io_failed, "gnuplot could not draw " + svg.target().string());
  }
}

}  // namespace weft::bench
