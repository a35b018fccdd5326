#include "bench/tune.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <optional>

#include "bench/run.h"

namespace weft::bench {
namespace {

using algorithms::Tuning;
using algorithms::TuningEntry;
using Clock = std::chrono::steady_clock;
using Member = uint32_t Tuning::*;

constexpr Member of_tiles[] = {&Tuning::bytes_per_invocation, &Tuning::workgroup, &Tuning::resident_workgroups,
                               &Tuning::look_back_pause};
constexpr Member of_staged[] = {&Tuning::bytes_per_invocation, &Tuning::staged_bytes, &Tuning::workgroup,
                                &Tuning::resident_workgroups, &Tuning::look_back_pause};
constexpr Member of_reduce[] = {&Tuning::bytes_per_invocation, &Tuning::workgroup, &Tuning::resident_workgroups};
constexpr Tunable all[] = {
    {"compact", "compact", of_staged},
    {"reduce", "reduce", of_reduce},
    {"scan", "scan", of_tiles},
};

// What a value is tried at on that kind of device; nothing where it has no effect.
std::vector<uint32_t> candidates(Member member, const DeviceInfo& device) {
  const bool cpu = device.kind == DeviceKind::cpu;
  if (member == &Tuning::workgroup) {
    return cpu ? std::vector<uint32_t>{64, 128, 256} : std::vector<uint32_t>{128, 256, 512, 1024};
  }
  if (member == &Tuning::bytes_per_invocation) {
    return cpu ? std::vector<uint32_t>{16, 32, 64, 128}
               : std::vector<uint32_t>{16, 32, 48, 64, 96, 128, 160, 176, 192, 224, 256};
  }
  if (member == &Tuning::staged_bytes && !cpu) return {16, 32, 48, 64, 96, 128, 192};
  if (member == &Tuning::resident_workgroups && device.backend == "cuda") return {0, 2, 3, 4, 6, 8};
  if (member == &Tuning::look_back_pause && !cpu) return {0, 30, 60, 100, 130, 150, 170, 200, 250};
  return {};
}

// As long as it lives, plans are made with these values: they are in a file that WEFT_TUNING names.
class Trial {
 public:
  explicit Trial(const TuningEntry& entry)
      : file_(std::filesystem::temp_directory_path() / ("weft-tune-" + std::to_string(::getpid()))) {
    if (const char* before = std::getenv("WEFT_TUNING")) before_ = before;
    std::ofstream(file_) << algorithms::to_text({entry});
    ::setenv("WEFT_TUNING", file_.c_str(), 1);
  }
  ~Trial() {
    if (before_) {
      ::setenv("WEFT_TUNING", before_->c_str(), 1);
    } else {
      ::unsetenv("WEFT_TUNING");
    }
    std::error_code error;
    std::filesystem::remove(file_, error);
  }
  Trial(const Trial&) = delete;

 private:
  std::filesystem::path file_;
  std::optional<std::string> before_;
};

class Search {
 public:
  Search(const Tunable& tunable, const Device& device, tools::ScalarType type, uint64_t count,
         const TuneOptions& options)
      : tunable_(tunable),
        benchmark_(*find_benchmarks(tunable.benchmark).front()),
        options_(options),
        problem_{device, type, count, options.seed,
                 choose_sets(device, benchmark_.set_bytes(tools::bytes(type), count))} {}

  Tuned run() {
    const DeviceInfo& info = problem_.device.info();
    const uint32_t element_bytes = tools::bytes(problem_.type);
    const Tuning defaults = algorithms::default_tuning(tunable_.primitive, {info, element_bytes, problem_.count});
    Tuning best = defaults;
    double best_seconds = seconds(prepare(defaults));
    for (bool better = true; better && !over();) better = improve(best, best_seconds);

    Tuned tuned{entry_of(best), {}, {}, tried_};
    const auto default_case = prepare(defaults), found_case = prepare(best);
    verify(problem_.device, *found_case, problem_.sets, std::string("tuned ") + tunable_.primitive);
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

  TuningEntry entry_of(const Tuning& tuning) const {
    const DeviceInfo& info = problem_.device.info();
    return {info.backend, info.name, tunable_.primitive, tools::bytes(problem_.type), problem_.count, tuning};
  }

  std::unique_ptr<Case> prepare(const Tuning& tuning) {
    ++tried_;
    const Trial trial(entry_of(tuning));
    return benchmark_.prepare(problem_);
  }

  double seconds(const std::unique_ptr<Case>& prepared) const {
    const auto runs = runs_of(problem_.device, *prepared, problem_.sets);
    return measure({runs.get()}, options_.measure).front().median;
  }

  // Tries each value by itself; whether one became better.
  bool improve(Tuning& best, double& best_seconds) {
    const Tuning before = best;
    for (const Member member : tunable_.values) {
      for (const uint32_t value : candidates(member, problem_.device.info())) {
        Tuning tuning = best;
        tuning.*member = value;
        if (over() || std::ranges::find(known_, tuning) != known_.end()) continue;
        known_.push_back(tuning);
        try {
          const double took = seconds(prepare(tuning));
          if (!is_better(took, best_seconds)) continue;
          best = tuning;
          best_seconds = took;
        } catch (const Error& error) {  // values that this device cannot do
          if (error.code() != ErrorCode::unsupported && error.code() != ErrorCode::compile_failed) throw;
        }
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
  size_t tried_ = 0;
};

}  // namespace

std::span<const Tunable> tunables() { return all; }

const Tunable& find_tunable(const std::string& primitive) {
  std::string names;
  for (const Tunable& tunable : all) {
    if (tunable.primitive == primitive) return tunable;
    names += (names.empty() ? "" : ", ") + std::string(tunable.primitive);
  }
  throw Error(ErrorCode::invalid_argument, "there is nothing to tune in '" + primitive + "'; there are " + names);
}

Tuned tune(const Tunable& tunable, const Device& device, tools::ScalarType type, uint64_t count,
           const TuneOptions& options) {
  return Search(tunable, device, type, count, options).run();
}

}  // namespace weft::bench
