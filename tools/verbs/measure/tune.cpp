#include "bench/tune/tune.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include <weft/device.h>

#include "core/src/platform/files.h"
#include "core/src/platform/utf8.h"
#include "core/src/runtime/environment.h"
#include "support/output_file.h"
#include "support/scalar_type.h"
#include "support/text.h"
#include "tools/primitive.h"
#include "tools/verbs.h"
#include "tools/verbs/measure/bench_sizes.h"

namespace weft::tools {

using namespace support;

namespace {

const char* const tune_footer =
    R"(For each primitive, element size and count, changes the sizes of tiles, workgroups and the like, one after the other,
as long as runs become faster. Each try is verified; a try with wrong results, or that the device cannot run, is left
out and reported. The result is timed in turns with the defaults, and stored in the file that plans read: the one that
the environment variable WEFT_TUNING names, else `tuning` beside the cached kernels. WEFT_TUNING= (empty) makes plans
with the defaults. Sizes are powers of two; plans for other counts take the values of the next larger size, so tune
small sizes as well as large ones.

Examples:
  weft tune
  weft tune sort sort_pairs merge_sort --budget 300
  weft tune scan --device vulkan:0 --sizes 2^16,2^20,2^24,2^28 --types u32,u64
  weft tune scan -o trial && WEFT_TUNING=trial weft bench scan)";

struct TuneVerbOptions {
  std::vector<std::string> names;
  std::string device, sizes, types = "u32", output;
  bench::TuneOptions search;
};

std::filesystem::path output_of(const TuneVerbOptions& options) {
  if (!options.output.empty()) return core::utf8_path(options.output);
  if (const auto file = core::tuning_file()) return *file;
  throw Error(ErrorCode::invalid_argument,
              "there is no tuning file to write, because WEFT_TUNING or WEFT_CACHE_DIR is empty; -o FILE names one");
}

bool of_the_same(const Tuning::Entry& a, const Tuning::Entry& b) {
  return a.backend == b.backend && a.device == b.device && a.primitive == b.primitive &&
         a.element_bytes == b.element_bytes && a.count == b.count;
}

class Tune {
 public:
  explicit Tune(const TuneVerbOptions& options)
      : options_(options), device_(open_device(options.device)), file_(output_of(options)) {
    for (const bench::Tunable& tunable : bench::tunables()) {
      if (options.names.empty()) tunables_.push_back(&tunable);
    }
    for (const std::string& name : options.names) tunables_.push_back(&bench::find_tunable(name));
    for (const std::string& name : split(options.types, ',')) types_.push_back(parse_scalar_type(name));
    const bool cpu = device_.info().kind == DeviceKind::cpu;
    sizes_ = parse_sizes(!options.sizes.empty() ? options.sizes : cpu ? "2^16,2^20" : "2^16,2^20,2^24,2^28");
    std::ranges::sort(sizes_);
    for (const uint64_t size : sizes_) {
      if (!std::has_single_bit(size)) {
        throw Error(ErrorCode::invalid_argument, "--sizes " + format_count(size) + ": sizes to tune are powers of two");
      }
    }
    open_file();  // Fails before the search if the file cannot be written.
    if (std::filesystem::exists(file_)) entries_ = Tuning::read(file_).entries();
  }

  void run() {
    std::printf("%s  %s\n%s", device_.info().selector.c_str(), device_.info().name.c_str(), table_.header().c_str());
    for (const bench::Tunable* tunable : tunables_) {
      for (const ScalarType type : types_) {
        // If values do not depend on the number of elements, the largest size measures best.
        const auto sizes = tunable->plan_count > 0 ? std::span(sizes_).last(1) : std::span(sizes_);
        for (const uint64_t size : sizes) tune(*tunable, type, size);
      }
    }
    if (!stored_) {
      throw Error(ErrorCode::unsupported, "nothing was tuned, so nothing was stored in " + core::utf8_text(file_) +
                                              "; the lines above say why each was skipped");
    }
    std::printf("\nstored in %s\n", core::utf8_text(file_).c_str());
  }

 private:
  void tune(const bench::Tunable& tunable, ScalarType type, uint64_t size) {
    const std::string label = format_size(size);
    try {
      const bench::Benchmark& benchmark = *bench::find_benchmarks(tunable.benchmark).front();
      const bench::Tuned tuned = bench::tune(tunable, benchmark, device_, type, size, options_.search);
      store(tuned.entry);
      std::string values;
      for (const bench::Choice& choice : tunable.choices) {
        values += (values.empty() ? "" : " ") + std::string(choice.value) + "=" +
                  std::to_string(tuned.entry.values.at(choice.value));
      }
      std::fputs(table_
                     .row({tunable.primitive, to_string(type), label, format("%zu", tuned.tried),
                           format_seconds(tuned.with_defaults.median), format_seconds(tuned.with_found.median), values})
                     .c_str(),
                 stdout);
      for (const std::string& refused : tuned.refused) std::printf("  left out: %s\n", refused.c_str());
    } catch (const Error& error) {
      if (error.code() != ErrorCode::unsupported && error.code() != ErrorCode::out_of_memory) throw;
      std::printf("%s %s %s  skipped: %s\n", tunable.primitive, to_string(type).c_str(), label.c_str(), error.what());
    }
    std::fflush(stdout);
  }

  // Called after each search, so that an interrupted run keeps its results.
  void store(const Tuning::Entry& entry) {
    std::erase_if(entries_, [&](const Tuning::Entry& old) { return of_the_same(old, entry); });
    entries_.push_back(entry);
    OutputFile output = open_file();
    const std::string text = Tuning(entries_).text();
    output.write(std::as_bytes(std::span(text)));
    output.commit();
    stored_ = true;
  }

  OutputFile open_file() const {
    try {
      // Plans read no file that others can change, and this may be the first file in the cache's folder.
      if (file_.has_parent_path()) core::make_private_folder(file_.parent_path());
    } catch (const std::system_error&) {
      // Opening the file reports the reason.
    }
    return OutputFile(core::utf8_text(file_));
  }

  const TuneVerbOptions& options_;
  Device device_;
  std::filesystem::path file_;
  std::vector<const bench::Tunable*> tunables_;
  std::vector<ScalarType> types_;
  std::vector<uint64_t> sizes_;
  std::vector<Tuning::Entry> entries_;
  bool stored_ = false;
  const Table table_{{{"primitive", Table::Align::left, 23},
                      {"type", Table::Align::left, 4},
                      {"elements", Table::Align::right, 9},
                      {"tried", Table::Align::right, 5},
                      {"before", Table::Align::right, 8},
                      {"tuned", Table::Align::right, 8},
                      {"values", Table::Align::left, 6}}};
};

}  // namespace

void add_tune(CommandLine& command_line) {
  auto options = std::make_shared<TuneVerbOptions>();
  Verb verb = command_line.add_verb("tune", "Find the fastest tiles and workgroups for this device, and store them");
  verb.add_option("NAME", options->names,
                  "Primitives to tune, by their names in the tuning file or in weft bench; default: all");
  verb.add_option("-d,--device", options->device, "A device as listed by weft devices; default: the best one")
      .type_name("DEVICE");
  verb.add_option("--sizes", options->sizes,
                  "Numbers of elements, powers of two; default: 2^16,2^20,2^24,2^28, or 2^16,2^20 on a CPU")
      .type_name("SIZES");
  verb.add_option("--types", options->types, "Element types; only their size matters: u32, u64")
      .type_name("TYPES")
      .capture_default();
  verb.add_option("--time", options->search.measure.seconds, "Seconds of timed runs per try")
      .type_name("SECONDS")
      .range(0.0, 3600.0)
      .capture_default();
  verb.add_option("--budget", options->search.budget_seconds, "Approximate seconds per row")
      .type_name("SECONDS")
      .range(0.0, 86400.0)
      .capture_default();
  add_output_option(verb, "-o,--output", options->output, "File to write, instead of the one that plans read");
  verb.footer(tune_footer);
  verb.callback([options] { Tune(*options).run(); });
}

}  // namespace weft::tools
