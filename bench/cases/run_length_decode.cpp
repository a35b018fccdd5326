#include <weft/run_length.h>

#include "bench/benchmark.h"
#include "bench/cases/runs.h"
#include "bench/set_bytes.h"
#include "support/text.h"

namespace weft::bench {
namespace {

// The runs of RunElements, which decode to `count` elements.
class RunLengthDecodeCase : public Case {
 public:
  explicit RunLengthDecodeCase(const Problem& problem)
      : problem_(problem),
        runs_(count_runs(problem)),
        plan_(problem.device, support::element_of(problem.type), runs_, problem.count, {.tuning = problem.tuning}),
        values_(problem.device, runs_ * support::bytes(problem.type), problem.sets),
        lengths_(problem.device, runs_ * plan_.length_bytes(), problem.sets),
        outputs_(problem.device, problem.count * support::bytes(problem.type), problem.sets),
        decoded_(problem.device, sizeof(uint64_t), problem.sets),
        temporary_(problem.device.buffer<std::byte>(plan_.temporary_bytes())) {
    support::visit_element_type(problem.type, [&](auto t) {
      using T = typename decltype(t)::type;
      if (plan_.length_bytes() == 4) {
        upload_runs<T, uint32_t>();
      } else {
        upload_runs<T, uint64_t>();
      }
    });
  }

  uint64_t bytes_moved() const override {
    return (runs_ + problem_.count) * support::bytes(problem_.type) + runs_ * plan_.length_bytes();
  }
  std::string variant() const override {
    return plan_.path() == TilePath::look_back ? "look-back" : "reduce-then-scan";
  }
  void poison(Stream& stream) const override {
    poison_region(stream, outputs_.all());
    poison_region(stream, decoded_.all());
  }

  void record(Recorder& recorder, uint32_t set) const override {
    plan_.record(recorder, {.values = values_[set],
                            .lengths = lengths_[set],
                            .output = outputs_[set],
                            .decoded = decoded_[set],
                            .runs = runs_,
                            .temporary = temporary_});
  }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    const uint64_t decoded = stream.download(View<uint64_t>(decoded_[set])).front();
    if (decoded != problem_.count)
      return "decoded " + support::format_count(decoded) + " elements, expected " +
             support::format_count(problem_.count);
    return support::visit_element_type(problem_.type, [&](auto t) {
      using T = typename decltype(t)::type;
      RunElements<T> elements(problem_);
      return check_in_chunks<T>(stream, outputs_[set],
                                [&](uint64_t first, std::span<const T> got) -> std::optional<std::string> {
                                  for (size_t i = 0; i < got.size(); ++i) {
                                    if (got[i] != elements.next())
                                      return "element " + std::to_string(first + i) + " is not the one of its run";
                                  }
                                  return std::nullopt;
                                });
    });
  }

 private:
  template <typename T, typename Length>
  void upload_runs() const {
    std::vector<T> values(runs_);
    std::vector<Length> lengths(runs_);
    RunElements<T> elements(problem_);
    for (uint64_t i = 0; i < runs_; ++i) {
      const Run<T> run = next_run(elements);
      values[i] = run.element;
      lengths[i] = Length(run.length);
    }
    Stream stream = problem_.device.stream();
    upload_to_sets(stream, values_, values);
    upload_to_sets(stream, lengths_, lengths);
  }

  Problem problem_;
  uint64_t runs_;
  RunLengthDecode plan_;
  Sets values_, lengths_, outputs_, decoded_;
  Buffer<std::byte> temporary_;
};

}  // namespace

std::span<const Benchmark> benchmarks_of_run_length_decode() {
  static constexpr Benchmark rows[] = {
      {"run-length-decode", "", true, "run-length decoding", two_inputs_and_output, prepare<RunLengthDecodeCase>},
  };
  return rows;
}

}  // namespace weft::bench
