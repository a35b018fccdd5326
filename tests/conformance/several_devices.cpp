#include "tests/conformance/step.h"

using namespace weft;
using namespace weft::test;

/// Tests of all devices of the run at once. With one driver, one device is opened twice; CI runs these with two.

namespace {

std::vector<Device> several_devices() {
  std::vector<Device> devices;
  for (const TestedDevice& tested : tested_devices()) devices.push_back(tested.device);
  if (devices.size() == 1) devices.push_back(open_device(tested_devices()[0].selector));
  return devices;
}

}  // namespace

DEVICE_TEST("devices work at the same time, each with its own memory and kernels") {
  const std::vector<Device> devices = several_devices();
  on_threads(int(devices.size()) * 2, [&](int thread) {
    const Device& own = devices[size_t(thread) % devices.size()];
    Stream stream = own.stream();
    const Kernel affine = own.kernel(kernels::affine());
    std::vector<uint32_t> expected(5000, uint32_t(thread));
    const Buffer<uint32_t> data = own.buffer<uint32_t>(expected.size());
    stream.fill(data, uint32_t(thread));
    for (uint32_t i = 0; i < 50; ++i) {
      record_affine(stream, affine, data, 5, i);
      apply_affine(expected, 5, i);
      if (i % 10 == 9) check_same(stream.download(data), expected);
    }
  });
}

DEVICE_TEST("one thread interleaves work on several devices") {
  const std::vector<Device> devices = several_devices();
  std::vector<Stream> streams;
  std::vector<Buffer<uint32_t>> buffers;
  std::vector<Kernel> kernels;
  std::vector<std::vector<uint32_t>> expected;
  for (const Device& own : devices) {
    streams.push_back(own.stream());
    buffers.push_back(own.buffer<uint32_t>(3000));
    kernels.push_back(own.kernel(weft::test::kernels::affine()));
    streams.back().fill(buffers.back(), uint32_t(streams.size()));
    expected.emplace_back(3000, uint32_t(streams.size()));
  }
  for (uint32_t i = 0; i < 100; ++i) {
    const size_t d = i % devices.size();
    record_affine(streams[d], kernels[d], buffers[d], 3, i);
    apply_affine(expected[d], 3, i);
    if (i % 7 == 0) streams[d].submit();
  }
  for (size_t d = 0; d < devices.size(); ++d) check_same(streams[d].download(buffers[d]), expected[d]);
}

DEVICE_TEST("results move from one device to the other through the host") {
  const std::vector<Device> devices = several_devices();
  std::vector<uint32_t> data(2000, 1);
  std::vector<uint32_t> expected = data;
  for (uint32_t i = 0; i < 6; ++i) {
    const Device& own = devices[i % devices.size()];
    Stream stream = own.stream();
    const Buffer<uint32_t> memory = own.buffer<uint32_t>(data.size());
    stream.upload(memory, data);
    record_affine(stream, own.kernel(kernels::affine()), memory, 7, i);
    apply_affine(expected, 7, i);
    data = stream.download(memory);
  }
  check_same(data, expected);
}

DEVICE_TEST("an object of one device is refused by the other") {
  const std::vector<Device> devices = several_devices();
  Stream stream = devices[0].stream();
  const Buffer<uint32_t> foreign = devices[1].buffer<uint32_t>(10);
  check_error(ErrorCode::invalid_argument, {"device"}, [&] { stream.fill(foreign, 1u); });
  Stream other = devices[1].stream();
  check_error(ErrorCode::invalid_argument, {"device"}, [&] { stream.wait(other.record()); });
}
