#include <algorithm>
#include <array>
#include <spirv/unified1/spirv.hpp11>

#include <weft/weft.h>

#include "tests/support/test.h"
#include "tests/support/vulkan_host/hooks.h"
#include "tests/support/vulkan_host/host.h"

using namespace weft;
using namespace weft::test;

/// Kernels of the host's own, with bindings as engines write them: several sets, one of them left out, arrays of
/// descriptors that are indexed at run time, and uniform buffers in std140.

namespace {

constexpr uint32_t result_count = 500;

constexpr const char* const shading = R"(#version 460
  layout(local_size_x = 64) in;
  layout(set = 0, binding = 0, std140) uniform Frame { mat4 unused; uint factors[3]; } frame;
  layout(set = 1, binding = 2, std430) readonly buffer Words { uint v[]; } sources[3];
  layout(set = 3, binding = 0, std140) uniform Material { uvec4 tint; } materials[2];
  layout(set = 3, binding = 5, std430) writeonly buffer Result { uint v[]; } result;
  layout(push_constant) uniform Push { uint material; };
  void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= result.v.length()) return;
    uint sum = materials[material].tint[i % 4];
    for (uint k = 0; k < 3; ++k) sum += frame.factors[k] * sources[k].v[i];
    result.v[i] = sum;
  })";

/// The uniform block `frame`. std140 gives each element of an array 16 bytes.
struct FrameBlock {
  std::array<float, 16> unused;
  std::array<std::array<uint32_t, 4>, 3> factors;
};
using Material = std::array<uint32_t, 4>;

/// All of the kernel's buffers in one VkBuffer of the host.
struct Scene {
  Scene(Host& host, const Device& device)
      : block(host.make_buffer(64 * 1024, vulkan::buffer_usage() | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT)),
        all(vulkan::wrap_buffer<std::byte>(device, block.all(), block.bytes)) {}

  static uint64_t material_offset(uint32_t m) { return 1024 + 256 * m; }
  static uint64_t source_offset(uint32_t k) { return 4096 * (1 + k); }
  static uint64_t result_offset(uint32_t m) { return 4096 * (4 + m); }

  void fill(std::mt19937_64& generator) const {
    auto& frame = *block.as<FrameBlock>();
    for (auto& factor : frame.factors) factor[0] = random_value<uint32_t>(generator);
    for (uint32_t m = 0; m < 2; ++m) {
      for (uint32_t& tint : *block.as<Material>(material_offset(m))) tint = random_value<uint32_t>(generator);
      std::fill_n(block.as<uint32_t>(result_offset(m)), result_count, 0xa5a5a5a5u);
    }
    for (uint32_t k = 0; k < 3; ++k) {
      std::generate_n(block.as<uint32_t>(source_offset(k)), result_count,
                      [&] { return random_value<uint32_t>(generator); });
    }
  }
  void dispatch(Recorder& recorder, const Kernel& kernel, uint32_t material) const {
    Arguments arguments(material);
    const auto bind = [&](uint32_t set, uint32_t binding, uint64_t offset, uint64_t bytes, uint32_t element = 0) {
      arguments.bind(set, binding, all.part(offset, bytes), element);
    };
    bind(0, 0, 0, sizeof(FrameBlock));
    for (uint32_t k = 0; k < 3; ++k) bind(1, 2, source_offset(k), 4 * result_count, k);
    for (uint32_t m = 0; m < 2; ++m) bind(3, 0, material_offset(m), sizeof(Material), m);
    bind(3, 5, result_offset(material), 4 * result_count);
    recorder.dispatch(kernel, {(result_count + 63) / 64}, arguments);
  }
  void check_result(uint32_t material) const {
    std::vector<uint32_t> expected(result_count);
    for (uint32_t i = 0; i < result_count; ++i) {
      expected[i] = (*block.as<Material>(material_offset(material)))[i % 4];
      for (uint32_t k = 0; k < 3; ++k) {
        expected[i] += block.as<FrameBlock>()->factors[k][0] * block.as<uint32_t>(source_offset(k))[i];
      }
    }
    const auto* const got = block.as<uint32_t>(result_offset(material));
    check_same(std::vector<uint32_t>(got, got + result_count), expected);
    CHECK_EQ(got[result_count], 0);  // behind the bound part
  }

  HostMemoryBlock block;
  Buffer<std::byte> all;
};

}  // namespace

TEST_CASE("sets, arrays of descriptors and uniform buffers are bound in the host's command buffer") {
  Host host;
  const Device device = vulkan::wrap_device(host.description());
  const Kernel kernel = device.kernel_from_glsl(shading);
  const Scene scene(host, device);
  vulkan::RecordingArena arena(device);
  std::mt19937_64 generator = random_generator("sets");
  for (uint64_t frame = 0; frame < 6; ++frame) {
    scene.fill(generator);
    host.run([&](VkCommandBuffer commands) {
      const auto calls = Host::calls_of([&] {
        const auto record = [&](std::initializer_list<uint32_t> materials) {
          vulkan::Recording recording = arena.record(commands, frame);
          for (const uint32_t m : materials) scene.dispatch(recording, kernel, m);
        };
        if (frame % 2 == 0) {
          record({0});
          record({1});
        } else {
          record({1, 0});  // sets must not go by the order
        }
      });
      CHECK_EQ(calls.at("vkCmdBindDescriptorSets"), 2);
      if (frame < 3) return;  // three frames in flight have their sets then
      for (const auto& call : calls) CHECK(call.first.starts_with("vkCmd"));
    });
    for (uint32_t m = 0; m < 2; ++m) scene.check_result(m);
    arena.finished(frame);
  }
  CHECK_EQ(host.messages(), 0);
}

TEST_CASE("a uniform buffer that a command wrote is read after a barrier that names uniform reads") {
  Host host;
  const Device device = vulkan::wrap_device(host.description());
  const Kernel kernel = device.kernel_from_glsl(shading);
  const Scene scene(host, device);
  std::mt19937_64 generator = random_generator("uniform reads");
  scene.fill(generator);
  const auto tint = vulkan::wrap_buffer<uint32_t>(device, scene.block.part(Scene::material_offset(1), 16), 4);
  vulkan::RecordingArena arena(device);
  host.run([&](VkCommandBuffer commands) {
    vulkan::Recording recording = arena.record(commands, 1);
    recording.fill(tint, 77u);
    recorded_commands().clear();
    scene.dispatch(recording, kernel, 1);
    const auto& log = recorded_commands();
    REQUIRE_EQ(log.size(), 2);
    CHECK_EQ(log[0].kind, RecordedCommand::barrier);
    CHECK_NE(log[0].source_stages & VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0);
    CHECK_NE(log[0].destination_stages & VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0);
    CHECK_NE(log[0].destination_accesses & VK_ACCESS_UNIFORM_READ_BIT, 0);
  });
  CHECK_EQ((*scene.block.as<Material>(Scene::material_offset(1)))[3], 77);
  scene.check_result(1);
  CHECK_EQ(host.messages(), 0);
}

TEST_CASE("push constants of 1 to 13 bytes are whole in a Recording") {
  Host host;
  const Device device = vulkan::wrap_device(host.description());
  for (const auto needed : {spv::Capability::Int8, spv::Capability::StoragePushConstant8}) {
    if (!device.info().capabilities.contains(uint32_t(needed))) return;
  }
  std::mt19937_64 generator = random_generator("bytes");
  const HostMemoryBlock block = host.make_buffer(64);
  const auto target = vulkan::wrap_buffer<uint32_t>(device, block.all(), 16);
  vulkan::RecordingArena arena(device);
  for (uint32_t bytes = 1; bytes <= 13; ++bytes) {
    const std::string count = std::to_string(bytes);
    const Kernel kernel = device.kernel_from_glsl(
        "#version 460\n#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require\n"
        "layout(local_size_x = 1) in; layout(push_constant, std430) uniform Push { uint8_t v[" +
        count +
        "]; } push;\n"
        "layout(binding = 0) writeonly buffer Target { uint v[]; } target;\n"
        "void main() { for (uint i = 0; i < " +
        count + "; ++i) target.v[i] = push.v[i]; }");
    const auto data = random_values<uint8_t>(bytes, generator);
    host.run([&](VkCommandBuffer commands) {
      arena.record(commands, bytes)
          .dispatch(kernel, {}, Arguments().bind(0, 0, target).push(std::as_bytes(std::span(data))));
    });
    arena.finished(bytes);
    INFO("push constants of ", bytes, " bytes");
    const auto* const got = block.as<uint32_t>();
    check_same(std::vector<uint32_t>(got, got + bytes), std::vector<uint32_t>(data.begin(), data.end()));
  }
  CHECK_EQ(host.messages(), 0);
}

TEST_CASE("what a kernel cannot bind is refused by name when the kernel is made") {
  Host host;
  const Device device = vulkan::wrap_device(host.description());
  const auto refused = [&](const std::vector<std::string>& words, const std::string& declaration,
                           const std::string& use) {
    check_error(ErrorCode::unsupported, words, [&] {
      device.kernel_from_glsl(
          "#version 460\n#extension GL_EXT_nonuniform_qualifier : require\n"
          "layout(local_size_x = 1) in;\n" +
          declaration + "\nvoid main() { " + use + " }");
    });
  };
  const std::string image = "is an image, a sampler or the like";
  refused({"binding 0.3 (picture)", image}, "layout(binding = 3, rgba8) uniform image2D picture;",
          "imageStore(picture, ivec2(0), vec4(1));");
  refused({"binding 1.0 (albedo)", image},
          "layout(set = 1, binding = 0) uniform sampler2D albedo;"
          "layout(binding = 0) buffer Out { vec4 v; };",
          "v = textureLod(albedo, vec2(0), 0);");
  refused({"binding 0.1 (texels)", image}, "layout(binding = 1, r32ui) uniform uimageBuffer texels;",
          "imageAtomicAdd(texels, 0, 1u);");
  refused({"binding 0.2 (all)", "a descriptor array without a size"},
          "layout(binding = 2) buffer All { uint v; } all[];", "all[gl_WorkGroupID.x].v = 1;");
  refused({"descriptor set 60", "has sets 0 to"}, "layout(set = 60, binding = 0) buffer Far { uint v; };", "v = 1;");
  VkPhysicalDeviceProperties properties{};
  host.vkGetPhysicalDeviceProperties(host.physical, &properties);
  const auto refused_above = [&](uint64_t limit, const std::string& kind, const std::string& blocks,
                                 const std::string& use) {
    const std::string many = std::to_string(limit + 1);
    if (limit >= INT32_MAX) return;  // GLSL has no such array.
    refused({many + " " + kind + " buffers", "takes up to", "Buffer references"},
            "layout(binding = 0) " + blocks + " many[" + many + "];", use);
  };
  refused_above(properties.limits.maxPerStageDescriptorStorageBuffers, "storage", "buffer Many { uint v; }",
                "many[0].v = 1;");
  refused_above(properties.limits.maxPerStageDescriptorUniformBuffers, "uniform",
                "buffer Out { uint o; }; layout(binding = 1) uniform Many { uint v; }", "o = many[1].v;");
  CHECK_EQ(host.messages(), 0);
}
