#include <cmath>

#include <weft/reduce.h>
#include <weft/transform.h>

#include "algorithms/src/base/tiling.h"
#include "tests/algorithms/base/device_counts.h"
#include "tests/algorithms/base/elements.h"
#include "tests/algorithms/base/sizes.h"
#include "tests/support/recording_device.h"

using namespace weft;
using namespace weft::test;

namespace {

/// Computes the tree of Options::fixed_order: combines each tile in pairs, then the totals in the same way.
template <typename T, typename Combine>
T fixed_tree(std::vector<T> values, T identity, Combine&& combine, size_t tile = 4096) {
  do {
    values.resize((std::max<size_t>(values.size(), 1) + tile - 1) / tile * tile, identity);
    for (size_t step = 1; step < tile; step *= 2) {
      for (size_t i = 0; i < values.size(); i += 2 * step) values[i] = combine(values[i], values[i + step]);
    }
    std::vector<T> left;
    for (size_t i = 0; i < values.size(); i += tile) left.push_back(values[i]);
    values = std::move(left);
  } while (values.size() > 1);
  return values[0];
}

std::vector<float> uneven_floats(uint64_t count, std::mt19937_64& generator) {
  std::vector<float> values(count);
  for (float& x : values) x = std::ldexp(float(int32_t(generator() % 20001) - 10000), int(generator() % 20) - 10);
  return values;
}

/// Not associative, and sensitive to anything after the last element: no other tree gives the same result.
template <typename T>
TestOperator<T> shape_of_integers() {
  return {Operator::custom("shape", "T(uint(a) * 5u + (uint(b) ^ 7u))", "T(3)"),
          [](const T& a, const T& b) { return T(uint32_t(a) * 5 + (uint32_t(b) ^ 7)); }, T(3)};
}
TestOperator<Five> shape_of_structs() {
  return {Operator::custom("shape", "T(a.scale * 5u + b.scale, a.shift ^ b.shift * 3u, a.bits * 5u + b.bits)",
                           "T(3u, 4u, uvec3(5u))"),
          [](const Five& a, const Five& b) {
            Five x{{a.map.scale * 5 + b.map.scale, a.map.shift ^ b.map.shift * 3}, {}};
            for (size_t k = 0; k < 3; ++k) x.bits[k] = a.bits[k] * 5 + b.bits[k];
            return x;
          },
          {{3, 4}, {5, 5, 5}}};
}

template <typename T, typename From, typename Make>
void check_tree(const Device& device, const TestOperator<T>& op, const Reduce::Options& options, size_t tile,
                std::vector<uint64_t> counts, Make&& make) {
  need_element<T>(device);
  need_element<From>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("fixed order of ") + TypeName<From>::value);
  const Reduce plan(device, Elements<T>::element(), op.on_device, *std::ranges::max_element(counts), options);
  for (const uint64_t count : counts) {
    for (const uint64_t misalignment : {uint64_t(0), uint64_t(Elements<From>::element().align())}) {
      INFO("elements: ", count, ", misaligned by ", misalignment);
      const std::vector<From> data = random_elements<From>(count, generator);
      const Guarded<From> input(device, stream, data, generator, misalignment);
      const Guarded<T> output(device, stream, 1, generator);
      const GuardedBytes temporary(device, stream, plan.temporary_bytes(), 9, generator);
      plan.record(stream, {.input = input, .output = output, .count = count, .temporary = temporary.region()});
      std::vector<T> values;
      for (size_t i = 0; i < count; ++i) values.push_back(make(data[i], i));
      check_same(output.read(stream), {fixed_tree(values, op.identity, op.on_host, tile)});
      temporary.check_guards(stream);
    }
  }
}

template <typename From>
void check_structs_from(const Device& device, std::vector<uint64_t> counts) {
  const Transform transform =
      Transform::of(Elements<From>::element(), "T(uint(x), i, uvec3(i_high, uint(x) * 3u, 9u))");
  const auto make = [](From x, size_t i) { return Five{{uint32_t(x), uint32_t(i)}, {0, uint32_t(x) * 3, 9}}; };
  const Reduce::Options options{.transform = transform, .fixed_order = true};
  check_tree<Five, From>(device, shape_of_structs(), options, 1024, std::move(counts), make);
}

}  // namespace

DEVICE_TEST("float sums in a fixed order equal the host's to the last bit") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("fixed order");
  const auto add = [](float a, float b) { return a + b; };
  const Reduce plan(device, Element::of<float>(), Operator::sum(), 70000, {.fixed_order = true});
  const Reduce dot(device, Element::of<float>(), Operator::sum(), 70000,
                   {.transform = Transform::of_two(Element::of<float>(), "x * y"), .fixed_order = true});
  for (const uint64_t count : {0, 1, 5, 4095, 4096, 4097, 30011, 70000}) {
    INFO("elements: ", count);
    const std::vector<float> x = uneven_floats(count, generator), y = uneven_floats(count, generator);
    const Guarded<float> first(device, stream, x, generator, 4), second(device, stream, y, generator, 4);
    const Guarded<float> output(device, stream, 1, generator);
    const GuardedBytes temporary(device, stream, std::max(plan.temporary_bytes(), dot.temporary_bytes()), 9, generator);
    const DeviceCounts count_word(stream, std::vector{count}, generator);
    plan.record(stream, {.input = first, .output = output, .count = count, .temporary = temporary.region()});
    check_same(output.read(stream), {fixed_tree(x, 0.0f, add)}, "the sum");
    plan.record(stream, {.input = first, .output = output, .count = count_word, .temporary = temporary.region()});
    check_same(output.read(stream), {fixed_tree(x, 0.0f, add)}, "the sum of a count on the device");
    dot.record(stream,
               {.input = first, .output = output, .count = count, .temporary = temporary.region(), .second = second});
    std::vector<float> products;
    for (size_t i = 0; i < x.size(); ++i) products.push_back(x[i] * y[i]);
    check_same(output.read(stream), {fixed_tree(products, 0.0f, add)}, "the dot product");
    temporary.check_guards(stream);
  }
}

DEVICE_TEST("a fixed order keeps the order of elements") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("fixed order of maps");
  const TestOperator<AffineMap> op = operator_of<AffineMap>();
  const Reduce plan(device, Elements<AffineMap>::element(), op.on_device, 40000, {.fixed_order = true});
  const Buffer<std::byte> temporary = device.buffer<std::byte>(plan.temporary_bytes());
  for (const uint64_t count : few_counts(device)) {
    const std::vector<AffineMap> data = random_elements<AffineMap>(count, generator);
    const Guarded<AffineMap> input(device, stream, data, generator), output(device, stream, 1, generator);
    plan.record(stream, {.input = input, .output = output, .count = count, .temporary = temporary});
    AffineMap expected = op.identity;
    for (const AffineMap& map : data) expected = op.on_host(expected, map);
    INFO("elements: ", count);
    check_same(output.read(stream), {expected});
  }
}

DEVICE_TEST_OF_TYPES("a fixed order is the same tree for every element type", uint8_t, uint16_t, uint32_t) {
  const auto same = [](T x, size_t) { return x; };
  check_tree<T, T>(device, shape_of_integers<T>(), {.fixed_order = true}, 4096, {0, 1, 100, 4095, 4096, 4097, 30011},
                   same);
}

DEVICE_TEST_OF_TYPES("a fixed order of structs is the same tree for every input of a transform", uint8_t, uint16_t,
                     uint32_t) {
  check_structs_from<T>(device, {0, 1, 100, 1023, 1024, 1025, 4097, 9001});
}

DEVICE_TEST("a fixed order of three levels") {
  // 1025 tiles of 1024, whose totals are two tiles. With tiles of 4096 only a GPU gets to three levels in reasonable
  // time.
  check_structs_from<uint8_t>(device, {(1 << 20) + 3});
  if (computes_on_cpu(device)) return;
  const auto same = [](uint8_t x, size_t) { return x; };
  check_tree<uint8_t, uint8_t>(device, shape_of_integers<uint8_t>(), {.fixed_order = true}, 4096,
                               {1 << 24, large_count(device)}, same);
}

TEST_CASE("tiles of a fixed order have the same number of elements on every device") {
  std::vector<Element> elements;
  for (const char* scalar : {"uint8_t", "float16_t", "uint", "double"}) elements.push_back(Element::scalar(scalar));
  for (const char* field : {"uvec3", "uvec4"}) elements.push_back(Element::structure({{field, "x"}, {field, "y"}}));
  for (const uint32_t subgroup : {1u, 32u, 64u, 128u}) {
    for (const uint32_t workgroup : {64u, 128u, 256u, 1024u}) {
      DeviceInfo info = gpu(subgroup, 32 * 1024);
      info.limits.max_workgroup_invocations = std::max(workgroup, subgroup);
      for (const Element& element : elements) {
        for (const Element& from : elements) {
          for (const uint32_t wanted : {1024u, 4096u}) {
            const algorithms::Tiling tiling = algorithms::make_fixed_tiling(info, element, &from, wanted);
            INFO(element.name(), " from ", from.name(), ", subgroups of ", subgroup, ", workgroups of ", workgroup);
            CHECK_EQ(tiling.elements(), wanted);
            CHECK_LE(tiling.workgroup, info.limits.max_workgroup_invocations);
            CHECK_EQ(tiling.workgroup % 64, 0);
            CHECK_EQ(tiling.pack * from.bytes() % 4, 0);
            CHECK_EQ(tiling.pack * element.bytes() % 4, 0);
          }
        }
      }
    }
  }
}
