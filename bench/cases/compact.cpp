#include <weft/compact.h>

#include "bench/cases.h"
#include "bench/cases/selected_check.h"
#include "bench/sets.h"
#include "tools/support/text.h"

namespace weft::bench {
namespace {

class CompactCase : public Case {
 public:
  CompactCase(const Problem& problem, TilePath path)
      : problem_(problem),
        plan_(problem.device, tools::element_of(problem.type), Selection::when(kept_expression(problem.type)),
              problem.count, {.path = path}),
        kept_(count_kept(problem)),
        inputs_(random_inputs(problem)),
        outputs_(problem.device, problem.count * tools::bytes(problem.type), problem.sets),
        selected_(problem.device, sizeof(uint64_t), problem.sets),
        temporary_(problem.device.buffer<std::byte>(plan_.temporary_bytes())) {}

  uint64_t bytes_moved() const override { return (problem_.count + kept_) * tools::bytes(problem_.type); }
  std::string variant() const override {
    return plan_.path() == TilePath::look_back ? "look-back" : "reduce-then-scan";
  }
  void poison(Stream& stream) const override {
    poison_region(stream, outputs_.all());
    poison_region(stream, selected_.all());
  }

  void record(Recorder& recorder, uint32_t set) const override {
    plan_.record(recorder, {.input = inputs_[set],
                            .flags = {},
                            .output = outputs_[set],
                            .selected = selected_[set],
                            .count = problem_.count,
                            .temporary = temporary_});
  }

  std::optional<PeerWork> peer_work() const override {
    const std::string type = to_string(problem_.type);
    return PeerWork{.row = "select",
                    .inputs = {{type, inputs_[0]}},
                    .outputs = {{type, outputs_[0]}, {"u64", selected_[0]}},
                    .limit = kept_limit(problem_.type)};
  }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    const uint64_t selected = stream.download(View<uint64_t>(selected_[set])).front();
    if (selected != kept_)
      return "selected " + tools::format_count(selected) + " elements, expected " + tools::format_count(kept_);
    return tools::visit_element_type(problem_.type, [&](auto t) {
      using T = typename decltype(t)::type;
      return check_selected<T>(stream, problem_, outputs_[set].part(0, kept_ * sizeof(T)), "element",
                               [](T x, uint64_t) { return is_kept(x); });
    });
  }

 private:
  Problem problem_;
  Compact plan_;
  uint64_t kept_;
  Sets inputs_, outputs_, selected_;
  Buffer<std::byte> temporary_;
};

}  // namespace

std::unique_ptr<Case> prepare_compact(const Problem& problem) {
  return std::make_unique<CompactCase>(problem, TilePath::automatic);
}
std::unique_ptr<Case> prepare_compact_look_back(const Problem& problem) {
  return std::make_unique<CompactCase>(problem, TilePath::look_back);
}
std::unique_ptr<Case> prepare_compact_reduce_then_scan(const Problem& problem) {
  return std::make_unique<CompactCase>(problem, TilePath::reduce_then_scan);
}

}  // namespace weft::bench
