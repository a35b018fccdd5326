#include "bench/report/plot.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "bench/report/gnuplot.h"
#include "core/src/platform/utf8.h"
#include "support/text.h"

namespace weft::bench {
namespace {

using support::format;

struct Curve {
  std::string title;
  std::vector<std::pair<uint64_t, double>> points;  // elements, GB/s
};

// The key omits the parts of names that all curves share.
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

// Whether a linear axis would press some curves to the bottom.
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

// If there is only one size, returns a range around it: gnuplot refuses an empty range.
std::string range_of_sizes(const std::vector<Curve>& list) {
  uint64_t least = ~uint64_t{0}, most = 0;
  for (const Curve& curve : list) {
    least = std::min(least, curve.points.front().first);
    most = std::max(most, curve.points.back().first);
  }
  if (least < most) return "set xrange [*<1024:*]\n";
  return format("set xrange [%.9g:%.9g]\n", double(least) / 4, double(most) * 4);
}

std::string script(const Report& report, const std::string& picture, const std::string& file) {
  const std::vector<Curve> list = curves(report);
  if (list.empty()) throw Error(ErrorCode::invalid_argument, "there is nothing to plot: no benchmark was run");
  std::string text = output_commands(picture, file, 960, 560);
  text += "set title " + in_quotes(devices_of(report)) + " noenhanced\n";
  text += "set xlabel 'elements'\nset ylabel 'least bytes moved per second [GB/s]'\n";
  text += "set logscale x 2\nset format x '2^{%L}'\n" + range_of_sizes(list);
  text += wide_apart(report, list) ? "set logscale y\nset format y '%g'\nset yrange [*:*]\n"
                                   : "set yrange [0:*]\nset offsets graph 0, 0, graph 0.05, 0\n";
  text +=
      "set grid xtics ytics lc rgb '#dddddd'\nset border 3\nset tics nomirror\nset key outside right top reverse Left "
      "noenhanced\n";
  for (size_t i = 0; i < list.size(); ++i) {
    text += format("set linetype %zu lc rgb '%s' lw 2 pt 7 ps 0.6\n", i + 1, colour(i));
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

}  // namespace

void plot(const Report& report, const support::OutputFile& picture) {
  const std::string &name = picture.target(), file = core::utf8_text(picture.temporary());
  if (file.empty()) {
    throw Error(ErrorCode::invalid_argument, "--plot " + name + ": a picture must go to a regular file");
  }
  if (!run_gnuplot(report.peer.empty() ? script(report, name, file) : peer_script(report, name, file))) {
    throw Error(ErrorCode::io_failed, "gnuplot could not draw " + name);
  }
}

}  // namespace weft::bench
