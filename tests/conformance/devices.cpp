#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

DEVICE_TEST("list_devices() shows the device, and its selector opens it") {
  bool found = false;
  for (const BackendInfo& backend : list_devices()) {
    CHECK_EQ(backend.devices.empty(), !backend.reason.empty());
    for (const DeviceInfo& info : backend.devices) {
      CHECK_EQ(info.backend, backend.name);
      CHECK((info.selector == backend.name || info.selector.rfind(backend.name + ":", 0) == 0));
      // An opened device's selector may also have settings.
      found = found || device.info().selector.rfind(info.selector, 0) == 0;
    }
  }
  CHECK(found);
  CHECK_EQ(open_device(device.info().selector).info().name, device.info().name);
  CHECK(device.info().refusal.empty());
}

DEVICE_TEST("a part of the name opens the device, whatever its case") {
  const DeviceInfo& info = device.info();
  std::string upper = info.name, lower = info.name;
  for (char& c : upper) c = char(std::toupper(c));
  for (char& c : lower) c = char(std::tolower(c));
  CHECK_EQ(open_device(info.backend + ":" + upper).info().name, info.name);
  CHECK_EQ(open_device(info.backend + ":" + lower.substr(0, lower.size() / 2)).info().backend, info.backend);
  CHECK_EQ(open_device(info.backend).info().backend, info.backend);
  CHECK(open_device().info().refusal.empty());
}

DEVICE_TEST("choose_device() says which device open_device() takes, and why") {
  const DeviceChoice named = choose_device(selector_of(device));
  CHECK_EQ(named.device.selector, device.info().selector);
  CHECK_NE(named.reason, "");
  const DeviceChoice best = choose_device();
  CHECK_EQ(best.device.selector, open_device().info().selector);
  CHECK_NE(best.reason, "");
  check_error(ErrorCode::invalid_argument, {"quantum"}, [] { choose_device("quantum"); });
}

DEVICE_TEST("a name that no device has is an error that lists the devices") {
  const DeviceInfo& info = device.info();
  const std::vector<std::string> words{info.backend, info.name};
  const auto check = [&](const std::string& selector) {
    std::vector<std::string> all = words;
    all.push_back(selector);
    check_error(ErrorCode::invalid_argument, all, [&] { open_device(selector); });
  };
  check(info.backend + ":no such device");
  check(info.backend + ":99");
  check("quantum");
  check("quantum:0");
  check(info.backend + ":-1");
  check(info.backend + ":4294967296");
  check(info.backend + "x");
}

DEVICE_TEST("a device's limits make sense") {
  const DeviceInfo& info = device.info();
  const DeviceLimits& limits = info.limits;
  CHECK_FALSE(info.name.empty());
  CHECK_FALSE(info.driver.empty());
  CHECK_FALSE(info.api.empty());
  CHECK_GT(limits.memory_bytes, 0);
  CHECK_GT(limits.max_buffer_bytes, 0);
  CHECK_EQ(limits.subgroup_size & (limits.subgroup_size - 1), 0);
  CHECK_GE(limits.subgroup_size, limits.min_subgroup_size);
  CHECK_LE(limits.subgroup_size, limits.max_subgroup_size);
  CHECK_GE(limits.max_workgroup_invocations, 128);
  CHECK_GE(limits.workgroup_memory_bytes, 16384);
  CHECK_GE(limits.push_constant_bytes, 128);
  for (int i = 0; i < 3; ++i) {
    CHECK_GE(limits.max_workgroup_size[size_t(i)], 64);
    CHECK_GE(limits.max_workgroup_count[size_t(i)], 65535);
  }
  CHECK(info.subgroup_operations.contains(SubgroupOperation::basic));
  CHECK(info.capabilities.contains(1));  // Shader
  CHECK_EQ(info.capabilities.contains(11), info.features.int64);
  CHECK_EQ(info.capabilities.contains(10), info.features.float64);
  CHECK_EQ(info.capabilities.contains(9), info.features.float16);
}

DEVICE_TEST("a device has the traits that defaults are chosen by") {
  const DeviceInfo& info = device.info();
  const DeviceLimits& limits = info.limits;
  if (limits.multiprocessor_memory_bytes > 0)
    CHECK_GE(limits.multiprocessor_memory_bytes, limits.workgroup_memory_bytes);
  if (info.backend == "cuda") {
    CHECK((info.vendor == DeviceVendor::nvidia));
    CHECK(info.architecture.starts_with("sm_"));
    CHECK(info.features.bounded_registers);
    CHECK_GT(limits.multiprocessor_memory_bytes, 0);
  } else {
    CHECK_FALSE(info.features.bounded_registers);  // Kernels ignore workgroups_per_multiprocessor.
  }
  if (info.backend == "hip") {
    CHECK((info.vendor == DeviceVendor::amd));
    CHECK_FALSE(info.architecture.empty());
  }
  if (info.kind == DeviceKind::cpu && info.backend != "cuda") CHECK((info.vendor == DeviceVendor::other));
}

DEVICE_TEST("one device opened twice is two devices that work side by side") {
  const Device a = open_device(selector_of(device)), b = open_device(selector_of(device));
  Stream on_a = a.stream(), on_b = b.stream();
  const Buffer<uint32_t> in_a = a.buffer<uint32_t>(1000), in_b = b.buffer<uint32_t>(1000);
  for (uint32_t i = 0; i < 20; ++i) {
    on_a.fill(in_a, i);
    on_b.fill(in_b, i + 100);
    check_same(on_b.download(in_b), std::vector<uint32_t>(1000, i + 100));
    check_same(on_a.download(in_a), std::vector<uint32_t>(1000, i));
  }
}

DEVICE_TEST("copies of a device are the same device") {
  const Device copy = device;
  Stream stream = copy.stream();
  const Buffer<uint32_t> data = device.buffer<uint32_t>(10);
  stream.fill(data, 1u);
  CHECK_EQ(&copy.impl(), &device.impl());
  CHECK_EQ(&stream.device().impl(), &device.impl());
  check_same(stream.download(data), std::vector<uint32_t>(10, 1));
}
