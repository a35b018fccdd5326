#include <vector>

#include "bench/benchmark.h"
#include "bench/sets.h"
#include "support/text.h"
#include "weft_bench_kernels.h"

namespace weft::bench {
namespace {

constexpr uint32_t sector_words = 8, sector_bytes = 4 * sector_words;
constexpr uint64_t invocations = 256, numbers_each = 8, tile = invocations * numbers_each;

enum class Mode : uint32_t { read, write, update };

// The sector of an access: sector_of() of random.comp.
uint64_t sector_of(uint32_t access, uint64_t count) {
  uint32_t x = access * 0x9E3779B9;
  x = (x ^ (x >> 16)) * 0x85EBCA6B;
  x = (x ^ (x >> 13)) * 0xC2B2AE35;
  return uint64_t(x ^ (x >> 16)) * count >> 32;
}
uint32_t content_of(uint64_t word) { return uint32_t(word) * 2654435761u; }

// As many accesses to sectors at random as there are sectors. An element is a sector.
class RandomCase : public Case {
 public:
  RandomCase(const Problem& problem, Mode mode)
      : problem_(problem),
        mode_(mode),
        groups_((problem.count + tile - 1) / tile),
        kernel_(problem.device.kernel(kernels::random())),
        sectors_(problem.device, problem.count * sector_bytes, problem.sets),
        sums_(problem.device, groups_ * invocations * sizeof(uint32_t), problem.sets) {
    if (mode != Mode::read) return;
    std::vector<uint32_t> words(problem.count * sector_words);
    for (uint64_t i = 0; i < words.size(); ++i) words[i] = content_of(i);
    Stream stream = problem.device.stream();
    upload_to_sets(stream, sectors_, words);
  }

  uint64_t bytes_moved() const override { return problem_.count * sector_bytes * (mode_ == Mode::update ? 2 : 1); }

  void poison(Stream& stream) const override {
    if (mode_ == Mode::read) return poison_region(stream, sums_.all());
    stream.fill(View<uint32_t>(sectors_.all()), 0u);  // Updates count from here.
  }

  void record(Recorder& recorder, uint32_t set) const override {
    struct Block {
      uint64_t sectors, sums;
      uint32_t count, mode;
    };
    constexpr uint64_t row = 32768;
    const Groups grid{uint32_t(std::min(groups_, row)), uint32_t((groups_ + row - 1) / row)};
    recorder.dispatch(kernel_, grid,
                      Block{sectors_[set].address(), sums_[set].address(), uint32_t(problem_.count), uint32_t(mode_)});
  }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    if (mode_ == Mode::read) return check_sums(stream, set);
    std::vector<uint32_t> accesses(problem_.count);
    for (uint64_t i = 0; i < problem_.count; ++i) ++accesses[sector_of(uint32_t(i), problem_.count)];
    return check_in_chunks<uint32_t>(stream, sectors_[set],
                                     [&](uint64_t first, std::span<const uint32_t> got) -> std::optional<std::string> {
                                       for (size_t i = 0; i < got.size(); i += sector_words) {
                                         const uint64_t sector = (first + i) / sector_words;
                                         if (!is_right(sector, got.subspan(i, sector_words), accesses[sector])) {
                                           return "sector " + std::to_string(sector) + " is wrong";
                                         }
                                       }
                                       return std::nullopt;
                                     });
  }

 private:
  // Writes to one sector race, so each of its words may come from a different one.
  bool is_right(uint64_t sector, std::span<const uint32_t> words, uint32_t accesses) const {
    if (mode_ == Mode::update || accesses == 0) return words[0] == accesses;
    for (size_t i = 0; i < words.size(); ++i) {
      const uint32_t access = i < words.size() / 2 ? words[i] : ~words[i];
      if (access >= problem_.count || sector_of(access, problem_.count) != sector) return false;
    }
    return true;
  }

  std::optional<std::string> check_sums(Stream& stream, uint32_t set) const {
    const std::vector<uint32_t> sums = stream.download(View<uint32_t>(sums_[set]));
    for (uint64_t i = 0; i < sums.size(); ++i) {
      uint32_t sum = 0;
      for (uint64_t item = 0; item < numbers_each; ++item) {
        const uint64_t access = i / invocations * tile + item * invocations + i % invocations;
        if (access >= problem_.count) continue;
        const uint64_t word = sector_of(uint32_t(access), problem_.count) * sector_words;
        for (uint32_t k = 0; k < sector_words; ++k) sum ^= content_of(word + k);
      }
      if (sums[i] != sum) return "invocation " + std::to_string(i) + " has read something else";
    }
    return std::nullopt;
  }

  Problem problem_;
  Mode mode_;
  uint64_t groups_;
  Kernel kernel_;
  Sets sectors_, sums_;
};

template <Mode mode>
std::unique_ptr<Case> prepare_random(const Problem& problem) {
  if (problem.count > UINT32_MAX) throw Error(ErrorCode::unsupported, "random accesses take fewer than 2^32 sectors");
  return std::make_unique<RandomCase>(problem, mode);
}

uint64_t sectors(uint32_t, uint64_t count) { return 33 * count; }

}  // namespace

std::span<const Benchmark> benchmarks_of_random() {
  static constexpr Benchmark rows[] = {
      {"random", "read", false, "as many reads of 32-byte sectors at random as there are sectors", sectors,
       prepare_random<Mode::read>},
      {"random", "write", false, "writes of sectors", sectors, prepare_random<Mode::write>},
      {"random", "update", false, "atomic additions to sectors", sectors, prepare_random<Mode::update>},
  };
  return rows;
}

}  // namespace weft::bench
