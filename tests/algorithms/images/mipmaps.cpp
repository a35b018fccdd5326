#include <weft/mipmaps.h>

#include <algorithm>
#include <cstring>

#include "support/mipmaps.h"
#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

namespace {

using Size = std::array<uint32_t, 2>;
using ImageBytes = std::vector<std::byte>;

std::string text_of(const TexelFormat& format) {
  const char* const names[] = {"unorm8", "srgb8", "float16", "float32"};
  return std::to_string(format.channels) + " channels of " + names[size_t(format.type)];
}

bool has_units(const DeviceInfo& device, const TexelFormat& format) {
  if (format.bytes() % 2 == 1) return device.features.storage8;
  return format.bytes() % 4 == 0 || device.features.storage16;
}

/// Any bits for minima and maxima, NaNs and infinities included. For means bytes, and finite floats of all magnitudes.
ImageBytes make_image(const TexelFormat& format, MipFilter filter, uint64_t bytes, std::mt19937_64& generator) {
  ImageBytes image = random_bytes(bytes, generator);
  if (filter != MipFilter::box || format.channel_bytes() == 1) return image;
  const uint64_t size = format.channel_bytes();
  for (uint64_t at = 0; at < bytes; at += size) {
    // One in eight exponents is of zero and subnormal numbers.
    const uint32_t bits = uint32_t(generator()), exponent = generator() % 8 == 0 ? 0 : uint32_t(generator() % 30 + 1);
    const uint32_t half = (bits & 0x83FF) | exponent << 10;
    const uint32_t single = (bits & 0x807FFFFF) | (exponent == 0 ? 0 : exponent + 110) << 23;
    std::memcpy(&image[at], size == 2 ? &half : &single, size);
  }
  return image;
}

/// A plan with its memory.
class Pyramid {
 public:
  struct Offsets {
    uint64_t image = 16, levels = 12;
  };

  Pyramid(Stream& stream, const TexelFormat& format, const Size& size, const Mipmaps::Options& options,
          std::mt19937_64& generator)
      : stream_(stream),
        format_(format),
        options_(options),
        plan_(stream.device(), format, size[0], size[1], options),
        counters_(stream.device(), stream, std::vector<uint32_t>(plan_.counter_bytes() / 4), generator, 4) {}

  const Mipmaps& plan() const { return plan_; }

  /// A texel's alignment: that of its units, at most 4 bytes.
  uint64_t align() const { return format_.bytes() % 4 == 0 ? 4 : format_.bytes() % 2 == 0 ? 2 : 1; }

  /// Computes the levels of an image, both at these offsets, and checks what must not have changed.
  ImageBytes levels_of(const ImageBytes& image, const Offsets& offsets, std::mt19937_64& generator) const {
    const Guarded<std::byte> input(stream_.device(), stream_, image, generator, offsets.image);
    const Guarded<std::byte> levels(stream_.device(), stream_, plan_.level_bytes(), generator, offsets.levels);
    plan_.record(stream_, {.image = input, .levels = levels, .counters = counters_});
    ImageBytes result = levels.read(stream_);
    check_same(input.read(stream_), image, "the image afterwards");
    check_same(counters_.read(stream_), std::vector<uint32_t>(plan_.counter_bytes() / 4), "counters");
    return result;
  }

  void check(std::mt19937_64& generator) const {
    const Size size = plan_.size(0);
    INFO(text_of(format_), ", ", size[0], " x ", size[1], ", filter ", int(options_.filter));
    const ImageBytes image = make_image(format_, options_.filter, plan_.image_bytes(), generator);
    // Blocks of 4 x 4 texels need an image at a multiple of 16, stores of two texels levels at one of 8.
    for (const Offsets& offsets : {Offsets{align(), 3 * align()}, {16, 3 * align()}, {16, 16}}) {
      INFO("at offsets of ", offsets.image, " and ", offsets.levels, " bytes");
      const ImageBytes levels = levels_of(image, offsets, generator);
      const auto wrong = support::wrong_mipmaps(plan_, format_, options_.filter, options_.layers, image, levels);
      CHECK_MESSAGE(!wrong, wrong.value_or(""));
    }
  }

 private:
  Stream& stream_;
  TexelFormat format_;
  Mipmaps::Options options_;
  Mipmaps plan_;
  Guarded<uint32_t> counters_;
};

void check_sizes(const Device& device, const std::vector<Size>& sizes) {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("sizes of mipmaps");
  for (const Size& size : sizes) Pyramid(stream, {}, size, {}, generator).check(generator);
}

/// Texels of 1 to 4 channels. The sizes have levels of one tile, of several and of parts of tiles: odd ones, blocks of
/// 4 x 4 texels above odd levels, and even levels alone.
void check_formats(const Device& device, TexelType type, std::initializer_list<uint32_t> channels, MipFilter filter) {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("formats of mipmaps " + std::to_string(int(type)));
  for (const uint32_t number : channels) {
    const TexelFormat format{type, number};
    const Mipmaps::Options options{.filter = filter, .layers = 2};
    if (has_units(device.info(), format)) {
      for (const Size& size : {Size{150, 67}, Size{136, 72}, Size{128, 64}}) {
        Pyramid(stream, format, size, options, generator).check(generator);
      }
    } else {
      check_error(ErrorCode::unsupported, {"Mipmaps", "-bit members"}, [&] { Mipmaps(device, format, 9, 9); });
    }
  }
}

std::vector<float> floats_of(const ImageBytes& bytes) {
  std::vector<float> floats(bytes.size() / 4);
  std::memcpy(floats.data(), bytes.data(), bytes.size());
  return floats;
}

}  // namespace

DEVICE_TEST("mipmaps of small images of any size") {
  check_sizes(device, {{1, 1}, {1, 2}, {2, 1}, {2, 2}, {3, 3}, {1, 7}, {5, 1}, {7, 4}, {31, 33}, {64, 64}, {65, 65}});
}
DEVICE_TEST("mipmaps of images of several tiles") {
  check_sizes(device,
              {{66, 66}, {67, 130}, {128, 32}, {1, 1000}, {321, 1}, {129, 257}, {256, 192}, {132, 68}, {8192, 2}});
}

DEVICE_TEST("mipmaps of large images") {
  check_sizes(device, {{1025, 1023}});
  if (!computes_on_cpu(device)) check_sizes(device, {{4096, 4096}, {4095, 4095}, {16384, 4097}});
}

DEVICE_TEST("mipmaps of bytes") { check_formats(device, TexelType::unorm8, {1, 2, 3}, MipFilter::box); }
DEVICE_TEST("mipmaps of bytes in sRGB") { check_formats(device, TexelType::srgb8, {2, 4}, MipFilter::box); }
DEVICE_TEST("mipmaps of halves") { check_formats(device, TexelType::float16, {1, 2, 3, 4}, MipFilter::box); }
DEVICE_TEST("mipmaps of floats") { check_formats(device, TexelType::float32, {1, 2, 3, 4}, MipFilter::box); }
DEVICE_TEST("pyramids of the smallest") {
  check_formats(device, TexelType::float32, {1}, MipFilter::min);
  check_formats(device, TexelType::unorm8, {4}, MipFilter::min);
}
DEVICE_TEST("pyramids of the largest") {
  check_formats(device, TexelType::float16, {1}, MipFilter::max);
  check_formats(device, TexelType::srgb8, {3}, MipFilter::max);
}
DEVICE_TEST("pyramids of the smallest and the largest") {
  check_formats(device, TexelType::float32, {2}, MipFilter::min_max);
  check_formats(device, TexelType::float16, {4}, MipFilter::min_max);
}

DEVICE_TEST("an image of one colour keeps it in all levels") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("red");
  const uint32_t red = 0xFF0000FF, pale = 0x01FE807F;
  for (const Size& size : {Size{128, 32}, Size{127, 35}}) {
    const Pyramid pyramid(stream, {}, size, {}, generator);
    for (const uint32_t colour : {red, pale}) {
      const std::vector<uint32_t> image(pyramid.plan().image_bytes() / 4, colour);
      const auto bytes = std::as_bytes(std::span(image));
      const ImageBytes levels = pyramid.levels_of({bytes.begin(), bytes.end()}, {}, generator);
      const std::vector<uint32_t> wanted(levels.size() / 4, colour);
      const auto wanted_bytes = std::as_bytes(std::span(wanted));
      check_same(levels, {wanted_bytes.begin(), wanted_bytes.end()});
    }
  }
}

DEVICE_TEST("every texel of an image of odd size counts the same") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("energy");
  const TexelFormat format{TexelType::float32, 1};
  const Pyramid pyramid(stream, format, {13, 11}, {.max_levels = 2}, generator);
  for (size_t lit = 0; lit < 13 * 11; lit += 7) {
    ImageBytes image(pyramid.plan().image_bytes());
    const float light = 143;
    std::memcpy(&image[4 * lit], &light, 4);
    float sum = 0;
    for (const float x : floats_of(pyramid.levels_of(image, {}, generator))) sum += x;
    CHECK_EQ(sum, doctest::Approx(6 * 5).epsilon(1e-5));
  }
}

DEVICE_TEST("counters of mipmaps are ready for the next image") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("counters of mipmaps");
  const Pyramid pyramid(stream, {}, {261, 135}, {.layers = 3}, generator);
  CHECK_GT(pyramid.plan().counter_bytes(), 4 * 3);
  for (int turn = 0; turn < 3; ++turn) pyramid.check(generator);
}

DEVICE_TEST("a function computes mipmaps, and keeps a plan for each size, format and filter") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("function");
  const TexelFormat bytes{TexelType::unorm8, 4}, linear{TexelType::srgb8, 4}, floats{TexelType::float32, 2};
  const Operator first = Operator::custom("the first", "a", "vec4(0.0)", false);
  const auto check = [&](const TexelFormat& format, const Size& size, const Mipmaps::Options& options) {
    INFO(text_of(format), ", ", size[0], " x ", size[1], ", filter ", int(options.filter));
    const Mipmaps plan = mipmaps(stream, format, size[0], size[1], {}, {}, options);
    const ImageBytes image = make_image(format, options.filter, plan.image_bytes(), generator);
    const Guarded<std::byte> input(device, stream, image, generator, 4),
        levels(device, stream, plan.level_bytes(), generator, 4);
    mipmaps(stream, format, size[0], size[1], input.view(), levels.view(), options);
    const ImageBytes found = levels.read(stream);
    CHECK_EQ(plan.level_bytes(), found.size());
    if (options.op) {
      CHECK_EQ(std::memcmp(found.data(), image.data(), format.bytes()), 0);
      return;
    }
    const auto wrong = support::wrong_mipmaps(plan, format, options.filter, options.layers, image, found);
    CHECK_MESSAGE(!wrong, wrong.value_or(""));
  };
  for (int time = 0; time < 2; ++time) {
    check(bytes, {67, 130}, {});
    check(bytes, {130, 67}, {});
    check(bytes, {130, 67}, {.layers = 2});
    check(bytes, {130, 67}, {.max_levels = 3});
    check(linear, {130, 67}, {});
    check(floats, {130, 67}, {.filter = MipFilter::min_max});
    check(floats, {130, 67}, {.filter = MipFilter::min});
    check(floats, {130, 67}, {.op = first});
    check(bytes, {1, 1}, {});
  }
  const Buffer<std::byte> image = device.buffer<std::byte>(4 * 64), levels = device.buffer<std::byte>(4 * 21);
  check_error(ErrorCode::invalid_argument, {"mipmaps", "'image'", "elements of 8 bytes"},
              [&] { mipmaps(stream, bytes, 8, 8, image.view().as<uint64_t>(), levels); });
  check_error(ErrorCode::invalid_argument, {"Mipmaps", "'levels'", "84"},
              [&] { mipmaps(stream, bytes, 8, 8, image, levels.part(0, 83)); });
}

DEVICE_TEST("mipmaps end with the last level wanted") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("few levels");
  for (uint32_t levels = 1; levels < 10; ++levels) {
    const Pyramid pyramid(stream, {}, {250, 100}, {.max_levels = levels}, generator);
    CHECK_EQ(pyramid.plan().levels(), std::min(levels, 8u));
    pyramid.check(generator);
  }
}

DEVICE_TEST("levels of a plan follow one another") {
  const TexelFormat format{TexelType::float16, 4};
  const Mipmaps plan(device, format, 12, 5, {.layers = 2});
  CHECK_EQ(plan.levels(), 4);
  CHECK(plan.size(0) == Size{12, 5});
  CHECK(plan.size(1) == Size{6, 2});
  CHECK(plan.size(2) == Size{3, 1});
  CHECK(plan.size(3) == Size{1, 1});
  CHECK_EQ(plan.image_bytes(), 2 * 60 * 8);
  CHECK_EQ(plan.offset(1), 0);
  CHECK_EQ(plan.offset(2), 12 * 8);
  CHECK_EQ(plan.offset(3), 15 * 8);
  CHECK_EQ(plan.offset(2, 1), (16 + 12) * 8);
  const auto fails = [](const std::vector<std::string>& words, const auto& call) {
    check_error(ErrorCode::invalid_argument, words, call);
  };
  fails({"no level 4"}, [&] { plan.size(4); });
  fails({"no level 4"}, [&] { plan.offset(4); });
  fails({"no level 0", "the first is 1"}, [&] { plan.offset(0); });
  fails({"no layer 2"}, [&] { plan.offset(1, 2); });
  CHECK_EQ(plan.level_bytes(), 2 * 16 * 8);
  CHECK_EQ(plan.counter_bytes(), 0);
}

DEVICE_TEST("mipmaps explain what is wrong") {
  const auto invalid = [&](const std::vector<std::string>& words, const auto& call) {
    check_error(ErrorCode::invalid_argument, words, call);
  };
  const auto plan_fails = [&](const std::vector<std::string>& words, uint32_t channels, uint32_t width, uint32_t height,
                              const Mipmaps::Options& options = {}) {
    invalid(words, [&] { Mipmaps(device, {TexelType::unorm8, channels}, width, height, options); });
  };
  plan_fails({"Mipmaps", "1 to 4 channels", "not 0"}, 0, 9, 9);
  plan_fails({"Mipmaps", "1 to 4 channels", "not 5"}, 5, 9, 9);
  plan_fails({"Mipmaps", "0 x 9"}, 4, 0, 9);
  plan_fails({"Mipmaps", "9 x 65537", "65536"}, 4, 9, 65537);
  plan_fails({"'layers' is 0"}, 4, 9, 9, {.layers = 0});
  plan_fails({"'max_levels' 0"}, 4, 9, 9, {.max_levels = 0});
  plan_fails({"2^31"}, 4, 65536, 32768);
  plan_fails({"2^31"}, 4, 1024, 1024, {.layers = 2048});

  Stream stream = device.stream();
  const Mipmaps plan(device, {}, 200, 100);
  const Buffer<uint32_t> image = device.buffer<uint32_t>(20000), levels = device.buffer<uint32_t>(20000),
                         counters = device.buffer<uint32_t>(100);
  const Mipmaps::Arguments good{image, levels, counters};
  const auto record_fails = [&](const std::vector<std::string>& words, const auto& spoil) {
    Mipmaps::Arguments arguments = good;
    spoil(arguments);
    invalid(words, [&] { plan.record(stream, arguments); });
  };
  const Region all = levels;
  record_fails({"'image'", "79996", "80000"}, [&](auto& a) { a.image = image.part(1, 19999); });
  record_fails({"'levels'", "26576"}, [&](auto& a) { a.levels = levels.part(0, 6643); });
  record_fails({"'levels'", "multiple of 4"}, [&](auto& a) { a.levels = all.part(2, all.bytes - 2); });
  record_fails({"'counters'"}, [&](auto& a) { a.counters = {}; });
  record_fails({"'image'", "'levels'", "overlap"}, [&](auto& a) { a.levels = image; });
}

DEVICE_TEST("an operator combines texels row by row") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("operator of mipmaps");
  // A histogram pyramid: sums of whole numbers.
  const TexelFormat number{TexelType::float32, 1};
  const Pyramid sums(stream, number, {128, 64}, {.op = Operator::sum()}, generator);
  std::vector<float> numbers = random_values<float>(128 * 64, generator);
  const auto bytes = std::as_bytes(std::span(numbers));
  const std::vector<float> levels = floats_of(sums.levels_of({bytes.begin(), bytes.end()}, {}, generator));
  float total = 0;
  for (const float x : numbers) total += x;
  CHECK_EQ(levels.back(), total);
  // The first operand alone would be the texel at the upper left, the second that at the lower right.
  for (const bool first : {true, false}) {
    const Operator one = Operator::custom("one", first ? "T(a)" : "b", "T(0)");
    const Pyramid corners(stream, {}, {77, 41}, {.op = one}, generator);
    const ImageBytes image = random_bytes(corners.plan().image_bytes(), generator);
    const ImageBytes below = corners.levels_of(image, {}, generator);
    const size_t corner = first ? 0 : 4 * (77 * 41 - 1);
    const auto same = [&](size_t channel) { return below[below.size() - 4 + channel] == image[corner + channel]; };
    CHECK((same(0) && same(1) && same(2) && same(3)));
  }
  check_error(ErrorCode::compile_failed, {"Mipmaps", "operator 'odd'", "a + nothing"},
              [&] { Mipmaps(device, {}, 9, 9, {.op = Operator::custom("odd", "a + nothing", "T(0)")}); });
}

DEVICE_TEST("a user's kernel computes the levels of its tile") {
  constexpr const char* source = R"(#version 460
    layout(local_size_x = 64) in;
    #define WEFT_CHANNELS 4
    #define WEFT_CHANNEL_BITS 8
    #define T_WORDS 1
    #define WEFT_MIP_LEVELS 6
    #include "weft/workgroup/mip.glsl"
    layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Words { uint at[]; };
    layout(push_constant, scalar) uniform Arguments { Words image, levels; } args;
    void main() {
      for (uint i = gl_LocalInvocationIndex; i < 1024u; i += 64u) {
        weft_mip_put(0u, uvec2(i % 32u, i / 32u), uint[](args.image.at[i]));
      }
      uint first = 0u;
      for (uint level = 1u; level < 6u; ++level) {
        barrier();
        uint side = 32u >> level;
        for (uint i = gl_LocalInvocationIndex; i < side * side; i += 64u) {
          uvec2 at = uvec2(i % side, i / side);
          uint units[1] = weft_mip_next(level, at, uvec2(2u * side));
          weft_mip_put(level, at, units);
          args.levels.at[first + i] = units[0];
        }
        first += side * side;
      }
    })";
  struct Block {
    Pointer<std::byte> image, levels;
  };
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("mipmaps of a user's kernel");
  const Mipmaps plan(device, {}, 32, 32);
  const ImageBytes image = random_bytes(plan.image_bytes(), generator);
  const Guarded<std::byte> input(device, stream, image, generator),
      levels(device, stream, plan.level_bytes(), generator);
  stream.dispatch(device.kernel_from_glsl(source), {1}, Block{input.view().pointer(), levels.view().pointer()});
  const auto wrong = support::wrong_mipmaps(plan, {}, MipFilter::box, 1, image, levels.read(stream));
  CHECK_MESSAGE(!wrong, wrong.value_or(""));
}

TEST_CASE("means of bytes, as the CPU computes them in integers, are near the exact ones") {
  std::mt19937_64 generator = random_generator("means of bytes");
  const TexelFormat format{TexelType::unorm8, 1};
  for (const Size& size : {Size{65535, 3}, Size{9, 65535}, Size{33, 35}}) {
    const ImageBytes image = random_bytes(uint64_t{size[0]} * size[1], generator);
    for (int turn = 0; turn < 200; ++turn) {
      const uint64_t x = generator() % (size[0] / 2), y = generator() % (size[1] / 2);
      const double across[] = {double(size[0] / 2 - x), double(size[0] / 2), double(x + 1)};
      const double down[] = {double(size[1] / 2 - y), double(size[1] / 2), double(y + 1)};
      double mean = 0;
      for (uint64_t k = 0; k < 9; ++k) {
        mean += across[k % 3] * down[k / 3] * double(image[(2 * y + k / 3) * size[0] + 2 * x + k % 3]);
      }
      mean /= double(size[0]) * size[1];
      const double right = support::mean_of_bytes(format, {image, size[0], size[1]}, 0, x, y);
      CHECK_LE(std::abs(right - mean), 0.53);
    }
  }
}
