#include <algorithm>

#include <weft/glsl.h>

#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

/// The shader library's arithmetic on counts, indices and addresses around and above 2^32, for which no test on a CPU
/// has enough elements. Small kernels get such numbers; the host computes the same in 64 bits.

namespace {

struct Case {
  uint64_t a, b;
  uint32_t c, unused = 0;
};

/// The expected result for a case's numbers.
struct Expected {
  const char* function;
  uint64_t value;
};

constexpr const char* arithmetic_source = R"(#version 460
  layout(local_size_x = 64) in;
  #define WEFT_WIDE_INDEX
  #ifdef LOOK_BACK
  #define WEFT_DIGITS 256
  #include "weft/device/digit_states.glsl"
  #endif
  struct Five { uint word[5]; };
  #define T Five
  #define T_WORDS 5
  uint[5] weft_to_words(Five x) { return x.word; }
  void weft_from_words(uint words[5], out Five x) { x.word = words; }
  #include "weft/kernels/base/options.glsl"
  #include "weft/kernels/sort/digit_offsets.glsl"
  #include "weft/subgroup/narrow.glsl"
  #include "weft/thread/element_memory.glsl"
  #include "weft/thread/index_pair.glsl"
  #include "weft/thread/indices.glsl"

  struct Case { uvec2 a, b; uint c, unused; };
  layout(buffer_reference, scalar, buffer_reference_align = 8) buffer Cases { Case at[]; };
  layout(buffer_reference, scalar, buffer_reference_align = 8) buffer Results { uvec2 at[]; };
  layout(push_constant, scalar) uniform Arguments { Cases cases; Results results; uint each; } args;

  uint slot;
  void put(uvec2 value) {
    if (gl_LocalInvocationIndex == 0u) args.results.at[slot] = value;
    ++slot;
  }
  void put(uint value) { put(uvec2(value, 0u)); }
  void put(WeftBlockOffset offset) { put(uvec2(offset.block, offset.unit)); }

  // The first of `number` indices that is not below `answer`.
  uvec2 search_for(uvec2 answer, uvec2 number) {
    WeftSearch search = weft_search(weft_index(0u), number);
    for (uint look = 0u; look < 64u && weft_is_open(search); ++look) {
      search = weft_narrow(search, weft_looks(search) && weft_less(weft_probe(search), answer));
    }
    return weft_is_open(search) ? uvec2(~0u) : search.first;
  }

  void main() {
    slot = gl_WorkGroupID.x * args.each;
    uvec2 a = args.cases.at[gl_WorkGroupID.x].a, b = args.cases.at[gl_WorkGroupID.x].b;
    uint c = args.cases.at[gl_WorkGroupID.x].c, remainder;
    put(weft_add(a, b));
    put(weft_add(a, c));
    put(weft_subtract(a, b));
    put(weft_multiply(a, c));
    put(weft_half(a));
    put(uint(weft_less(a, b)));
    put(weft_min(a, b));
    put(weft_divide(a, c, remainder));
    put(remainder);
    put(weft_product(a.x, c));
    WeftCount location = WeftCount(weft_add(uvec2(args.cases), gl_WorkGroupID.x * 24u + 8u));  // of b
    put(weft_count(a, weft_count_on_device, location));
    put(weft_count(a, weft_count_on_device | weft_count_is_word, location));
    put(weft_count(a, weft_count_is_word, location));
    put(weft_second_count(a, weft_second_count_on_device, location));
    put(weft_second_count(a, weft_second_count_on_device | weft_second_count_is_word, location));
    put(weft_second_count(a, weft_count_on_device, location));
    WeftIndexPair pair = weft_add_pairs(WeftIndexPair(a, b), WeftIndexPair(b, b));
    put(weft_first(pair));
    put(weft_second(pair));
    put(weft_block_address(a, b.x));
    put(weft_element_address(a, c, b));
    put(weft_element_address(a, c, b.x));
    put(weft_element_offset(b));
    put(weft_block_offset(b, 2u, 4u));
    put(weft_block_offset(b, 1u, 2u));
    put(weft_block_offset(b, 1u, 1u));
    put(uvec2(weft_digit_offsets(a, b.x, c)));
    put(search_for(weft_min(a, b), weft_less(a, b) ? b : a));
  #ifdef LOOK_BACK
    put(weft_digit_row(a, b.x));
  #endif
  })";

/// An offset in units, as a block of `units_of_block` units and the unit in it.
uint64_t block_and_unit(uint64_t unit, uint64_t units_of_block) {
  return uint32_t(unit / units_of_block) | unit % units_of_block << 32;
}

std::vector<Expected> expected_arithmetic(const Case& given, bool int64_atomics) {
  const auto& [a, b, c, unused] = given;
  const uint64_t low_b = uint32_t(b), state_bytes = 256 * 4 * (int64_atomics ? 4 : 5);
  return {{"weft_add", a + b},
          {"weft_add of a word", a + c},
          {"weft_subtract", a - b},
          {"weft_multiply", a * c},
          {"weft_half", a / 2},
          {"weft_less", a < b},
          {"weft_min", std::min(a, b)},
          {"weft_divide", a / c},
          {"the remainder of weft_divide", a % c},
          {"weft_product", uint64_t(uint32_t(a)) * c},
          {"weft_count on the device", std::min(a, b)},
          {"weft_count of a word on the device", std::min(a, low_b)},
          {"weft_count", a},
          {"weft_second_count on the device", std::min(a, b)},
          {"weft_second_count of a word on the device", std::min(a, low_b)},
          {"weft_second_count", a},
          {"weft_add_pairs, first", a + b},
          {"weft_add_pairs, second", b + b},
          {"weft_block_address", a + 256 * low_b},
          {"weft_element_address", a + b * c},
          {"weft_element_address of a word", a + low_b * c},
          {"weft_element_offset", block_and_unit(5 * b, 64)},
          {"weft_block_offset of two words", block_and_unit(2 * b, 64)},
          {"weft_block_offset of half words", block_and_unit(b, 128)},
          {"weft_block_offset of bytes", block_and_unit(b, 256)},
          {"weft_digit_offsets", a + 8 * low_b * c},
          {"weft_search and weft_narrow", std::min(a, b)},
          {"weft_digit_row", a + state_bytes * low_b}};
}

/// Numbers around 2^31, 2^32 and 2^33, up to the largest index of 8-byte elements in 1 TiB, and random ones between.
std::vector<uint64_t> wide_numbers(std::mt19937_64& generator) {
  std::vector<uint64_t> numbers{0, 1, 77};
  for (const int bits : {31, 32, 33}) {
    const uint64_t power = uint64_t(1) << bits;
    numbers.insert(numbers.end(), {power - 1, power, power + 12345});
  }
  numbers.insert(numbers.end(), {(uint64_t(1) << 37) - 1, generator() >> 27, generator() >> 30});
  return numbers;
}

}  // namespace

DEVICE_TEST("the shader library's arithmetic above 2^32 equals 64-bit arithmetic") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("wide arithmetic");
  const std::vector<uint64_t> numbers = wide_numbers(generator);
  constexpr uint32_t factors[] = {1, 3, 64, 255, 256, 4097, 65535};  // weft_divide() takes up to 16 bits.
  std::vector<Case> cases;
  for (const uint64_t a : numbers) {
    for (const uint64_t b : numbers) cases.push_back({a, b, factors[cases.size() % std::size(factors)]});
  }
  const DeviceFeatures& features = device.info().features;
  const bool look_back = features.workgroup_forward_progress;
  const bool int64_atomics = features.int64 && features.buffer_int64_atomics;
  GlslOptions options;
  if (look_back) options.defines.emplace_back("LOOK_BACK", "");
  if (look_back && int64_atomics) options.defines.emplace_back("WEFT_INT64_ATOMICS", "");
  const Kernel kernel = device.kernel(compile_glsl(arithmetic_source, options));
  const uint64_t each = expected_arithmetic(cases[0], int64_atomics).size() - (look_back ? 0 : 1);
  const Guarded<Case> given(device, stream, cases, generator);
  const Guarded<uint64_t> results(device, stream, cases.size() * each, generator);
  const struct {
    uint64_t cases, results;
    uint32_t each;
  } block{Region(given).address(), Region(results).address(), uint32_t(each)};
  stream.dispatch(kernel, {uint32_t(cases.size()), 1, 1}, block);
  const std::vector<uint64_t> found = results.read(stream);
  for (size_t i = 0; i < found.size(); ++i) {
    const Case& one = cases[i / each];
    const Expected expected = expected_arithmetic(one, int64_atomics)[i % each];
    INFO(std::string(expected.function), " of ", one.a, ", ", one.b, ", ", one.c);
    CHECK_EQ(found[i], expected.value);
  }
}

DEVICE_TEST("workgroups that are spread over a grid are numbered consecutively") {
  const Kernel kernel = device.kernel_from_glsl(R"(#version 460
    layout(local_size_x = 1) in;
    #include "weft/device/tickets.glsl"
    layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Groups { uint at[]; };
    layout(push_constant, scalar) uniform Arguments { Groups groups; } args;
    void main() {
      args.groups.at[weft_group_index()] = gl_WorkGroupID.x + 100u * gl_WorkGroupID.y + 10000u * gl_WorkGroupID.z;
    })");
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("grid");
  const Guarded<uint32_t> found(device, stream, 7 * 5 * 3, generator);
  stream.dispatch(kernel, {7, 5, 3}, Region(found).address());
  std::vector<uint32_t> expected;
  for (uint32_t z = 0; z < 3; ++z) {
    for (uint32_t y = 0; y < 5; ++y) {
      for (uint32_t x = 0; x < 7; ++x) expected.push_back(x + 100 * y + 10000 * z);
    }
  }
  check_same(found.read(stream), expected);
}
