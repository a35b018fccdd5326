#include "tests/algorithms/base/fields.h"

#include <weft/glsl.h>
#include <weft/reduce.h>
#include <weft/scan.h>
#include <weft/sort.h>

using namespace weft;
using namespace weft::test;

/// Structs as elements: their layout in memory, and which are refused. The tests of each primitive use them.

namespace {

/// A float, explicit padding, and another float.
struct Gap {
  float first;
  alignas(16) float second;
};
struct Three {
  float x, y, z;
};
struct alignas(16) Aligned {
  float x, y, z;
};
struct Holes {
  uint8_t a;
  uint16_t b;
  uint8_t c;
  double d;
  std::array<uint8_t, 3> e;
};

/// Copies the fields of Mixed, in GLSL's layout of a struct in a buffer, to words.
constexpr const char* mixed_source = R"(#version 460
  #extension GL_EXT_buffer_reference : require
  #extension GL_EXT_scalar_block_layout : require
  #extension GL_EXT_shader_explicit_arithmetic_types : require
  #extension GL_EXT_shader_8bit_storage : require
  #extension GL_EXT_shader_16bit_storage : require
  layout(local_size_x = 64) in;
  struct Mixed {
    uint8_t kind; int64_t sum; i16vec3 lowest; double largest; float16_t smallest; uint count; i8vec2 turns;
    uint16_t bits; uint64_t all; float last;
  };
  layout(buffer_reference, scalar, buffer_reference_align = 8) buffer Source { Mixed x[]; };
  layout(buffer_reference, scalar, buffer_reference_align = 8) buffer Found { int64_t word[]; };
  layout(push_constant, scalar) uniform Arguments { Source source; Found found; uint count; } args;
  void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= args.count) return;
    Mixed x = args.source.x[i];
    int64_t words[13] = int64_t[13](int64_t(x.kind), x.sum, int64_t(x.lowest.x), int64_t(x.lowest.y),
        int64_t(x.lowest.z), int64_t(x.largest * 3.0), int64_t(x.smallest), int64_t(x.count), int64_t(x.turns.x),
        int64_t(x.turns.y), int64_t(x.bits), int64_t(x.all), int64_t(x.last));
    for (uint k = 0u; k < 13u; ++k) args.found.word[i * 13u + k] = words[k];
  })";

std::vector<int64_t> fields_of(const Mixed& x) {
  return {
      x.kind,  x.sum,      x.lowest[0], x.lowest[1], x.lowest[2],    int64_t(x.largest * 3), int64_t(float(x.smallest)),
      x.count, x.turns[0], x.turns[1],  x.bits,      int64_t(x.all), int64_t(x.last)};
}

}  // namespace

TEST_CASE("a struct's fields have the offsets of C++ and GLSL") {
  const Element mixed = Elements<Mixed>::element();
  CHECK_EQ(mixed.name(),
           "struct{uint8_t kind; int64_t sum; i16vec3 lowest; double largest; float16_t smallest; uint count; i8vec2 "
           "turns; uint16_t bits; uint64_t all; float last;}");
  CHECK_EQ(mixed.bytes(), sizeof(Mixed));
  CHECK_EQ(mixed.align(), alignof(Mixed));
  CHECK_EQ(mixed.words(), sizeof(Mixed) / 4);
  CHECK_EQ(mixed.offset(1), offsetof(Mixed, sum));
  CHECK_EQ(mixed.offset(9), offsetof(Mixed, last));

  const Element holes =
      Element::structure({{"uint8_t", "a"}, {"uint16_t", "b"}, {"uint8_t", "c"}, {"double", "d"}, {"u8vec3", "e"}});
  CHECK_EQ(holes.bytes(), sizeof(Holes));
  CHECK_EQ(holes.offset(1), 2);
  CHECK_EQ(holes.offset(2), 4);
  CHECK_EQ(holes.offset(3), 8);
  CHECK_EQ(holes.offset(4), 16);

  const Element texel = Elements<Texel>::element();
  CHECK_EQ(texel.bytes(), 6);
  CHECK_EQ(texel.unit_bytes(), 2);
  CHECK_EQ(texel.words(), 3);
  CHECK_EQ(texel.align(), 2);
  CHECK_EQ(Elements<Pixel>::element().align(), 1);
  // Four bytes are read as a word.
  CHECK_EQ(Element::structure({{"u8vec4", "rgba"}}).align(), 4);
  CHECK_EQ(Element::structure({{"dvec3", "at"}, {"float", "mass"}}).bytes(), 32);
}

TEST_CASE("a C++ struct with another layout than its fields is refused, with a remedy") {
  const Element three = Element::structure<Three>({{"x", &Three::x}, {"y", &Three::y}, {"z", &Three::z}});
  CHECK_EQ(three.bytes(), 12);
  check_invalid({"'z'", "byte 8", "byte 4", "order of declaration"},
                [] { Element::structure<Three>({{"x", &Three::x}, {"z", &Three::z}, {"y", &Three::y}}); });
  check_invalid({"'z'", "byte 8", "byte 4", "all members"},
                [] { Element::structure<Three>({{"x", &Three::x}, {"z", &Three::z}}); });
  check_invalid({"12 bytes", "8", "all members"},
                [] { Element::structure<Three>({{"x", &Three::x}, {"y", &Three::y}}); });
  check_invalid({"16 bytes", "12", "alignas"},
                [] { Element::structure<Aligned>({{"x", &Aligned::x}, {"y", &Aligned::y}, {"z", &Aligned::z}}); });
  check_invalid({"'second'", "byte 16", "byte 4", "alignas"},
                [] { Element::structure<Gap>({{"first", &Gap::first}, {"second", &Gap::second}}); });
}

DEVICE_TEST("a user's kernel finds a struct's fields in scalar layout") {
  need_element<Mixed>(device);
  need_element<uint8_t>(device);
  need_element<uint16_t>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("scalar layout");
  const std::vector<Mixed> data = random_elements<Mixed>(1000, generator);
  const Guarded<Mixed> source(device, stream, data, generator, Elements<Mixed>::element().align());
  const Guarded<int64_t> found(device, stream, 13 * data.size(), generator);
  std::vector<int64_t> expected;
  for (const Mixed& x : data) std::ranges::copy(fields_of(x), std::back_inserter(expected));
  struct Block {
    uint64_t source, found;
    uint32_t count;
  };
  const Kernel kernel = device.kernel(compile_glsl(mixed_source, {.name = "mixed.comp"}));
  stream.dispatch(kernel, {16, 1, 1}, Block{Region(source).address(), Region(found).address(), uint32_t(data.size())});
  check_same(found.read(stream), expected);
}

DEVICE_TEST("a struct with a field that the device cannot compute with is unsupported, but can be moved") {
  const DeviceFeatures& features = device.info().features;
  const std::pair<const char*, bool> fields[] = {{"int8_t", features.int8},
                                                 {"u16vec2", features.int16},
                                                 {"f16vec2", features.float16},
                                                 {"int64_t", features.int64},
                                                 {"dvec2", features.float64}};
  size_t lacking = 0;
  for (const auto& [type, has] : fields) {
    const Element element = Element::structure({{"uint", "first"}, {type, "second"}});
    Sort(device, Element::of<uint32_t>(), element, 5000);
    if (has) continue;
    ++lacking;
    check_error(ErrorCode::unsupported, {element.name(), "the device has no"},
                [&] { Scan(device, element, Operator::custom("first", "a", "T(0u, 0u)"), 100); });
  }
  if (lacking == 0) unsupported("has every scalar");
}
