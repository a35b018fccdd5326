#include <weft/compact.h>

#include "bench/cases.h"
#include "bench/cases/selected_check.h"
#include "bench/sets.h"
#include "tools/support/text.h"

namespace weft::bench {
namespace {

class CompactCase : public Case {
 public:
  CompactCase(const Problem& problem, TilePath path, bool by_flags = false)
      : problem_(problem),
        plan_(problem.device, tools::element_of(problem.type),
              by_flags ? Selection::flagged() : Selection::when(kept_expression(problem.type)), problem.count,
              {.path = path}),
        kept_(count_kept(problem)),
        inputs_(random_inputs(problem)),
        outputs_(problem.device, problem.count * tools::bytes(problem.type), problem.sets),
        selected_(problem.device, sizeof(uint64_t), problem.sets),
        temporary_(problem.device.buffer<std::byte>(plan_.temporary_bytes())) {
    if (by_flags) flags_.emplace(flags(problem));
  }

  uint64_t bytes_moved() const override {
    return (problem_.count + kept_) * tools::bytes(problem_.type) + (flags_ ? problem_.count * sizeof(uint32_t) : 0);
  }
  std::string variant() const override {
    return std::string(flags_ ? "flags, " : "") +
           (plan_.path() == TilePath::look_back ? "look-back" : "reduce-then-scan");
  }
  void poison(Stream& stream) const override {
    poison_region(stream, outputs_.all());
    poison_region(stream, selected_.all());
  }

  void record(Recorder& recorder, uint32_t set) const override {
    plan_.record(recorder, {.input = inputs_[set],
                            .flags = flags_ ? (*flags_)[set] : Region{},
                            .output = outputs_[set],
                            .selected = selected_[set],
                            .count = problem_.count,
                            .temporary = temporary_});
  }

  std::optional<PeerWork> peer_work() const override {
    const std::string type = to_string(problem_.type);
    PeerWork work{.row = "select",
                  .inputs = {{type, inputs_[0]}},
                  .outputs = {{type, outputs_[0]}, {"u64", selected_[0]}},
                  .limit = kept_limit(problem_.type)};
    if (flags_) {
      work.row = "select_flagged";
      work.inputs.push_back({"u32", (*flags_)[0]});
    }
    return work;
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
  static Sets flags(const Problem& problem) {
    Sets flags(problem.device, problem.count * sizeof(uint32_t), problem.sets);
    std::vector<uint32_t> words(problem.count);
    tools::visit_element_type(problem.type, [&](auto t) {
      using T = typename decltype(t)::type;
      for (uint64_t i = 0; i < problem.count; ++i) words[i] = is_kept(random_element<T>(problem.seed, i));
    });
    Stream stream = problem.device.stream();
    upload_to_sets(stream, flags, words);
    return flags;
  }

  Problem problem_;
  Compact plan_;
  uint64_t kept_;
  Sets inputs_, outputs_, selected_;
  std::optional<Sets> flags_;
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
std::unique_ptr<Case> prepare_compact_flags(const Problem& problem) {
  return std::make_unique<CompactCase>(problem, TilePath::automatic, true);
}

}  // namespace weft::bench
