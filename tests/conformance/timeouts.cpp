#include <chrono>
#include <functional>
#include <optional>
#include <vector>

#include "tests/conformance/long_work.h"

using namespace weft;
using namespace weft::test;
using namespace std::chrono_literals;

DEVICE_TEST("a kernel that outlasts the time-out is an error, and work goes on when it ends") {
  DeviceOptions options = DeviceOptions::from_environment();
  options.timeout = 250ms;  // long enough for a download on a busy machine
  const Device impatient = open_device(selector_of(device), options);
  LongWork work(impatient, 500ms);
  const Kernel affine = impatient.kernel(kernels::affine());
  const Buffer<uint32_t> data = impatient.buffer<uint32_t>(1000);
  Stream stream = impatient.stream();
  stream.fill(data, 5u);
  work.record(stream);
  record_affine(stream, affine, data, 2, 1);
  const Error error = check_error(ErrorCode::timeout, {}, [&] { stream.synchronize(); });
  CHECK(std::string(error.what()).find("0.25") != std::string::npos);
  for (const char* const kernel : {"spin", "affine"}) {
    CHECK(std::string(error.what()).find(std::string("'") + kernel + "'") != std::string::npos);
  }
  // Recording and submitting work while the kernel still runs.
  record_affine(stream, affine, data, 2, 1);
  stream.submit();
  stream.synchronize(60s);
  work.check(stream);
  check_same(stream.download(data), std::vector<uint32_t>(1000, 23));
}

DEVICE_TEST("the longest of time-outs waits until the work is done") {
  DeviceOptions options = DeviceOptions::from_environment();
  options.timeout = std::chrono::nanoseconds::max();
  const Device patient = open_device(selector_of(device), options);
  LongWork work(patient, 30ms);
  Stream stream = patient.stream();
  for (const auto& wait : std::vector<std::function<void()>>{
           [&] { stream.synchronize(); },
           [&] { stream.synchronize(std::chrono::nanoseconds::max()); },
           [&] { stream.record().wait(std::chrono::nanoseconds::max()); },
           [&] { patient.synchronize(); },
       }) {
    work.record(stream);
    stream.submit();
    wait();
  }
  work.check(stream);
}

DEVICE_TEST("other devices work while one is past its time-out") {
  DeviceOptions options = DeviceOptions::from_environment();
  options.timeout = 250ms;
  const Device impatient = open_device(selector_of(device), options);
  LongWork work(impatient, 500ms);
  Stream stuck = impatient.stream();
  work.record(stuck);
  check_error(ErrorCode::timeout, {}, [&] { stuck.synchronize(); });
  Stream stream = device.stream();
  const Buffer<uint32_t> data = device.buffer<uint32_t>(1000);
  stream.fill(data, 8u);
  check_same(stream.download(data), std::vector<uint32_t>(1000, 8));
  stuck.synchronize(60s);
  work.check(stuck);
}

DEVICE_TEST("a time-out passes only once: then the stream closes at once") {
  DeviceOptions options = DeviceOptions::from_environment();
  options.timeout = 300ms;
  const Device impatient = open_device(selector_of(device), options);
  LongWork work(impatient, 500ms);
  std::optional<Stream> stream = impatient.stream();
  const auto seconds_of = [](const std::function<void()>& action) {
    const auto start = std::chrono::steady_clock::now();
    action();
    return std::chrono::steady_clock::now() - start;
  };
  work.record(*stream);
  const Event event = stream->record();
  CHECK(seconds_of([&] { check_error(ErrorCode::timeout, {}, [&] { stream->synchronize(); }); }) >= 290ms);
  CHECK(seconds_of([&] { stream.reset(); }) < 200ms);
  event.wait(60s);
  // A successful wait restarts the time-out, and so does a wait shorter than the time-out.
  stream = impatient.stream();
  work.record(*stream);
  check_error(ErrorCode::timeout, {}, [&] { stream->record().wait(10ms); });
  CHECK(seconds_of([&] { stream.reset(); }) >= 250ms);
  const auto deadline = std::chrono::steady_clock::now() + 60s;
  for (bool done = false; !done;) {
    REQUIRE(std::chrono::steady_clock::now() < deadline);
    try {
      impatient.synchronize();
      done = true;
    } catch (const Error& error) {
      REQUIRE(error.code() == ErrorCode::timeout);
    }
  }
}

DEVICE_TEST("a stream may be destroyed past its time-out, and its memory stays until the work is done") {
  DeviceOptions options = DeviceOptions::from_environment();
  options.timeout = 20ms;
  const Device impatient = open_device(selector_of(device), options);
  LongWork work(impatient, 300ms);
  const Buffer<uint32_t> result = impatient.buffer<uint32_t>(64);
  const Kernel gather = impatient.kernel(kernels::gather());
  {
    const Buffer<uint32_t> source = impatient.buffer<uint32_t>(64);
    Stream stream = impatient.stream();
    stream.fill(source, 9u);
    work.record(stream);
    record_gather(stream, gather, source, result);
  }
  Stream stream = impatient.stream();
  const Buffer<uint32_t> junk = impatient.buffer<uint32_t>(64);
  stream.fill(junk, 0xa5a5a5a5u);
  patiently([&] { impatient.synchronize(); });  // The destroyed stream's work; only the device can wait for it now.
  check_same(patiently([&] { return stream.download(result); }), std::vector<uint32_t>(64, 9));
}
