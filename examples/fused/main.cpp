// The same pipeline as a launch for each phase, and as one kernel whose workgroups stay and meet at barriers. Both give
// the same bits; the example times both. See docs/persistent.md.
//
//   fused [DEVICE [CELLS [STEPS]]]
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

#include <weft/grid_barrier.h>
#include <weft/weft.h>

#include "fused_kernels.h"

namespace {

// The push-constant block of pipeline.glsl.
struct Block {
  weft::Pointer<float> first, second, sums;
  uint64_t barrier, discovery;
  uint32_t count, steps, phase, groups;
};

struct Outcome {
  std::vector<float> cells;
  float sum = 0;
  double seconds = 0;
};

class Pipeline {
 public:
  Pipeline(const weft::Device& device, const std::vector<float>& input, uint32_t steps)
      : stream_(device.stream()),
        input_(input),
        count_(uint32_t(input.size())),
        tiles_((count_ + 255) / 256),
        steps_(steps),
        barrier_(device),
        discovery_(device),
        separate_(device.kernel(fused::kernels::separate(), rounding_alike())),
        fused_(device.kernel(fused::kernels::fused(), rounding_alike())),
        first_(device.buffer<float>(count_)),
        second_(device.buffer<float>(count_)),
        sums_(device.buffer<float>(tiles_ + 1)),
        memory_(device.buffer<std::byte>(weft::GridBarrier::bytes() + weft::GridDiscovery::bytes())) {
    barrier_.record_clear(stream_, barrier_memory());
  }

  uint32_t resident() const { return fused_.resident_workgroups(); }

  Outcome run_separately() {
    return run([&] {
      for (uint32_t phase = 0; phase < steps_ + 2; ++phase)
        stream_.dispatch(separate_, {phase < steps_ + 1 ? tiles_ : 1}, block(phase, 0));
    });
  }

  Outcome run_fused() {
    // Vulkan does not say how many workgroups run at once: there the kernel finds out, among this many.
    constexpr uint32_t enough = 4096;
    const uint32_t groups = std::min(resident(), tiles_);
    if (groups != 0) barrier_.require_resident(fused_, groups);
    return run([&] {
      discovery_.record_clear(stream_, discovery_memory());
      stream_.dispatch(fused_, {groups != 0 ? groups : std::min(enough, tiles_)}, block(0, groups));
    });
  }

 private:
  // Otherwise a compiler may contract a * b + c in one kernel and not in the other.
  static weft::KernelOptions rounding_alike() {
    weft::KernelOptions options;
    options.contraction = weft::Contraction::forbidden;
    return options;
  }

  weft::Region barrier_memory() const { return memory_.part(0, weft::GridBarrier::bytes()); }
  weft::Region discovery_memory() const {
    return memory_.part(weft::GridBarrier::bytes(), weft::GridDiscovery::bytes());
  }

  Block block(uint32_t phase, uint32_t groups) const {
    return {first_.pointer(),
            second_.pointer(),
            sums_.pointer(),
            barrier_memory().address(),
            discovery_memory().address(),
            count_,
            steps_,
            phase,
            groups};
  }

  // The second run is timed: the first one may compile.
  template <typename Record>
  Outcome run(const Record& record) {
    Outcome outcome;
    for (int round = 0; round < 2; ++round) {
      stream_.upload(first_, input_);
      stream_.synchronize();
      const auto start = std::chrono::steady_clock::now();
      record();
      stream_.synchronize();
      outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    outcome.cells = stream_.download(steps_ % 2 == 0 ? first_ : second_);
    outcome.sum = stream_.download(sums_).back();
    return outcome;
  }

  weft::Stream stream_;
  const std::vector<float>& input_;
  uint32_t count_, tiles_, steps_;
  weft::GridBarrier barrier_;
  weft::GridDiscovery discovery_;
  weft::Kernel separate_, fused_;
  weft::Buffer<float> first_, second_, sums_;
  weft::Buffer<std::byte> memory_;
};

// The steps keep the sum, but for rounding.
bool is_near(float sum, const std::vector<float>& input) {
  double expected = 0;
  for (const float x : input) expected += x;
  return std::abs(sum - expected) <= 1e-4 * expected;
}

}  // namespace

int main(int argument_count, char** arguments) try {
  const weft::Device device = weft::open_device(argument_count > 1 ? arguments[1] : "");
  const auto number = [&](int index, uint32_t otherwise) {
    return argument_count > index ? uint32_t(std::strtoul(arguments[index], nullptr, 10)) : otherwise;
  };
  const uint32_t steps = number(3, 100);
  std::vector<float> input(std::max(1u, number(2, 10'000)));
  std::mt19937 random(1);
  for (float& x : input) x = std::uniform_real_distribution<float>(0, 1)(random);

  Pipeline pipeline(device, input, steps);
  const Outcome separate = pipeline.run_separately(), fused = pipeline.run_fused();
  const bool same = std::memcmp(separate.cells.data(), fused.cells.data(), input.size() * sizeof(float)) == 0 &&
                    std::memcmp(&separate.sum, &fused.sum, sizeof(float)) == 0;
  const bool right = same && is_near(fused.sum, input);
  std::printf("%s, %zu cells, %u steps\n", device.info().name.c_str(), input.size(), steps);
  std::printf("  %u launches: %8.3f ms\n", steps + 2, separate.seconds * 1e3);
  std::printf("  one kernel:  %8.3f ms, with %u barriers\n", fused.seconds * 1e3, steps + 2);
  std::printf("  %s; the sum is %g: %s\n", same ? "the same bits" : "DIFFERENT BITS", double(fused.sum),
              right ? "right" : "WRONG");
  return right ? 0 : 1;
} catch (const weft::Error& error) {
  return std::fprintf(stderr, "%s\n%s", error.what(), error.log().c_str()), 1;
}
