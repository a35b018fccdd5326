#include "bench/user_kernels.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "bench/benchmark.h"
#include "bench/sets.h"
#include "weft_bench_kernels.h"

namespace weft::bench {
namespace {

constexpr uint32_t poison_word = 0xa5a5a5a5;  // of poison_region()

Spirv module_of(size_t index) {
  constexpr Spirv (*modules[])() = {kernels::saxpy,         kernels::stencil, kernels::mandelbrot, kernels::nbody,
                                    kernels::black_scholes, kernels::noise,   kernels::bitonic,    kernels::matrix};
  static_assert(std::size(modules) == std::size(plain::user_kernels));
  return modules[index]();
}

Groups groups_of(const plain::UserKernel& kernel, uint32_t count) {
  if (kernel.item != plain::UserKernel::Item::image_row) {
    return grid_of(kernel.item == plain::UserKernel::Item::keys_512 ? count / 2 : count);
  }
  const uint32_t tiles = (plain::side_of(count) + 15) / 16;
  return {tiles, tiles, 1};
}

// A kernel as users write them: GLSL without subgroup operations, with storage buffers and a test of the size.
class UserKernelCase : public Case {
 public:
  UserKernelCase(const Problem& problem, size_t index)
      : problem_(problem),
        what_(plain::user_kernels[index]),
        count_(uint32_t(problem.count)),
        kernel_(problem.device.kernel(module_of(index))),
        outputs_(problem.device, 4 * problem.count * what_.output_words, problem.sets) {
    Stream stream = problem.device.stream();
    std::vector<std::vector<uint32_t>> data;
    std::vector<const void*> inputs;
    for (const uint32_t words : what_.input_words) {
      if (words == 0) break;
      std::vector<uint32_t>& input = data.emplace_back(problem.count * words);
      for (uint64_t i = 0; i < input.size(); ++i) input[i] = random_word(data.size() * 4 * problem.count + i);
      upload_to_sets(stream, inputs_.emplace_back(problem.device, 4 * input.size(), problem.sets), input);
    }
    for (const auto& input : data) inputs.push_back(input.data());
    expected_.assign(problem.count * what_.output_words, poison_word);
    void* const output = expected_.data();
    what_.run({inputs, {&output, 1}, count_}, 0, what_.items(count_));
  }

  uint64_t bytes_moved() const override {
    uint64_t words = what_.output_words;
    for (const uint32_t input : what_.input_words) words += input;
    return 4 * problem_.count * words;
  }

  void record(Recorder& recorder, uint32_t set) const override {
    struct Block {
      uint32_t count, side;
    };
    Arguments arguments(Block{count_, plain::side_of(count_)});
    uint32_t binding = 0;
    for (const Sets& input : inputs_) arguments.bind(0, binding++, input[set]);
    arguments.bind(0, binding, outputs_[set]);
    recorder.dispatch(kernel_, groups_of(what_, count_), arguments);
  }

  void poison(Stream& stream) const override { poison_region(stream, outputs_.all()); }

  std::optional<PeerWork> peer_work() const override {
    const std::string type = is_of_words() ? "u32" : "f32";
    PeerWork work{what_.name, {}, {{what_.name == std::string("mandelbrot") ? "u32" : type, outputs_[0]}}};
    for (const Sets& input : inputs_) work.inputs.push_back({type, input[0]});
    return work;
  }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    const std::vector<uint32_t> got = stream.download(View<uint32_t>(outputs_[set]));
    uint64_t wrong = 0, first = 0;
    for (uint64_t i = 0; i < got.size(); ++i) {
      if (is_right(got[i], expected_[i])) continue;
      if (wrong++ == 0) first = i;
    }
    // Rounding moves the border of the set, which is a fractal.
    const bool is_fractal = what_.name == std::string("mandelbrot");
    if (wrong <= (is_fractal ? got.size() / 50 : 0)) return std::nullopt;
    return std::to_string(wrong) + " of " + std::to_string(got.size()) + " words are wrong, the first at " +
           std::to_string(first) + ": " + text(got[first]) + " instead of " + text(expected_[first]);
  }

 private:
  bool is_of_words() const { return what_.item == plain::UserKernel::Item::keys_512; }

  uint32_t random_word(uint64_t index) const {
    if (is_of_words()) return random_element<uint32_t>(problem_.seed, index);
    return std::bit_cast<uint32_t>(random_element<float>(problem_.seed, index));
  }

  // The functions of GLSL and OpenCL are less exact than C++'s, and may contract a * b + c.
  bool is_right(uint32_t got, uint32_t expected) const {
    if (got == expected) return true;
    const bool is_number = !is_of_words() && what_.name != std::string("mandelbrot") && expected != poison_word;
    const float x = std::bit_cast<float>(got), y = std::bit_cast<float>(expected);
    return is_number && std::fabs(x - y) <= 2e-4f * (1 + std::fabs(y));
  }

  std::string text(uint32_t word) const {
    return is_of_words() ? std::to_string(word) : std::to_string(std::bit_cast<float>(word));
  }

  Problem problem_;
  plain::UserKernel what_;
  uint32_t count_;
  Kernel kernel_;
  std::vector<Sets> inputs_;
  Sets outputs_;
  std::vector<uint32_t> expected_;
};

template <size_t index>
std::unique_ptr<Case> prepare_user_kernel(const Problem& problem) {
  check_invocations(problem);
  if (problem.count < 512) throw Error(ErrorCode::unsupported, "users' kernels take at least 512 elements");
  return std::make_unique<UserKernelCase>(problem, index);
}

template <size_t index>
uint64_t arrays(uint32_t, uint64_t count) {
  const plain::UserKernel& kernel = plain::user_kernels[index];
  uint64_t words = kernel.output_words;
  for (const uint32_t input : kernel.input_words) words += input;
  return 4 * words * count;
}

template <size_t index>
constexpr Benchmark row(const char* summary) {
  return {"kernels", plain::user_kernels[index].name, false, summary, arrays<index>, prepare_user_kernel<index>};
}

}  // namespace

std::span<const Benchmark> benchmarks_of_user_kernels() {
  static constexpr Benchmark rows[] = {
      row<0>("a kernel as users write it, without subgroup operations: a x + y"),
      row<1>("a texel and its four neighbours"),
      row<2>("steps until a complex number leaves a circle, 256 at most"),
      row<3>("accelerations by 256 bodies"),
      row<4>("prices of options by Black and Scholes"),
      row<5>("four octaves of Perlin's noise"),
      row<6>("a step of a bitonic sort"),
      row<7>("products of 16 x 16 matrices"),
  };
  return rows;
}

}  // namespace weft::bench
