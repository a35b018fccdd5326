#include <weft/top_k.h>

#include <functional>

#include "bench/benchmark.h"
#include "bench/set_bytes.h"
#include "bench/sets.h"
#include "support/text.h"

namespace weft::bench {
namespace {

constexpr uint64_t most_keys = 1024;

// Returns the largest keys in order.
template <typename T>
std::vector<T> largest_keys(const Problem& problem, uint64_t k) {
  std::vector<T> heap;  // The smallest kept key is in front.
  heap.reserve(k + 1);
  for (uint64_t i = 0; i < problem.count; ++i) {
    const T x = random_element<T>(problem.seed, i);
    if (heap.size() == k && x <= heap.front()) continue;
    heap.push_back(x);
    std::ranges::push_heap(heap, std::greater{});
    if (heap.size() <= k) continue;
    std::ranges::pop_heap(heap, std::greater{});
    heap.pop_back();
  }
  std::ranges::sort_heap(heap, std::greater{});
  return heap;
}

class TopKCase : public Case {
 public:
  explicit TopKCase(const Problem& problem)
      : problem_(problem),
        k_(std::min(most_keys, problem.count)),
        plan_(problem.device, support::element_of(problem.type), problem.count, k_, {.tuning = problem.tuning}),
        inputs_(random_inputs(problem)),
        outputs_(problem.device, k_ * support::bytes(problem.type), problem.sets),
        found_(problem.device, sizeof(uint64_t), problem.sets),
        temporary_(problem.device.buffer<std::byte>(plan_.temporary_bytes())) {}

  uint64_t bytes_moved() const override { return (problem_.count + k_) * support::bytes(problem_.type); }
  void poison(Stream& stream) const override {
    poison_region(stream, outputs_.all());
    poison_region(stream, found_.all());
  }

  void record(Recorder& recorder, uint32_t set) const override {
    plan_.record(recorder, {.input = inputs_[set],
                            .output = outputs_[set],
                            .indices = {},
                            .found = found_[set],
                            .k = k_,
                            .count = problem_.count,
                            .temporary = temporary_});
  }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    const uint64_t found = stream.download(View<uint64_t>(found_[set])).front();
    if (found != k_) return "found " + support::format_count(found) + " keys, expected " + support::format_count(k_);
    return support::visit_element_type(problem_.type, [&](auto t) -> std::optional<std::string> {
      using T = typename decltype(t)::type;
      const std::vector<T> wanted = largest_keys<T>(problem_, k_), got = stream.download(View<T>(outputs_[set]));
      for (size_t i = 0; i < got.size(); ++i) {
        if (got[i] != wanted[i]) return "key " + std::to_string(i) + " is wrong";
      }
      return std::nullopt;
    });
  }

 private:
  Problem problem_;
  uint64_t k_;
  TopK plan_;
  Sets inputs_, outputs_, found_;
  Buffer<std::byte> temporary_;
};

}  // namespace

std::span<const Benchmark> benchmarks_of_top_k() {
  static constexpr Benchmark rows[] = {
      {"top-k", "", true, "the 1024 largest, sorted", input_only, prepare<TopKCase>},
  };
  return rows;
}

}  // namespace weft::bench
