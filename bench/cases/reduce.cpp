#include <weft/reduce.h>

#include "bench/benchmark.h"
#include "bench/set_bytes.h"
#include "bench/sets.h"
#include "support/reference.h"

namespace weft::bench {
namespace {

class ReduceCase : public Case {
 public:
  explicit ReduceCase(const Problem& problem)
      : problem_(problem),
        plan_(problem.device, support::element_of(problem.type), Operator::sum(), problem.count,
              {.tuning = problem.tuning}),
        inputs_(random_inputs(problem)),
        outputs_(problem.device, support::bytes(problem.type), problem.sets),
        temporary_(problem.device.buffer<std::byte>(plan_.temporary_bytes())) {}

  uint64_t bytes_moved() const override { return problem_.count * support::bytes(problem_.type); }
  void poison(Stream& stream) const override { poison_region(stream, outputs_.all()); }

  void record(Recorder& recorder, uint32_t set) const override {
    plan_.record(recorder,
                 {.input = inputs_[set], .output = outputs_[set], .count = problem_.count, .temporary = temporary_});
  }

  std::optional<PeerWork> peer_work() const override {
    const std::string type = to_string(problem_.type);
    return PeerWork{.row = "reduce", .inputs = {{type, inputs_[0]}}, .outputs = {{type, outputs_[0]}}};
  }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    return support::visit_element_type(problem_.type, [&](auto t) {
      using T = typename decltype(t)::type;
      support::RunningReference<T> reference(support::Operation::sum);
      for (uint64_t i = 0; i < problem_.count; ++i) reference.add(random_element<T>(problem_.seed, i));
      return reference.check(stream.download(View<T>(outputs_[set])).front());
    });
  }

 private:
  Problem problem_;
  Reduce plan_;
  Sets inputs_, outputs_;
  Buffer<std::byte> temporary_;
};

}  // namespace

std::span<const Benchmark> benchmarks_of_reduce() {
  static constexpr Benchmark rows[] = {
      {"reduce", "", true, "sum of all elements", input_only, prepare<ReduceCase>},
  };
  return rows;
}

}  // namespace weft::bench
