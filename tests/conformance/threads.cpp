#include <atomic>

#include "tests/conformance/step.h"

using namespace weft;
using namespace weft::test;

/// Tests the headers' promises about threads: devices, kernels, events and reading buffers are thread-safe; a stream or
/// recorder is used by one thread at a time. The tests look for lost work and crashes; run them under ThreadSanitizer
/// or with many threads.

DEVICE_TEST("many threads use streams of one device") {
  const Kernel affine = device.kernel(kernels::affine());
  on_threads(12, [&](int thread) {
    Stream stream = device.stream();
    std::mt19937_64 generator = random_generator("thread " + std::to_string(thread));
    std::vector<uint32_t> expected = random_values<uint32_t>(2000 + size_t(thread), generator);
    const Buffer<uint32_t> data = device.buffer<uint32_t>(expected.size());
    stream.upload(data, expected);
    for (uint32_t i = 0; i < 60; ++i) {
      record_affine(stream, affine, data, 3, i);
      apply_affine(expected, 3, i);
      if (i % 10 == 0) stream.submit();
      if (i % 25 == 0) check_same(stream.download(data), expected);
    }
    check_same(stream.download(data), expected);
  });
}

DEVICE_TEST("streams are created and destroyed on many threads") {
  on_threads(8, [&](int thread) {
    const Buffer<uint32_t> data = device.buffer<uint32_t>(100);
    for (uint32_t i = 0; i < 15; ++i) {
      {
        device.stream().fill(data, i * 10 + uint32_t(thread));
      }
      Stream stream = device.stream();
      check_same(stream.download(data), std::vector<uint32_t>(100, i * 10 + uint32_t(thread)));
    }
  });
}

DEVICE_TEST("a stream may move between threads") {
  Stream stream = device.stream();
  const Kernel affine = device.kernel(kernels::affine());
  const Buffer<uint32_t> data = device.buffer<uint32_t>(1000);
  stream.fill(data, 1u);
  std::vector<uint32_t> expected(1000, 1);
  for (uint32_t i = 0; i < 10; ++i) {
    on_threads(1, [&](int) { record_affine(stream, affine, data, 3, i); });
    apply_affine(expected, 3, i);
  }
  check_same(stream.download(data), expected);
}

DEVICE_TEST("kernels are compiled on many threads at once") {
  const std::string source = R"(#version 460
    layout(local_size_x = 1) in;
    layout(constant_id = 0) const uint value = 0;
    layout(set = 0, binding = 0, std430) buffer target_block { uint v[]; } target;
    void main() { target.v[0] = value * 3; })";
  on_threads(8, [&](int thread) {
    Stream stream = device.stream();
    const Buffer<uint32_t> target = device.buffer<uint32_t>(1);
    for (uint32_t i = 0; i < 6; ++i) {
      const uint32_t value = i % 2 == 0 ? i : i * 100 + uint32_t(thread);  // some equal on all threads, some not
      const Kernel kernel = device.kernel_from_glsl(source, KernelOptions().specialize(0, value));
      stream.dispatch(kernel, {}, Arguments().bind(0, 0, target));
      CHECK_EQ(stream.download(target).at(0), value * 3);
    }
  });
}

DEVICE_TEST("buffers are created and destroyed on many threads") {
  on_threads(8, [&](int thread) {
    Stream stream = device.stream();
    std::mt19937_64 generator = random_generator("allocations " + std::to_string(thread));
    for (int i = 0; i < 40; ++i) {
      const uint64_t count = generator() % 5000;
      const uint32_t value = uint32_t(generator());
      const Buffer<uint32_t> data = device.buffer<uint32_t>(count);
      stream.fill(data, value);
      if (i % 5 == 0) check_same(stream.download(data), std::vector<uint32_t>(count, value));
    }
  });
}

DEVICE_TEST("many threads wait for one event") {
  Stream stream = device.stream();
  const Kernel affine = device.kernel(kernels::affine());
  const Buffer<uint32_t> data = device.buffer<uint32_t>(20000);
  stream.fill(data, 1u);
  std::vector<uint32_t> expected(20000, 1);
  for (uint32_t i = 0; i < 100; ++i) {
    record_affine(stream, affine, data, 3, i);
    apply_affine(expected, 3, i);
  }
  const Event event = stream.record();
  on_threads(8, [&](int thread) {
    Stream own = device.stream();
    if (thread % 2 == 0) {
      event.wait();
      CHECK(event.done());
    } else {
      own.wait(event);
    }
    check_same(own.download(data), expected);
  });
}

DEVICE_TEST("synchronize and listing devices work while others submit") {
  const Kernel affine = device.kernel(kernels::affine());
  std::atomic<bool> stop = false;
  std::atomic<int> rounds = 0;
  on_threads(4, [&](int thread) {
    if (thread == 0) {
      for (int i = 0; i < 20; ++i) device.synchronize();
      CHECK_FALSE(list_devices().empty());
      while (rounds < 30) std::this_thread::yield();
      stop = true;
      return;
    }
    Stream stream = device.stream();
    const Buffer<uint32_t> data = device.buffer<uint32_t>(500);
    std::vector<uint32_t> expected(500, 1);
    stream.fill(data, 1u);
    for (uint32_t i = 0; !stop && i < 2000; ++i) {
      record_affine(stream, affine, data, 3, i);
      apply_affine(expected, 3, i);
      stream.submit();
      ++rounds;
    }
    check_same(stream.download(data), expected);
  });
}

DEVICE_TEST("a device is opened on many threads at once") {
  on_threads(6, [&](int thread) {
    const Device own = open_device(selector_of(device));
    Stream stream = own.stream();
    const Buffer<uint32_t> data = own.buffer<uint32_t>(100);
    stream.fill(data, uint32_t(thread));
    check_same(stream.download(data), std::vector<uint32_t>(100, uint32_t(thread)));
  });
}
