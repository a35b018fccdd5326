#include <weft/grid_barrier.h>

#include <algorithm>
#include <vector>

#include "bench/cases.h"
#include "bench/sets.h"
#include "weft_bench_kernels.h"

namespace weft::bench {
namespace {

// Steps that each read what the step before wrote: a dispatch for each, or one dispatch with a barrier after each.
class StepsCase : public Case {
 public:
  static constexpr uint32_t steps = 32;

  StepsCase(const Problem& problem, bool fused)
      : problem_(problem),
        fused_(fused),
        barrier_(problem.device),
        discovery_(problem.device),
        kernel_(problem.device.kernel(fused ? kernels::grid_barrier() : kernels::grid_launch())),
        inputs_(random_inputs(problem)),
        firsts_(problem.device, bytes(), problem.sets),
        seconds_(problem.device, bytes(), problem.sets),
        memory_(problem.device.buffer<std::byte>(GridBarrier::bytes + GridDiscovery::bytes)) {
    Stream stream = problem.device.stream();
    barrier_.record_clear(stream, barrier_memory());
    stream.synchronize();
  }

  uint64_t bytes_moved() const override { return 2 * bytes() * steps; }
  std::string variant() const override { return fused_ ? "" : "launches"; }
  void poison(Stream& stream) const override {
    poison_region(stream, firsts_.all());
    poison_region(stream, seconds_.all());
  }

  void record(Recorder& recorder, uint32_t set) const override {
    const auto tiles = uint32_t(std::min<uint64_t>((problem_.count + 255) / 256, 32768));
    if (!fused_) {
      for (uint32_t step = 0; step < steps; ++step) recorder.dispatch(kernel_, {tiles}, block(set, step, 0));
      return;
    }
    const uint32_t groups = std::min(kernel_.resident_workgroups(), tiles);
    if (groups == 0) discovery_.record_clear(recorder, discovery_memory());
    recorder.dispatch(kernel_, {groups != 0 ? groups : std::min(4096u, tiles)}, block(set, 0, groups));
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
  struct Block {
    uint64_t source, a, b, barrier, discovery;
    uint32_t count, steps, step, groups;
  };

  uint64_t bytes() const { return problem_.count * sizeof(uint32_t); }
  Region barrier_memory() const { return memory_.part(0, GridBarrier::bytes); }
  Region discovery_memory() const { return memory_.part(GridBarrier::bytes, GridDiscovery::bytes); }
  Block block(uint32_t set, uint32_t step, uint32_t groups) const {
    return {inputs_[set].address(),
            firsts_[set].address(),
            seconds_[set].address(),
            barrier_memory().address(),
            discovery_memory().address(),
            uint32_t(problem_.count),
            steps,
            step,
            groups};
  }

  Problem problem_;
  bool fused_;
  GridBarrier barrier_;
  GridDiscovery discovery_;
  Kernel kernel_;
  Sets inputs_, firsts_, seconds_;
  Buffer<std::byte> memory_;
};

std::unique_ptr<Case> prepare(const Problem& problem, bool fused) {
  if (problem.type != tools::ScalarType::u32) throw Error(ErrorCode::unsupported, "the steps take u32");
  if (problem.count >= uint64_t(1) << 30) throw Error(ErrorCode::unsupported, "the steps take fewer than 2^30 words");
  return std::make_unique<StepsCase>(problem, fused);
}

}  // namespace

std::unique_ptr<Case> prepare_grid_barrier(const Problem& problem) { return prepare(problem, true); }
std::unique_ptr<Case> prepare_grid_launches(const Problem& problem) { return prepare(problem, false); }

}  // namespace weft::bench
