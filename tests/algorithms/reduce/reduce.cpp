#include <weft/reduce.h>

#include <cmath>

#include "algorithms/src/reduce/reduce_tuning.h"
#include "tests/algorithms/base/device_counts.h"
#include "tests/algorithms/base/elements.h"
#include "tests/algorithms/base/fields.h"
#include "tests/algorithms/base/sizes.h"
#include "tests/algorithms/base/tuned.h"

using namespace weft;
using namespace weft::test;

namespace {

template <typename T>
T reference(const std::vector<T>& data, const TestOperator<T>& op, size_t count) {
  T total = op.identity;
  for (size_t i = 0; i < count; ++i) total = op.on_host(total, data[i]);
  return total;
}

/// Layout of the arguments in memory.
struct ReducePlacement {
  uint64_t input_misalignment = 0;
  bool count_on_device = false;
  uint64_t behind = 0;  ///< Elements of the input after `count`.
};

template <typename T>
void check_reduce(Stream& stream, const Reduce& plan, const TestOperator<T>& op, uint64_t count,
                  std::mt19937_64& generator, const ReducePlacement& placement = {}) {
  INFO("elements: ", count, ", input misaligned by ", placement.input_misalignment,
       ", count on device: ", placement.count_on_device);
  const Device device = stream.device();
  const std::vector<T> data = random_elements<T>(count + placement.behind, generator);
  const Guarded<T> input(device, stream, data, generator, placement.input_misalignment);
  const Guarded<T> output(device, stream, 1, generator, Elements<T>::element().align());
  const GuardedBytes temporary(device, stream, plan.temporary_bytes(), 7, generator);
  const DeviceCounts count_word(stream, std::vector{count}, generator);
  const Count given = placement.count_on_device ? Count(count_word) : Count(count);
  plan.record(stream, {.input = input, .output = output, .count = given, .temporary = temporary.region()});
  check_same(output.read(stream), {reference(data, op, count)});
  check_same(input.read(stream), data, "the input afterwards");
  temporary.check_guards(stream);
}

template <typename T>
void check_reduce_counts(const Device& device, const TestOperator<T>& op) {
  need_element<T>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("reduce ") + op.on_device.name + TypeName<T>::value);
  const std::vector<uint64_t> counts = interesting_counts(device);
  const Reduce plan(device, Elements<T>::element(), op.on_device, counts.back());
  for (const uint64_t count : counts) check_reduce(stream, plan, op, count, generator);
}

template <typename T>
void check_few_counts(const Device& device, const TestOperator<T>& op) {
  need_element<T>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("reduce ") + op.on_device.name + TypeName<T>::value);
  // A plan for exactly this count may take another path than a plan for more.
  for (const uint64_t count : few_counts(device)) {
    const Reduce plan(device, Elements<T>::element(), op.on_device, count);
    check_reduce(stream, plan, op, count, generator);
  }
}

/// By tiles of one invocation.
template <typename T>
void check_serial_counts(const Device& device, const TestOperator<T>& op) {
  need_element<T>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("serial reduce " + op.on_device.name + TypeName<T>::value);
  const Element element = Elements<T>::element();
  const std::vector<uint64_t> counts = serial_counts(element.bytes());
  const Reduce plan(device, element, op.on_device, counts.back(),
                    {.tuning = serial_tiles(algorithms::tuned_reduce, element.bytes())});
  for (const uint64_t count : counts) check_reduce(stream, plan, op, count, generator);
  check_reduce(stream, plan, op, counts.back() / 2, generator,
               {.input_misalignment = element.align(), .count_on_device = true, .behind = 700});
}

}  // namespace

DEVICE_TEST_OF_TYPES("reduce sums", WEFT_TEST_SCALARS, WEFT_TEST_NARROW) {
  check_reduce_counts<T>(device, sum_of<T>());
}
DEVICE_TEST_OF_TYPES("reduce by tiles of one invocation", WEFT_TEST_SCALARS, WEFT_TEST_NARROW) {
  check_serial_counts<T>(device, sum_of<T>());
}
DEVICE_TEST_OF_TYPES("reduce of structs by tiles of one invocation", WEFT_TEST_STRUCTS, Mixed, Pixel) {
  check_serial_counts<T>(device, operator_of<T>());
}
DEVICE_TEST_OF_TYPES("reduce finds the smallest", WEFT_TEST_SCALARS, WEFT_TEST_OTHER_NARROW) {
  check_few_counts<T>(device, min_of<T>());
}
DEVICE_TEST_OF_TYPES("reduce finds the largest", WEFT_TEST_SCALARS, WEFT_TEST_NARROW) {
  check_few_counts<T>(device, max_of<T>());
}
DEVICE_TEST_OF_TYPES("reduce takes a user's operator", WEFT_TEST_STRUCTS, Mixed, Pixel, Texel) {
  check_reduce_counts<T>(device, operator_of<T>());
}

DEVICE_TEST("reduce combines stretches in order, each once") {
  check_few_counts<Stretch>(device, operator_of<Stretch>());
}

DEVICE_TEST("reduce takes a user's operator on scalars") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("reduce custom");
  // Taking the later operand is associative but not commutative, and no small number is an identity: every lane
  // matters.
  const TestOperator<uint32_t> last{Operator::custom("last", "b == 0xffffffffu ? a : b", "0xffffffffu"),
                                    [](const uint32_t& a, const uint32_t& b) { return b == ~0u ? a : b; }, ~0u};
  const Reduce plan(device, Element::of<uint32_t>(), last.on_device, 70000);
  for (const uint64_t count : few_counts(device)) check_reduce(stream, plan, last, count, generator);
}

DEVICE_TEST("reduce combines many tiles") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("large reduce");
  const uint64_t count = large_count(device);
  check_reduce(stream, Reduce(device, Element::of<uint32_t>(), Operator::sum(), count), sum_of<uint32_t>(), count,
               generator);
  const TestOperator<AffineMap> op = operator_of<AffineMap>();
  check_reduce(stream, Reduce(device, Elements<AffineMap>::element(), op.on_device, count), op, count / 3, generator);
  const TestOperator<Stretch> put = operator_of<Stretch>();
  check_reduce(stream, Reduce(device, Elements<Stretch>::element(), put.on_device, count), put, count / 7, generator);
}

DEVICE_TEST("reductions of more tiles than workgroups") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("rounds of reductions");
  const Tuning tuning({tuned(algorithms::tuned_reduce, sizeof(Matrix), {.tile = {.workgroup = 64}})});
  const Element element = Elements<Matrix>::element();
  constexpr uint64_t tiles = 1060;
  const uint64_t count = tiles * least_workgroup(device) - 5;
  const TestOperator<Matrix> sums{
      Operator::custom("sums", "T(a.first + b.first, a.second + b.second)", "T(uvec2(0u), uvec2(0u))", true),
      [](const Matrix& a, const Matrix& b) {
        return Matrix{{a.m[0] + b.m[0], a.m[1] + b.m[1], a.m[2] + b.m[2], a.m[3] + b.m[3]}};
      },
      {{0, 0, 0, 0}}};
  for (const TestOperator<Matrix>& op : {sums, operator_of<Matrix>()}) {
    const Reduce plan(device, element, op.on_device, count, {.tuning = tuning});
    CHECK_LT(plan.temporary_bytes(), tiles * sizeof(Matrix));  // One element for each workgroup.
    CHECK_GT(plan.temporary_bytes(), tiles / 2 * sizeof(Matrix));
    check_reduce(stream, plan, op, count, generator);
  }
}

DEVICE_TEST("workgroups of a reduction take tiles in turn, or in a row") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("tiles of reductions");
  constexpr uint32_t groups = algorithms::ReduceTuning::least_groups;
  for (const uint32_t consecutive : {0, 1}) {
    INFO("consecutive: ", consecutive);
    const Tuning tuning(
        {tuned(algorithms::tuned_reduce, 4,
               {.tile = {.workgroup = 64, .bytes_per_invocation = 8}, .groups = groups, .consecutive = consecutive})});
    const uint64_t tile = tile_elements(device, algorithms::tuned_reduce, tuning), round = groups * tile;
    const Reduce plan(device, Element::of<uint32_t>(), Operator::sum(), 3 * round, {.tuning = tuning});
    for (const uint64_t count : {uint64_t(1), round - tile, round, round + 1, 2 * round - tile - 1, 3 * round}) {
      check_reduce(stream, plan, sum_of<uint32_t>(), count, generator);
    }
  }
}

DEVICE_TEST("reductions of counts around tile boundaries") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("tiles of reduce");
  const TestOperator<uint32_t> op = sum_of<uint32_t>();
  for (const uint64_t count : tile_counts(device, tile_elements(device, algorithms::tuned_reduce))) {
    const Reduce plan(device, Element::of<uint32_t>(), op.on_device, std::max(count, many));
    check_reduce(stream, plan, op, count, generator);
  }
}

DEVICE_TEST_OF_TYPES("reduce takes inputs at every alignment", uint8_t, uint32_t, uint64_t, weft::test::Range, Pixel,
                     Texel) {
  need_element<T>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("misaligned reduce");
  TestOperator<T> op;
  if constexpr (std::is_arithmetic_v<T>) {
    op = sum_of<T>();
  } else {
    op = operator_of<T>();
  }
  const Element element = Elements<T>::element();
  const Reduce plan(device, element, op.on_device, 20000);
  for (uint64_t misalignment = 0; misalignment < 32; misalignment += element.align()) {
    for (const uint64_t count : {1, 2, 3, 5, 100, 1023, 4099, 20000}) {
      check_reduce(stream, plan, op, count, generator, {.input_misalignment = misalignment});
    }
  }
}

DEVICE_TEST("reduce takes its count from device memory") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("device count");
  const TestOperator<AffineMap> op = operator_of<AffineMap>();
  const Reduce plan(device, Elements<AffineMap>::element(), op.on_device, 30011);
  for (const uint64_t count : few_counts(device)) {
    check_reduce(stream, plan, op, count, generator, {.count_on_device = true});
    check_reduce(stream, plan, op, count, generator, {.count_on_device = true, .behind = 500});
  }
}

DEVICE_TEST("reduce clamps a device count to the maximum") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("excessive count");
  const std::vector<uint32_t> data = random_elements<uint32_t>(9000, generator);
  const Reduce plan(device, Element::of<uint32_t>(), Operator::sum(), 5000);
  const Guarded<uint32_t> input(device, stream, data, generator);
  const GuardedBytes temporary(device, stream, plan.temporary_bytes(), 0, generator);
  for (const uint64_t excessive : {uint64_t(5001), uint64_t(1) << 32, (uint64_t(1) << 32) + 7, ~uint64_t(0)}) {
    const Guarded<uint32_t> output(device, stream, 1, generator);
    const Buffer<uint64_t> count = device.buffer<uint64_t>(1);
    stream.upload(count, std::vector<uint64_t>{excessive});
    plan.record(stream, {.input = input, .output = output, .count = count, .temporary = temporary.region()});
    INFO("count: ", excessive);
    check_same(output.read(stream), {reference(data, sum_of<uint32_t>(), 5000)});
    // And clamped to the capacity of the input, if that is less.
    plan.record(
        stream,
        {.input = input.view().part(0, 3000), .output = output, .count = count, .temporary = temporary.region()});
    check_same(output.read(stream), {reference(data, sum_of<uint32_t>(), 3000)});
  }
  temporary.check_guards(stream);
}

DEVICE_TEST("reduce may write its result into its input") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("reduce in place");
  const Reduce plan(device, Element::of<uint32_t>(), Operator::sum(), 50000);
  const Buffer<std::byte> temporary = device.buffer<std::byte>(plan.temporary_bytes());
  for (const uint64_t count : {1, 100, 5000, 50000}) {
    for (const uint64_t index : {uint64_t(0), count / 2, count - 1}) {
      std::vector<uint32_t> data = random_elements<uint32_t>(count, generator);
      const Guarded<uint32_t> input(device, stream, data, generator);
      plan.record(stream,
                  {.input = input, .output = input.view().part(index, 1), .count = count, .temporary = temporary});
      data[index] = reference(data, sum_of<uint32_t>(), count);
      INFO("elements: ", count, ", result at ", index);
      check_same(input.read(stream), data);
    }
  }
}

DEVICE_TEST("float sums are the same in every run") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("float sums");
  std::vector<float> data(100003);
  for (float& x : data) x = std::ldexp(float(int32_t(generator() % 20001) - 10000), int(generator() % 20) - 10);
  const Buffer<float> input = device.buffer<float>(data.size()), output = device.buffer<float>(1);
  stream.upload(input, data);
  const Reduce plan(device, Element::of<float>(), Operator::sum(), data.size());
  const Buffer<std::byte> temporary = device.buffer<std::byte>(plan.temporary_bytes());
  std::vector<float> first;
  double exact = 0, magnitude = 0;
  for (const float x : data) {
    exact += x;
    magnitude += std::abs(x);
  }
  for (int run = 0; run < 10; ++run) {
    plan.record(stream, {.input = input, .output = output, .count = data.size(), .temporary = temporary});
    const std::vector<float> result = stream.download(output);
    if (run == 0) first = result;
    check_same(result, first);
  }
  CHECK(std::abs(first[0] - exact) <= magnitude * 1e-5);
}

DEVICE_TEST("reduce as a function") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("reduce function");
  for (const uint64_t count : few_counts(device)) {
    const std::vector<int32_t> data = random_elements<int32_t>(count, generator);
    const Buffer<int32_t> buffer = device.buffer<int32_t>(count);
    stream.upload(buffer, data);
    CHECK_EQ(reduce(stream, buffer), reference(data, sum_of<int32_t>(), count));
    CHECK_EQ(reduce(stream, buffer, Operator::min()), reference(data, min_of<int32_t>(), count));
    CHECK_EQ(reduce(stream, buffer.view(), Operator::max()), reference(data, max_of<int32_t>(), count));
    if (count > 2) {
      const std::vector<int32_t> inner(data.begin() + 1, data.end());
      CHECK_EQ(reduce(stream, buffer.part(1, count - 1)), reference(inner, sum_of<int32_t>(), inner.size()));
    }
    const std::vector<Range> ranges = random_elements<Range>(count, generator);
    const Buffer<Range> more = device.buffer<Range>(count);
    stream.upload(more, ranges);
    std::vector<Range> result(1);
    const TestOperator<Range> op = operator_of<Range>();
    reduce(stream, Elements<Range>::element(), op.on_device, more, std::as_writable_bytes(std::span(result)));
    check_same(result, {reference(ranges, op, count)});
  }
}
