#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "bench/benchmark.h"
#include "bench/cases/boxes.h"
#include "bench/mesh_boxes.h"
#include "tests/support/needs.h"
#include "tests/tools/command.h"

using namespace weft;
using namespace weft::test;

namespace {

std::vector<std::string> short_bench(const Device& device, std::vector<std::string> more,
                                     const char* sizes = "1000,2^12") {
  more.insert(more.begin(), "bench");
  more.insert(more.end(), {"--device", selector_of(device), "--time", "0", "--warm-up", "0", "--sizes", sizes});
  return more;
}

// A flat grid of squares, far from the origin. The two triangles of a square have the same box.
std::string grid_mesh(int side) {
  std::string text;
  for (int y = 0; y <= side; ++y) {
    for (int x = 0; x <= side; ++x) text += "v " + std::to_string(1000 + 3 * x) + " -7 " + std::to_string(y) + "\n";
  }
  for (int y = 0; y < side; ++y) {
    for (int x = 1; x <= side; ++x) {
      const auto corner = [&](int right, int up) { return " " + std::to_string((y + up) * (side + 1) + x + right); };
      text += "f" + corner(0, 0) + corner(1, 0) + corner(0, 1) + "\n";
      text += "f" + corner(1, 0) + corner(1, 1) + corner(0, 1) + "\n";
    }
  }
  return text;
}

}  // namespace

DEVICE_TEST("bench verifies and measures every primitive, and saves every number") {
  const Folder folder;
  const Outcome outcome = folder.weft(short_bench(device, {"--json", "r.json", "--note", "a remark"}));
  check_success(outcome);
  const auto json = nlohmann::json::parse(folder.read("r.json"));
  CHECK(json.at("note") == "a remark");
  CHECK(json.at("devices").at(0).at("name") == device.info().name);
  CHECK(json.at("devices").at(0).at("driver") == device.info().driver);
  CHECK(json.at("devices").at(0).at("copy").at("kernel_bytes_per_second") > 0);
  const auto& launch = json.at("devices").at(0).at("launch");
  CHECK(launch.at("host_seconds") > 0);
  CHECK(launch.at("device_seconds") >= launch.at("host_seconds"));
  CHECK(launch.at("latency_seconds") > 0);
  CHECK(outcome.out.find("an empty kernel: ") != std::string::npos);
  const bool records = device.info().backend == "vulkan";
  CHECK_EQ(json.at("devices").at(0).contains("record"), records);
  if (records) {
    const auto& record = json.at("devices").at(0).at("record");
    CHECK(record.at("stream_seconds") > 0);
    CHECK(record.at("command_buffer_seconds") > 0);
  }
  CHECK_EQ(outcome.out.find("recording a sort of 2^20: ") != std::string::npos, records);
  std::map<std::string, int> lines;
  for (const auto& result : json.at("results")) {
    INFO(result.dump());
    ++lines[result.at("primitive")];
    REQUIRE(result.contains("verified"));
    const auto& seconds = result.at("seconds");
    CHECK(seconds.at("min") > 0);
    CHECK(seconds.at("min") <= seconds.at("median"));
    CHECK(seconds.at("median") <= seconds.at("max"));
    CHECK(result.at("bytes_moved") >= 4 * result.at("elements").get<uint64_t>());
    CHECK(result.at("elements_per_second").get<double>() ==
          doctest::Approx(result.at("elements").get<double>() / seconds.at("median").get<double>()));
  }
  std::map<std::string, int> expected;  // both sizes of each benchmark that runs by default
  std::istringstream list(folder.weft({"bench", "--list"}).out);
  for (std::string line; std::getline(list, line);) {
    if (line.find("(only when named)") == std::string::npos) expected[line.substr(0, line.find_first_of(": "))] += 2;
  }
  CHECK(expected.size() > 5);
  CHECK(lines == expected);
}

DEVICE_TEST("bench verifies barriers and queues, which it measures when named") {
  need_waiting(device);
  const Folder folder;
  const Outcome outcome =
      folder.weft(short_bench(device,
                              {"grid-barrier", "grid-barrier:launches", "grid-barrier:alone",
                               "grid-barrier:alone-indexed", "queue", "queue:lanes", "queue:subgroups"},
                              "300"));
  check_success(outcome);
  CHECK(outcome.out.find("\nresults verified before they were timed: 7; skipped: 0\n") != std::string::npos);
}

DEVICE_TEST("bench verifies users' kernels, which it measures when named") {
  const Folder folder;
  const Outcome outcome = folder.weft(short_bench(device, {"kernels"}, "3000"));
  check_success(outcome);
  CHECK(outcome.out.find("\nresults verified before they were timed: 8; skipped: 0\n") != std::string::npos);
}

DEVICE_TEST("bench verifies kd-trees and ropes, which it measures when named") {
  const Folder folder;
  check_success(folder.weft(
      short_bench(device, {"kd-tree", "kd-tree:nearest", "kd-tree:boxes", "rays:kd-tree", "rays:ropes"}, "300")));
}

DEVICE_TEST("bench builds, searches and verifies hierarchies over the boxes of a mesh") {
  constexpr uint64_t side = 12, triangles = 2 * side * side;
  const Folder folder;
  folder.write("grid.obj", grid_mesh(side));
  check_success(
      folder.weft({"bench", "lbvh:agglomerative", "refit", "traversal", "rays", "pairs", "kd-tree:boxes", "--mesh",
                   "grid.obj", "--device", selector_of(device), "--time", "0", "--warm-up", "0", "--json", "r.json"}));
  const auto json = nlohmann::json::parse(folder.read("r.json"));
  CHECK(json.at("mesh") == "grid.obj");
  std::map<std::string, int> lines;
  for (const auto& result : json.at("results")) {
    INFO(result.dump());
    const std::string name = result.at("primitive");
    ++lines[name];
    CHECK(result.contains("verified"));
    CHECK(result.at("elements") == triangles);
    // Each box has the pair in its square, and touches those of the squares around.
    constexpr uint64_t touching_squares = 2 * (side - 1) * side + 2 * (side - 1) * (side - 1);
    constexpr uint64_t pairs = side * side + 4 * touching_squares;
    if (name == "pairs") CHECK(result.at("bytes_moved") == triangles * 24 + pairs * 8);
    // Queries are within the bounds of the mesh, so each overlaps a square.
    if (name == "traversal" && result.at("variant") == "overlaps") {
      CHECK(result.at("bytes_moved") >= triangles * (24 + 8) + 2 * triangles * 4);
    }
  }
  const std::map<std::string, int> expected{{"kd-tree", 1}, {"lbvh", 1},  {"pairs", 2},
                                            {"rays", 2},    {"refit", 1}, {"traversal", 2}};
  CHECK(lines == expected);
}

DEVICE_TEST("bench verifies scenes of boxes in clusters, and of one huge box") {
  const Folder folder;
  std::map<std::string, uint64_t> bytes;
  for (const char* name : {"uniform", "clustered", "one-huge"}) {
    INFO(std::string(name));
    check_success(folder.weft(short_bench(device,
                                          {"lbvh:one-pass", "traversal:overlaps", "rays:any", "pairs", "kd-tree:boxes",
                                           "--distribution", name, "--json", "r.json"},
                                          "500")));
    const auto json = nlohmann::json::parse(folder.read("r.json"));
    CHECK(json.at("distribution") == name);
    CHECK(json.at("results").size() == 6);
    for (const auto& result : json.at("results")) {
      CHECK(result.contains("verified"));
      if (result.at("primitive") == "pairs") bytes[name] = result.at("bytes_moved");
    }
  }
  CHECK(bytes.at("one-huge") > bytes.at("uniform") + 8 * 450);
  CHECK(bytes.at("clustered") > bytes.at("uniform") / 2);
  CHECK(bytes.at("clustered") < bytes.at("uniform") * 2);
  check_failure(folder.weft({"bench", "scan", "--distribution", "clustered"}), 1,
                {"--distribution clustered", "'scan' takes no mesh or boxes"});
}

TEST_CASE("boxes in clusters fill few cells of a grid") {
  const auto cells_of = [](bench::Distribution distribution) {
    std::set<std::array<int, 3>> cells;
    for (const Box<3>& box : bench::random_boxes(2000, {1, distribution, 2000})) {
      std::array<int, 3> cell{};
      for (size_t axis = 0; axis < 3; ++axis) cell[axis] = int(std::floor(16 * box.low[axis]));
      CHECK(std::ranges::all_of(cell, [](int x) { return x >= 0 && x < 16; }));
      cells.insert(cell);
    }
    return cells.size();
  };
  CHECK(cells_of(bench::Distribution::clustered) <= 16 * 8);
  CHECK(cells_of(bench::Distribution::uniform) > 1000);
}

DEVICE_TEST("bench gives a peer the boxes of the mesh") {
  const Folder folder;
  folder.write("grid.obj", grid_mesh(3));
  const std::vector<Box<3>> boxes = bench::boxes_of_mesh(support::read_obj(folder.path() / "grid.obj"));
  REQUIRE(boxes.size() == 18);
  for (size_t i = 0; i < boxes.size(); ++i) {
    const size_t x = i / 2 % 3, y = i / 6;
    CHECK(boxes[i].low == std::array{float(double(x) / 3), 0.0f, float(double(y) / 9)});
    CHECK(boxes[i].high == std::array{float(double(x + 1) / 3), 0.0f, float(double(y + 1) / 9)});
  }
  Stream stream = device.stream();
  for (const char* name : {"lbvh:agglomerative", "rays:nearest"}) {
    const auto prepared = bench::find_benchmarks(name).front()->prepare(
        {.device = device, .count = boxes.size(), .seed = 1, .mesh = boxes});
    const Region given = prepared->peer_work().value().inputs[0].region;
    const std::vector<Box<3>> downloaded = stream.download(View<Box<3>>(given));
    CHECK(std::ranges::equal(downloaded, boxes, {}, &Box<3>::low, &Box<3>::low));
    CHECK(std::ranges::equal(downloaded, boxes, {}, &Box<3>::high, &Box<3>::high));
  }
}

TEST_CASE("bench explains which meshes, and which options with them, it does not take") {
  const Folder folder;
  folder.write("point.obj", "v 3 3 3\nf 1 1 1\n");
  CHECK(bench::boxes_of_mesh(support::read_obj(folder.path() / "point.obj")).front().high ==
        std::array{0.0f, 0.0f, 0.0f});
  folder.write("bad.obj", "v 0 0 0\nf 1 1 2\n");
  const auto fails = [&](std::vector<std::string> arguments, const std::vector<std::string>& words) {
    arguments.insert(arguments.begin(), "bench");
    check_failure(folder.weft(arguments), 1, words);
  };
  fails({"--mesh", "none.obj"}, {"none.obj", "No such file"});
  fails({"--mesh", "bad.obj"}, {"bad.obj:2", "no vertex 2"});
  fails({"lbvh", "scan", "--mesh", "point.obj"}, {"--mesh", "'scan' takes no mesh or boxes", "--list"});
  fails({"lbvh", "--mesh", "point.obj", "--distribution", "clustered"},
        {"--mesh", "leave out --distribution clustered"});
  fails({"lbvh", "--mesh", "point.obj", "--sizes", "100"}, {"--mesh", "leave out --sizes"});
  fails({"lbvh", "--mesh", "point.obj", "--json", "point.obj"}, {"cannot write point.obj", "the mesh"});
  CHECK(folder.weft({"bench", "--list"}).out.find("by a uniform grid (takes a mesh or boxes)\n") != std::string::npos);
}

DEVICE_TEST("bench ended by a signal keeps its results so far, and says so") {
  const Folder folder;
  folder.write("r.json", "an older one");
  std::string sizes = "1000";
  for (int i = 1; i < 60; ++i) sizes += "," + std::to_string(1000 + i);
  const std::vector<std::string> arguments{"bench",   "reduce", "--device",  selector_of(device),
                                           "--time",  "0.2",    "--warm-up", "0",
                                           "--sizes", sizes,    "--json",    "r.json"};
  const Outcome outcome = folder.weft_interrupted_after("\nreduce ", arguments);
  check_failure(outcome, 1, {"ended by a signal", "r.json"});
  const auto json = nlohmann::json::parse(folder.read("r.json"));
  const size_t lines = json.at("results").size();
  CHECK(lines >= 1);
  CHECK(lines < 60);
  CHECK(json.at("note") == "ended by a signal after " + std::to_string(lines) + " lines");
}

DEVICE_TEST("bench ended before its first result names no file that does not exist") {
  const Folder folder;
  const Outcome outcome = folder.weft_interrupted_after(
      device.info().selector, {"bench", "reduce", "--device", selector_of(device), "--time", "0", "--warm-up", "1",
                               "--sizes", "1000", "--json", "r.json"});
  check_failure(outcome, 1, {"before anything was measured; r.json is not written"});
  CHECK(folder.names().empty());
}

DEVICE_TEST("bench runs a forced path, and skips what the device cannot do with the reason") {
  const Folder folder;
  check_success(folder.weft(short_bench(
      device, {"scan:reduce-then-scan", "compact:look-back", "reduce", "--types", "u32,f64", "--json", "r.json"})));
  const auto json = nlohmann::json::parse(folder.read("r.json"));
  for (const auto& result : json.at("results")) {
    INFO(result.dump());
    if (result.at("type") == "f64" && !device.info().features.float64) {
      CHECK(result.at("skipped").get<std::string>().size() > 10);
      continue;
    }
    CHECK(result.contains("verified"));
    if (result.at("primitive") == "scan") CHECK(result.at("variant") == "reduce-then-scan");
    if (result.at("primitive") == "compact") CHECK(result.at("variant") == "look-back");
  }
}

DEVICE_TEST("bench fills and searches hash tables at each load, and accesses sectors at random") {
  const Folder folder;
  check_success(folder.weft(short_bench(
      device, {"hash:insert", "hash:find", "hash:erase", "hash:insert-bidirectional", "hash:find-bidirectional",
               "hash:insert-bidirectional-locks", "hash:erase-bidirectional", "random", "--load", "0.3,0.8..0.9",
               "--matching", "0.5", "--multiplicity", "2", "--json", "r.json"})));
  const auto json = nlohmann::json::parse(folder.read("r.json"));
  std::map<std::string, int> lines;
  for (const auto& result : json.at("results")) {
    INFO(result.dump());
    CHECK(result.contains("verified"));
    ++lines[result.at("variant")];
  }
  for (const char* variant : {"insert", "find", "erase", "insert-bidirectional", "find-bidirectional"}) {
    for (const char* load : {"@0.3", "@0.8", "@0.9"}) CHECK_EQ(lines[std::string(variant) + load], 2);
  }
  for (const char* variant : {"read", "write", "update"}) CHECK_EQ(lines[variant], 2);
  CHECK_EQ(lines.size(), 7 * 3 + 3);
  check_failure(folder.weft({"bench", "hash", "--load", "1.5"}), 1, {"--load", "1.5", "at most 1"});
  check_failure(folder.weft({"bench", "hash", "--load", "full"}), 1, {"--load", "full"});
}

DEVICE_TEST("bench compacts by flags of both widths, and those of 8 bits move fewer bytes") {
  const Folder folder;
  check_success(folder.weft(
      short_bench(device, {"compact:flags", "compact:byte-flags", "--types", "u32,f64", "--json", "r.json"})));
  const auto results = nlohmann::json::parse(folder.read("r.json")).at("results");
  const DeviceFeatures& features = device.info().features;
  std::map<std::pair<std::string, uint64_t>, std::map<uint64_t, uint64_t>> moved;  // by type and count, by flags' bytes
  for (const auto& result : results) {
    INFO(result.dump());
    const std::string variant = result.at("variant");
    const bool bytes = variant.starts_with(result.contains("skipped") ? "byte-flags" : "u8 flags, ");
    const bool runs = (!bytes || features.storage8) && (result.at("type") != "f64" || features.float64);
    CHECK(result.contains(runs ? "verified" : "skipped"));
    if (runs) moved[{result.at("type"), result.at("elements")}][bytes ? 1 : 4] = result.at("bytes_moved");
  }
  CHECK(results.size() == 8);
  for (const auto& [of, by_flags] : moved) {
    if (features.storage8) CHECK(by_flags.at(4) - by_flags.at(1) == 3 * of.second);
  }
}

DEVICE_TEST("bench spreads the elements by the given distribution, and verifies the results") {
  const Folder folder;
  for (const char* name : {"sorted", "reversed", "constant", "few", "skewed", "organ-pipe"}) {
    INFO(std::string(name));
    check_success(folder.weft(short_bench(
        device, {"compact", "merge-sort:keys", "--types", "u32,i32", "--distribution", name, "--json", "r.json"},
        "1000")));
    const auto json = nlohmann::json::parse(folder.read("r.json"));
    CHECK(json.at("distribution") == name);
    CHECK(json.at("results").size() == 4);
    for (const auto& result : json.at("results")) CHECK(result.contains("verified"));
  }
  check_failure(folder.weft({"bench", "--distribution", "odd"}), 1, {"'odd'", "organ-pipe"});
}

DEVICE_TEST("bench counts samples of 8 and 16 bits, and skips benchmarks that do not take them") {
  const Folder folder;
  check_success(
      folder.weft(short_bench(device, {"histogram:4096", "reduce", "--types", "u8,i16", "--json", "r.json"})));
  const DeviceFeatures& features = device.info().features;
  const auto json = nlohmann::json::parse(folder.read("r.json"));
  for (const auto& result : json.at("results")) {
    INFO(result.dump());
    const bool has_type =
        result.at("type") == "u8" ? features.int8 && features.storage8 : features.int16 && features.storage16;
    const bool runs = result.at("primitive") == "histogram" && has_type;
    CHECK(result.contains(runs ? "verified" : "skipped"));
  }
}

DEVICE_TEST("bench plots its results, at once or later") {
  const Folder folder;
  check_success(folder.weft(short_bench(device, {"copy:kernel", "--json", "r.json", "--plot", "now.svg"})));
  check_success(folder.weft({"bench", "--from", "r.json", "--plot", "later.svg"}));
  for (const char* picture : {"now.svg", "later.svg"}) {
    const std::string svg = folder.read(picture);
    CHECK(svg.find("<svg") != std::string::npos);
    CHECK(svg.find("copy:kernel") != std::string::npos);
    CHECK(svg.find("GB/s") != std::string::npos);
    CHECK(svg.find("</svg>") != std::string::npos);
  }
  const Outcome png = folder.weft({"bench", "--from", "r.json", "--plot", "later.png"});
  check_success(png);
  CHECK(folder.read("later.png").starts_with("\x89PNG"));
  CHECK(png.error.find("empty x range") == std::string::npos);  // there is only one size
  CHECK(folder.names() == std::vector<std::string>{"later.png", "later.svg", "now.svg", "r.json"});
}

TEST_CASE("bench plots in the format given by the picture's name, and refuses other names and unavailable formats") {
  const Folder folder;
  for (const char* name : {"rates.gif", "rates"}) {
    check_failure(folder.weft({"bench", "--plot", name}), 1, {name, ".svg or .png"});
  }
  folder.write("gnuplot", "#!/bin/sh\nread command\ncase $command in *png*) exit 1;; esac\n");
  std::filesystem::permissions(folder.path() / "gnuplot", std::filesystem::perms::owner_all);
  check_failure(folder.weft_with_path(folder.path().string() + ":/usr/bin:/bin", {"bench", "--plot", "rates.png"}), 1,
                {"rates.png", "no terminal 'pngcairo'"});
  CHECK(folder.names() == std::vector<std::string>{"gnuplot"});
}

TEST_CASE("the error about an unknown benchmark lists each benchmark once") {
  const Folder folder;
  const Outcome outcome = folder.weft({"bench", "foo"});
  check_failure(outcome, 1, {"no benchmark 'foo'", "the benchmarks are copy, copy:kernel, copy:buffer, reduce, scan"});
  CHECK(outcome.error.find(" compact, ") == outcome.error.rfind(" compact, "));
}

TEST_CASE("a family's name runs what runs by default, or all of the family if nothing does") {
  const auto check = [](const std::string& name, const std::vector<std::string>& expected) {
    std::vector<std::string> names;
    for (const bench::Benchmark* benchmark : bench::find_benchmarks(name)) names.push_back(benchmark->name());
    CHECK(names == expected);
  };
  check("random", {"random:read", "random:write", "random:update"});
  check("random:write", {"random:write"});
  check("hash", {"hash:insert", "hash:find", "hash:erase"});
  check("lock", {"lock"});
}

TEST_CASE("bench says at once if gnuplot is missing, or a file holds no results") {
  const Folder folder;
  folder.write("old.svg", "precious");
  check_failure(folder.weft_with_path("/nonexistent", {"bench", "--plot", "old.svg"}), 1, {"gnuplot", "apt install"});
  CHECK(folder.read("old.svg") == "precious");
  folder.write("r.json", "{\"weft\": 1}");
  check_failure(folder.weft({"bench", "--from", "r.json", "--plot", "old.svg"}), 1, {"r.json", "no results"});
  check_failure(folder.weft({"bench", "--from", "none.json", "--plot", "old.svg"}), 1, {"none.json", "No such file"});
  CHECK(folder.read("old.svg") == "precious");
  CHECK(folder.names() == std::vector<std::string>{"old.svg", "r.json"});
}
