#include <chrono>
#include <optional>

#include "tests/conformance/long_work.h"
#include "tests/conformance/step.h"

using namespace weft;
using namespace weft::test;
using namespace std::chrono_literals;

DEVICE_TEST("an event without work before it is done") {
  const Event nothing;
  CHECK(nothing.done());
  nothing.wait();
  nothing.wait(0ns);
  Stream stream = device.stream();
  stream.wait(nothing);
  const Event first = stream.record();
  first.wait();
  CHECK(first.done());
}

DEVICE_TEST("an event is done once the work before it is") {
  Stream stream = device.stream();
  const Kernel affine = device.kernel(kernels::affine());
  const Buffer<uint32_t> data = device.buffer<uint32_t>(1000);
  stream.fill(data, 1u);
  std::vector<uint32_t> expected(1000, 1);
  for (int i = 0; i < 50; ++i) {
    record_affine(stream, affine, data, 3, uint32_t(i));
    apply_affine(expected, 3, uint32_t(i));
    const Event event = stream.record();
    const Event copy = event;
    if (i % 2 == 0) {
      event.wait();
      CHECK(copy.done());
    }
  }
  check_same(stream.download(data), expected);
}

DEVICE_TEST("events order streams of one device") {
  Stream a = device.stream(), b = device.stream();
  const Kernel affine = device.kernel(kernels::affine());
  std::mt19937_64 generator = random_generator("ping-pong");
  std::vector<uint32_t> expected = random_values<uint32_t>(20000, generator);
  const Buffer<uint32_t> data = device.buffer<uint32_t>(expected.size());
  a.upload(data, expected);
  for (uint32_t i = 0; i < 100; ++i) {
    record_affine(a, affine, data, 5, i);
    b.wait(a.record());
    record_affine(b, affine, data, 7, i);
    a.wait(b.record());
    apply_affine(expected, 5, i);
    apply_affine(expected, 7, i);
  }
  check_same(a.download(data), expected);
}

DEVICE_TEST("a stream may wait for many streams, and many for one") {
  const Kernel affine = device.kernel(kernels::affine());
  constexpr size_t count = 8, part = 3000;
  const Buffer<uint32_t> data = device.buffer<uint32_t>(count * part);
  Stream first = device.stream();
  first.fill(data, 1u);
  const Event filled = first.record();
  std::vector<Stream> streams;
  Stream last = device.stream();
  std::vector<uint32_t> expected(count * part, 1);
  for (uint32_t s = 0; s < count; ++s) {
    streams.push_back(device.stream());
    streams[s].wait(filled);
    for (uint32_t i = 0; i < 10; ++i) record_affine(streams[s], affine, data.part(s * part, part), 3 + 2 * s, i);
    last.wait(streams[s].record());
    for (uint32_t i = 0; i < 10; ++i) {
      for (size_t k = 0; k < part; ++k) expected[s * part + k] = expected[s * part + k] * (3 + 2 * s) + i;
    }
  }
  record_affine(last, affine, data, 11, 13);
  apply_affine(expected, 11, 13);
  check_same(last.download(data), expected);
}

DEVICE_TEST("an event outlives its stream") {
  const Buffer<uint32_t> data = device.buffer<uint32_t>(100);
  std::optional<Stream> stream = device.stream();
  stream->fill(data, 4u);
  const Event event = stream->record();
  stream.reset();
  event.wait();
  CHECK(event.done());
  Stream other = device.stream();
  other.wait(event);
  check_same(other.download(data), std::vector<uint32_t>(100, 4));
}

DEVICE_TEST("waits that time out are errors, and a later wait succeeds") {
  Stream stream = device.stream();
  LongWork work(device, 400ms);
  work.record(stream);
  const Event event = stream.record();
  check_error(ErrorCode::timeout, {}, [&] { event.wait(1ms); });
  check_error(ErrorCode::timeout, {}, [&] { stream.synchronize(1ms); });
  check_error(ErrorCode::timeout, {}, [&] { work.download(stream, 1ms); });
  CHECK_FALSE(event.done());
  event.wait();
  CHECK(event.done());
  stream.synchronize();
  work.check(stream);
}

DEVICE_TEST("the device's time-out applies to every wait without its own") {
  DeviceOptions options = DeviceOptions::from_environment();
  options.timeout = 20ms;
  const Device impatient = open_device(selector_of(device), options);
  Stream stream = impatient.stream();
  LongWork work(impatient, 800ms);
  work.record(stream);
  const Event event = stream.record();
  check_error(ErrorCode::timeout, {}, [&] { event.wait(); });
  check_error(ErrorCode::timeout, {}, [&] { stream.synchronize(); });
  check_error(ErrorCode::timeout, {}, [&] { impatient.synchronize(); });
  check_error(ErrorCode::timeout, {}, [&] { work.download(stream); });
  event.wait(60s);
  work.check(stream);
}

DEVICE_TEST("synchronize waits for all streams of the device") {
  std::vector<Stream> streams;
  std::vector<Buffer<uint32_t>> buffers;
  std::vector<Event> events;
  const Kernel affine = device.kernel(kernels::affine());
  for (uint32_t s = 0; s < 4; ++s) {
    streams.push_back(device.stream());
    buffers.push_back(device.buffer<uint32_t>(10000));
    streams[s].fill(buffers[s], s);
    for (uint32_t i = 0; i < 20; ++i) record_affine(streams[s], affine, buffers[s], 3, i);
    events.push_back(streams[s].record());
  }
  device.synchronize();
  for (const Event& event : events) CHECK(event.done());
}

DEVICE_TEST("an event of another device is an error") {
  const Device other = open_device(selector_of(device));
  Stream stream = device.stream(), foreign = other.stream();
  check_error(ErrorCode::invalid_argument, {"device"}, [&] { stream.wait(foreign.record()); });
}
