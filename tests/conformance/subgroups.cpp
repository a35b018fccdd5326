#include "tests/conformance/step.h"
#include "tests/conformance/subgroup_layout.h"

using namespace weft;
using namespace weft::test;

DEVICE_TEST("invocations fill subgroups of the device's size, each lane once") {
  const uint32_t size = device.info().limits.subgroup_size;
  CHECK_LE(device.info().limits.min_subgroup_size, size);
  CHECK_GE(device.info().limits.max_subgroup_size, size);
  Stream stream = device.stream();
  for (const uint32_t workgroup : {1u, 3u, size - 1, size, size + 1, 2 * size, 100u, 128u}) {
    if (workgroup == 0) continue;
    INFO("workgroup of ", workgroup);
    const SubgroupLayout layout = read_subgroup_layout(device, stream, workgroup, {});
    for (uint32_t i = 0; i < workgroup; ++i) CHECK_EQ(layout.sizes[i], size);
    layout.check_lanes();
  }
}

DEVICE_TEST("a kernel gets the subgroup size that it requires") {
  const DeviceLimits& limits = device.info().limits;
  if (!device.info().features.subgroup_size_control) unsupported("no control of the subgroup size");
  Stream stream = device.stream();
  for (uint32_t size = limits.min_subgroup_size; size <= limits.max_subgroup_size; size *= 2) {
    INFO("subgroup size ", size);
    KernelOptions options;
    options.subgroup_size = size;
    const SubgroupLayout layout = read_subgroup_layout(device, stream, std::max(size, 64u), options);
    for (const uint32_t found : layout.sizes) CHECK_EQ(found, size);
    layout.check_lanes();
  }
}

DEVICE_TEST("a subgroup size that the device lacks is unsupported, with those that it has") {
  const DeviceLimits& limits = device.info().limits;
  KernelOptions options;
  const std::string most = std::to_string(limits.max_subgroup_size);
  for (const uint32_t size : {limits.max_subgroup_size * 2, 3u, limits.min_subgroup_size / 2}) {
    if (size == 0) continue;
    options.subgroup_size = size;
    check_error(ErrorCode::unsupported, {"subgroup", std::to_string(size), most},
                [&] { device.kernel(subgroup_layout_module(), options); });
  }
}

DEVICE_TEST("a device without control of the subgroup size accepts its own") {
  if (device.info().features.subgroup_size_control) unsupported("has control of the subgroup size");
  KernelOptions options;
  options.subgroup_size = device.info().limits.subgroup_size;
  Stream stream = device.stream();
  read_subgroup_layout(device, stream, 64, options).check_lanes();
}

DEVICE_TEST("every subgroup but the last is full") {
  if (!device.info().features.subgroup_size_control) unsupported("no control over full subgroups");
  const uint32_t size = device.info().limits.subgroup_size;
  Stream stream = device.stream();
  for (const uint32_t workgroup : {size * 2, size * 3 + 1, 128u, 100u}) {
    INFO("workgroup of ", workgroup);
    KernelOptions options;
    options.subgroup_size = size;
    const SubgroupLayout layout = read_subgroup_layout(device, stream, workgroup, options);
    CHECK_EQ(layout.count(), (workgroup + size - 1) / size);
    for (uint32_t subgroup = 0; subgroup + 1 < layout.count(); ++subgroup) {
      CHECK_EQ(layout.members(subgroup).size(), size);
    }
  }
}
