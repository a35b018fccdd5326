#include <doctest/doctest.h>
#include <sys/stat.h>

#include <fstream>
#include <regex>
#include <set>

#include <weft/by_key.h>
#include <weft/compact.h>
#include <weft/map.h>
#include <weft/partition.h>
#include <weft/reduce.h>
#include <weft/run_length.h>
#include <weft/scan.h>
#include <weft/segmented.h>
#include <weft/split.h>
#include <weft/weft.h>

#include "backends/host/device.h"
#include "backends/host/temporary_folder.h"

// Whether GCC makes vectors of the loops of tiles that one invocation runs over (shaders/serial): it says so itself.

using namespace weft;

namespace {

/// GCC, which keeps the kernels that it compiles, and what it says of loops.
class ReportingCompiler {
 public:
  ReportingCompiler() {
    std::ofstream(file()) << "#!/bin/sh\nfor word in \"$@\"; do\n  case \"$word\" in\n    */kernel.cpp) cp \"$word\" '"
                          << kernels().string() << "'/$$.cpp;;\n  esac\ndone\nexec g++ \"$@\" -fopt-info-vec='"
                          << kernels().string() << "'/$$.report\n";
    REQUIRE_EQ(chmod(file().c_str(), 0700), 0);
    std::filesystem::create_directory(kernels());
  }

  std::filesystem::path file() const { return folder_.path() / "compiler"; }

  /// The functions with loops that are vectors, of all kernels so far; their names in GLSL without "weft_".
  std::set<std::string> functions() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(kernels())) {
      if (entry.path().extension() == ".report") add_functions(entry.path(), names);
    }
    return names;
  }

 private:
  std::filesystem::path kernels() const { return folder_.path() / "kernels"; }

  static void add_functions(const std::filesystem::path& report, std::set<std::string>& names) {
    static const std::regex function("^\\S.* (\\w+)\\(weft_self& self.*\\{$"),
        loop("kernel\\.cpp:(\\d+):.* loop vectorized");
    std::filesystem::path kernel = report;
    std::ifstream source(kernel.replace_extension(".cpp")), said(report);
    std::vector<std::string> owners{""};  // Of each line: the last function that starts there or before.
    std::smatch match;
    for (std::string line; std::getline(source, line);) {
      owners.push_back(std::regex_match(line, match, function) ? match[1].str() : owners.back());
    }
    for (std::string line; std::getline(said, line);) {
      if (std::regex_search(line, match, loop)) names.insert(owners.at(std::stoul(match[1])));
    }
  }

  host::TemporaryFolder folder_;
};

using MakePlan = void (*)(const weft::Device& device);
constexpr uint64_t count = 1 << 20;

struct Loops {
  std::string plan;
  MakePlan make;
  std::vector<std::string> functions;
};

const Element word = Element::of<uint32_t>(), number = Element::of<float>();

const Loops all_loops[] = {
    {"map of two",
     [](const auto& device) { Map(device, number, Transform::of_two(number, "x * y"), count); },
     {"compute_from"}},
    {"map of bytes",
     [](const auto& device) { Map(device, number, Transform::of(Element::of<uint8_t>(), "T(x)"), count); },
     {"compute_from"}},
    {"map of indices", [](const auto& device) { Map(device, number, "T(i) * 0.5", count); }, {"compute"}},
    {"reduction", [](const auto& device) { Reduce(device, number, Operator::sum(), count); }, {"add_parts"}},
    {"scan", [](const auto& device) { Scan(device, word, Operator::sum(), count); }, {"add_parts"}},
    {"compaction",
     [](const auto& device) { Compact(device, number, Selection::when("x > 0.5 && i > 7u"), count); },
     {"count_selected", "mark_block"}},
    {"compaction by flags",
     [](const auto& device) { Compact(device, word, Selection::flagged(), count); },
     {"count_selected", "mark_block"}},
    {"compaction by flags of 8 bits",
     [](const auto& device) { Compact(device, word, Selection::flagged(8), count); },
     {"count_selected", "mark_block"}},
    {"unique",
     [](const auto& device) { Compact(device, word, Selection::first_of_runs(), count); },
     {"count_selected", "mark_block"}},
    {"partition",
     [](const auto& device) { Partition(device, word, Selection::when("x > 7u"), count); },
     {"count_selected", "mark_block", "store_partition"}},
    {"split",
     [](const auto& device) { Split(device, word, Sides::three_way("x < 7u", "x > 9u"), count); },
     {"count_selected", "mark_block"}},
    {"run-length encoding",
     [](const auto& device) { RunLengthEncode(device, word, count); },
     {"find_heads", "mark_block", "store_runs"}},
    {"reduction by key",
     [](const auto& device) { ReduceByKey(device, word, word, Operator::sum(), count); },
     {"find_heads", "mark_block", "tile_segment"}},
    {"segmented scan",
     [](const auto& device) { SegmentedScan(device, word, Operator::sum(), SegmentsBy::flags, count, count); },
     {"find_heads", "mark_block", "tile_segment"}},
};

}  // namespace

TEST_CASE("loops of one invocation are vectors, with every set of vector instructions") {
  for (const std::string architecture : {"x86-64-v3", "x86-64-v4"}) {  // they compile, and need not run
    for (const Loops& loops : all_loops) {
      const ReportingCompiler compiler;
      DeviceOptions options;
      options.compiler = compiler.file().string();
      host::Settings settings;
      settings.architecture = architecture;
      loops.make(weft::Device(std::make_shared<host::Device>(settings, options)));
      const std::set<std::string> found = compiler.functions();
      std::string names;
      for (const std::string& name : found) names += " " + name;
      for (const std::string& function : loops.functions) {
        CHECK_MESSAGE(found.contains(function), loops.plan << " on " << architecture << ": no loop of " << function
                                                           << " is vectors, only those of" << names);
      }
    }
  }
}
