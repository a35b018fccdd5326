#include "bench/tune.h"

#include <fcntl.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <stdexcept>

#include "bench/run.h"
#include "core/src/runtime/files.h"
#include "tools/support/interruption.h"

namespace weft::bench {
namespace {

using algorithms::Tuning;
using algorithms::TuningEntry;
using Clock = std::chrono::steady_clock;

// The numbers that a value is tried at on that device; none where it has no effect.
std::span<const uint32_t> numbers(const Choice& choice, const DeviceInfo& device) {
  // Only CUDA's compilers take a bound.
  if (choice.value == &Tuning::resident_workgroups && device.backend != "cuda") return {};
  return device.kind == DeviceKind::cpu ? choice.on_cpu : choice.on_gpu;
}

// What a case does with a tuning, found to be wrong.
struct Wrong : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// As long as it lives, plans are made with these values: they are in a file that WEFT_TUNING names.
class Trial {
 public:
  explicit Trial(const TuningEntry& entry)
      : folder_(std::filesystem::temp_directory_path()),
        file_(core::open_at(AT_FDCWD, folder_.string(), O_PATH | O_DIRECTORY)),
        unfinished_(file_.folder().number(), file_.name().c_str()) {
    if (const char* before = std::getenv("WEFT_TUNING")) before_ = before;
    const std::string text = algorithms::to_text({entry});
    file_.write(std::as_bytes(std::span(text)));
    ::setenv("WEFT_TUNING", (folder_ / file_.name()).c_str(), 1);
  }
  ~Trial() {
    if (before_) {
      ::setenv("WEFT_TUNING", before_->c_str(), 1);
    } else {
      ::unsetenv("WEFT_TUNING");
    }
  }
  Trial(const Trial&) = delete;

 private:
  const std::filesystem::path folder_;
  core::NewFile file_;
  const tools::UnfinishedFile unfinished_;
  std::optional<std::string> before_;
};

class Search {
 public:
  Search(const Tunable& tunable, const Benchmark& benchmark, const Device& device, tools::ScalarType type,
         uint64_t count, const TuneOptions& options)
      : tunable_(tunable),
        benchmark_(benchmark),
        options_(options),
        problem_{device, type, count, options.seed,
                 choose_sets(device, benchmark.set_bytes(tools::bytes(type), count))} {}

  Tuned run() {
    const TuningEntry described = entry({});
    const Tuning defaults = algorithms::default_tuning(
        tunable_.primitive, {problem_.device.info(), described.element_bytes, described.count});
    Tuning best = defaults;
    double best_seconds = seconds(prepare(defaults));
    known_.push_back(defaults);
    while (!over() && improve(best, best_seconds)) continue;

    Tuned tuned{entry(best), {}, {}, known_.size(), std::move(refused_)};
    const auto default_case = prepare(defaults), found_case = prepare(best);
    const auto default_runs = runs_of(problem_.device, *default_case, problem_.sets);
    const auto found_runs = runs_of(problem_.device, *found_case, problem_.sets);
    const std::vector<Timing> timings = measure({default_runs.get(), found_runs.get()}, options_.measure);
    tuned.with_defaults = timings[0];
    tuned.with_found = timings[1];
    if (!is_better(timings[1].median, timings[0].median)) {
      tuned.entry.tuning = defaults;
      tuned.with_found = tuned.with_defaults;
    }
    return tuned;
  }

 private:
  // By more than what differs from one measurement to the next.
  static bool is_better(double seconds, double than) { return seconds < than * 0.99; }

  bool over() const { return std::chrono::duration<double>(Clock::now() - start_).count() >= options_.budget_seconds; }

  TuningEntry entry(const Tuning& tuning) const {
    return entry_of(tunable_, problem_.device.info(), problem_.type, problem_.count, tuning);
  }

  // A case whose results are right.
  std::unique_ptr<Case> prepare(const Tuning& tuning) const {
    const Trial trial(entry(tuning));
    auto prepared = benchmark_.prepare(problem_);
    if (const auto wrong = what_is_wrong(problem_.device, *prepared, problem_.sets)) {
      throw Wrong(std::string("tuning ") + tunable_.primitive + ", results are wrong: " + *wrong);
    }
    return prepared;
  }

  double seconds(const std::unique_ptr<Case>& prepared) const {
    const auto runs = runs_of(problem_.device, *prepared, problem_.sets);
    return measure({runs.get()}, options_.measure).front().median;
  }

  // Nothing where the values cannot be had.
  std::optional<double> seconds_with(const Tuning& tuning, const std::string& what) {
    try {
      return seconds(prepare(tuning));
    } catch (const Error& error) {
      if (error.code() != ErrorCode::unsupported && error.code() != ErrorCode::compile_failed &&
          error.code() != ErrorCode::out_of_memory) {
        throw;
      }
      refused_.push_back(what + ": " + error.what());
    } catch (const Wrong& wrong) {
      refused_.push_back(what + ": " + wrong.what());
    }
    return std::nullopt;
  }

  // Tries each value by itself; whether one became better.
  bool improve(Tuning& best, double& best_seconds) {
    const Tuning before = best;
    for (const Choice& choice : tunable_.choices) {
      for (const uint32_t number : numbers(choice, problem_.device.info())) {
        Tuning tuning = best;
        tuning.*choice.value = number;
        if (over() || std::ranges::find(known_, tuning) != known_.end()) continue;
        known_.push_back(tuning);
        const auto took = seconds_with(
            tuning, std::string(algorithms::tuning_value_name(choice.value)) + "=" + std::to_string(number));
        if (!took || !is_better(*took, best_seconds)) continue;
        best = tuning;
        best_seconds = *took;
      }
    }
    return best != before;
  }

  const Tunable& tunable_;
  const Benchmark& benchmark_;
  const TuneOptions& options_;
  Problem problem_;
  const Clock::time_point start_ = Clock::now();
  std::vector<Tuning> known_;
  std::vector<std::string> refused_;
};

}  // namespace

TuningEntry entry_of(const Tunable& tunable, const DeviceInfo& device, tools::ScalarType type, uint64_t count,
                     const Tuning& tuning) {
  return {device.backend,
          device.name,
          tunable.primitive,
          tools::bytes(type) + tunable.beside_bytes,
          tunable.plan_count > 0 ? tunable.plan_count : count,
          tuning};
}

Tuned tune(const Tunable& tunable, const Benchmark& benchmark, const Device& device, tools::ScalarType type,
           uint64_t count, const TuneOptions& options) {
  if (!tools::is_element_type(type) && !benchmark.takes_samples) throw Error(ErrorCode::unsupported, no_samples);
  if (count < tunable.least_count) {
    throw Error(ErrorCode::unsupported, "fewer than " + std::to_string(tunable.least_count) +
                                            " elements may be sorted by other kernels, which are not tuned");
  }
  return Search(tunable, benchmark, device, type, count, options).run();
}

}  // namespace weft::bench
