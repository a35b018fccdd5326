#include <weft/segmented.h>

#include <weft/segmented_sort.h>

#include "bench/benchmark.h"
#include "bench/cases/runs.h"
#include "bench/cases/sorted_check.h"
#include "bench/set_bytes.h"
#include "support/reference.h"

namespace weft::bench {
namespace {

// Returns offsets of segments of `mean_run_length` elements on average.
std::vector<uint64_t> short_segments(const Problem& problem) {
  std::vector<uint64_t> offsets{0};
  for (RunElements<uint64_t> elements(problem); !elements.done();) {
    offsets.push_back(offsets.back() + next_run(elements).length);
  }
  return offsets;
}

// Returns offsets of segments of 2^19 elements on average.
std::vector<uint64_t> long_segments(const Problem& problem) {
  std::vector<uint64_t> offsets{0};
  while (offsets.back() < problem.count) {
    const uint64_t length = 1 + random_bits(problem.seed, offsets.size()) % (uint64_t{1} << 20);
    offsets.push_back(std::min(offsets.back() + length, problem.count));
  }
  return offsets;
}

// Returns the offsets in each set, with 4 or 8 bytes each.
Sets upload_offsets(const Problem& problem, const std::vector<uint64_t>& offsets, uint32_t bytes) {
  Sets sets(problem.device, offsets.size() * bytes, problem.sets);
  Stream stream = problem.device.stream();
  if (bytes == 8) {
    upload_to_sets(stream, sets, offsets);
  } else {
    upload_to_sets(stream, sets, std::vector<uint32_t>(offsets.begin(), offsets.end()));
  }
  return sets;
}

// Random elements in segments of `mean_run_length` on average, by offsets.
class SegmentedReduceCase : public Case {
 public:
  explicit SegmentedReduceCase(const Problem& problem)
      : problem_(problem),
        offsets_on_host_(short_segments(problem)),
        segments_(offsets_on_host_.size() - 1),
        plan_(problem.device, support::element_of(problem.type), Operator::sum(), SegmentsBy::offsets, problem.count,
              segments_, {.tuning = problem.tuning}),
        inputs_(random_inputs(problem)),
        offsets_(upload_offsets(problem, offsets_on_host_, plan_.offset_bytes())),
        outputs_(problem.device, segments_ * support::bytes(problem.type), problem.sets),
        temporary_(problem.device.buffer<std::byte>(plan_.temporary_bytes())) {}

  uint64_t bytes_moved() const override {
    return (problem_.count + segments_) * support::bytes(problem_.type) + (segments_ + 1) * plan_.offset_bytes();
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
    return support::visit_element_type(problem_.type, [&](auto t) {
      using T = typename decltype(t)::type;
      return check_in_chunks<T>(stream, outputs_[set], [&](uint64_t first, std::span<const T> got) {
        for (size_t i = 0; i < got.size(); ++i) {
          support::RunningReference<T> reference(support::Operation::sum);
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
  Problem problem_;
  std::vector<uint64_t> offsets_on_host_;
  uint64_t segments_;
  SegmentedReduce plan_;
  Sets inputs_, offsets_, outputs_;
  Buffer<std::byte> temporary_;
};

// Checks, piece by piece, that each segment is sorted and holds its elements.
template <typename T>
class SortedSegmentsCheck {
 public:
  SortedSegmentsCheck(const Problem& problem, const std::vector<uint64_t>& offsets)
      : problem_(problem), offsets_(offsets), current_(check_of(0)) {}

  std::optional<std::string> check(uint64_t first, std::span<const T> got) {
    for (uint64_t index = first; index < first + got.size();) {
      const uint64_t begin = offsets_[segment_], end = std::min(offsets_[segment_ + 1], first + got.size());
      auto wrong = current_.check(index - begin, got.subspan(index - first, end - index));
      const bool ends = end == offsets_[segment_ + 1];
      if (!wrong && ends) wrong = current_.end();
      if (wrong) return "segment " + std::to_string(segment_) + ": " + *wrong;
      if (ends) current_ = check_of(++segment_);
      index = end;
    }
    return std::nullopt;
  }

 private:
  SortedCheck<T> check_of(size_t segment) const {
    const uint64_t begin = offsets_[segment], end = offsets_[std::min(segment + 1, offsets_.size() - 1)];
    return SortedCheck<T>(problem_.seed, begin, end - begin);
  }

  const Problem& problem_;
  const std::vector<uint64_t>& offsets_;
  size_t segment_ = 0;
  SortedCheck<T> current_;  // For the segment that has not ended yet.
};

class SegmentedSortCase : public Case {
 public:
  SegmentedSortCase(const Problem& problem, std::vector<uint64_t> offsets)
      : problem_(problem),
        offsets_on_host_(std::move(offsets)),
        segments_(offsets_on_host_.size() - 1),
        plan_(problem.device, support::element_of(problem.type), Comparison::ascending(), problem.count, segments_,
              {.tuning = problem.tuning}),
        inputs_(random_inputs(problem)),
        offsets_(upload_offsets(problem, offsets_on_host_, plan_.offset_bytes())),
        outputs_(problem.device, problem.count * support::bytes(problem.type), problem.sets),
        temporary_(problem.device.buffer<std::byte>(plan_.temporary_bytes())) {}

  uint64_t bytes_moved() const override {
    return 2 * problem_.count * support::bytes(problem_.type) + (segments_ + 1) * plan_.offset_bytes();
  }
  void poison(Stream& stream) const override { poison_region(stream, outputs_.all()); }

  void record(Recorder& recorder, uint32_t set) const override {
    plan_.record(recorder, {.input = inputs_[set],
                            .input_values = {},
                            .offsets = offsets_[set],
                            .output = outputs_[set],
                            .output_values = {},
                            .segment_count = segments_,
                            .count = problem_.count,
                            .temporary = temporary_});
  }

  std::optional<PeerWork> peer_work() const override {
    const std::string type = to_string(problem_.type);
    return PeerWork{.row = "segmented_sort",
                    .inputs = {{type, inputs_[0]}, {plan_.offset_bytes() == 4 ? "u32" : "u64", offsets_[0]}},
                    .outputs = {{type, outputs_[0]}}};
  }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    return support::visit_element_type(problem_.type, [&](auto t) {
      using T = typename decltype(t)::type;
      SortedSegmentsCheck<T> check(problem_, offsets_on_host_);
      return check_in_chunks<T>(stream, outputs_[set],
                                [&](uint64_t first, std::span<const T> got) { return check.check(first, got); });
    });
  }

 private:
  Problem problem_;
  std::vector<uint64_t> offsets_on_host_;
  uint64_t segments_;
  SegmentedSort plan_;
  Sets inputs_, offsets_, outputs_;
  Buffer<std::byte> temporary_;
};

template <std::vector<uint64_t> (*offsets_of)(const Problem&)>
std::unique_ptr<Case> prepare_segmented_sort(const Problem& problem) {
  return std::make_unique<SegmentedSortCase>(problem, offsets_of(problem));
}

}  // namespace

std::span<const Benchmark> benchmarks_of_segmented() {
  static constexpr Benchmark rows[] = {
      {"segmented-reduce", "", true, "sums of segments by offsets", input_and_two_outputs,
       prepare<SegmentedReduceCase>},
      {"segmented-sort", "short", true, "stable sort by a comparison within segments of about 8", input_and_two_outputs,
       prepare_segmented_sort<short_segments>},
      {"segmented-sort", "long", true, "within segments of about 2^19", input_and_two_outputs,
       prepare_segmented_sort<long_segments>},
  };
  return rows;
}

}  // namespace weft::bench
