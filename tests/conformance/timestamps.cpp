#include <chrono>

#include "tests/conformance/long_work.h"

using namespace weft;
using namespace weft::test;
using namespace std::chrono_literals;

namespace {

void need_timestamps(const Device& device) {
  if (device.info().limits.timestamp_period_ns == 0) unsupported("no timestamps");
}

}  // namespace

DEVICE_TEST("timestamps never decrease, within a stream and after another's event") {
  need_timestamps(device);
  Stream a = device.stream(), b = device.stream();
  const Kernel affine = device.kernel(kernels::affine());
  const Buffer<uint32_t> data = device.buffer<uint32_t>(10000);
  a.fill(data, 1u);
  std::vector<Timestamp> stamps;
  for (uint32_t i = 0; i < 300; ++i) {
    record_affine(a, affine, data, 3, i);
    stamps.push_back(a.timestamp());
    if (i % 100 == 50) {
      b.wait(a.record());
      stamps.push_back(b.timestamp());
      a.wait(b.record());
    }
  }
  a.synchronize();
  for (size_t i = 1; i < stamps.size(); ++i) {
    INFO("timestamp ", i);
    CHECK_GE(stamps[i].seconds_since(stamps[i - 1]), 0.0);
  }
  CHECK_EQ(stamps[7].seconds_since(stamps[7]), 0.0);
  CHECK_LE(stamps.front().seconds_since(stamps.back()), 0.0);
}

DEVICE_TEST("a span between timestamps is the time that the work takes") {
  need_timestamps(device);
  using clock = std::chrono::steady_clock;
  Stream stream = device.stream();
  LongWork work(device, 100ms);
  stream.synchronize();
  const clock::time_point host_start = clock::now();
  const Timestamp start = stream.timestamp();
  work.record(stream);
  const Timestamp end = stream.timestamp();
  stream.synchronize();
  const double host = std::chrono::duration<double>(clock::now() - host_start).count();
  const double span = end.seconds_since(start);
  CHECK_LE(span, host * 1.05 + 0.001);
  // Generous, because the host may be busy.
  CHECK_GE(span, 0.02);
  work.check(stream);
}

DEVICE_TEST("a timestamp that was not reached yet, or belongs to another device, is an error") {
  need_timestamps(device);
  Stream stream = device.stream();
  const Timestamp start = stream.timestamp();
  LongWork work(device, 200ms);
  work.record(stream);
  const Timestamp end = stream.timestamp();
  check_error(ErrorCode::invalid_argument, {}, [&] { end.seconds_since(start); });
  stream.submit();
  check_error(ErrorCode::invalid_argument, {}, [&] { end.seconds_since(start); });
  stream.synchronize();
  CHECK_GT(end.seconds_since(start), 0.0);

  const Device other = open_device(selector_of(device));
  Stream foreign = other.stream();
  const Timestamp elsewhere = foreign.timestamp();
  foreign.synchronize();
  check_error(ErrorCode::invalid_argument, {"device"}, [&] { end.seconds_since(elsewhere); });
}

DEVICE_TEST("timestamps outlive their stream, and there may be thousands of them") {
  need_timestamps(device);
  std::vector<Timestamp> stamps;
  {
    Stream stream = device.stream();
    for (int i = 0; i < 5000; ++i) {
      stamps.push_back(stream.timestamp());
      if (i % 1000 == 999) stream.synchronize();
    }
    stream.synchronize();
  }
  for (size_t i = 1; i < stamps.size(); ++i) {
    if (stamps[i].seconds_since(stamps[i - 1]) < 0) FAIL("timestamp " << i << " is before the one recorded before it");
  }
  CHECK_GE(stamps.back().seconds_since(stamps.front()), 0.0);
}
