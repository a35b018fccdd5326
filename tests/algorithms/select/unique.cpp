#include <weft/compact.h>

#include "algorithms/src/select/selection_tuning.h"
#include "tests/algorithms/base/fields.h"
#include "tests/algorithms/base/tuned.h"
#include "tests/algorithms/runs/runs_check.h"
#include "tests/algorithms/scan/scan_check.h"

using namespace weft;
using namespace weft::test;

namespace {

/// Keeps the first element of each run of random elements, in guarded memory, and compares the result.
template <typename T>
void check_unique(Stream& stream, const Compact& plan, uint64_t count, std::mt19937_64& generator,
                  const RunPlacement& placement) {
  INFO("path: ", std::string(name_of(plan.path())), ", elements: ", count, ", ", placement.text());
  const RunMemory<T> memory(stream, plan.temporary_bytes(), count, generator, placement);
  plan.record(stream, {.input = memory.input,
                       .flags = {},
                       .output = memory.output,
                       .selected = memory.number,
                       .count = memory.counted,
                       .temporary = memory.temporary.region()});
  memory.check(stream);
}

template <typename T>
void check_unique_counts(const Device& device, TilePath path) {
  need_element<T>(device);
  need_path(device, path);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("unique ") + TypeName<T>::value + name_of(path));
  const Element element = Elements<T>::element();
  const Compact plan(device, element, Selection::first_of_runs(), interesting_counts(device).back(), {.path = path});
  for_all_runs(device, element, generator, [&](uint64_t count, const RunPlacement& placement) {
    check_unique<T>(stream, plan, count, generator, placement);
  });
}

}  // namespace

DEVICE_TEST_OF_TYPES("look-back compaction keeps the first of each run", uint32_t, double, weft::test::Five, Mixed) {
  check_unique_counts<T>(device, TilePath::look_back);
}
DEVICE_TEST_OF_TYPES("reduce-then-scan compaction keeps the first of each run", uint32_t, float, weft::test::Matrix,
                     Pixel) {
  check_unique_counts<T>(device, TilePath::reduce_then_scan);
}

DEVICE_TEST_OF_TYPES("tiles of one invocation keep the first of each run", uint32_t, uint8_t, double, weft::test::Five,
                     Pixel) {
  need_element<T>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("serial unique ") + TypeName<T>::value);
  const Element element = Elements<T>::element();
  for (const TilePath path : {TilePath::reduce_then_scan, TilePath::look_back}) {
    need_path(device, path);
    const Compact plan(device, element, Selection::first_of_runs(), serial_counts(element.bytes()).back(),
                       {.path = path, .tuning = serial_tiles(algorithms::tuned_unique, element.bytes())});
    for_serial_runs(element, [&](uint64_t count, const RunPlacement& placement) {
      check_unique<T>(stream, plan, count, generator, placement);
    });
  }
}

DEVICE_TEST("many tiles keep the first of each run") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("large unique");
  const uint64_t count = large_count(device);
  for (const TilePath path : {TilePath::reduce_then_scan, TilePath::look_back}) {
    need_path(device, path);
    const Compact plan(device, Element::of<uint32_t>(), Selection::first_of_runs(), count, {.path = path});
    check_unique<uint32_t>(stream, plan, count, generator, {.runs = Runs::skewed});
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
