#include <weft/grid_barrier.h>

#include <algorithm>
#include <vector>

#include "bench/benchmark.h"
#include "bench/set_bytes.h"
#include "bench/sets.h"
#include "weft_bench_kernels.h"

namespace weft::bench {
namespace {

// The memory of barriers, and of what their workgroups write.
class GridCase : public Case {
 public:
  GridCase(const Problem& problem, Kernel kernel, uint32_t steps)
      : problem_(problem),
        steps_(steps),
        barrier_(problem.device),
        discovery_(problem.device),
        kernel_(std::move(kernel)),
        firsts_(problem.device, bytes(), problem.sets),
        seconds_(problem.device, bytes(), problem.sets),
        memory_(problem.device.buffer<std::byte>(GridBarrier::bytes() + GridDiscovery::bytes())) {
    Stream stream = problem.device.stream();
    barrier_.record_clear(stream, barrier_memory());
    stream.synchronize();
  }

  void poison(Stream& stream) const override {
    poison_region(stream, firsts_.all());
    poison_region(stream, seconds_.all());
  }

 protected:
  struct Block {
    uint64_t source, a, b, barrier, discovery;
    uint32_t count, steps, step, groups;
  };

  uint64_t bytes() const { return problem_.count * sizeof(uint32_t); }
  Region barrier_memory() const { return memory_.part(0, GridBarrier::bytes()); }
  Region discovery_memory() const { return memory_.part(GridBarrier::bytes(), GridDiscovery::bytes()); }
  Block block(uint32_t set, const Region& source, uint32_t step, uint32_t groups) const {
    return {source.address(),
            firsts_[set].address(),
            seconds_[set].address(),
            barrier_memory().address(),
            discovery_memory().address(),
            uint32_t(problem_.count),
            steps_,
            step,
            groups};
  }
  // As many workgroups as run at once, and no more than `most`.
  void record_resident(Recorder& recorder, uint32_t set, const Region& source, uint32_t most) const {
    const uint32_t groups = std::min(kernel_.resident_workgroups(), most);
    if (groups == 0) discovery_.record_clear(recorder, discovery_memory());
    recorder.dispatch(kernel_, {groups != 0 ? groups : std::min(4096u, most)}, block(set, source, 0, groups));
  }

  Problem problem_;
  uint32_t steps_;
  GridBarrier barrier_;
  GridDiscovery discovery_;
  Kernel kernel_;
  Sets firsts_, seconds_;
  Buffer<std::byte> memory_;
};

// Steps that each read what the step before wrote: a dispatch for each, or one dispatch with a barrier after each.
class StepsCase : public GridCase {
 public:
  static constexpr uint32_t steps = 32;

  StepsCase(const Problem& problem, bool fused)
      : GridCase(problem, problem.device.kernel(fused ? kernels::grid_barrier() : kernels::grid_launch()), steps),
        fused_(fused),
        inputs_(random_inputs(problem)) {}

  uint64_t bytes_moved() const override { return 2 * bytes() * steps; }
  void record(Recorder& recorder, uint32_t set) const override {
    const auto tiles = uint32_t(std::min<uint64_t>((problem_.count + 255) / 256, 32768));
    if (fused_) return record_resident(recorder, set, inputs_[set], tiles);
    for (uint32_t step = 0; step < steps; ++step) {
      recorder.dispatch(kernel_, {tiles}, block(set, inputs_[set], step, 0));
    }
  }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    std::vector<uint32_t> words(problem_.count), next(problem_.count);
    for (uint64_t i = 0; i < words.size(); ++i) words[i] = random_element<uint32_t>(problem_.seed, i);
    for (uint32_t step = 0; step < steps; ++step) {
      for (size_t i = 0; i + 1 < words.size(); ++i) next[i] = words[i] * 1664525u + words[i + 1];
      next.back() = words.back() * 1664525u + words.front();
      words.swap(next);
    }
    return check_in_chunks<uint32_t>(
        stream, seconds_[set], [&](uint64_t first, std::span<const uint32_t> got) -> std::optional<std::string> {
          const auto [wrong, expected] = std::ranges::mismatch(got, std::span(words).subspan(first, got.size()));
          if (wrong == got.end()) return std::nullopt;
          return "element " + std::to_string(first + uint64_t(wrong - got.begin())) + " is " + std::to_string(*wrong) +
                 ", expected " + std::to_string(*expected);
        });
  }

 private:
  bool fused_;
  Sets inputs_;
};

// Barriers of all workgroups that run at once, one after the other.
class BarriersCase : public GridCase {
 public:
  static constexpr uint32_t steps = 1000;

  BarriersCase(const Problem& problem, bool indexed)
      : GridCase(problem, problem.device.kernel(kernels::grid_barrier_alone(), KernelOptions().specialize(0, indexed)),
                 steps) {}

  uint64_t bytes_moved() const override { return steps * sizeof(uint32_t); }
  void record(Recorder& recorder, uint32_t set) const override {
    record_resident(recorder, set, firsts_[set], uint32_t(std::min<uint64_t>(problem_.count, 32768)));
  }
  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    const uint32_t groups = stream.download(View<uint32_t>(seconds_[set]).part(0, 1)).front();
    if (groups == 0 || groups > problem_.count) return std::to_string(groups) + " workgroups took part";
    const std::vector<uint32_t> passed = stream.download(View<uint32_t>(firsts_[set]).part(0, groups));
    const auto wrong = std::ranges::find_if(passed, [](uint32_t one) { return one != steps; });
    if (wrong == passed.end()) return std::nullopt;
    return "workgroup " + std::to_string(wrong - passed.begin()) + " passed " + std::to_string(*wrong) + " barriers";
  }
};

void check_barriers(const Problem& problem) {
  if (problem.type != support::ScalarType::u32) throw Error(ErrorCode::unsupported, "the steps take u32");
  if (problem.count >= uint64_t(1) << 30) throw Error(ErrorCode::unsupported, "the steps take fewer than 2^30 words");
}

template <class GridOrBarriers, bool flag>
std::unique_ptr<Case> prepare_grid(const Problem& problem) {
  check_barriers(problem);
  return std::make_unique<GridOrBarriers>(problem, flag);
}

}  // namespace

std::span<const Benchmark> benchmarks_of_grid_barrier() {
  static constexpr Benchmark rows[] = {
      {"grid-barrier", "", false, "32 steps of u32 in one dispatch, with a barrier for all workgroups after each",
       words_of_long_runs, prepare_grid<StepsCase, true>},
      {"grid-barrier", "alone", false, "1000 barriers and nothing else", one_set, prepare_grid<BarriersCase, false>},
      {"grid-barrier", "alone-indexed", false, "by workgroups that know their index", one_set,
       prepare_grid<BarriersCase, true>},
      {"grid-barrier", "launches", false, "the same steps as 32 dispatches", words_of_long_runs,
       prepare_grid<StepsCase, false>},
  };
  return rows;
}

}  // namespace weft::bench
