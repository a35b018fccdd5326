#include <weft/compact.h>

#include "runs_check.h"
#include "scan_check.h"

using namespace weft;
using namespace weft::test;

namespace {

struct Placement {
  uint64_t input_misalignment = 0, output_misalignment = 0;
  bool count_on_device = false;
  uint64_t behind = 0;  ///< Elements of the input behind `count`.
};

/// Keeps the first element of each run of random elements, in guarded memory, and compares with what was made.
template <typename T>
void check_unique(Stream& stream, const Compact& plan, Runs runs, uint64_t count, std::mt19937_64& generator,
                  const Placement& placement = {}) {
  INFO("path: ", std::string(name_of(plan.path())), ", elements: ", count, ", ", std::string(name_of(runs)),
       ", input misaligned by ", placement.input_misalignment, ", output by ", placement.output_misalignment,
       ", count on device: ", placement.count_on_device);
  const Device device = stream.device();
  const std::vector<bool> heads = random_heads(count + placement.behind, runs, generator);
  const std::vector<T> data = elements_in_runs<T>(heads, generator);
  const Guarded<T> input(device, stream, data, generator, placement.input_misalignment);
  const Guarded<T> output(device, stream, data.size(), generator, placement.output_misalignment);
  const Guarded<uint64_t> selected(device, stream, 1, generator, 8);
  const GuardedBytes temporary(device, stream, plan.temporary_bytes(), 7, generator);
  const Buffer<uint64_t> count_word = device.buffer<uint64_t>(1);
  stream.upload(count_word, std::vector<uint64_t>{count});
  std::vector<T> expected = output.poison();  // what lies behind the kept ones is left as it was
  uint64_t kept = 0;
  for (uint64_t i = 0; i < count; ++i) {
    if (heads[i]) expected[kept++] = data[i];
  }
  plan.record(stream, {.input = input,
                       .flags = {},
                       .output = output,
                       .selected = selected,
                       .count = placement.count_on_device ? Count(count_word) : Count(count),
                       .temporary = temporary.region()});
  check_same(selected.read(stream), {kept}, "the number of runs");
  check_same(output.read(stream), expected, "the output");
  check_same(input.read(stream), data, "the input afterwards");
  temporary.check_guards(stream);
}

template <typename T>
void check_all(const Device& device, TilePath path) {
  need_element<T>(device);
  need_path(device, path);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("unique ") + TypeName<T>::value + name_of(path));
  const std::vector<uint64_t> counts = interesting_counts(device);
  const Element element = Elements<T>::element();
  const Compact plan(device, element, Selection::first_of_runs(), counts.back(), {.path = path});
  for (const uint64_t count : counts) check_unique<T>(stream, plan, Runs::short_ones, count, generator);
  for (const Runs runs : all_runs) {
    for (const uint64_t count : few_counts(device)) {
      check_unique<T>(stream, plan, runs, count, generator,
                      {.input_misalignment = generator() % 8 * element.align(),
                       .output_misalignment = generator() % 8 * element.align(),
                       .count_on_device = true,
                       .behind = 100});
    }
  }
}

}  // namespace

DEVICE_TEST_OF_TYPES("look-back compaction keeps the first of each run", uint32_t, double, weft::test::Five) {
  check_all<T>(device, TilePath::look_back);
}
DEVICE_TEST_OF_TYPES("reduce-then-scan compaction keeps the first of each run", uint32_t, float, weft::test::Matrix) {
  check_all<T>(device, TilePath::reduce_then_scan);
}

DEVICE_TEST("many tiles keep the first of each run") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("large unique");
  const uint64_t count = large_count(device);
  for (const TilePath path : {TilePath::reduce_then_scan, TilePath::look_back}) {
    need_path(device, path);
    const Compact plan(device, Element::of<uint32_t>(), Selection::first_of_runs(), count, {.path = path});
    check_unique<uint32_t>(stream, plan, Runs::skewed, count, generator);
  }
}

DEVICE_TEST("NaN starts a run each time, and zeros of both signs are one run") {
  Stream stream = device.stream();
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> data{0.0f, -0.0f, 0.0f, nan, nan, 1.0f, 1.0f, infinity, infinity, -infinity, -0.0f, nan};
  const Buffer<float> input = device.buffer<float>(data.size()), output = device.buffer<float>(data.size());
  stream.upload(input, data);
  const std::vector<float> expected{0.0f, nan, nan, 1.0f, infinity, -infinity, -0.0f, nan};
  CHECK_EQ(unique(stream, input, output), expected.size());
  check_same(stream.download(output.part(0, expected.size())), expected);
}

DEVICE_TEST("unique takes a user's equality") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("unique by parts");
  for (const uint64_t count : few_counts(device)) {
    std::vector<uint32_t> data(count), expected;
    for (size_t i = 0; i < data.size(); ++i) data[i] = uint32_t(i / 7 * 16 + generator() % 16);
    for (size_t i = 0; i < data.size(); ++i) {
      if (i == 0 || data[i] / 16 != data[i - 1] / 16) expected.push_back(data[i]);
    }
    const Buffer<uint32_t> input = device.buffer<uint32_t>(count), output = device.buffer<uint32_t>(count);
    stream.upload(input, data);
    CHECK_EQ(unique(stream, input, output, Equality::when("a / 16u == b / 16u")), expected.size());
    check_same(stream.download(output.part(0, expected.size())), expected);
  }
}
