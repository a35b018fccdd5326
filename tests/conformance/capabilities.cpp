#include <optional>

#include "tests/support/needs.h"
#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

/// Kernels that declare capabilities which only some devices have.

DEVICE_TEST("atomic minima and maxima of floats work on buffers and on workgroup memory") {
  need_capabilities(device, {spv::Capability::AtomicFloat32MinMaxEXT}, "has no atomic minima of floats");
  std::optional<Kernel> kernel;
  try {
    kernel = device.kernel_from_glsl(R"(#version 460
      #extension GL_EXT_shader_atomic_float2 : require
      layout(local_size_x = 32) in;
      layout(binding = 0) buffer Block { float greatest, least, in_group; };
      shared float m;
      void main() {
        float x = float(gl_LocalInvocationID.x);
        if (x == 0) m = -1;
        barrier();
        atomicMax(greatest, x);
        atomicMin(least, x - 7.5);
        atomicMax(m, 2 * x);
        barrier();
        if (x == 3) in_group = m;
      })");
  } catch (const Error& error) {
    if (std::string(error.what()).find("lacks") == std::string::npos) throw;
    unsupported("has them on one kind of memory alone");
  }
  Stream stream = device.stream();
  const Buffer<float> results = device.buffer<float>(3);
  stream.upload(results, std::vector<float>{0, 0, 0});
  stream.dispatch(*kernel, {}, Arguments().bind(0, 0, results));
  check_same(stream.download(results), std::vector<float>{31, -7.5f, 62});
}

DEVICE_TEST("blocks of workgroup memory share their bytes, whatever the width of their members") {
  need_capabilities(
      device,
      {spv::Capability::WorkgroupMemoryExplicitLayoutKHR, spv::Capability::WorkgroupMemoryExplicitLayout8BitAccessKHR,
       spv::Capability::WorkgroupMemoryExplicitLayout16BitAccessKHR, spv::Capability::Int8, spv::Capability::Int16},
      "has no workgroup memory with explicit layout");
  const Kernel kernel = device.kernel_from_glsl(R"(#version 460
    #extension GL_EXT_shared_memory_block : require
    #extension GL_EXT_shader_explicit_arithmetic_types : require
    layout(local_size_x = 1) in;
    shared Words { uint w[2]; };
    shared Halves { uint16_t h[4]; };
    shared Bytes { uint8_t b[8]; };
    layout(binding = 0) buffer Block { uint v[3]; };
    void main() {
      w[0] = 0x04030201;
      w[1] = 0x08070605;
      h[3] = uint16_t(0xaabb);
      b[0] = uint8_t(0xcc);
      v[0] = w[0];
      v[1] = w[1];
      v[2] = b[5] | uint(h[1]) << 8;
    })");
  Stream stream = device.stream();
  const Buffer<uint32_t> results = device.buffer<uint32_t>(3);
  stream.dispatch(kernel, {}, Arguments().bind(0, 0, results));
  check_same(stream.download(results), std::vector<uint32_t>{0x040302cc, 0xaabb0605, 0x040306});
}

DEVICE_TEST("lavapipe lets kernels declare what it supports") {
  const DeviceInfo& info = device.info();
  const bool opened = info.selector == "vulkan:0";
  if (!opened || info.name.find("llvmpipe") == std::string::npos) unsupported("is not lavapipe, opened by Weft");
  if (device.options().validation) unsupported("has only what the validation layer knows");
  for (const auto capability :
       {spv::Capability::ExpectAssumeKHR, spv::Capability::GroupNonUniformRotateKHR,
        spv::Capability::AtomicFloat32MinMaxEXT, spv::Capability::SignedZeroInfNanPreserve,
        spv::Capability::RoundingModeRTE, spv::Capability::SubgroupBallotKHR, spv::Capability::SubgroupVoteKHR}) {
    INFO("capability ", uint32_t(capability));
    CHECK(info.capabilities.contains(uint32_t(capability)));
  }
}
