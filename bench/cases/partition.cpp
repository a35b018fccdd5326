#include <weft/partition.h>

#include "bench/benchmark.h"
#include "bench/cases/selected_check.h"
#include "bench/set_bytes.h"
#include "bench/sets.h"
#include "support/text.h"

namespace weft::bench {
namespace {

class PartitionCase : public Case {
 public:
  PartitionCase(const Problem& problem, Others others)
      : problem_(problem),
        others_(others),
        plan_(problem.device, support::element_of(problem.type), Selection::when(kept_expression(problem.type)),
              problem.count, {.others = others, .tuning = problem.tuning}),
        kept_(count_kept(problem)),
        inputs_(random_inputs(problem)),
        outputs_(problem.device, problem.count * support::bytes(problem.type), problem.sets),
        apart_(problem.device, others == Others::apart ? problem.count * support::bytes(problem.type) : 0,
               problem.sets),
        selected_(problem.device, sizeof(uint64_t), problem.sets),
        temporary_(problem.device.buffer<std::byte>(plan_.temporary_bytes())) {}

  uint64_t bytes_moved() const override { return 2 * problem_.count * support::bytes(problem_.type); }
  void poison(Stream& stream) const override {
    for (const Sets* sets : {&outputs_, &apart_, &selected_}) poison_region(stream, sets->all());
  }

  void record(Recorder& recorder, uint32_t set) const override {
    plan_.record(recorder, {.input = inputs_[set],
                            .flags = {},
                            .output = outputs_[set],
                            .others = others_ == Others::apart ? apart_[set] : Region{},
                            .selected = selected_[set],
                            .count = problem_.count,
                            .temporary = temporary_});
  }

  std::optional<PeerWork> peer_work() const override {
    if (others_ != Others::reversed) return std::nullopt;
    const std::string type = to_string(problem_.type);
    return PeerWork{.row = "partition",
                    .inputs = {{type, inputs_[0]}},
                    .outputs = {{type, outputs_[0]}, {"u64", selected_[0]}},
                    .limit = kept_limit(problem_.type)};
  }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    const uint64_t selected = stream.download(View<uint64_t>(selected_[set])).front();
    if (selected != kept_)
      return "selected " + support::format_count(selected) + " elements, expected " + support::format_count(kept_);
    return support::visit_element_type(problem_.type, [&](auto t) {
      using T = typename decltype(t)::type;
      const uint64_t front = kept_ * sizeof(T), back = (problem_.count - kept_) * sizeof(T);
      auto wrong = check_selected<T>(stream, problem_, outputs_[set].part(0, front), "selected element",
                                     [](T x, uint64_t) { return is_kept(x); });
      if (wrong) return wrong;
      const Region rest = others_ == Others::apart ? apart_[set].part(0, back) : outputs_[set].part(front, back);
      return check_selected<T>(
          stream, problem_, rest, "other element", [](T x, uint64_t) { return !is_kept(x); },
          others_ == Others::reversed);
    });
  }

 private:
  Problem problem_;
  Others others_;
  Partition plan_;
  uint64_t kept_;
  Sets inputs_, outputs_, apart_, selected_;
  Buffer<std::byte> temporary_;
};

}  // namespace

std::span<const Benchmark> benchmarks_of_partition() {
  static constexpr Benchmark rows[] = {
      {"partition", "apart", true, "stable, about half each, into two arrays", input_and_two_outputs,
       prepare<PartitionCase, Others::apart>},
      {"partition", "reversed", true, "into one array, the others reversed", input_and_output,
       prepare<PartitionCase, Others::reversed>},
      {"partition", "behind", false, "into one array, stable; reads twice", input_and_output,
       prepare<PartitionCase, Others::behind>},
  };
  return rows;
}

}  // namespace weft::bench
