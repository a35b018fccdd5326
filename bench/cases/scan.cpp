#include <weft/scan.h>

#include "bench/benchmark.h"
#include "bench/set_bytes.h"
#include "bench/sets.h"
#include "support/reference.h"

namespace weft::bench {
namespace {

class ScanCase : public Case {
 public:
  ScanCase(const Problem& problem, TilePath path)
      : problem_(problem),
        plan_(problem.device, support::element_of(problem.type), Operator::sum(), problem.count,
              {.kind = ScanKind::exclusive, .path = path, .tuning = problem.tuning}),
        inputs_(random_inputs(problem)),
        outputs_(problem.device, problem.count * support::bytes(problem.type), problem.sets),
        temporary_(problem.device.buffer<std::byte>(plan_.temporary_bytes())) {}

  uint64_t bytes_moved() const override { return 2 * problem_.count * support::bytes(problem_.type); }
  std::string variant() const override {
    return plan_.path() == TilePath::look_back ? "look-back" : "reduce-then-scan";
  }
  void poison(Stream& stream) const override { poison_region(stream, outputs_.all()); }

  void record(Recorder& recorder, uint32_t set) const override {
    plan_.record(recorder,
                 {.input = inputs_[set], .output = outputs_[set], .count = problem_.count, .temporary = temporary_});
  }

  std::optional<PeerWork> peer_work() const override {
    const std::string type = to_string(problem_.type);
    return PeerWork{.row = "scan", .inputs = {{type, inputs_[0]}}, .outputs = {{type, outputs_[0]}}};
  }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    return support::visit_element_type(problem_.type, [&](auto t) {
      using T = typename decltype(t)::type;
      support::ScanReference<T> reference(support::Operation::sum, false);
      std::vector<T> input;
      return check_in_chunks<T>(stream, outputs_[set], [&](uint64_t first, std::span<const T> got) {
        input.resize(got.size());
        for (size_t i = 0; i < input.size(); ++i) input[i] = random_element<T>(problem_.seed, first + i);
        return reference.check(input, got);
      });
    });
  }

 private:
  Problem problem_;
  Scan plan_;
  Sets inputs_, outputs_;
  Buffer<std::byte> temporary_;
};

}  // namespace

std::span<const Benchmark> benchmarks_of_scan() {
  static constexpr Benchmark rows[] = {
      {"scan", "", true, "exclusive prefix sum, by the device's default path", input_and_output,
       prepare<ScanCase, TilePath::automatic>},
      {"scan", "look-back", false, "the single pass", input_and_output, prepare<ScanCase, TilePath::look_back>},
      {"scan", "reduce-then-scan", false, "three dispatches", input_and_output,
       prepare<ScanCase, TilePath::reduce_then_scan>},
  };
  return rows;
}

}  // namespace weft::bench
