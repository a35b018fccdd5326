#include <weft/morton.h>

#include <limits>

#include <weft/glsl.h>

#include "tests/algorithms/base/sizes.h"
#include "tests/algorithms/reference/morton.h"

using namespace weft;
using namespace weft::test;

namespace {

template <size_t D>
using Points = std::vector<std::array<float, D>>;

std::vector<uint32_t> words_of(const std::vector<uint64_t>& codes, bool wide) {
  std::vector<uint32_t> words;
  for (const uint64_t code : codes) {
    words.push_back(uint32_t(code));
    if (wide) words.push_back(uint32_t(code >> 32));
  }
  return words;
}

/// Where the arguments are in memory.
struct MortonPlacement {
  uint64_t misalignment = 0;
  bool count_on_device = false;
};

/// A plan with bounds that are given or computed.
template <size_t D>
void check_codes(Stream& stream, const Morton& plan, bool wide, const Points<D>& points,
                 const std::optional<TestBounds<D>>& given, std::mt19937_64& generator,
                 const MortonPlacement& at = {}) {
  INFO(D, " dimensions, wide: ", wide, ", points: ", points.size(), ", bounds given: ", given.has_value());
  const Device device = stream.device();
  const uint64_t words = wide ? 2 : 1;
  const Guarded<std::array<float, D>> input(device, stream, points, generator, at.misalignment);
  const Guarded<uint32_t> codes(device, stream, points.size() * words, generator, at.misalignment * words);
  const Guarded<std::byte> temporary(device, stream, plan.temporary_bytes(), generator, 1);
  const Buffer<TestBounds<D>> bounds = device.buffer<TestBounds<D>>(1);
  const Buffer<uint64_t> word = device.buffer<uint64_t>(1);
  stream.upload(word, std::vector<uint64_t>{points.size()});
  if (given) stream.upload(bounds, std::vector<TestBounds<D>>{*given});
  plan.record(stream, {.points = input,
                       .bounds = given ? Region(bounds) : Region(),
                       .codes = codes,
                       .count = at.count_on_device ? Count(word) : Count(points.size()),
                       .temporary = temporary});
  check_same(codes.read(stream), words_of(morton_codes(points, given ? *given : finite_bounds(points), wide), wide));
  check_same(input.read(stream), points, "the points afterwards");
  temporary.check_guards(stream);
}

template <size_t D>
void check_kinds(const Device& device, bool wide) {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("morton " + std::to_string(D) + std::to_string(wide));
  const Morton plan(device, D, 5000, {.wide = wide});
  for (const BoxKind kind : all_box_kinds) {
    INFO("points: ", to_string(kind));
    check_codes<D>(stream, plan, wide, make_points<D>(kind, 5000, generator), {}, generator);
    check_codes<D>(stream, plan, wide, make_points<D>(kind, 333, generator), {}, generator, {4, true});
  }
}

template <size_t D>
void check_given_bounds(const Device& device, bool wide) {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("bounds of morton");
  const Morton plan(device, D, 1000, {.wide = wide, .given_bounds = true});
  CHECK_EQ(plan.temporary_bytes(), 0);
  using Limits = std::numeric_limits<float>;
  const std::pair<float, float> all[] = {{2.0f, 7.0f},
                                         {3.0f, 3.0f},
                                         {7.0f, 2.0f},
                                         {Limits::lowest(), Limits::max()},
                                         {-1.0f, Limits::infinity()},
                                         {Limits::quiet_NaN(), 9.0f},
                                         {5.0f, 5.0f + 0x1p-20f},
                                         {0.0f, 0x1p-90f},
                                         {0.0f, 0x1.fffffep-91f}};
  for (const auto& [low, high] : all) {
    INFO("bounds: ", low, " to ", high);
    TestBounds<D> bounds;
    bounds.low.fill(low);
    bounds.high.fill(high);
    bounds.high.back() = 8;
    for (const BoxKind kind : {BoxKind::scattered, BoxKind::unusual}) {
      Points<D> points = make_points<D>(kind, 1000, generator);
      for (size_t i = 0; i < 100; ++i) points[i][0] *= 0x1p-93f;
      check_codes<D>(stream, plan, wide, points, bounds, generator);
    }
  }
}

}  // namespace

DEVICE_TEST("codes of 32 bits in the plane") { check_kinds<2>(device, false); }
DEVICE_TEST("codes of 64 bits in the plane") { check_kinds<2>(device, true); }
DEVICE_TEST("codes of 30 bits in space") { check_kinds<3>(device, false); }
DEVICE_TEST("codes of 63 bits in space") { check_kinds<3>(device, true); }

DEVICE_TEST("codes in given bounds") {
  check_given_bounds<2>(device, true);
  check_given_bounds<3>(device, false);
}

DEVICE_TEST("the high bounds, and what is above, are in the last cell") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("last cells of morton");
  const Morton plan(device, 2, 2, {.wide = true, .given_bounds = true});
  const Buffer<std::array<float, 2>> input = device.buffer<std::array<float, 2>>(2);
  const Buffer<uint64_t> codes = device.buffer<uint64_t>(2);
  const Buffer<TestBounds<2>> bounds = device.buffer<TestBounds<2>>(1);
  for (int i = 0; i < 100; ++i) {
    const float low = float(generator() % 1000) / 7, high = low + float(1 + generator() % 100000) / 11;
    stream.upload(input, std::vector<std::array<float, 2>>{{high, high}, {2 * high, INFINITY}});
    stream.upload(bounds, std::vector<TestBounds<2>>{{{low, low}, {high, high}}});
    plan.record(stream, {input, bounds, codes, 2, {}});
    CHECK(stream.download(codes) == std::vector<uint64_t>{~uint64_t{0}, ~uint64_t{0}});
  }
}

DEVICE_TEST("codes of any number of points") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("sizes of morton");
  const std::vector<uint64_t> counts = interesting_counts(device);
  const Morton plan(device, 3, counts.back());
  for (const uint64_t count : counts) {
    check_codes<3>(stream, plan, false, make_points<3>(BoxKind::scattered, count, generator), {}, generator);
  }
}

DEVICE_TEST("codes of points in structs") {
  struct Particle {
    float mass;
    std::array<float, 2> at;
  };
  Stream stream = device.stream();
  const Element particle = Element::structure<Particle>({{"mass", &Particle::mass}, {"at", &Particle::at}});
  const Morton plan(device, 2, particle, "x.at.yx", 3, {});
  const Buffer<Particle> input = device.buffer<Particle>(3);
  const Buffer<uint32_t> codes = device.buffer<uint32_t>(3);
  const Buffer<std::byte> temporary = device.buffer<std::byte>(plan.temporary_bytes());
  stream.upload(input, std::vector<Particle>{{9, {0, 10}}, {9, {8, 10}}, {9, {0, 26}}});
  plan.record(stream, {input, {}, codes, 3, temporary});
  check_same(stream.download(codes), std::vector<uint32_t>{0, 0x55555555u, 0xAAAAAAAAu});
}

DEVICE_TEST("points are computed as written: sums of halves do not overflow") {
  struct Interval {
    std::array<float, 2> low, high;
  };
  constexpr float most = std::numeric_limits<float>::max();
  Stream stream = device.stream();
  const Element interval = Element::structure<Interval>({{"low", &Interval::low}, {"high", &Interval::high}});
  const Morton plan(device, 2, interval, "0.5 * x.low + 0.5 * x.high", 3, {});
  const Buffer<Interval> input = device.buffer<Interval>(3);
  const Buffer<uint32_t> codes = device.buffer<uint32_t>(3);
  const Buffer<std::byte> temporary = device.buffer<std::byte>(plan.temporary_bytes());
  stream.upload(input, std::vector<Interval>{{{most, 0}, {most, 0}}, {{0, 0}, {0, 0}}, {{most / 2, 0}, {most / 2, 0}}});
  plan.record(stream, {input, {}, codes, 3, temporary});
  check_same(stream.download(codes), std::vector<uint32_t>{0xAAAAAAAAu, 0, 0x80000000u});
}

DEVICE_TEST("functions compute codes") {
  Stream stream = device.stream();
  const std::vector<std::array<float, 2>> points{{0, 0}, {1, 1}, {0.25, 0.75}};
  const Buffer<std::array<float, 2>> input = device.buffer<std::array<float, 2>>(3);
  const Buffer<uint32_t> codes = device.buffer<uint32_t>(3);
  const Buffer<uint64_t> wide = device.buffer<uint64_t>(3);
  stream.upload(input, points);
  morton(stream, 2, input, codes.view());
  morton(stream, 2, input, wide.view());
  check_same(stream.download(codes), std::vector<uint32_t>{0, ~0u, 0x70000000u});
  check_same(stream.download(wide), morton_codes<2>(points, {{0, 0}, {1, 1}}, true));
  check_error(ErrorCode::invalid_argument, {"morton", "3 points", "2"},
              [&] { morton(stream, 2, input, codes.part(0, 2)); });
  check_error(ErrorCode::invalid_argument, {"morton", "8 bytes", "12"},
              [&] { morton(stream, 3, input, codes.view()); });
}

DEVICE_TEST("morton explains what is wrong") {
  Stream stream = device.stream();
  const auto invalid = [&](const std::vector<std::string>& words, const auto& call) {
    check_error(ErrorCode::invalid_argument, words, call);
  };
  for (const uint32_t dimensions : {0, 1, 4}) {
    invalid({"Morton", "2 or 3", std::to_string(dimensions)}, [&] { Morton(device, dimensions, 9); });
  }
  invalid({"Morton", "TiB"}, [&] { Morton(device, 3, uint64_t(1) << 40); });
  const Element word = Element::of<uint32_t>();
  check_error(ErrorCode::compile_failed, {"Morton", "point", "x + nothing", "of uint"},
              [&] { Morton(device, 2, word, "x + nothing", 9, {}); });
  const Morton computes(device, 3, 9), takes(device, 3, 9, {.wide = true, .given_bounds = true});
  const Buffer<float> points = device.buffer<float>(27), bounds = device.buffer<float>(6);
  const Buffer<uint64_t> codes = device.buffer<uint64_t>(9);
  const Buffer<std::byte> temporary = device.buffer<std::byte>(computes.temporary_bytes());
  const Region odd = codes.view().region().part(4, 68);
  invalid({"'bounds'", "computes"}, [&] { computes.record(stream, {points, bounds, codes, 9, temporary}); });
  invalid({"'bounds'", "24"}, [&] { takes.record(stream, {points, bounds.part(0, 5), codes, 9, {}}); });
  invalid({"'count'", "10"}, [&] { takes.record(stream, {points, bounds, codes, 10, {}}); });
  invalid({"'points'", "8"}, [&] { takes.record(stream, {points.part(0, 26), bounds, codes, 9, {}}); });
  invalid({"'codes'", "8"}, [&] { takes.record(stream, {points, bounds, codes.part(0, 8), 9, {}}); });
  invalid({"'codes'", "multiple of 8"}, [&] { takes.record(stream, {points, bounds, odd, 8, {}}); });
  invalid({"'temporary'"}, [&] { computes.record(stream, {points, {}, codes, 9, {}}); });
}

DEVICE_TEST("a user's kernel computes codes") {
  constexpr const char* source = R"(#version 460
    layout(local_size_x = 64) in;
    #extension GL_EXT_buffer_reference : require
    #extension GL_EXT_scalar_block_layout : require
    #include "weft/thread/morton.glsl"
    layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Words { uint at[]; };
    layout(push_constant, scalar) uniform Arguments { Words cells, codes; uint count; } args;
    void main() {
      uint i = gl_GlobalInvocationID.x;
      if (i >= args.count) return;
      uvec3 cell = uvec3(args.cells.at[3 * i], args.cells.at[3 * i + 1], args.cells.at[3 * i + 2]);
      uvec2 plane = weft_morton_wide(cell.xy), space = weft_morton_wide(cell);
      uint codes[6] = uint[](weft_morton(cell.xy), weft_morton(cell), plane.x, plane.y, space.x, space.y);
      for (uint k = 0; k < 6; ++k) args.codes.at[6 * i + k] = codes[k];
    })";
  struct Block {
    Pointer<uint32_t> cells, codes;
    uint32_t count, unused = 0;
  };
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("codes of cells");
  const std::vector<uint32_t> words = random_values<uint32_t>(3000, generator);
  const Guarded<uint32_t> cells(device, stream, words, generator), codes(device, stream, 6000, generator);
  stream.dispatch(device.kernel_from_glsl(source), {16}, Block{cells.view().pointer(), codes.view().pointer(), 1000});
  std::vector<uint32_t> expected;
  for (size_t i = 0; i < 3000; i += 3) {
    const std::array<uint32_t, 2> plane{words[i], words[i + 1]};
    const std::array<uint32_t, 3> space{words[i], words[i + 1], words[i + 2]};
    const uint64_t wide_plane = morton_code(plane, 32), wide_space = morton_code(space, 21);
    expected.push_back(uint32_t(morton_code(plane, 16)));
    expected.push_back(uint32_t(morton_code(space, 10)));
    for (const uint64_t wide : {wide_plane, wide_space}) {
      expected.push_back(uint32_t(wide));
      expected.push_back(uint32_t(wide >> 32));
    }
  }
  check_same(codes.read(stream), expected);
}
