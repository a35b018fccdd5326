#include <cstdio>
#include <ctime>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <weft/device.h>
#include <weft/version.h>

#include "bench/benchmark.h"
#include "bench/mesh_boxes.h"
#include "bench/peer.h"
#include "bench/report/gnuplot.h"
#include "bench/report/plot.h"
#include "bench/run.h"
#include "support/interruption.h"
#include "support/mesh.h"
#include "support/standard_streams.h"
#include "support/text.h"
#include "tools/primitive.h"
#include "tools/verbs.h"
#include "tools/verbs/measure/bench_sizes.h"

namespace weft::tools {
using namespace support;

namespace {
const char* const bench_footer =
    R"(Every result is verified on random data before it is timed. After a warm-up, runs follow one another without a
pause. Each lies between two device timestamps and includes any clearing it needs. Inputs alternate, so that caches do
not hold them. GB/s (10^9 bytes a second) is the least number of bytes a run must read and write, divided by the
median time. "of copy" compares that rate with the device's copy rate: a uvec4 kernel or a buffer copy, whichever is
faster. With --peer, runs of the peer alternate with ours, verified on the same data; "ratio" is how many times faster
ours are. If the peer has several forms of a row (CUB: an int or a size_t count), all are timed and the row shows the
fastest.

Examples:
  weft bench
  weft bench scan reduce --sizes 2^20..2^28 --types u32,f32
  weft bench --device vulkan:0 --device vulkan:1 --json rates.json --plot rates.svg
  weft bench scan:look-back scan:reduce-then-scan --sizes 2^24
  weft bench --peer cub --device cuda --device vulkan:nvidia --sizes 2^16,2^20,2^24,2^28 --json peer.json
  weft bench lbvh:agglomerative rays --mesh bunny.obj --peer embree
  weft bench hash hash:find-bidirectional --load 0.1..0.9,0.99 --matching 0.5 --sizes 1000000
  weft bench --from rates.json --plot rates.svg)";

struct BenchOptions {
  std::vector<std::string> names, devices;
  std::string sizes, types = "u32", distribution = "uniform", loads = "0.5", mesh, peer, json, plot, from, note,
                     command;
  double seconds = 0.5, warm_up = 0.3, matching = 1;
  uint32_t multiplicity = 1;
  uint64_t seed = 1;
  bool list = false;
};

// One line on a terminal that each new message replaces.
class Progress {
 public:
  ~Progress() { clear(); }
  void show(const std::string& text) {
    if (!terminal_) return;
    std::fprintf(stderr, "\r\033[K%s", text.c_str());
    std::fflush(stderr);
  }
  void clear() { show(""); }

 private:
  const bool terminal_ = error_is_terminal();
};

class Bench {
 public:
  explicit Bench(const BenchOptions& options) : options_(options), table_(columns(!options.peer.empty())) {
    run_options_.distribution = bench::parse_distribution(options.distribution);
    for (const bench::Benchmark& benchmark : bench::benchmarks()) {
      if (options.names.empty() && benchmark.by_default && fits(benchmark)) benchmarks_.push_back(&benchmark);
    }
    for (const std::string& name : options.names) add(name);
    for (const std::string& name : split(options.types, ',')) {
      types_.push_back(parse_scalar_type(name));
      visit_sample_type(types_.back(), [](auto) {});  // throws if no benchmark takes the type
    }
    if (!options.sizes.empty()) parse_sizes(options.sizes);
    if (!options.mesh.empty()) read_mesh();
    run_options_.measure.seconds = options.seconds;
    run_options_.measure.warm_up_seconds = options.warm_up;
    run_options_.seed = options.seed;
    run_options_.table = {.matching = options.matching, .multiplicity = options.multiplicity};
    loads_ = parse_loads(options.loads);
    if (!options.peer.empty()) run_options_.peer = &peer_.emplace(options.peer);
    report_.version = WEFT_VERSION;
    report_.date = now();
    report_.command = options.command;
    report_.note = options.note;
    report_.seed = options.seed;
    report_.distribution = options.distribution;
    report_.mesh = options.mesh;
    if (peer_) report_.peer = peer_->title();
  }

  /// Ends early if the user interrupts, with the results so far and a note that says so.
  bench::Report run() {
    std::vector<Device> devices;
    for (const std::string& selector : options_.devices.empty() ? std::vector<std::string>{""} : options_.devices) {
      devices.push_back(open_device(selector));
    }
    for (const Device& device : devices) {
      if (!interruption_.asked()) run(device);
    }
    if (interruption_.asked()) {
      const std::string note = format("ended by a signal after %zu lines", report_.results.size());
      report_.note += (report_.note.empty() ? "" : "; ") + note;
    }
    return std::move(report_);
  }
  bool ended_early() const { return interruption_.asked(); }

 private:
  static std::vector<Table::Column> columns(bool with_peer) {
    std::vector<Table::Column> list{
        {"primitive", Table::Align::left, 18},   {"type", Table::Align::left, 4},  {"elements", Table::Align::right, 9},
        {"median", Table::Align::right, 8},      {"min", Table::Align::right, 8},  {"max", Table::Align::right, 8},
        {"elements/s", Table::Align::right, 11}, {"GB/s", Table::Align::right, 8}, {"of copy", Table::Align::right, 7}};
    if (with_peer) {
      list.push_back({"peer's", Table::Align::right, 11});
      list.push_back({"ratio", Table::Align::right, 5});
      list.push_back({"peer's form", Table::Align::left, 12});
    }
    return list;
  }

  bool is_scene() const { return !options_.mesh.empty() || bench::is_of_boxes(run_options_.distribution); }
  bool fits(const bench::Benchmark& benchmark) const { return !is_scene() || benchmark.takes == bench::Takes::mesh; }

  void add(const std::string& name) {
    for (const bench::Benchmark* benchmark : bench::find_benchmarks(name)) {
      if (!fits(*benchmark)) {
        throw Error(ErrorCode::invalid_argument,
                    (options_.mesh.empty() ? "--distribution " + options_.distribution : "--mesh") +
                        ": the benchmark '" + name + "' takes no mesh or boxes; --list shows those that do");
      }
      benchmarks_.push_back(benchmark);
    }
  }

  void read_mesh() {
    if (!options_.sizes.empty()) {
      throw Error(ErrorCode::invalid_argument, "--mesh sets the number of elements, so leave out --sizes");
    }
    if (bench::is_of_boxes(run_options_.distribution)) {
      throw Error(ErrorCode::invalid_argument,
                  "--mesh gives the boxes, so leave out --distribution " + options_.distribution);
    }
    const Mesh mesh = read_obj(input_path(options_.mesh));
    if (!mesh.ignored.empty()) note(options_.mesh + ": " + mesh.ignored);
    mesh_ = bench::boxes_of_mesh(mesh);
    run_options_.mesh = mesh_;
  }

  std::vector<uint64_t> sizes_for(const DeviceInfo& device) const {
    if (!mesh_.empty()) return {mesh_.size()};
    return parse_sizes(options_.sizes.empty() ? default_sizes(device) : options_.sizes);
  }

  static std::string now() {
    const std::time_t time = std::time(nullptr);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&time));
    return text;
  }

  void run(const Device& device) {
    const DeviceInfo& info = device.info();
    std::printf("%s  %s, %s, %s\n", info.selector.c_str(), info.name.c_str(), info.driver.c_str(), info.api.c_str());
    std::fflush(stdout);
    progress_.show("measuring the copy rate and the cost of a launch");
    bench::DeviceReport entry{info.selector,
                              info.name,
                              info.driver,
                              info.api,
                              to_string(info.kind),
                              bench::measure_copy(device, run_options_),
                              bench::measure_launch(device, run_options_.measure),
                              bench::measure_recording(device, run_options_.measure)};
    progress_.clear();
    const bench::CopyRates& copy = entry.copy;
    std::printf("copying %s: %s by a kernel, %s by a buffer copy; \"of copy\" refers to the %s\n",
                format_bytes(copy.bytes).c_str(), rate(copy.kernel).c_str(), rate(copy.buffer).c_str(),
                copy.best_name());
    const bench::LaunchCosts& launch = entry.launch;
    std::printf("an empty kernel: back to back %s on the host and %s to completion each; a single one %s\n",
                format_seconds(launch.host).c_str(), format_seconds(launch.device).c_str(),
                format_seconds(launch.latency).c_str());
    if (const auto& record = entry.record) {
      std::printf("recording a sort of 2^20: %s into a stream, %s into a command buffer of the program's; ratio %.2f\n",
                  format_seconds(record->stream).c_str(), format_seconds(record->command_buffer).c_str(),
                  record->ratio());
    }
    std::printf("\n");
    report_.devices.push_back(std::move(entry));
    print(table_.header());

    const std::vector<uint64_t> sizes = sizes_for(info);
    const size_t before = report_.results.size();
    const size_t total = benchmarks_.size() * types_.size() * sizes.size();
    size_t done = 0, skipped = 0;
    for (const bench::Benchmark* benchmark : benchmarks_) {
      for (const ScalarType type : types_) {
        for (const uint64_t size : sizes) {
          if (interruption_.asked()) return;
          progress_.show(format("%zu/%zu  %s %s %s", ++done, total, benchmark->name().c_str(), to_string(type).c_str(),
                                format_size(size).c_str()));
          for (const double load : benchmark->takes == bench::Takes::table_use ? loads_ : std::vector<double>{0.5}) {
            run_options_.table.load = load;
            report_.results.push_back(bench::run(*benchmark, device, type, size, run_options_));
            progress_.clear();
            print(row(report_.results.back()));
            if (!report_.results.back().skipped.empty()) ++skipped;
          }
        }
      }
    }
    const size_t lines = report_.results.size() - before;  // a wrong result has ended the benchmark
    std::printf("results verified before they were timed: %zu; skipped: %zu\n\n", lines - skipped, skipped);
  }

  static std::string rate(double bytes_per_second) {
    return bytes_per_second > 0 ? format_rate(bytes_per_second) : "not possible";
  }

  std::string row(const bench::Result& result) const {
    std::vector<std::string> cells{result.name(), result.type, format_size(result.elements)};
    if (!result.skipped.empty()) {
      std::string line = table_.row(cells);
      line.pop_back();
      return line + "  skipped: " + result.skipped + "\n";
    }
    const auto& t = result.timing;
    for (const double seconds : {t.median, t.min, t.max}) cells.push_back(format_seconds(seconds));
    cells.push_back(format_frequency(result.elements_per_second()));
    cells.push_back(format_digits(result.bytes_per_second() * 1e-9));
    const double percent = report_.share_of_copy(result) * 100;
    cells.push_back(format(percent < 9.95 ? "%.1f %%" : "%.0f %%", percent));
    if (result.peer_timing) {
      cells.push_back(format_frequency(result.peer_elements_per_second()));
      cells.push_back(format("%.2f", result.peer_ratio()));
      cells.push_back(result.peer_form);
    }
    return table_.row(cells);
  }

  static void print(const std::string& line) {
    std::fputs(line.c_str(), stdout);
    std::fflush(stdout);
  }

  const BenchOptions& options_;
  std::vector<const bench::Benchmark*> benchmarks_;
  std::vector<ScalarType> types_;
  std::vector<double> loads_;
  std::vector<Box<3>> mesh_;
  bench::RunOptions run_options_;
  bench::Report report_;
  Progress progress_;
  Interruption interruption_;
  std::optional<bench::Peer> peer_;
  const Table table_;
};

void list_benchmarks() {
  for (const bench::Benchmark& benchmark : bench::benchmarks()) {
    std::printf("%-26s %s%s%s\n", benchmark.name().c_str(), benchmark.summary,
                benchmark.by_default ? "" : " (only when named)",
                benchmark.takes == bench::Takes::mesh ? " (takes a mesh or boxes)" : "");
  }
}

void keep(const bench::Report& report, std::optional<OutputFile> json, std::optional<OutputFile> picture) {
  if (json) {
    const std::string text = bench::to_json(report);
    json->write(std::as_bytes(std::span(text)));
    json->commit();
  }
  if (picture) {
    bench::plot(report, *picture);
    picture->commit();
  }
}

void run(const BenchOptions& options) {
  if (options.list) return list_benchmarks();
  if (!options.from.empty() && options.plot.empty()) {
    throw Error(ErrorCode::invalid_argument, "--from plots saved results and needs --plot FILE");
  }
  if (!options.from.empty() && !options.names.empty()) {
    throw Error(ErrorCode::invalid_argument, "--from plots all results of " + options.from +
                                                 " and takes no names of benchmarks, such as '" +
                                                 options.names.front() + "'");
  }
  for (const std::string& output : {options.json, options.plot}) {
    require_other_file(output, options.from, "the file of saved results that --from reads");
    require_other_file(output, options.mesh, "the mesh");
  }
  // Outputs that cannot be written are reported before the work is done.
  std::optional<OutputFile> json, picture;
  if (!options.json.empty()) json.emplace(options.json);
  if (!options.plot.empty()) {
    bench::require_gnuplot(options.plot);
    picture.emplace(options.plot);
  }
  if (!options.from.empty()) return keep(bench::read_report(options.from), std::move(json), std::move(picture));
  Bench bench(options);
  const bench::Report report = bench.run();
  const bool early = bench.ended_early();
  if (!early || !report.results.empty()) keep(report, std::move(json), std::move(picture));
  if (early && report.results.empty()) {
    throw std::runtime_error("ended by a signal before anything was measured" +
                             std::string(options.json.empty() ? "" : "; " + options.json + " is not written"));
  }
  if (early) {
    throw std::runtime_error("ended by a signal; the results so far are " +
                             std::string(options.json.empty() ? "above" : "in " + options.json));
  }
}

}  // namespace

void add_bench(CommandLine& command_line, const std::string& command) {
  auto options = std::make_shared<BenchOptions>();
  options->command = command;
  Verb verb = command_line.add_verb("bench", "Measure how fast the primitives run on a device");
  verb.add_option(
      "NAME", options->names,
      "Benchmarks: copy, reduce, scan, compact, enqueue or another that --list shows; default: all of them");
  verb.add_repeated("-d,--device", options->devices,
                    "A device as listed by weft devices; repeat for several; default: the best one")
      .type_name("DEVICE");
  verb.add_option("--sizes", options->sizes,
                  "Numbers of elements: sizes and doubling ranges, e.g. 2^16..2^26,1000000; default: 2^16..2^28, or "
                  "2^16..2^20 on a CPU")
      .type_name("SIZES");
  verb.add_option("--types", options->types,
                  "Element types, comma-separated: u32, i32, f32, u64, i64, f64; for histograms also u8, i8, u16, i16")
      .type_name("TYPES")
      .capture_default();
  verb.add_option("--peer", options->peer,
                  "Also time another library on the same work, in alternation: cpp, cub, embree or maps (built by the "
                  "targets weft_cpp_peer and so on), or a shared library that implements bench/peer/interface.h")
      .type_name("PEER");
  add_output_option(verb, "--json", options->json,
                    "Write all results to this file; after Ctrl-C or SIGTERM, the results so far");
  add_output_option(verb, "--plot", options->plot,
                    "Plot the rates, or with --peer the ratios, to an .svg or .png file (needs gnuplot)")
      .type_name("FILE.svg|.png");
  verb.add_option("--from", options->from, "Run nothing; plot the results in this file, written by --json")
      .type_name("FILE");
  verb.add_option("--time", options->seconds, "Seconds of timed runs per row")
      .type_name("SECONDS")
      .range(0.0, 3600.0)
      .capture_default();
  verb.add_option("--warm-up", options->warm_up, "Seconds of back-to-back work before the timed runs")
      .type_name("SECONDS")
      .range(0.0, 60.0)
      .capture_default();
  verb.add_option("--seed", options->seed, "Seed of the random data").type_name("N").capture_default();
  verb.add_option("--distribution", options->distribution,
                  "Distribution of random elements: uniform, sorted, reversed, constant, few, skewed or organ-pipe; "
                  "or of boxes alone: clustered or one-huge")
      .type_name("NAME")
      .capture_default();
  verb.add_option(
          "--load", options->loads,
          "Loads of hash tables, different keys / slots: numbers and ranges by steps of 0.1, e.g. 0.1..0.9,0.99")
      .type_name("LOADS")
      .capture_default();
  verb.add_option("--matching", options->matching, "The part of the keys to find or erase that a hash table has")
      .type_name("PART")
      .range(0.0, 1.0)
      .capture_default();
  verb.add_option("--multiplicity", options->multiplicity, "How often each key is inserted into a hash table")
      .type_name("N")
      .range(1u, 1000000u)
      .capture_default();
  verb.add_option("--mesh", options->mesh,
                  "Build hierarchies and find pairs among the boxes around the triangles of this Wavefront .obj file, "
                  "instead of random boxes; runs only benchmarks that take a mesh")
      .type_name("FILE.obj");
  verb.add_option("--note", options->note, "A remark to save in the JSON file, e.g. the clocks shown by nvidia-smi")
      .type_name("TEXT");
  verb.add_flag("--list", options->list, "List the benchmarks, and run nothing");
  verb.footer(bench_footer);
  verb.callback([options] { run(*options); });
}

}  // namespace weft::tools
