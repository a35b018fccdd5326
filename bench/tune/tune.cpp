#include "bench/tune/tune.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "bench/run.h"

namespace weft::bench {
namespace {

using Clock = std::chrono::steady_clock;

// The numbers to try for a value; none if it has no effect on the device.
std::span<const uint32_t> numbers(const Choice& choice, const DeviceInfo& device) {
  if (choice.value == std::string_view("resident_workgroups") && !device.features.bounded_registers) return {};
  if (choice.value == std::string_view("serial_bytes") && !device.features.loop_vectorization) return {};
  return device.kind == DeviceKind::cpu ? choice.on_cpu : choice.on_gpu;
}

// A case's results are wrong.
struct Wrong : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Search {
 public:
  Search(const Tunable& tunable, const Benchmark& benchmark, const Device& device, support::ScalarType type,
         uint64_t count, const TuneOptions& options)
      : tunable_(tunable),
        benchmark_(benchmark),
        options_(options),
        problem_{device, type, count, options.seed,
                 choose_sets(device, benchmark.set_bytes(support::bytes(type), count))} {}

  Tuned run() {
    const Tuning::Entry described = entry({});
    const Tuning::Values defaults =
        tunable_.defaults({problem_.device.info(), described.element_bytes, described.count});
    Tuning::Values best = defaults;
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
      tuned.entry.values = defaults;
      tuned.with_found = tuned.with_defaults;
    }
    return tuned;
  }

 private:
  // By more than the noise of measurements.
  static bool is_better(double seconds, double than) { return seconds < than * 0.99; }

  bool over() const { return std::chrono::duration<double>(Clock::now() - start_).count() >= options_.budget_seconds; }

  Tuning::Entry entry(const Tuning::Values& values) const {
    return entry_of(tunable_, problem_.device.info(), problem_.type, problem_.count, values);
  }

  // A case whose results are right.
  std::unique_ptr<Case> prepare(const Tuning::Values& values) const {
    Problem problem = problem_;
    problem.tuning = Tuning({entry(values)});
    auto prepared = benchmark_.prepare(problem);
    if (const auto wrong = what_is_wrong(problem_.device, *prepared, problem_.sets)) {
      throw Wrong(std::string("tuning ") + tunable_.primitive + ", results are wrong: " + *wrong);
    }
    return prepared;
  }

  double seconds(const std::unique_ptr<Case>& prepared) const {
    const auto runs = runs_of(problem_.device, *prepared, problem_.sets);
    return measure({runs.get()}, options_.measure).front().median;
  }

  // nullopt if the try fails; `what` names it.
  std::optional<double> seconds_with(const Tuning::Values& values, const std::string& what) {
    try {
      return seconds(prepare(values));
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

  // Tries each value by itself; returns whether any became better.
  bool improve(Tuning::Values& best, double& best_seconds) {
    const Tuning::Values before = best;
    for (const Choice& choice : tunable_.choices) {
      for (const uint32_t number : numbers(choice, problem_.device.info())) {
        Tuning::Values values = best;
        values[choice.value] = number;
        if (over() || std::ranges::find(known_, values) != known_.end()) continue;
        known_.push_back(values);
        const auto took = seconds_with(values, std::string(choice.value) + "=" + std::to_string(number));
        if (!took || !is_better(*took, best_seconds)) continue;
        best = values;
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
  std::vector<Tuning::Values> known_;
  std::vector<std::string> refused_;
};

}  // namespace

Tuning::Entry entry_of(const Tunable& tunable, const DeviceInfo& device, support::ScalarType type, uint64_t count,
                       const Tuning::Values& values) {
  return {.backend = device.backend,
          .device = device.name,
          .primitive = tunable.primitive,
          .element_bytes = support::bytes(type) + tunable.beside_bytes,
          .count = tunable.plan_count > 0 ? tunable.plan_count : count * tunable.count_factor,
          .values = values};
}

Tuned tune(const Tunable& tunable, const Benchmark& benchmark, const Device& device, support::ScalarType type,
           uint64_t count, const TuneOptions& options) {
  if (!support::is_element_type(type) && benchmark.takes != Takes::samples)
    throw Error(ErrorCode::unsupported, no_samples);
  if (count < tunable.least_count) {
    throw Error(ErrorCode::unsupported, "fewer than " + std::to_string(tunable.least_count) +
                                            " elements may be sorted by other kernels, which are not tuned");
  }
  return Search(tunable, benchmark, device, type, count, options).run();
}

}  // namespace weft::bench
