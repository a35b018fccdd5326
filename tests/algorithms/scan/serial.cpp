#include "algorithms/src/scan/scan_tuning.h"
#include "tests/algorithms/base/tuned.h"
#include "tests/algorithms/scan/scan_check.h"

// Tiles that one invocation runs over: those of host by default, and here small ones on every device.

using namespace weft;
using namespace weft::test;

namespace {

template <typename T>
void check_serial_scans(const Device& device, const TestOperator<T>& op) {
  need_element<T>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("serial scan " + op.on_device.name + TypeName<T>::value);
  const Element element = Elements<T>::element();
  const Tuning tuning = serial_tiles(algorithms::tuned_scan, element.bytes());
  const std::vector<uint64_t> counts = serial_counts(element.bytes());
  for (const TilePath path : {TilePath::reduce_then_scan, TilePath::look_back}) {
    need_path(device, path);
    for (const ScanKind kind : {ScanKind::inclusive, ScanKind::exclusive}) {
      const Scan plan(device, element, op.on_device, counts.back(), {.kind = kind, .path = path, .tuning = tuning});
      for (const uint64_t count : counts) check_scan(stream, plan, op, kind, count, generator);
      check_scan(stream, plan, op, kind, counts.back(), generator,
                 {.input_misalignment = element.align(), .in_place = true});
      check_scan(stream, plan, op, kind, counts.back() / 2, generator, {.count_on_device = true, .behind = 700});
    }
  }
}

}  // namespace

DEVICE_TEST_OF_TYPES("scans by tiles of one invocation", WEFT_TEST_SCALARS, WEFT_TEST_NARROW) {
  check_serial_scans<T>(device, sum_of<T>());
}
DEVICE_TEST_OF_TYPES("scans of structs by tiles of one invocation", WEFT_TEST_STRUCTS, Mixed, Pixel) {
  check_serial_scans<T>(device, operator_of<T>());
}
DEVICE_TEST("scans by tiles of one invocation combine stretches in order, each once") {
  check_serial_scans<Stretch>(device, operator_of<Stretch>());
}
DEVICE_TEST("scans of the smallest by tiles of one invocation") { check_serial_scans<float>(device, min_of<float>()); }

DEVICE_TEST("scans by tiles of one invocation read what a transform computes") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("serial scan of a transform");
  const Element word = Element::of<uint32_t>(), wide = Elements<AffineMap>::element();
  const uint64_t count = serial_counts(wide.bytes()).back();
  const std::vector<AffineMap> x = random_elements<AffineMap>(count, generator),
                               y = random_elements<AffineMap>(count, generator);
  const Scan plan(device, word, Operator::sum(), count,
                  {.kind = ScanKind::inclusive,
                   .transform = Transform::of_two(wide, "x.scale * y.shift + i"),
                   .tuning = serial_tiles(algorithms::tuned_scan, word.bytes())});
  const Buffer<AffineMap> first = device.buffer<AffineMap>(count), second = device.buffer<AffineMap>(count);
  const Guarded<uint32_t> output(device, stream, count, generator);
  const Buffer<std::byte> temporary = device.buffer<std::byte>(plan.temporary_bytes());
  stream.upload(first, x);
  stream.upload(second, y);
  plan.record(stream, {.input = first, .output = output, .count = count, .temporary = temporary, .second = second});
  std::vector<uint32_t> expected(count);
  uint32_t total = 0;
  for (size_t i = 0; i < count; ++i) expected[i] = total += x[i].scale * y[i].shift + uint32_t(i);
  check_same(output.read(stream), expected, "the scan");
}
