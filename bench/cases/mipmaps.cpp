#include <weft/mipmaps.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "bench/benchmark.h"
#include "bench/sets.h"
#include "support/mipmaps.h"

namespace weft::bench {
namespace {

// Elements of 4 bytes are 4 channels of bytes, or a float if they are floats; of 8 bytes 4 halves, or 2 floats.
TexelFormat format_of(support::ScalarType type) {
  const uint32_t bytes = support::bytes(type);
  if (support::is_float(type)) return {TexelType::float32, bytes / 4};
  return {bytes == 4 ? TexelType::unorm8 : TexelType::float16, 4};
}

std::string text_of(const TexelFormat& format) {
  const char* const type = format.type == TexelType::unorm8 ? "unorm8" : format.channel_bytes() == 2 ? "half" : "float";
  return std::to_string(format.channels) + " x " + type;
}

// The largest square image of up to `count` texels; of odd sizes on all levels if it has a power of two less one.
uint32_t side_of(uint64_t count, bool odd) {
  auto side = uint32_t(std::min(std::sqrt(double(count)), double(Mipmaps::max_width)));
  side = std::max(side, 1u);
  return odd ? std::max(std::bit_floor(side) - 1, 1u) : side;
}

class MipmapsCase : public Case {
 public:
  MipmapsCase(const Problem& problem, MipFilter filter, bool odd)
      : problem_(problem),
        format_(format_of(problem.type)),
        filter_(filter),
        side_(side_of(problem.count, odd)),
        plan_(problem.device, format_, side_, side_, {.filter = filter}),
        images_(problem.device, plan_.image_bytes(), problem.sets),
        levels_(problem.device, plan_.level_bytes(), problem.sets),
        counters_(problem.device.buffer<std::byte>(plan_.counter_bytes())) {
    Stream stream = problem.device.stream();
    upload_to_sets(stream, images_, image());
    stream.fill(counters_, std::byte{0});
    stream.synchronize();
  }

  uint64_t bytes_moved() const override { return plan_.image_bytes() + plan_.level_bytes(); }
  std::string variant() const override {
    return (filter_ == MipFilter::max ? "max, " : "") + std::to_string(side_) + " x " + std::to_string(side_) + ", " +
           text_of(format_);
  }
  void poison(Stream& stream) const override { poison_region(stream, levels_.all()); }
  void record(Recorder& recorder, uint32_t set) const override {
    plan_.record(recorder, {.image = images_[set], .levels = levels_[set], .counters = counters_});
  }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    const std::vector<std::byte> texels = image(), levels = stream.download(View<std::byte>(levels_[set]));
    return support::wrong_mipmaps(plan_, format_, filter_, 1, texels, levels);
  }

 private:
  // Random bytes, or numbers from 0 to 1.
  std::vector<std::byte> image() const {
    const uint64_t channels = plan_.image_bytes() / format_.channel_bytes();
    std::vector<std::byte> bytes;
    const auto append = [&](const auto& value) {
      const auto parts = std::as_bytes(std::span(&value, 1));
      bytes.insert(bytes.end(), parts.begin(), parts.end());
    };
    for (uint64_t i = 0; i < channels; ++i) {
      const float x = random_element<float>(problem_.seed, i);
      if (format_.type == TexelType::unorm8) append(uint8_t(random_element<uint32_t>(problem_.seed, i)));
      if (format_.type == TexelType::float16) append(Half(x).bits());
      if (format_.type == TexelType::float32) append(x);
    }
    return bytes;
  }

  Problem problem_;
  TexelFormat format_;
  MipFilter filter_;
  uint32_t side_;
  Mipmaps plan_;
  Sets images_, levels_;
  Buffer<std::byte> counters_;
};

uint64_t image_and_levels(uint32_t texel_bytes, uint64_t texels) { return texels * texel_bytes * 4 / 3; }

}  // namespace

std::span<const Benchmark> benchmarks_of_mipmaps() {
  static constexpr Benchmark rows[] = {
      {"mipmaps", "", true, "levels of a square image with a texel for each element", image_and_levels,
       prepare<MipmapsCase, MipFilter::box, false>},
      {"mipmaps", "odd", false, "of odd sizes on all levels", image_and_levels,
       prepare<MipmapsCase, MipFilter::box, true>},
      {"mipmaps", "max", false, "the largest instead of means", image_and_levels,
       prepare<MipmapsCase, MipFilter::max, false>},
  };
  return rows;
}

}  // namespace weft::bench
