#include "tests/conformance/step.h"

using namespace weft;
using namespace weft::test;

/// Sizes that do not fit in 32 bits.

namespace {

constexpr uint64_t gib = uint64_t(1) << 30;

void need_memory(const Device& device, uint64_t bytes) {
  const DeviceInfo& info = device.info();
  // A CPU device shares the host's memory with the other tests that run there.
  if (info.kind == DeviceKind::cpu) unsupported("a CPU device, whose memory is the host's");
  if (info.limits.memory_bytes < 16 * gib) unsupported("less than 16 GiB of device memory");
  if (info.limits.max_buffer_bytes < bytes) {
    unsupported("buffers of at most " + std::to_string(info.limits.max_buffer_bytes) + " bytes");
  }
}

}  // namespace

DEVICE_TEST("buffers above 4 GiB are filled, copied and transferred completely") {
  need_memory(device, 5 * gib);
  Stream stream = device.stream();
  const uint64_t count = 5 * gib / 4 + 3;
  const Buffer<uint32_t> a = device.buffer<uint32_t>(count), b = device.buffer<uint32_t>(count);
  stream.fill(a, 0x11111111u);
  stream.fill(a.part(count - 5, 5), 0x22222222u);
  stream.fill(b, 0xa5a5a5a5u);
  stream.copy(a, b);
  check_same(stream.download(b.part(count - 7, 7)),
             {0x11111111, 0x11111111, 0x22222222, 0x22222222, 0x22222222, 0x22222222, 0x22222222});
  check_same(stream.download(b.part(gib - 2, 4)), std::vector<uint32_t>(4, 0x11111111));
  // From and to offsets one byte past a word: the source's 0x11111111 and 0x22222222 meet inside a word.
  stream.fill(b, 0xa5a5a5a5u);
  stream.copy<uint8_t>(a.view().as<uint8_t>().part(2, 4 * count - 3), b.view().as<uint8_t>().part(3, 4 * count - 3));
  check_same(stream.download(b.part(count - 7, 7)),
             {0x11111111, 0x11111111, 0x22222211, 0x22222222, 0x22222222, 0x22222222, 0x22222222});
  check_same(stream.download(b.part(gib - 2, 4)), std::vector<uint32_t>(4, 0x11111111));
  check_same(stream.download(b.part(0, 2)), {0x11a5a5a5, 0x11111111});
  // An upload that crosses 4 GiB.
  std::mt19937_64 generator = random_generator("across 4 GiB");
  const std::vector<uint32_t> data = random_values<uint32_t>(9 << 20, generator);
  stream.upload(b.part(gib - (4 << 20), data.size()), std::span<const uint32_t>(data));
  check_same(stream.download(b.part(gib - (4 << 20), data.size())), data);
  check_same(stream.download(b.part(gib - (4 << 20) - 2, 2)), std::vector<uint32_t>(2, 0x11111111));
}

DEVICE_TEST("kernels reach more than 2^32 elements") {
  const uint64_t count = (uint64_t(1) << 32) + 12345;
  need_memory(device, count);
  if (!device.info().features.int64) unsupported("no 64-bit integers");
  if (!device.info().features.storage8 || !device.info().features.int8) unsupported("no 8-bit integers in buffers");
  const Kernel kernel = device.kernel_from_glsl(R"(#version 460
    #extension GL_EXT_buffer_reference : require
    #extension GL_EXT_shader_explicit_arithmetic_types : require
    layout(local_size_x = 256) in;
    layout(buffer_reference, std430, buffer_reference_align = 1) buffer Bytes { uint8_t v[]; };
    layout(push_constant) uniform Push { Bytes bytes; uint64_t count; } push;
    void main() {
      uint64_t stride = uint64_t(gl_NumWorkGroups.x) * 256;
      for (uint64_t i = gl_GlobalInvocationID.x; i < push.count; i += stride) {
        // GLSL indexes with 32 bits, so the kernel sees the buffer in pieces of 1 GiB.
        Bytes piece = Bytes(uint64_t(push.bytes) + (i >> 30 << 30));
        piece.v[uint(i) & 0x3fffffff] = uint8_t(i * 7 + (i >> 32) * 13);
      }
    })");
  struct Block {
    Pointer<uint8_t> bytes;
    uint64_t count;
  };
  Stream stream = device.stream();
  const Buffer<uint8_t> bytes = device.buffer<uint8_t>(count);
  stream.fill(bytes.part(0, count / 4 * 4), uint8_t(0xa5));
  stream.dispatch(kernel, {8192, 1, 1}, Block{bytes.pointer(), count});
  for (const uint64_t first : {uint64_t(0), count / 2, (uint64_t(1) << 32) - 50, count - 100}) {
    std::vector<uint8_t> expected;
    for (uint64_t i = first; i < first + 100; ++i) expected.push_back(uint8_t(i * 7 + (i >> 32) * 13));
    check_same(stream.download(bytes.part(first, 100)), expected);
  }
}
