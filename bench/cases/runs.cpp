#include "bench/cases/runs.h"

#include <weft/by_key.h>
#include <weft/compact.h>
#include <weft/run_length.h>
#include <weft/segmented.h>

#include "bench/benchmark.h"
#include "bench/set_bytes.h"
#include "support/reference.h"
#include "support/text.h"

namespace weft::bench {
namespace {

std::optional<std::string> check_number(Stream& stream, const Region& word, uint64_t runs) {
  const uint64_t got = stream.download(View<uint64_t>(word)).front();
  if (got == runs) return std::nullopt;
  return "found " + support::format_count(got) + " runs, expected " + support::format_count(runs);
}

std::string variant_of(TilePath path) { return path == TilePath::look_back ? "look-back" : "reduce-then-scan"; }

// Checks outputs run by run; `wrong(run, got)` says whether an output is wrong for its run.
template <typename T, typename Out, typename Wrong>
std::optional<std::string> check_runs(Stream& stream, const Problem& problem, const Region& output, uint64_t runs,
                                      Wrong&& wrong) {
  RunElements<T> elements(problem);
  return check_in_chunks<Out>(stream, output.part(0, runs * sizeof(Out)),
                              [&](uint64_t first, std::span<const Out> got) -> std::optional<std::string> {
                                for (size_t i = 0; i < got.size(); ++i) {
                                  if (wrong(next_run(elements), got[i]))
                                    return "run " + std::to_string(first + i) + " is wrong";
                                }
                                return std::nullopt;
                              });
}

class UniqueCase : public Case {
 public:
  explicit UniqueCase(const Problem& problem)
      : problem_(problem),
        plan_(problem.device, support::element_of(problem.type), Selection::first_of_runs(), problem.count,
              {.tuning = problem.tuning}),
        count_(count_runs(problem)),
        inputs_(run_inputs(problem)),
        outputs_(problem.device, problem.count * support::bytes(problem.type), problem.sets),
        runs_(problem.device, sizeof(uint64_t), problem.sets),
        temporary_(problem.device.buffer<std::byte>(plan_.temporary_bytes())) {}

  uint64_t bytes_moved() const override { return (problem_.count + count_) * support::bytes(problem_.type); }
  std::string variant() const override { return variant_of(plan_.path()); }
  void poison(Stream& stream) const override {
    poison_region(stream, outputs_.all());
    poison_region(stream, runs_.all());
  }

  void record(Recorder& recorder, uint32_t set) const override {
    plan_.record(recorder, {.input = inputs_[set],
                            .flags = {},
                            .output = outputs_[set],
                            .selected = runs_[set],
                            .count = problem_.count,
                            .temporary = temporary_});
  }

  std::optional<PeerWork> peer_work() const override {
    const std::string type = to_string(problem_.type);
    return PeerWork{
        .row = "unique", .inputs = {{type, inputs_[0]}}, .outputs = {{type, outputs_[0]}, {"u64", runs_[0]}}};
  }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    if (auto wrong = check_number(stream, runs_[set], count_)) return wrong;
    return support::visit_element_type(problem_.type, [&](auto t) {
      using T = typename decltype(t)::type;
      return check_runs<T, T>(stream, problem_, outputs_[set], count_,
                              [](const Run<T>& run, T got) { return got != run.element; });
    });
  }

 private:
  Problem problem_;
  Compact plan_;
  uint64_t count_;
  Sets inputs_, outputs_, runs_;
  Buffer<std::byte> temporary_;
};

class RunLengthCase : public Case {
 public:
  explicit RunLengthCase(const Problem& problem)
      : problem_(problem),
        plan_(problem.device, support::element_of(problem.type), problem.count, {.tuning = problem.tuning}),
        count_(count_runs(problem)),
        inputs_(run_inputs(problem)),
        outputs_(problem.device, problem.count * support::bytes(problem.type), problem.sets),
        lengths_(problem.device, problem.count * plan_.length_bytes(), problem.sets),
        runs_(problem.device, sizeof(uint64_t), problem.sets),
        temporary_(problem.device.buffer<std::byte>(plan_.temporary_bytes())) {}

  uint64_t bytes_moved() const override {
    return (problem_.count + count_) * support::bytes(problem_.type) + count_ * plan_.length_bytes();
  }
  std::string variant() const override { return variant_of(plan_.path()); }
  void poison(Stream& stream) const override {
    for (const Sets* sets : {&outputs_, &lengths_, &runs_}) poison_region(stream, sets->all());
  }

  void record(Recorder& recorder, uint32_t set) const override {
    plan_.record(recorder, {.input = inputs_[set],
                            .output = outputs_[set],
                            .lengths = lengths_[set],
                            .runs = runs_[set],
                            .count = problem_.count,
                            .temporary = temporary_});
  }

  std::optional<PeerWork> peer_work() const override {
    const std::string type = to_string(problem_.type);
    return PeerWork{
        .row = "run_length",
        .inputs = {{type, inputs_[0]}},
        .outputs = {{type, outputs_[0]}, {plan_.length_bytes() == 4 ? "u32" : "u64", lengths_[0]}, {"u64", runs_[0]}}};
  }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    if (auto wrong = check_number(stream, runs_[set], count_)) return wrong;
    return support::visit_element_type(problem_.type, [&](auto t) {
      using T = typename decltype(t)::type;
      auto wrong = check_runs<T, T>(stream, problem_, outputs_[set], count_,
                                    [](const Run<T>& run, T got) { return got != run.element; });
      if (wrong) return wrong;
      const auto other_length = [](const Run<T>& run, auto got) { return got != run.length; };
      return plan_.length_bytes() == 4 ? check_runs<T, uint32_t>(stream, problem_, lengths_[set], count_, other_length)
                                       : check_runs<T, uint64_t>(stream, problem_, lengths_[set], count_, other_length);
    });
  }

 private:
  Problem problem_;
  RunLengthEncode plan_;
  uint64_t count_;
  Sets inputs_, outputs_, lengths_, runs_;
  Buffer<std::byte> temporary_;
};

// Sums random values of the problem's type, by u32 keys in runs.
class ReduceByKeyCase : public Case {
 public:
  explicit ReduceByKeyCase(const Problem& problem)
      : problem_(problem),
        key_problem_(of_keys(problem)),
        plan_(problem.device, Element::of<uint32_t>(), support::element_of(problem.type), Operator::sum(),
              problem.count, {.tuning = problem.tuning}),
        count_(count_runs(key_problem_)),
        keys_(run_inputs(key_problem_)),
        values_(random_inputs(problem)),
        unique_keys_(problem.device, problem.count * sizeof(uint32_t), problem.sets),
        outputs_(problem.device, problem.count * support::bytes(problem.type), problem.sets),
        runs_(problem.device, sizeof(uint64_t), problem.sets),
        temporary_(problem.device.buffer<std::byte>(plan_.temporary_bytes())) {}

  uint64_t bytes_moved() const override {
    return (problem_.count + count_) * (sizeof(uint32_t) + support::bytes(problem_.type));
  }
  std::string variant() const override { return variant_of(plan_.path()); }
  void poison(Stream& stream) const override {
    for (const Sets* sets : {&unique_keys_, &outputs_, &runs_}) poison_region(stream, sets->all());
  }

  void record(Recorder& recorder, uint32_t set) const override {
    plan_.record(recorder, {.keys = keys_[set],
                            .values = values_[set],
                            .unique_keys = unique_keys_[set],
                            .output = outputs_[set],
                            .runs = runs_[set],
                            .count = problem_.count,
                            .temporary = temporary_});
  }

  std::optional<PeerWork> peer_work() const override {
    const std::string type = to_string(problem_.type);
    return PeerWork{.row = "reduce_by_key",
                    .inputs = {{"u32", keys_[0]}, {type, values_[0]}},
                    .outputs = {{"u32", unique_keys_[0]}, {type, outputs_[0]}, {"u64", runs_[0]}}};
  }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    if (auto wrong = check_number(stream, runs_[set], count_)) return wrong;
    auto wrong = check_runs<uint32_t, uint32_t>(stream, key_problem_, unique_keys_[set], count_,
                                                [](const auto& run, uint32_t got) { return got != run.element; });
    if (wrong) return wrong;
    return support::visit_element_type(problem_.type, [&](auto t) {
      using T = typename decltype(t)::type;
      uint64_t next = 0;
      return check_runs<uint32_t, T>(stream, key_problem_, outputs_[set], count_, [&](const auto& run, T got) {
        support::RunningReference<T> reference(support::Operation::sum);
        for (const uint64_t end = next + run.length; next < end; ++next) {
          reference.add(random_element<T>(problem_.seed, next));
        }
        return reference.check(got).has_value();
      });
    });
  }

 private:
  static Problem of_keys(Problem problem) {
    problem.type = support::ScalarType::u32;
    return problem;
  }

  Problem problem_, key_problem_;
  ReduceByKey plan_;
  uint64_t count_;
  Sets keys_, values_, unique_keys_, outputs_, runs_;
  Buffer<std::byte> temporary_;
};

uint64_t two_inputs_and_outputs(uint32_t element_bytes, uint64_t count) { return 2 * (element_bytes + 4) * count; }

}  // namespace

Sets run_inputs(const Problem& problem) {
  Sets inputs(problem.device, problem.count * support::bytes(problem.type), problem.sets);
  Stream stream = problem.device.stream();
  support::visit_element_type(problem.type, [&](auto t) {
    using T = typename decltype(t)::type;
    std::vector<T> data(problem.count);
    RunElements<T> elements(problem);
    for (T& x : data) x = elements.next();
    upload_to_sets(stream, inputs, data);
  });
  return inputs;
}

uint64_t count_runs(const Problem& problem) {
  return support::visit_element_type(problem.type, [&](auto t) {
    uint64_t runs = 0;
    for (RunElements<typename decltype(t)::type> elements(problem); !elements.done(); ++runs) next_run(elements);
    return runs;
  });
}

std::span<const Benchmark> benchmarks_of_runs() {
  static constexpr Benchmark rows[] = {
      {"unique", "", true, "the first of each run of equal elements", input_and_output, prepare<UniqueCase>},
      {"run-length", "", true, "run-length encoding", input_and_two_outputs, prepare<RunLengthCase>},
      {"reduce-by-key", "", true, "sums of values in runs of equal u32 keys", two_inputs_and_outputs,
       prepare<ReduceByKeyCase>},
  };
  return rows;
}

}  // namespace weft::bench
