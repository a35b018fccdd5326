#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include <weft/element.h>

#include "tests/algorithms/base/elements.h"

/// Structs with fields smaller than a word and with padding, as laid out by C++, GLSL and Weft.
namespace weft::test {

/// Fields of every width, with padding before the second, after the third and at the end.
struct Mixed {
  uint8_t kind;
  int64_t sum;
  std::array<int16_t, 3> lowest;
  double largest;
  Half smallest;
  uint32_t count;
  int8_t turns[2];
  uint16_t bits;
  uint64_t all;
  float last;
};
/// Three bytes, which kernels read one by one.
struct Pixel {
  uint8_t red, green, blue;
};
/// Six bytes, read as three half-words; one byte is padding.
struct Texel {
  uint16_t height;
  Half weight;
  int8_t kind;
};

template <>
struct Elements<Mixed> {
  static Element element() {
    return Element::structure<Mixed>({{"kind", &Mixed::kind},
                                      {"sum", &Mixed::sum},
                                      {"lowest", &Mixed::lowest},
                                      {"largest", &Mixed::largest},
                                      {"smallest", &Mixed::smallest},
                                      {"count", &Mixed::count},
                                      {"turns", &Mixed::turns},
                                      {"bits", &Mixed::bits},
                                      {"all", &Mixed::all},
                                      {"last", &Mixed::last}});
  }
  static Mixed random(std::mt19937_64& g) {
    Mixed x;
    std::memset(static_cast<void*>(&x), int(g() & 0xFF), sizeof x);
    x.kind = uint8_t(g() % 3);
    x.sum = int64_t(g());
    x.lowest = {int16_t(g()), int16_t(g()), int16_t(g())};
    x.largest = random_value<double>(g) / 3;
    x.smallest = Half(float(g() % 2000) - 1000);
    x.count = 1;
    x.turns[0] = int8_t(g());
    x.turns[1] = int8_t(g());
    x.bits = uint16_t(g());
    x.all = g();
    x.last = random_value<float>(g);
    return x;
  }
};
template <>
struct Elements<Pixel> {
  static Element element() {
    return Element::structure<Pixel>({{"red", &Pixel::red}, {"green", &Pixel::green}, {"blue", &Pixel::blue}});
  }
  static Pixel random(std::mt19937_64& g) { return {uint8_t(g()), uint8_t(g()), uint8_t(g() % 3)}; }
};
template <>
struct Elements<Texel> {
  static Element element() {
    return Element::structure<Texel>({{"height", &Texel::height}, {"weight", &Texel::weight}, {"kind", &Texel::kind}});
  }
  static Texel random(std::mt19937_64& g) {
    return {uint16_t(g()), Half(float(g() % 2000) - 1000), int8_t(int(g() % 5) - 2)};
  }
};

/// The later operand, unless it is zero.
template <typename T>
T later(T a, T b) {
  return b != 0 ? b : a;
}

template <>
inline TestOperator<Mixed> operator_of() {
  return {Operator::custom("all of it",
                           "T(b.kind != 0 ? b.kind : a.kind, a.sum + b.sum, min(a.lowest, b.lowest), "
                           "max(a.largest, b.largest), min(a.smallest, b.smallest), a.count + b.count, "
                           "a.turns + b.turns, a.bits ^ b.bits, a.all + b.all, b.last != 0 ? b.last : a.last)",
                           "T(uint8_t(0), int64_t(0), i16vec3(0x7FFF), double(-1e30), float16_t(1000), 0u, i8vec2(0), "
                           "uint16_t(0), uint64_t(0), 0.0)"),
          [](const Mixed& a, const Mixed& b) {
            return Mixed{later(a.kind, b.kind),
                         int64_t(uint64_t(a.sum) + uint64_t(b.sum)),
                         {std::min(a.lowest[0], b.lowest[0]), std::min(a.lowest[1], b.lowest[1]),
                          std::min(a.lowest[2], b.lowest[2])},
                         std::max(a.largest, b.largest),
                         std::min(a.smallest, b.smallest),
                         a.count + b.count,
                         {int8_t(a.turns[0] + b.turns[0]), int8_t(a.turns[1] + b.turns[1])},
                         uint16_t(a.bits ^ b.bits),
                         a.all + b.all,
                         later(a.last, b.last)};
          },
          {0, 0, {0x7FFF, 0x7FFF, 0x7FFF}, -1e30, Half(1000), 0, {0, 0}, 0, 0, 0}};
}
template <>
inline TestOperator<Pixel> operator_of() {
  return {Operator::custom("blend", "T(a.red + b.red, max(a.green, b.green), b.blue != 0 ? b.blue : a.blue)",
                           "T(uint8_t(0), uint8_t(0), uint8_t(0))"),
          [](const Pixel& a, const Pixel& b) {
            return Pixel{uint8_t(a.red + b.red), std::max(a.green, b.green), later(a.blue, b.blue)};
          },
          {0, 0, 0}};
}
template <>
inline TestOperator<Texel> operator_of() {
  return {Operator::custom("lower", "T(a.height + b.height, min(a.weight, b.weight), b.kind != 0 ? b.kind : a.kind)",
                           "T(uint16_t(0), float16_t(1000), int8_t(0))"),
          [](const Texel& a, const Texel& b) {
            return Texel{uint16_t(a.height + b.height), std::min(a.weight, b.weight), later(a.kind, b.kind)};
          },
          {0, Half(1000), 0}};
}

/// Compares the fields of a struct, at its element's offsets.
template <typename T>
struct FieldBytes {
  struct Part {
    size_t offset, bytes;
  };

  static bool same(const T& a, const T& b) {
    static const std::vector<Part> parts = all_parts();
    return std::ranges::all_of(parts, [&](const Part& part) {
      const auto at = [&](const T& x) { return reinterpret_cast<const std::byte*>(&x) + part.offset; };
      return std::memcmp(at(a), at(b), part.bytes) == 0;
    });
  }

 private:
  static std::vector<Part> all_parts() {
    const Element element = Elements<T>::element();
    std::vector<Part> parts;
    for (size_t i = 0; i < element.fields().size(); ++i) {
      parts.push_back({element.offset(i), Element::structure({element.fields()[i]}).bytes()});
    }
    return parts;
  }
};
template <>
struct Bytes<Mixed> : FieldBytes<Mixed> {};
template <>
struct Bytes<Texel> : FieldBytes<Texel> {};

template <>
struct TypeName<Mixed> {
  static constexpr const char* value = "a struct of every scalar";
};
template <>
struct TypeName<Pixel> {
  static constexpr const char* value = "a struct of 3 bytes";
};
template <>
struct TypeName<Texel> {
  static constexpr const char* value = "a struct of 3 halves of words";
};

template <>
inline void need_element<Mixed>(const Device& device) {
  need_element<int64_t>(device);
  need_element<double>(device);
  const DeviceFeatures& features = device.info().features;  // Memory is read in words.
  if (!features.float16 || !features.int16 || !features.int8) unsupported("no 8- or no 16-bit scalars");
}
template <>
inline void need_element<Pixel>(const Device& device) {
  need_element<uint8_t>(device);
}
template <>
inline void need_element<Texel>(const Device& device) {
  need_element<uint16_t>(device);
  need_element<Half>(device);
  if (!device.info().features.int8) unsupported("no 8-bit integers");
}

}  // namespace weft::test
