#include <chrono>

#include "tests/conformance/step.h"

using namespace weft;
using namespace weft::test;
using namespace std::chrono_literals;

/// A kernel that never ends. In a separate program, because the process loses its device for good.

DEVICE_TEST("an endless kernel is an error, and the process and the other devices survive") {
  DeviceOptions options = DeviceOptions::from_environment();
  options.timeout = 500ms;
  const Buffer<uint32_t> before = device.buffer<uint32_t>(100);
  for (const Spirv& endless : {kernels::endless(), kernels::idle()}) {
    INFO("kernel: ", endless.name);
    const Device doomed = open_device(selector_of(device), options);
    Stream stream = doomed.stream();
    const Buffer<uint32_t> flag = doomed.buffer<uint32_t>(1);
    stream.fill(flag, 0u);
    stream.dispatch(doomed.kernel(endless), {}, flag.pointer());
    const Event event = stream.record();
    const auto start = std::chrono::steady_clock::now();
    // A driver with a watchdog reports a lost device; otherwise the wait ends with its time-out.
    try {
      stream.synchronize();
      FAIL_CHECK("an endless kernel ended");
    } catch (const Error& error) {
      INFO(error.what());
      CHECK((error.code() == ErrorCode::timeout || error.code() == ErrorCode::device_lost));
    }
    CHECK(std::chrono::steady_clock::now() - start < 20s);
    std::vector<uint32_t> word(1, 0xa5a5a5a5);
    CHECK_THROWS_AS(stream.download(flag, std::span(word)), const Error&);
    CHECK_THROWS_AS(event.wait(100ms), const Error&);
    CHECK_THROWS_AS(doomed.synchronize(), const Error&);
  }
  // The devices of all other drivers still work. (The same driver may serve all its devices with the threads that are
  // now stuck.)
  for (const TestedDevice& other : tested_devices()) {
    if (other.device.info().driver == device.info().driver) continue;
    const Device own = open_device(other.selector);
    Stream stream = own.stream();
    const Buffer<uint32_t> data = own.buffer<uint32_t>(1000);
    stream.fill(data, 3u);
    record_affine(stream, own.kernel(kernels::affine()), data, 5, 2);
    check_same(stream.download(data), std::vector<uint32_t>(1000, 17));
  }
}
