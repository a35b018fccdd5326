#include "algorithms/src/scan/scan_tuning.h"
#include "tests/algorithms/base/fields.h"
#include "tests/algorithms/base/tuned.h"
#include "tests/algorithms/scan/scan_check.h"

using namespace weft;
using namespace weft::test;

namespace {

constexpr ScanKind scan_kinds[] = {ScanKind::inclusive, ScanKind::exclusive};

template <typename T>
void check_scan_counts(const Device& device, const TestOperator<T>& op, ScanKind kind, TilePath path) {
  need_element<T>(device);
  need_path(device, path);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("scan ") + TypeName<T>::value + name_of(path));
  const std::vector<uint64_t> counts = interesting_counts(device);
  const Scan plan(device, Elements<T>::element(), op.on_device, counts.back(), {.kind = kind, .path = path});
  CHECK((plan.path() == path));
  for (const uint64_t count : counts) check_scan(stream, plan, op, kind, count, generator);
  // In place, at every alignment of an element.
  const uint64_t align = Elements<T>::element().align();
  for (const uint64_t count : few_counts(device)) {
    check_scan(stream, plan, op, kind, count, generator, {.input_misalignment = align, .in_place = true});
    check_scan(stream, plan, op, kind, count, generator,
               {.input_misalignment = generator() % 8 * align, .output_misalignment = generator() % 8 * align});
  }
}

/// Both scan_kinds on a few counts, each with a plan for exactly that count.
template <typename T>
void check_few_counts(const Device& device, const TestOperator<T>& op, TilePath path) {
  need_element<T>(device);
  need_path(device, path);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("scan " + op.on_device.name + TypeName<T>::value + name_of(path));
  for (const ScanKind kind : scan_kinds) {
    for (const uint64_t count : few_counts(device)) {
      const Scan plan(device, Elements<T>::element(), op.on_device, count, {.kind = kind, .path = path});
      check_scan(stream, plan, op, kind, count, generator);
    }
  }
}

}  // namespace

DEVICE_TEST_OF_TYPES("inclusive look-back scan sums", WEFT_TEST_SCALARS, WEFT_TEST_NARROW) {
  check_scan_counts<T>(device, sum_of<T>(), ScanKind::inclusive, TilePath::look_back);
}
DEVICE_TEST_OF_TYPES("exclusive look-back scan sums", WEFT_TEST_SCALARS, WEFT_TEST_OTHER_NARROW) {
  check_scan_counts<T>(device, sum_of<T>(), ScanKind::exclusive, TilePath::look_back);
}
DEVICE_TEST_OF_TYPES("inclusive reduce-then-scan sums", WEFT_TEST_SCALARS, WEFT_TEST_OTHER_NARROW) {
  check_scan_counts<T>(device, sum_of<T>(), ScanKind::inclusive, TilePath::reduce_then_scan);
}
DEVICE_TEST_OF_TYPES("exclusive reduce-then-scan sums", WEFT_TEST_SCALARS, WEFT_TEST_NARROW) {
  check_scan_counts<T>(device, sum_of<T>(), ScanKind::exclusive, TilePath::reduce_then_scan);
}
DEVICE_TEST_OF_TYPES("look-back scan takes a user's operator", WEFT_TEST_STRUCTS, Mixed, Pixel) {
  check_scan_counts<T>(device, operator_of<T>(), ScanKind::exclusive, TilePath::look_back);
}
DEVICE_TEST_OF_TYPES("reduce-then-scan takes a user's operator", WEFT_TEST_STRUCTS, Mixed, Texel) {
  check_scan_counts<T>(device, operator_of<T>(), ScanKind::inclusive, TilePath::reduce_then_scan);
}
DEVICE_TEST_OF_TYPES("look-back scan finds the smallest so far", int32_t, float, uint64_t, uint8_t, weft::Half) {
  check_few_counts<T>(device, min_of<T>(), TilePath::look_back);
}
DEVICE_TEST_OF_TYPES("reduce-then-scan finds the largest so far", uint32_t, float, int64_t, double, int8_t, uint16_t) {
  check_few_counts<T>(device, max_of<T>(), TilePath::reduce_then_scan);
}

DEVICE_TEST("look-back scans combine stretches in order, each once") {
  check_few_counts<Stretch>(device, operator_of<Stretch>(), TilePath::look_back);
}
DEVICE_TEST("reduce-then-scan scans combine stretches in order, each once") {
  check_few_counts<Stretch>(device, operator_of<Stretch>(), TilePath::reduce_then_scan);
}

DEVICE_TEST("scans of many tiles") {
  std::mt19937_64 generator = random_generator("large scan");
  Stream stream = device.stream();
  const uint64_t count = large_count(device);
  const auto check = [&](const auto& op, TilePath path, ScanKind kind, uint64_t some) {
    using T = std::remove_cvref_t<decltype(op.identity)>;
    const Scan plan(device, Elements<T>::element(), op.on_device, some, {.kind = kind, .path = path});
    check_scan(stream, plan, op, kind, some, generator);
  };
  check(sum_of<uint32_t>(), TilePath::reduce_then_scan, ScanKind::inclusive, count);
  check(operator_of<AffineMap>(), TilePath::reduce_then_scan, ScanKind::exclusive, count / 3);
  need_path(device, TilePath::look_back);
  check(sum_of<uint32_t>(), TilePath::look_back, ScanKind::exclusive, count);
  check(operator_of<AffineMap>(), TilePath::look_back, ScanKind::inclusive, count / 3);
  check(operator_of<Five>(), TilePath::look_back, ScanKind::inclusive, count / 7);
  check(operator_of<Stretch>(), TilePath::look_back, ScanKind::inclusive, count / 7);
}

DEVICE_TEST("scans of counts around tile boundaries") {
  std::mt19937_64 generator = random_generator("tiles of scans");
  Stream stream = device.stream();
  const TestOperator<uint32_t> op = sum_of<uint32_t>();
  for (const TilePath path : {TilePath::reduce_then_scan, TilePath::look_back}) {
    need_path(device, path);
    for (const uint64_t count : tile_counts(device, tile_elements(device, algorithms::tuned_scan))) {
      const Scan plan(device, Element::of<uint32_t>(), op.on_device, std::max(count, many), {.path = path});
      check_scan(stream, plan, op, ScanKind::exclusive, count, generator);
    }
  }
}

DEVICE_TEST("scans whose tile totals take three rounds") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("rounds of scans");
  const TestOperator<Five> op = operator_of<Five>();
  const SmallTiles tiles(device, algorithms::tuned_scan, 5, 5);
  const Scan plan(device, Elements<Five>::element(), op.on_device, tiles.count(),
                  {.kind = ScanKind::inclusive, .path = TilePath::reduce_then_scan, .tuning = tiles.tuning()});
  tiles.check(plan.temporary_bytes());
  check_scan(stream, plan, op, ScanKind::inclusive, tiles.count(), generator);
}

DEVICE_TEST("the automatic path is look_back if the device has forward progress") {
  const Scan plan(device, Element::of<uint32_t>(), Operator::sum(), 1000);
  const bool progress = device.info().features.workgroup_forward_progress;
  CHECK((plan.path() == (progress ? TilePath::look_back : TilePath::reduce_then_scan)));
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("automatic path");
  for (const uint64_t count : {0, 1, 1000}) {
    check_scan(stream, plan, sum_of<uint32_t>(), ScanKind::exclusive, uint64_t(count), generator);
  }
}

DEVICE_TEST("look-back scans are right in whatever order workgroups start, run after run") {
  need_path(device, TilePath::look_back);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("look-back stress");
  const TestOperator<AffineMap> op = operator_of<AffineMap>();
  constexpr uint64_t count = 200003;
  const std::vector<AffineMap> data = random_elements<AffineMap>(count, generator);
  const std::vector<AffineMap> expected = scan_reference(data, op, ScanKind::inclusive, count);
  const Scan plan(device, Elements<AffineMap>::element(), op.on_device, count,
                  {.kind = ScanKind::inclusive, .path = TilePath::look_back});
  const Buffer<AffineMap> input = device.buffer<AffineMap>(count), output = device.buffer<AffineMap>(count);
  const Buffer<std::byte> temporary = device.buffer<std::byte>(plan.temporary_bytes());
  stream.upload(input, data);
  for (int run = 0; run < 20; ++run) {
    stream.fill(output.view().as<uint32_t>(), 0xa5a5a5a5u);
    plan.record(stream, {.input = input, .output = output, .count = count, .temporary = temporary});
    INFO("run ", run);
    if (!check_same(stream.download(output), expected)) break;
  }
}

DEVICE_TEST("scans take their count from device memory") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("device count");
  for (const TilePath path : {TilePath::reduce_then_scan, TilePath::look_back}) {
    need_path(device, path);
    const TestOperator<AffineMap> op = operator_of<AffineMap>();
    const Scan plan(device, Elements<AffineMap>::element(), op.on_device, 30011,
                    {.kind = ScanKind::exclusive, .path = path});
    for (const uint64_t count : few_counts(device)) {
      check_scan(stream, plan, op, ScanKind::exclusive, count, generator, {.count_on_device = true});
      check_scan(stream, plan, op, ScanKind::exclusive, count, generator, {.count_on_device = true, .behind = 700});
      check_scan(stream, plan, op, ScanKind::exclusive, count, generator,
                 {.in_place = true, .count_on_device = true, .behind = 700});
    }
  }
}

DEVICE_TEST("a scan clamps a device count to the maximum and to the regions") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("excessive count");
  const std::vector<uint32_t> data = random_elements<uint32_t>(9000, generator);
  for (const TilePath path : {TilePath::reduce_then_scan, TilePath::look_back}) {
    need_path(device, path);
    const Scan plan(device, Element::of<uint32_t>(), Operator::sum(), 5000,
                    {.kind = ScanKind::inclusive, .path = path});
    for (const uint64_t excessive : {uint64_t(5001), uint64_t(1) << 32, (uint64_t(1) << 32) + 7, ~uint64_t(0)}) {
      for (const uint64_t held : {uint64_t(9000), uint64_t(3000), uint64_t(1)}) {
        INFO("path: ", std::string(name_of(path)), ", count: ", excessive, ", elements of the regions: ", held);
        const Guarded<uint32_t> input(device, stream, data, generator), output(device, stream, held, generator);
        const GuardedBytes temporary(device, stream, plan.temporary_bytes(), 0, generator);
        const Buffer<uint64_t> count = device.buffer<uint64_t>(1);
        stream.upload(count, std::vector<uint64_t>{excessive});
        std::vector<uint32_t> expected = output.poison();
        const uint64_t taken = std::min<uint64_t>(held, 5000);
        const auto scanned = scan_reference(data, sum_of<uint32_t>(), ScanKind::inclusive, taken);
        std::copy(scanned.begin(), scanned.end(), expected.begin());
        plan.record(
            stream,
            {.input = input.view().part(0, held), .output = output, .count = count, .temporary = temporary.region()});
        check_same(output.read(stream), expected);
        temporary.check_guards(stream);
      }
    }
  }
}

DEVICE_TEST("scans as functions") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("scan function");
  for (const uint64_t count : few_counts(device)) {
    const std::vector<uint32_t> data = random_elements<uint32_t>(count, generator);
    const Buffer<uint32_t> input = device.buffer<uint32_t>(count), output = device.buffer<uint32_t>(count);
    stream.upload(input, data);
    inclusive_scan(stream, input, output);
    check_same(stream.download(output), scan_reference(data, sum_of<uint32_t>(), ScanKind::inclusive, count));
    exclusive_scan(stream, input, output, Operator::max());
    check_same(stream.download(output), scan_reference(data, max_of<uint32_t>(), ScanKind::exclusive, count));
    exclusive_scan(stream, input, input);
    check_same(stream.download(input), scan_reference(data, sum_of<uint32_t>(), ScanKind::exclusive, count));
  }
  const TestOperator<Matrix> op = operator_of<Matrix>();
  const std::vector<Matrix> data = random_elements<Matrix>(5000, generator);
  const Buffer<Matrix> matrices = device.buffer<Matrix>(data.size());
  stream.upload(matrices, data);
  scan(stream, Elements<Matrix>::element(), op.on_device, ScanKind::inclusive, matrices, matrices);
  check_same(stream.download(matrices), scan_reference(data, op, ScanKind::inclusive, data.size()));
}
