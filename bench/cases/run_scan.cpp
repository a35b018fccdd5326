#include <weft/by_key.h>
#include <weft/segmented.h>

#include "bench/benchmark.h"
#include "bench/cases/runs.h"
#include "bench/set_bytes.h"
#include "support/reference.h"

namespace weft::bench {
namespace {

// Exclusive sums of random elements, restarting at each run of RunElements.
template <class Plan>
class RunScanCase : public Case {
 public:
  // `heads` holds a word for each element that tells the plan where runs start.
  RunScanCase(const Problem& problem, const Plan& plan, const std::vector<uint32_t>& heads)
      : problem_(problem),
        plan_(plan),
        heads_(problem.device, problem.count * sizeof(uint32_t), problem.sets),
        inputs_(random_inputs(problem)),
        outputs_(problem.device, problem.count * support::bytes(problem.type), problem.sets),
        temporary_(problem.device.buffer<std::byte>(plan_.temporary_bytes())) {
    Stream stream = problem.device.stream();
    upload_to_sets(stream, heads_, heads);
  }

  uint64_t bytes_moved() const override {
    return problem_.count * (sizeof(uint32_t) + 2 * support::bytes(problem_.type));
  }
  std::string variant() const override {
    return plan_.path() == TilePath::look_back ? "look-back" : "reduce-then-scan";
  }
  void poison(Stream& stream) const override { poison_region(stream, outputs_.all()); }

  void record(Recorder& recorder, uint32_t set) const override {
    if constexpr (std::is_same_v<Plan, ScanByKey>) {
      plan_.record(recorder, {.keys = heads_[set],
                              .input = inputs_[set],
                              .output = outputs_[set],
                              .count = problem_.count,
                              .temporary = temporary_});
    } else {
      plan_.record(recorder, {.input = inputs_[set],
                              .heads = heads_[set],
                              .output = outputs_[set],
                              .segment_count = 0,
                              .count = problem_.count,
                              .temporary = temporary_});
    }
  }

  std::optional<PeerWork> peer_work() const override {
    if (!std::is_same_v<Plan, ScanByKey>) return std::nullopt;
    const std::string type = to_string(problem_.type);
    return PeerWork{
        .row = "scan_by_key", .inputs = {{"u32", heads_[0]}, {type, inputs_[0]}}, .outputs = {{type, outputs_[0]}}};
  }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    return support::visit_element_type(problem_.type, [&](auto t) {
      using T = typename decltype(t)::type;
      RunElements<uint32_t> runs(problem_);
      support::RunningReference<T> reference(support::Operation::sum);
      uint64_t left = 0;  // In the run.
      return check_in_chunks<T>(stream, outputs_[set], [&](uint64_t first, std::span<const T> got) {
        for (size_t i = 0; i < got.size(); ++i, --left) {
          if (left == 0) {
            left = next_run(runs).length;
            reference = support::RunningReference<T>(support::Operation::sum);
          }
          if (auto wrong = reference.check(got[i])) {
            return std::optional("element " + std::to_string(first + i) + ": " + *wrong);
          }
          reference.add(random_element<T>(problem_.seed, first + i));
        }
        return std::optional<std::string>();
      });
    });
  }

 private:
  Problem problem_;
  Plan plan_;
  Sets heads_, inputs_, outputs_;
  Buffer<std::byte> temporary_;
};

std::vector<uint32_t> keys_of_runs(const Problem& problem) {
  std::vector<uint32_t> keys(problem.count);
  RunElements<uint32_t> elements(problem);
  for (uint32_t& key : keys) key = elements.next();
  return keys;
}

std::vector<uint32_t> heads_of_runs(const Problem& problem) {
  std::vector<uint32_t> heads(problem.count);
  RunElements<uint32_t> elements(problem);
  for (uint64_t i = 0; i < problem.count; i += next_run(elements).length) heads[i] = 1;
  return heads;
}

std::unique_ptr<Case> prepare_scan_by_key(const Problem& problem) {
  const ScanByKey plan(problem.device, Element::of<uint32_t>(), support::element_of(problem.type), Operator::sum(),
                       problem.count, {.kind = ScanKind::exclusive, .tuning = problem.tuning});
  return std::make_unique<RunScanCase<ScanByKey>>(problem, plan, keys_of_runs(problem));
}
std::unique_ptr<Case> prepare_segmented_scan(const Problem& problem) {
  const SegmentedScan plan(problem.device, support::element_of(problem.type), Operator::sum(), SegmentsBy::flags,
                           problem.count, 0, {.kind = ScanKind::exclusive, .tuning = problem.tuning});
  return std::make_unique<RunScanCase<SegmentedScan>>(problem, plan, heads_of_runs(problem));
}

}  // namespace

std::span<const Benchmark> benchmarks_of_run_scan() {
  static constexpr Benchmark rows[] = {
      {"scan-by-key", "", true, "prefix sums of values in runs of equal u32 keys", two_inputs_and_output,
       prepare_scan_by_key},
      {"segmented-scan", "", true, "prefix sums of segments by flags", two_inputs_and_output, prepare_segmented_scan},
  };
  return rows;
}

}  // namespace weft::bench
