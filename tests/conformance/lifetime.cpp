#include <optional>

#include "tests/conformance/long_work.h"

using namespace weft;
using namespace weft::test;
using namespace std::chrono_literals;

DEVICE_TEST("buffers may be destroyed while work uses them") {
  Stream stream = device.stream(), other = device.stream();
  const Kernel gather = device.kernel(kernels::gather());
  std::mt19937_64 generator = random_generator("destroyed buffers");
  constexpr size_t count = 50000, rounds = 60;
  std::vector<Buffer<uint32_t>> results;
  std::vector<std::vector<uint32_t>> expected;
  LongWork work(device, 20ms);
  for (size_t i = 0; i < rounds; ++i) {
    if (i % 20 == 0) work.record(stream);
    results.push_back(device.buffer<uint32_t>(count));
    std::vector<uint32_t> data = random_values<uint32_t>(count, generator);
    {
      const Buffer<uint32_t> source = device.buffer<uint32_t>(count);
      stream.upload(source, data);
      record_gather(stream, gather, source, results.back());
      if (i % 3 == 0) stream.submit();
    }
    // Memory freed too early would be allocated again here and overwritten.
    const Buffer<uint32_t> junk = device.buffer<uint32_t>(count);
    other.fill(junk, 0xa5a5a5a5);
    other.submit();
    std::reverse(data.begin(), data.end());
    expected.push_back(std::move(data));
  }
  for (size_t i = 0; i < rounds; ++i) check_same(stream.download(results[i]), expected[i]);
}

DEVICE_TEST("buffers may be destroyed while copies and fills use them") {
  Stream stream = device.stream(), other = device.stream();
  constexpr size_t count = 50000;
  constexpr uint32_t rounds = 30;
  std::vector<Buffer<uint32_t>> results, later;
  LongWork work(device, 20ms);
  for (uint32_t i = 0; i < rounds; ++i) {
    if (i % 10 == 0) work.record(stream);
    results.push_back(device.buffer<uint32_t>(count));
    {
      const auto source = device.buffer<uint32_t>(count), target = device.buffer<uint32_t>(count);
      stream.fill(source, i);
      stream.copy(source, results.back());
      stream.copy(source, target);
      stream.fill(target, 0xa5a5a5a5u);
      if (i % 3 == 0) stream.submit();
    }
    // Memory freed too early would be allocated again here: one would overwrite what the other has written.
    later.push_back(device.buffer<uint32_t>(count));
    other.fill(later.back(), ~i);
    other.submit();
  }
  stream.synchronize();
  for (uint32_t i = 0; i < rounds; ++i) {
    check_same(stream.download(results[i]), std::vector<uint32_t>(count, i));
    check_same(other.download(later[i]), std::vector<uint32_t>(count, ~i));
  }
}

DEVICE_TEST("kernels may be destroyed while work uses them") {
  Stream stream = device.stream();
  const Buffer<uint32_t> data = device.buffer<uint32_t>(5000);
  std::vector<uint32_t> expected(5000, 3);
  stream.fill(data, 3u);
  LongWork work(device, 20ms);
  work.record(stream);
  for (uint32_t i = 0; i < 30; ++i) {
    const Kernel affine = device.kernel(kernels::affine());
    record_affine(stream, affine, data, 3, i);
    apply_affine(expected, 3, i);
    if (i % 4 == 0) stream.submit();
  }
  check_same(stream.download(data), expected);
}

DEVICE_TEST("a stream finishes its work before it is destroyed") {
  const Kernel affine = device.kernel(kernels::affine());
  const Buffer<uint32_t> data = device.buffer<uint32_t>(1000);
  LongWork work(device, 20ms);
  {
    Stream stream = device.stream();
    stream.fill(data, 7u);
    work.record(stream);
    stream.submit();
    record_affine(stream, affine, data, 2, 1);
  }
  Stream stream = device.stream();
  check_same(stream.download(data), std::vector<uint32_t>(1000, 15));
}

DEVICE_TEST("a stream may be destroyed empty, moved and replaced without a wait") {
  const Buffer<uint32_t> data = device.buffer<uint32_t>(10);
  {
    Stream unused = device.stream();
  }
  Stream first = device.stream();
  first.fill(data, 1u);
  Stream second = std::move(first);
  second.fill(data.part(0, 5), 2u);
  second.synchronize();
  Stream third = device.stream();
  third.fill(data.part(5, 5), 3u);
  third = std::move(second);  // destroys the old `third`, which finishes its work first
  third.fill(data.part(9, 1), 4u);
  check_same(third.download(data), {2, 2, 2, 2, 2, 3, 3, 3, 3, 4});
}

DEVICE_TEST("objects keep their device open") {
  std::optional<Device> own = open_device(selector_of(device));
  std::optional<Stream> stream = own->stream();
  Buffer<uint32_t> data = own->buffer<uint32_t>(100);
  std::optional<Kernel> affine = own->kernel(kernels::affine());
  own.reset();
  stream->fill(data, 3u);
  record_affine(*stream, *affine, data, 5, 1);
  affine.reset();
  check_same(stream->download(data), std::vector<uint32_t>(100, 16));
  const Event event = stream->record();
  stream.reset();
  data = Buffer<uint32_t>();
  event.wait();
  CHECK(event.done());
}

DEVICE_TEST("a device opens and closes repeatedly") {
  for (int i = 0; i < 20; ++i) {
    const Device own = open_device(selector_of(device));
    Stream stream = own.stream();
    const Buffer<uint32_t> data = own.buffer<uint32_t>(1000);
    stream.fill(data, uint32_t(i));
    check_same(stream.download(data), std::vector<uint32_t>(1000, uint32_t(i)));
  }
}

DEVICE_TEST("scratch memory stays unchanged for commands recorded before") {
  Stream stream = device.stream();
  const Kernel gather = device.kernel(kernels::gather());
  const Buffer<uint32_t> results = device.buffer<uint32_t>(40);
  std::vector<uint32_t> expected;
  for (uint32_t i = 0; i < 40; ++i) {
    // Sizes rise and fall, so that the stream's scratch buffer is replaced while older commands still use the old one.
    const Region scratch = stream.scratch((i % 7 + 1) * (i + 1) * 1000);
    CHECK_GE(scratch.bytes, (i % 7 + 1) * (i + 1) * 1000);
    CHECK_EQ(scratch.address() % 256, 0);
    const View<uint32_t> word(scratch.part(scratch.bytes / 8 * 4, 4));
    stream.fill(word, i + 5);
    record_gather(stream, gather, word, results.part(i, 1));
    expected.push_back(i + 5);
  }
  check_same(stream.download(results), expected);
  CHECK_EQ(stream.scratch(0).address() % 256, 0);
}

DEVICE_TEST("a stream keeps cached values until it is destroyed") {
  std::weak_ptr<int> watch;
  {
    Stream stream = device.stream();
    int made = 0;
    const auto make = [&] { return std::make_shared<int>(++made); };
    const std::shared_ptr<int> first = stream.cached<int>("a", make);
    watch = first;
    CHECK_EQ(*stream.cached<int>("a", make), 1);
    CHECK_EQ(*stream.cached<int>("b", make), 2);
    CHECK_EQ(made, 2);
  }
  CHECK(watch.expired());
}
