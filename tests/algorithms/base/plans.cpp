#include <optional>

#include <weft/reduce.h>

#include "tests/algorithms/scan/scan_check.h"
#include "tests/algorithms/select/select_check.h"

using namespace weft;
using namespace weft::test;

DEVICE_TEST("a plan outlives the device handle and is shared by its copies") {
  std::optional<Scan> copy;
  {
    const Device own = open_device(selector_of(device));
    const Scan plan(own, Element::of<uint32_t>(), Operator::sum(), 5000);
    copy = plan;
    CHECK_EQ(copy->temporary_bytes(), plan.temporary_bytes());
  }
  const Device own = open_device(selector_of(device));
  // A plan works with streams of its own device only.
  Stream foreign = own.stream();
  const Buffer<uint32_t> data = own.buffer<uint32_t>(10);
  const Buffer<std::byte> temporary = own.buffer<std::byte>(copy->temporary_bytes());
  check_error(ErrorCode::invalid_argument, {"device"},
              [&] { copy->record(foreign, {.input = data, .output = data, .count = 10, .temporary = temporary}); });
}

DEVICE_TEST("one plan is used repeatedly with the same temporary storage") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("reuse");
  const std::vector<uint32_t> data = random_elements<uint32_t>(20011, generator);
  const Buffer<uint32_t> input = device.buffer<uint32_t>(data.size()), a = device.buffer<uint32_t>(data.size()),
                         b = device.buffer<uint32_t>(data.size()), total = device.buffer<uint32_t>(1);
  stream.upload(input, data);
  const Scan scan_plan(device, Element::of<uint32_t>(), Operator::sum(), data.size(), {.kind = ScanKind::inclusive});
  const Reduce reduce_plan(device, Element::of<uint32_t>(), Operator::sum(), data.size());
  const Buffer<std::byte> temporary =
      device.buffer<std::byte>(std::max(scan_plan.temporary_bytes(), reduce_plan.temporary_bytes()));
  std::vector<uint32_t> expected = data;
  stream.copy(input, a);
  // All recorded at once: each primitive cleans up what the previous one left in temporary storage.
  for (int i = 0; i < 30; ++i) {
    const uint64_t count = i % 3 == 0 ? data.size() : 1 + generator() % data.size();
    scan_plan.record(stream,
                     {.input = a.part(0, count), .output = b.part(0, count), .count = count, .temporary = temporary});
    stream.copy<uint32_t>(b.part(0, count), a.part(0, count));
    reduce_plan.record(stream, {.input = a, .output = total, .count = data.size(), .temporary = temporary});
    for (uint64_t k = 1; k < count; ++k) expected[k] += expected[k - 1];
  }
  check_same(stream.download(a), expected);
  uint32_t sum = 0;
  for (const uint32_t x : expected) sum += x;
  check_same(stream.download(total), {sum});
}

DEVICE_TEST("one plan is used by streams on many threads") {
  const TestOperator<AffineMap> op = operator_of<AffineMap>();
  const Element element = Elements<AffineMap>::element();
  const Scan scan_plan(device, element, op.on_device, 20011, {.kind = ScanKind::inclusive});
  const Reduce reduce_plan(device, element, op.on_device, 20011);
  on_threads(4, [&](int thread) {
    Stream stream = device.stream();
    std::mt19937_64 generator = random_generator("plan on thread " + std::to_string(thread));
    for (int i = 0; i < 6; ++i) {
      const std::vector<AffineMap> data = random_elements<AffineMap>(1 + generator() % 20011, generator);
      const Buffer<AffineMap> input = device.buffer<AffineMap>(data.size()),
                              output = device.buffer<AffineMap>(data.size()), total = device.buffer<AffineMap>(1);
      const Buffer<std::byte> a = device.buffer<std::byte>(scan_plan.temporary_bytes());
      const Buffer<std::byte> b = device.buffer<std::byte>(reduce_plan.temporary_bytes());
      stream.upload(input, data);
      scan_plan.record(stream, {.input = input, .output = output, .count = data.size(), .temporary = a});
      reduce_plan.record(stream, {.input = input, .output = total, .count = data.size(), .temporary = b});
      const std::vector<AffineMap> expected = scan_reference(data, op, ScanKind::inclusive, data.size());
      check_same(stream.download(output), expected);
      check_same(stream.download(total), {expected.back()});
    }
  });
}

DEVICE_TEST("plans are made on many threads at once") {
  on_threads(4, [&](int thread) {
    Stream stream = device.stream();
    const Buffer<uint32_t> data = device.buffer<uint32_t>(3000), out = device.buffer<uint32_t>(3000);
    stream.fill(data, uint32_t(thread) + 1);
    CHECK_EQ(reduce(stream, data), 3000 * (uint32_t(thread) + 1));
    inclusive_scan(stream, data, out);
    check_same(stream.download(out.part(2999, 1)), {3000 * (uint32_t(thread) + 1)});
    CHECK_EQ(compact(stream, "i % 2u == 0u", data, out), 1500);
  });
}

DEVICE_TEST("temporary storage is a multiple of 16 bytes and grows with the maximum") {
  // Look-back plans, where the device has them.
  const TilePath look_back =
      device.info().features.workgroup_forward_progress ? TilePath::look_back : TilePath::reduce_then_scan;
  uint64_t before[5] = {};
  for (uint64_t count = 0; count < uint64_t(1) << 31; count = count * 16 + 15) {
    const Element element = Element::of<uint32_t>();
    const Selection selection = Selection::when("x > 3u");
    const uint64_t bytes[5] = {
        Reduce(device, element, Operator::sum(), count).temporary_bytes(),
        Scan(device, element, Operator::sum(), count, {.path = look_back}).temporary_bytes(),
        Scan(device, element, Operator::sum(), count, {.path = TilePath::reduce_then_scan}).temporary_bytes(),
        Compact(device, element, selection, count, {.path = look_back}).temporary_bytes(),
        Compact(device, element, selection, count, {.path = TilePath::reduce_then_scan}).temporary_bytes()};
    for (int i = 0; i < 5; ++i) {
      INFO("primitive ", i, ", elements ", count);
      CHECK_EQ(bytes[i] % 16, 0);
      CHECK_GE(bytes[i], before[i]);
      before[i] = bytes[i];
    }
  }
}

DEVICE_TEST("plans for more than 2^32 elements work on few") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("wide plans");
  const uint64_t most = (uint64_t(1) << 32) + 5;
  const auto make = [&](auto&& body) {
    try {
      body();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::unsupported) throw;
      unsupported(error.what());
    }
  };
  const std::vector<uint32_t> data = random_elements<uint32_t>(20011, generator);
  for (const TilePath path : {TilePath::reduce_then_scan, TilePath::look_back}) {
    need_path(device, path);
    make([&] {
      const Scan plan(device, Element::of<uint32_t>(), Operator::sum(), most,
                      {.kind = ScanKind::inclusive, .path = path});
      for (const uint64_t count : few_counts(device)) {
        check_scan(stream, plan, sum_of<uint32_t>(), ScanKind::inclusive, count, generator);
        check_scan(stream, plan, sum_of<uint32_t>(), ScanKind::inclusive, count, generator, {.count_on_device = true});
      }
      const Compact compact_plan(device, Element::of<uint32_t>(), Selection::when("x % 2u == 0u"), most,
                                 {.path = path});
      const Buffer<uint32_t> input = device.buffer<uint32_t>(data.size()),
                             output = device.buffer<uint32_t>(data.size());
      const Buffer<uint64_t> selected = device.buffer<uint64_t>(1);
      const Buffer<std::byte> temporary = device.buffer<std::byte>(compact_plan.temporary_bytes());
      stream.upload(input, data);
      compact_plan.record(stream, {.input = input,
                                   .flags = {},
                                   .output = output,
                                   .selected = selected,
                                   .count = data.size(),
                                   .temporary = temporary});
      const auto kept = selected_elements(data, data.size(), [](uint32_t x, uint64_t) { return x % 2 == 0; });
      check_same(stream.download(selected), {kept.size()});
      check_same(stream.download(output.part(0, kept.size())), kept);
    });
  }
}
