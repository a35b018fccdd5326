#include <weft/segmented.h>

#include "bench/cases.h"
#include "bench/cases/runs.h"
#include "tools/support/reference.h"

namespace weft::bench {
namespace {

// Random elements in segments of `mean_run_length` on average, by offsets.
class SegmentedReduceCase : public Case {
 public:
  explicit SegmentedReduceCase(const Problem& problem)
      : problem_(problem),
        offsets_on_host_(offsets(problem)),
        segments_(offsets_on_host_.size() - 1),
        plan_(problem.device, tools::element_of(problem.type), Operator::sum(), SegmentsBy::offsets, problem.count,
              segments_),
        inputs_(random_inputs(problem)),
        offsets_(problem.device, (segments_ + 1) * plan_.offset_bytes(), problem.sets),
        outputs_(problem.device, segments_ * tools::bytes(problem.type), problem.sets),
        temporary_(problem.device.buffer<std::byte>(plan_.temporary_bytes())) {
    Stream stream = problem.device.stream();
    if (plan_.offset_bytes() == 8) {
      upload_to_sets(stream, offsets_, offsets_on_host_);
    } else {
      upload_to_sets(stream, offsets_, std::vector<uint32_t>(offsets_on_host_.begin(), offsets_on_host_.end()));
    }
  }

  uint64_t bytes_moved() const override {
    return (problem_.count + segments_) * tools::bytes(problem_.type) + (segments_ + 1) * plan_.offset_bytes();
  }
  std::string variant() const override {
    return plan_.path() == TilePath::look_back ? "look-back" : "reduce-then-scan";
  }
  void poison(Stream& stream) const override { poison_region(stream, outputs_.all()); }

  void record(Recorder& recorder, uint32_t set) const override {
    plan_.record(recorder, {.input = inputs_[set],
                            .heads = offsets_[set],
                            .output = outputs_[set],
                            .segments = {},
                            .segment_count = segments_,
                            .count = problem_.count,
                            .temporary = temporary_});
  }

  std::optional<PeerWork> peer_work() const override {
    const std::string type = to_string(problem_.type);
    return PeerWork{.row = "segmented_reduce",
                    .inputs = {{type, inputs_[0]}, {plan_.offset_bytes() == 4 ? "u32" : "u64", offsets_[0]}},
                    .outputs = {{type, outputs_[0]}}};
  }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    return tools::visit_element_type(problem_.type, [&](auto t) {
      using T = typename decltype(t)::type;
      return check_in_chunks<T>(stream, outputs_[set], [&](uint64_t first, std::span<const T> got) {
        for (size_t i = 0; i < got.size(); ++i) {
          tools::RunningReference<T> reference(tools::Operation::sum);
          for (uint64_t k = offsets_on_host_[first + i]; k < offsets_on_host_[first + i + 1]; ++k) {
            reference.add(random_element<T>(problem_.seed, k));
          }
          if (auto wrong = reference.check(got[i])) {
            return std::optional("segment " + std::to_string(first + i) + ": " + *wrong);
          }
        }
        return std::optional<std::string>();
      });
    });
  }

 private:
  static std::vector<uint64_t> offsets(const Problem& problem) {
    std::vector<uint64_t> offsets{0};
    for (RunElements<uint64_t> elements(problem); !elements.done();) {
      offsets.push_back(offsets.back() + next_run(elements).length);
    }
    return offsets;
  }

  Problem problem_;
  std::vector<uint64_t> offsets_on_host_;
  uint64_t segments_;
  SegmentedReduce plan_;
  Sets inputs_, offsets_, outputs_;
  Buffer<std::byte> temporary_;
};

}  // namespace

std::unique_ptr<Case> prepare_segmented_reduce(const Problem& problem) {
  return std::make_unique<SegmentedReduceCase>(problem);
}

}  // namespace weft::bench
