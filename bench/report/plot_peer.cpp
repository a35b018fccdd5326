#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include <weft/error.h>

#include "bench/report/gnuplot.h"
#include "bench/report/plot.h"
#include "support/text.h"

namespace weft::bench {
namespace {

using support::format;

// The ratios for one size: by row, in the order of the results, then by device.
struct Panel {
  std::vector<std::string> rows;
  std::map<std::pair<std::string, std::string>, double> ratios;

  void add(const std::string& name, const Result& result) {
    const std::string row = name + " " + result.type;
    if (std::ranges::find(rows, row) == rows.end()) rows.push_back(row);
    ratios[{row, result.device}] = result.peer_ratio();
  }
};

std::map<uint64_t, Panel> panels_of(const Report& report) {
  std::map<uint64_t, Panel> panels;
  std::map<std::string, std::set<std::string>> variants;
  for (const Result& result : report.results) {
    if (result.peer_timing) variants[result.primitive].insert(result.variant);
  }
  for (const Result& result : report.results) {
    if (!result.peer_timing) continue;
    panels[result.elements].add(variants[result.primitive].size() > 1 ? result.name() : result.primitive, result);
  }
  return panels;
}

std::string data_of(const Panel& panel, const Report& report, size_t number) {
  std::string text = format("$panel%zu << EOD\n", number);
  for (const std::string& row : panel.rows) {
    text += '"' + row + '"';
    for (const DeviceReport& device : report.devices) {
      const auto ratio = panel.ratios.find({row, device.selector});
      text += ratio == panel.ratios.end() ? " ?" : format(" %.4g", ratio->second);
    }
    text += "\n";
  }
  return text + "EOD\n";
}

std::string plot_of(const Report& report, size_t number) {
  std::string text = "plot ";
  for (size_t device = 0; device < report.devices.size(); ++device) {
    text += format("%s$panel%zu using %zu:xtic(1) lc rgb '%s' title ", device ? ", " : "", number, device + 2,
                   colour(device)) +
            in_quotes(report.devices[device].selector);
  }
  return text + "\n";
}

}  // namespace

std::string peer_script(const Report& report, const std::string& picture, const std::string& file) {
  const std::map<uint64_t, Panel> panels = panels_of(report);
  if (panels.empty()) {
    throw Error(ErrorCode::invalid_argument, "there is nothing to plot: the peer ran none of the benchmarks");
  }
  std::string text = output_commands(picture, file, 1100, 60 + 340 * panels.size());
  text += "set datafile missing '?'\n";
  text += "set style data histograms\nset style histogram clustered gap 1\nset style fill solid noborder\n";
  text += "set border 3\nset tics nomirror\nset xtics rotate by -30 noenhanced\nset grid ytics lc rgb '#dddddd'\n";
  text += "set yrange [0:*]\nset key outside right top reverse Left noenhanced\n";
  text += "set ylabel 'times as fast'\n";
  text += "set arrow from graph 0, first 1 to graph 1, first 1 nohead dt 2 lc rgb '#555555' front\n";
  size_t number = 0;
  for (const auto& [elements, panel] : panels) text += data_of(panel, report, number++);
  text += format("set multiplot layout %zu,1 title ", panels.size()) +
          in_quotes(devices_of(report) + ": rates relative to " + report.peer) + " noenhanced\n";
  number = 0;
  for (const auto& [elements, panel] : panels) {
    text += "set title " + in_quotes(support::format_size(elements) + " elements") + " noenhanced\n" +
            plot_of(report, number++);
  }
  return text + "unset multiplot\n";
}

}  // namespace weft::bench
