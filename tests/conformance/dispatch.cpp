#include "tests/conformance/step.h"

using namespace weft;
using namespace weft::test;

namespace {

struct VisitBlock {
  Pointer<uint32_t> visits, errors;
};

void check_visits(const Device& device, Stream& stream, std::array<uint32_t, 3> size, Groups groups) {
  INFO("workgroup ", size[0], "x", size[1], "x", size[2], ", groups ", groups.x, "x", groups.y, "x", groups.z);
  const Kernel visit = device.kernel(
      kernels::visit(), KernelOptions().specialize(0, size[0]).specialize(1, size[1]).specialize(2, size[2]));
  CHECK((visit.workgroup_size() == size));
  const uint64_t count = uint64_t(groups.x) * groups.y * groups.z * size[0] * size[1] * size[2];
  const Buffer<uint32_t> visits = device.buffer<uint32_t>(count + 1), errors = device.buffer<uint32_t>(1);
  stream.fill(visits, 0u);
  stream.fill(errors, 0u);
  stream.dispatch(visit, groups, VisitBlock{visits.pointer(), errors.pointer()});
  std::vector<uint32_t> expected(count, 1);
  expected.push_back(0);
  check_same(stream.download(visits), expected, "visits");
  check_same(stream.download(errors), {0}, "invocations that are elsewhere than they say");
}

uint32_t largest_count(const Device& device, int dimension) {
  return device.info().limits.max_workgroup_count[size_t(dimension)];
}

}  // namespace

DEVICE_TEST("every invocation of a dispatch runs once, in three dimensions") {
  Stream stream = device.stream();
  check_visits(device, stream, {1, 1, 1}, {1, 1, 1});
  check_visits(device, stream, {64, 1, 1}, {100, 1, 1});
  check_visits(device, stream, {8, 4, 2}, {3, 5, 7});
  check_visits(device, stream, {1, 1, 64}, {2, 3, 4});
  check_visits(device, stream, {7, 5, 3}, {11, 1, 2});
  check_visits(device, stream, {1, 128, 1}, {2, 2, 2});
}

DEVICE_TEST("workgroups may be as large as the device's limits") {
  Stream stream = device.stream();
  const DeviceLimits& limits = device.info().limits;
  check_visits(device, stream, {limits.max_workgroup_invocations, 1, 1}, {3, 1, 1});
  check_visits(device, stream, {1, std::min(limits.max_workgroup_size[1], limits.max_workgroup_invocations), 1},
               {2, 1, 1});
  check_visits(device, stream, {1, 1, std::min(limits.max_workgroup_size[2], limits.max_workgroup_invocations)},
               {2, 1, 1});
  check_visits(device, stream, {1, 1, 1}, {std::min(largest_count(device, 0), 1u << 20), 1, 1});
  check_visits(device, stream, {1, 1, 1}, {1, largest_count(device, 1), 1});
  check_visits(device, stream, {1, 1, 1}, {1, 1, largest_count(device, 2)});
}

DEVICE_TEST("a dispatch of no workgroups does nothing") {
  Stream stream = device.stream();
  const Kernel affine = device.kernel(kernels::affine());
  const Buffer<uint32_t> data = device.buffer<uint32_t>(64);
  stream.fill(data, 5u);
  const AffineBlock block{data.pointer(), 64, 2, 1};
  stream.dispatch(affine, {0, 1, 1}, block);
  stream.dispatch(affine, {1, 0, 1}, block);
  stream.dispatch(affine, {1, 1, 0}, block);
  check_same(stream.download(data), std::vector<uint32_t>(64, 5));
}

DEVICE_TEST("more workgroups than the device can start are an error with the limit of the dimension") {
  Stream stream = device.stream();
  const Kernel affine = device.kernel(kernels::affine());
  const Buffer<uint32_t> data = device.buffer<uint32_t>(64);
  const AffineBlock block{data.pointer(), 0, 2, 1};
  bool tested = false;
  for (int dimension = 0; dimension < 3; ++dimension) {
    const uint32_t limit = largest_count(device, dimension);
    if (limit == ~0u) continue;
    tested = true;
    Groups groups;
    (dimension == 0 ? groups.x : dimension == 1 ? groups.y : groups.z) = limit + 1;
    check_error(ErrorCode::invalid_argument, {"groups", std::to_string(limit)},
                [&] { stream.dispatch(affine, groups, block); });
  }
  if (!tested) unsupported("takes any number of workgroups");
}

DEVICE_TEST("a workgroup larger than the device's limits is an error with the limit") {
  const DeviceLimits& limits = device.info().limits;
  const uint32_t most = limits.max_workgroup_invocations;
  check_error(ErrorCode::unsupported, {"workgroup", std::to_string(most)},
              [&] { device.kernel(kernels::visit(), KernelOptions().specialize(0, most).specialize(1, 2u)); });
  check_error(ErrorCode::unsupported, {"workgroup", std::to_string(limits.max_workgroup_size[2])}, [&] {
    device.kernel(kernels::visit(), KernelOptions().specialize(2, limits.max_workgroup_size[2] + 1));
  });
}

DEVICE_TEST("indirect dispatches read their counts from device memory") {
  Stream stream = device.stream();
  const Kernel affine = device.kernel(kernels::affine());
  const Kernel write_groups = device.kernel(kernels::groups());
  const Buffer<uint32_t> groups = device.buffer<uint32_t>(7);
  const Buffer<uint32_t> data = device.buffer<uint32_t>(64 * 20);
  stream.fill(groups, 0u);
  stream.fill(data, 1u);
  // A kernel writes the counts, at an offset, and the next command reads them.
  stream.dispatch(write_groups, {}, GroupsBlock{groups.part(3, 3).pointer(), 13, 1, 1});
  stream.dispatch_indirect(affine, groups.part(3, 3), AffineBlock{data.pointer(), 64 * 20, 10, 7});
  // No groups: nothing happens.
  stream.dispatch_indirect(affine, groups.part(0, 3), AffineBlock{data.pointer(), 64 * 20, 10, 7});
  // The host uploads the counts.
  stream.upload(groups, std::vector<uint32_t>{2, 1, 1});
  stream.dispatch_indirect(affine, groups.view(), AffineBlock{data.pointer(), 64 * 20, 10, 7});
  std::vector<uint32_t> expected(64 * 20, 1);
  std::fill_n(expected.begin(), 64 * 13, 17);
  std::fill_n(expected.begin(), 64 * 2, 177);
  check_same(stream.download(data), expected);
}

DEVICE_TEST("indirect dispatches whose counts cannot be read are errors") {
  Stream stream = device.stream();
  const Kernel affine = device.kernel(kernels::affine());
  const Buffer<uint32_t> data = device.buffer<uint32_t>(64);
  const AffineBlock block{data.pointer(), 64, 2, 1};
  check_error(ErrorCode::invalid_argument, {"group counts", "2"},
              [&] { stream.dispatch_indirect(affine, data.part(0, 2), block); });
  const View<uint8_t> bytes = data.view().as<uint8_t>();
  check_error(ErrorCode::invalid_argument, {"group counts", "4"},
              [&] { stream.dispatch_indirect(affine, View<const uint32_t>(bytes.part(2, 12).region()), block); });
}

DEVICE_TEST("atomic operations of all workgroups add up") {
  Stream stream = device.stream();
  const Kernel count = device.kernel_from_glsl(R"(#version 460
    #extension GL_EXT_buffer_reference : require
    layout(local_size_x = 64) in;
    layout(buffer_reference, std430, buffer_reference_align = 4) buffer Counters { uint sum, smallest, largest, bits; };
    layout(push_constant) uniform Push { Counters counters; } push;
    void main() {
      uint i = gl_GlobalInvocationID.x;
      atomicAdd(push.counters.sum, i);
      atomicMin(push.counters.smallest, i + 3);
      atomicMax(push.counters.largest, i);
      atomicOr(push.counters.bits, 1u << (i % 32));
    })");
  const Buffer<uint32_t> counters = device.buffer<uint32_t>(4);
  stream.upload(counters, std::vector<uint32_t>{0, ~0u, 0, 0});
  const uint32_t invocations = 64 * 1000;
  stream.dispatch(count, {1000, 1, 1}, counters.pointer());
  check_same(stream.download(counters), {invocations / 2 * (invocations - 1), 3, invocations - 1, ~0u});
}
