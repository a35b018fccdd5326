#include <weft/morton.h>

#include "bench/benchmark.h"
#include "bench/sets.h"
#include "support/morton.h"
#include "support/text.h"

namespace weft::bench {
namespace {

constexpr uint32_t dimensions = 3;

// Points of random coordinates; codes have 30 bits, or 63 for elements of 8 bytes.
class MortonCase : public Case {
 public:
  explicit MortonCase(const Problem& problem)
      : problem_(problem),
        wide_(support::bytes(problem.type) == 8),
        plan_(problem.device, dimensions, problem.count, {.wide = wide_, .tuning = problem.tuning}),
        inputs_(problem.device, problem.count * dimensions * sizeof(float), problem.sets),
        codes_(problem.device, problem.count * code_bytes(), problem.sets),
        temporary_(problem.device.buffer<std::byte>(plan_.temporary_bytes())) {
    Stream stream = problem.device.stream();
    upload_to_sets(stream, inputs_, points());
  }

  // Points are read once for their bounds and once for their codes.
  uint64_t bytes_moved() const override { return problem_.count * (2 * dimensions * sizeof(float) + code_bytes()); }
  std::string variant() const override { return wide_ ? "63 bits" : "30 bits"; }
  void poison(Stream& stream) const override { poison_region(stream, codes_.all()); }

  void record(Recorder& recorder, uint32_t set) const override {
    plan_.record(
        recorder,
        {.points = inputs_[set], .bounds = {}, .codes = codes_[set], .count = problem_.count, .temporary = temporary_});
  }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    const std::vector<uint64_t> wanted = support::morton_codes(points(), dimensions, wide_);
    const std::vector<uint32_t> got = stream.download(View<uint32_t>(codes_[set]));
    for (size_t i = 0; i < wanted.size(); ++i) {
      const uint64_t code = wide_ ? got[2 * i] | uint64_t(got[2 * i + 1]) << 32 : got[i];
      if (code != wanted[i]) return "code " + std::to_string(i) + " is wrong";
    }
    return std::nullopt;
  }

 private:
  uint64_t code_bytes() const { return wide_ ? 8 : 4; }
  std::vector<float> points() const {
    std::vector<float> coordinates(problem_.count * dimensions);
    for (size_t i = 0; i < coordinates.size(); ++i) coordinates[i] = random_element<float>(problem_.seed, i);
    return coordinates;
  }

  Problem problem_;
  bool wide_;
  Morton plan_;
  Sets inputs_, codes_;
  Buffer<std::byte> temporary_;
};

uint64_t point_and_output(uint32_t element_bytes, uint64_t count) { return (12 + element_bytes) * count; }

}  // namespace

std::span<const Benchmark> benchmarks_of_morton() {
  static constexpr Benchmark rows[] = {
      {"morton", "", true, "codes of points in space, of the element's size", point_and_output, prepare<MortonCase>},
  };
  return rows;
}

}  // namespace weft::bench
