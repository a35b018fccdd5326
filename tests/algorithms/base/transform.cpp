#include <weft/transform.h>

#include <weft/reduce.h>
#include <weft/reductions.h>

#include "tests/algorithms/scan/scan_check.h"

using namespace weft;
using namespace weft::test;

namespace {

/// A transform on the device and on the host.
template <typename From, typename To>
struct TestTransform {
  Transform on_device;
  To (*on_host)(const From& x, const From& y, uint64_t i);
  TestOperator<To> op;
};

/// Two inputs of random elements; the second is empty for a transform of one.
template <typename From>
struct Inputs {
  Inputs(const Device& device, Stream& stream, uint64_t count, bool two, uint64_t misalignment,
         std::mt19937_64& generator)
      : x(random_elements<From>(count, generator)),
        y(random_elements<From>(count, generator)),
        first(device, stream, x, generator, misalignment),
        second(device, stream, y, generator, misalignment),
        second_region(two ? Region(second) : Region()) {}

  std::vector<From> x, y;
  Guarded<From> first, second;
  Region second_region;
};

template <typename From, typename To>
std::vector<To> transformed(const Inputs<From>& inputs, const TestTransform<From, To>& transform) {
  std::vector<To> values;
  for (size_t i = 0; i < inputs.x.size(); ++i) values.push_back(transform.on_host(inputs.x[i], inputs.y[i], i));
  return values;
}

template <typename From, typename To>
void check_reduce_of(const Device& device, const TestTransform<From, To>& transform) {
  need_element<From>(device);
  need_element<To>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(transform.on_device.expression);
  const Reduce plan(device, Elements<To>::element(), transform.op.on_device, 70000, {.transform = transform.on_device});
  for (const uint64_t count : few_counts(device)) {
    for (const uint64_t misalignment : {uint64_t(0), uint64_t(Elements<From>::element().align())}) {
      INFO("transform: ", transform.on_device.expression, ", elements: ", count, ", misaligned by ", misalignment);
      const Inputs<From> inputs(device, stream, count, transform.on_device.two, misalignment, generator);
      const Guarded<To> output(device, stream, 1, generator);
      const GuardedBytes temporary(device, stream, plan.temporary_bytes(), 3, generator);
      plan.record(stream, {.input = inputs.first,
                           .output = output,
                           .count = count,
                           .temporary = temporary.region(),
                           .second = inputs.second_region});
      To expected = transform.op.identity;
      for (const To& value : transformed(inputs, transform)) expected = transform.op.on_host(expected, value);
      check_same(output.read(stream), {expected});
      temporary.check_guards(stream);
    }
  }
}

template <typename From, typename To>
void check_scan_of(const Device& device, const TestTransform<From, To>& transform, ScanKind kind, TilePath path) {
  need_element<From>(device);
  need_element<To>(device);
  need_path(device, path);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(transform.on_device.expression);
  const Scan plan(device, Elements<To>::element(), transform.op.on_device, 40000,
                  {.kind = kind, .path = path, .transform = transform.on_device});
  for (const uint64_t count : few_counts(device)) {
    for (const uint64_t misalignment : {uint64_t(0), uint64_t(Elements<From>::element().align())}) {
      INFO("transform: ", transform.on_device.expression, ", elements: ", count, ", misaligned by ", misalignment);
      const Inputs<From> inputs(device, stream, count, transform.on_device.two, misalignment, generator);
      const Guarded<To> output(device, stream, count, generator);
      const GuardedBytes temporary(device, stream, plan.temporary_bytes(), 5, generator);
      plan.record(stream, {.input = inputs.first,
                           .output = output,
                           .count = count,
                           .temporary = temporary.region(),
                           .second = inputs.second_region});
      check_same(output.read(stream), scan_reference(transformed(inputs, transform), transform.op, kind, count));
      check_same(inputs.first.read(stream), inputs.x, "the input afterwards");
      temporary.check_guards(stream);
    }
  }
}

TestTransform<uint8_t, uint64_t> widening() {
  return {Transform::of(Element::of<uint8_t>(), "T(x)"),
          [](const uint8_t& x, const uint8_t&, uint64_t) -> uint64_t { return x; }, sum_of<uint64_t>()};
}
TestTransform<Five, uint32_t> of_struct() {
  return {Transform::of(Elements<Five>::element(), "x.bits.y ^ i"),
          [](const Five& x, const Five&, uint64_t i) { return x.bits[1] ^ uint32_t(i); }, sum_of<uint32_t>()};
}
TestTransform<uint32_t, AffineMap> into_struct() {
  return {Transform::of(Element::of<uint32_t>(), "T(x | 1u, i + i_high)"),
          [](const uint32_t& x, const uint32_t&, uint64_t i) { return AffineMap{x | 1, uint32_t(i)}; },
          operator_of<AffineMap>()};
}
TestTransform<int32_t, int32_t> dot_product() {
  return {Transform::of_two(Element::of<int32_t>(), "x * y"),
          [](const int32_t& x, const int32_t& y, uint64_t) { return int32_t(uint32_t(x) * uint32_t(y)); },
          sum_of<int32_t>()};
}

}  // namespace

DEVICE_TEST("reductions of bytes into 64 bits") { check_reduce_of(device, widening()); }
DEVICE_TEST("reductions of values that a transform computes from structs") { check_reduce_of(device, of_struct()); }
DEVICE_TEST("reductions of structs that a transform computes") { check_reduce_of(device, into_struct()); }
DEVICE_TEST("dot products") { check_reduce_of(device, dot_product()); }

DEVICE_TEST("one stream's reductions by the same expression, of one input and of two") {
  Stream stream = device.stream();
  const Buffer<uint32_t> input = device.buffer<uint32_t>(3);
  stream.upload(input, std::vector<uint32_t>{1, 2, 4});
  const Element element = Element::of<uint32_t>();
  for (const Transform& transform : {Transform::of_two(element, "x * 2u"), Transform::of(element, "x * 2u")}) {
    uint32_t sum = 0;
    const Region second = transform.two ? Region(input) : Region();
    reduce(stream, {element, Operator::sum(), transform}, input, second, std::as_writable_bytes(std::span(&sum, 1)));
    CHECK_EQ(sum, 14);
  }
}

DEVICE_TEST("look-back scans of bytes into 64 bits") {
  check_scan_of(device, widening(), ScanKind::inclusive, TilePath::look_back);
}
DEVICE_TEST("reduce-then-scan scans of bytes into 64 bits") {
  check_scan_of(device, widening(), ScanKind::exclusive, TilePath::reduce_then_scan);
}
DEVICE_TEST("look-back scans of structs that a transform computes") {
  check_scan_of(device, into_struct(), ScanKind::exclusive, TilePath::look_back);
}
DEVICE_TEST("reduce-then-scan scans of two inputs") {
  check_scan_of(device, dot_product(), ScanKind::inclusive, TilePath::reduce_then_scan);
}

DEVICE_TEST("a transforming scan in place, and second inputs that are missing or unexpected") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("transform in place");
  const std::vector<uint32_t> data = random_elements<uint32_t>(9001, generator);
  const Guarded<uint32_t> memory(device, stream, data, generator);
  const Scan plan(device, Element::of<uint32_t>(), Operator::sum(), data.size(),
                  {.kind = ScanKind::inclusive, .transform = Transform::of(Element::of<uint32_t>(), "x >> 3")});
  const Buffer<std::byte> temporary = device.buffer<std::byte>(plan.temporary_bytes());
  plan.record(stream, {.input = memory, .output = memory, .count = data.size(), .temporary = temporary});
  std::vector<uint32_t> shifted;
  for (const uint32_t x : data) shifted.push_back(x >> 3);
  check_same(memory.read(stream), scan_reference(shifted, sum_of<uint32_t>(), ScanKind::inclusive, data.size()));

  const Guarded<uint32_t> output(device, stream, data.size(), generator);
  check_error(ErrorCode::invalid_argument, {"second"}, [&] {
    plan.record(stream, {.input = memory, .output = output, .count = 9, .temporary = temporary, .second = memory});
  });
  const Reduce dot(device, Element::of<int32_t>(), Operator::sum(), 100, {.transform = dot_product().on_device});
  check_error(ErrorCode::invalid_argument, {"second"},
              [&] { dot.record(stream, {.input = memory, .output = output, .count = 9, .temporary = temporary}); });
  check_error(ErrorCode::compile_failed, {"no_such_name"}, [&] {
    Reduce(device, Element::of<int32_t>(), Operator::sum(), 100,
           {.transform = Transform::of(Element::of<int32_t>(), "no_such_name")});
  });
}

DEVICE_TEST("scans start from an initial element") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("initial element");
  const TestOperator<AffineMap> op = operator_of<AffineMap>();
  for (const TilePath path : {TilePath::reduce_then_scan, TilePath::look_back}) {
    need_path(device, path);
    const ScanKind kind = path == TilePath::look_back ? ScanKind::exclusive : ScanKind::inclusive;
    const Scan plan(device, Elements<AffineMap>::element(), op.on_device, 40000,
                    {.kind = kind, .path = path, .initial = "T(3u, 5u)"});
    TestOperator<AffineMap> from_initial = op;
    from_initial.identity = {3, 5};  // where the reference starts
    for (const uint64_t count : few_counts(device)) check_scan(stream, plan, from_initial, kind, count, generator);
  }
}
