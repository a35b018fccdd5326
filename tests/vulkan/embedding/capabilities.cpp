#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <spirv/unified1/spirv.hpp11>

#include <weft/glsl.h>
#include <weft/spirv.h>

#include "backends/vulkan/features.h"
#include "backends/vulkan/float_controls.h"
#include "tests/support/test.h"
#include "tests/support/vulkan_host/host.h"

using namespace weft;
using namespace weft::test;

/// What a Vulkan device lets kernels declare: the backend's tables beside Vulkan's registry, and wrapped devices.

namespace {

/// How Vulkan's registry, vk.xml, lets a device have a capability.
struct Enabling {
  std::set<std::string> features, extensions, versions, properties;
};

std::map<std::string, Enabling> registered_capabilities() {
  std::map<std::string, Enabling> capabilities;
  std::ifstream file(WEFT_VULKAN_REGISTRY);
  const std::regex capability("<spirvcapability name=\"(\\w+)\""),
      enable(" (feature|extension|version|property)=\"(\\w+)\"");
  Enabling* current = nullptr;
  for (std::string line; std::getline(file, line);) {
    std::smatch found;
    if (std::regex_search(line, found, capability)) current = &capabilities[found[1]];
    if (line.find("</spirvcapability>") != std::string::npos) current = nullptr;
    if (!current || line.find("<enable") == std::string::npos || !std::regex_search(line, found, enable)) continue;
    std::map<std::string, std::set<std::string>*> sets{{"feature", &current->features},
                                                       {"extension", &current->extensions},
                                                       {"version", &current->versions},
                                                       {"property", &current->properties}};
    sets.at(found[1])->insert(found[2]);
  }
  return capabilities;
}

/// The number by which SPIRV-Tools knows a capability; 0 if it does not.
uint32_t number_of(const std::string& capability) {
  try {
    return assemble_spirv("OpCapability " + capability + "\n", "capability").words.at(6);
  } catch (const Error&) {
    return 0;
  }
}

bool begins_with_one_of(const std::string& text, std::initializer_list<const char*> beginnings) {
  return std::ranges::any_of(beginnings, [&](const char* const beginning) { return text.starts_with(beginning); });
}

bool left_out(const std::string& capability) {
  // Of other stages, ...
  return begins_with_one_of(
      capability, {"Geometry", "Tessellation", "ClipDistance", "CullDistance", "MultiViewport", "MultiView",
                   "DrawParameters", "Stencil", "Fragment", "ShadingRate", "SampleRateShading", "InterpolationFunction",
                   "ShaderViewport", "ShaderLayer", "PerView", "SampleMask", "Transform", "Mesh", "DemoteToHelper",
                   "StorageInputOutput", "ClusterCulling", "TileImage", "TileShading",
                   // ... images, ...
                   "Image", "SampledImage", "StorageImage", "SampledCube", "SparseResidency", "MinLod",
                   "InputAttachmentArray", "UniformTexelBuffer", "StorageTexelBuffer", "Int64Image", "Texture",
                   // ... rays, matrices, and types that SPIRV-Cross cannot lay out.
                   "Ray", "ShaderInvocationReorder", "Cooperative", "Tensor", "BFloat16", "Float8EXT", "Float8Coop",
                   "Float8Unsigned", "Float4EXT", "Float6EXT", "LongVector"});
}

}  // namespace

TEST_CASE("the table of features agrees with Vulkan's registry on every capability of compute shaders") {
  const auto registered = registered_capabilities();
  if (registered.empty()) return;  // vk.xml is not installed
  vulkan::FloatControls all{};
  std::ranges::fill(std::span(&all.shaderSignedZeroInfNanPreserveFloat16, 15), VK_TRUE);
  const auto in = [](const auto& range, uint32_t number) { return std::ranges::count(range, number) > 0; };
  size_t compared = 0;
  for (const auto& [name, enabling] : registered) {
    const uint32_t number = number_of(name);
    INFO("capability ", name);
    std::set<std::string> features, extensions;
    for (const vulkan::Feature& f : vulkan::features()) {
      if (!in(f.capabilities, number)) continue;
      features.insert(f.name);
      if (f.extension) extensions.insert(f.extension);
    }
    for (const vulkan::Extension& e : vulkan::extensions()) {
      if (in(e.capabilities, number)) extensions.insert(e.name);
    }
    const bool unconditional = in(vulkan::capabilities_of_every_device(), number);
    if (number == 0) continue;
    if (left_out(name) && !unconditional) {
      CHECK(features.empty());
      CHECK(extensions.empty());
      continue;
    }
    ++compared;
    std::set<std::string> expected = enabling.features;
    std::erase_if(expected, [](const std::string& feature) { return feature.starts_with("shaderImage"); });
    if (!expected.empty()) CHECK(features == expected);
    const bool core = std::ranges::any_of(
        enabling.versions, [](const std::string& version) { return version <= std::string("VK_VERSION_1_2"); });
    CHECK_EQ(unconditional, core);
    if (expected.empty() && enabling.properties.empty() && !core) {
      CHECK(std::ranges::includes(enabling.extensions, extensions));
      CHECK_FALSE(extensions.empty());
    }
    if (enabling.properties.empty() || name.starts_with("GroupNonUniform")) continue;
    CHECK(vulkan::capabilities(all).contains(number));
  }
  CHECK_GT(compared, 60);
}

TEST_CASE("modes of floating point are there or not for each width, and may depend on one another") {
  using Mode = spv::ExecutionMode;
  vulkan::FloatControls device{};
  device.denormBehaviorIndependence = VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_32_BIT_ONLY;
  device.roundingModeIndependence = VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE;
  const auto missing = [&](std::vector<vulkan::FloatMode> modes) { return vulkan::missing(modes, device); };
  const auto lacks = [](const std::string& what) { return std::vector{what}; };
  CHECK(vulkan::capabilities(device).empty());
  CHECK_EQ(missing({{uint32_t(Mode::RoundingModeRTE), 32}}), lacks("RoundingModeRTE for floats of 32 bits"));
  device.shaderRoundingModeRTEFloat32 = device.shaderRoundingModeRTZFloat16 = VK_TRUE;
  CHECK_EQ(vulkan::capabilities(device),
           std::set{uint32_t(spv::Capability::RoundingModeRTE), uint32_t(spv::Capability::RoundingModeRTZ)});
  CHECK(missing({{uint32_t(Mode::RoundingModeRTE), 32}}).empty());
  CHECK(missing({{uint32_t(Mode::LocalSizeHint), 64}}).empty());  // no mode of floating point
  CHECK_EQ(missing({{uint32_t(Mode::RoundingModeRTE), 64}}), lacks("RoundingModeRTE for floats of 64 bits"));
  const std::vector<vulkan::FloatMode> two{{uint32_t(Mode::RoundingModeRTE), 32},
                                           {uint32_t(Mode::RoundingModeRTZ), 16}};
  CHECK_EQ(missing(two), lacks("different rounding for floats of different widths"));
  device.roundingModeIndependence = VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_32_BIT_ONLY;
  CHECK(missing(two).empty());
  device.shaderDenormPreserveFloat16 = device.shaderDenormFlushToZeroFloat64 = VK_TRUE;
  CHECK_EQ(missing({{uint32_t(Mode::DenormPreserve), 16}, {uint32_t(Mode::DenormFlushToZero), 64}}),
           lacks("different handling of denormals for floats of different widths"));
}

TEST_CASE("a kernel's modes of floating point are accepted exactly where the device has them for that width") {
  Host host;
  const Device device = vulkan::wrap_device(host.description());
  VkPhysicalDeviceVulkan12Properties v12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES};
  VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &v12};
  host.vkGetPhysicalDeviceProperties2(host.physical, &properties);
  const std::tuple<const char*, uint32_t, VkBool32> modes[] = {
      {"DenormPreserve", 16, v12.shaderDenormPreserveFloat16},
      {"DenormPreserve", 32, v12.shaderDenormPreserveFloat32},
      {"DenormPreserve", 64, v12.shaderDenormPreserveFloat64},
      {"DenormFlushToZero", 16, v12.shaderDenormFlushToZeroFloat16},
      {"DenormFlushToZero", 32, v12.shaderDenormFlushToZeroFloat32},
      {"DenormFlushToZero", 64, v12.shaderDenormFlushToZeroFloat64},
      {"SignedZeroInfNanPreserve", 16, v12.shaderSignedZeroInfNanPreserveFloat16},
      {"SignedZeroInfNanPreserve", 32, v12.shaderSignedZeroInfNanPreserveFloat32},
      {"SignedZeroInfNanPreserve", 64, v12.shaderSignedZeroInfNanPreserveFloat64},
      {"RoundingModeRTE", 16, v12.shaderRoundingModeRTEFloat16},
      {"RoundingModeRTE", 32, v12.shaderRoundingModeRTEFloat32},
      {"RoundingModeRTE", 64, v12.shaderRoundingModeRTEFloat64},
      {"RoundingModeRTZ", 16, v12.shaderRoundingModeRTZFloat16},
      {"RoundingModeRTZ", 32, v12.shaderRoundingModeRTZFloat32},
      {"RoundingModeRTZ", 64, v12.shaderRoundingModeRTZFloat64},
  };
  for (const auto& [mode, width, has] : modes) {
    const std::string name = mode;
    INFO(name, " ", width);
    const Spirv module =
        assemble_spirv("OpCapability Shader\nOpCapability " + name +
                           "\nOpExtension \"SPV_KHR_float_controls\"\nOpMemoryModel Logical GLSL450\n"
                           "OpEntryPoint GLCompute %main \"main\"\n"
                           "OpExecutionMode %main LocalSize 1 1 1\nOpExecutionMode %main " +
                           name + " " + std::to_string(width) +
                           "\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n"
                           "%main = OpFunction %void None %fn\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n",
                       "modes");
    if (has) {
      CHECK(device.kernel(module));
    } else {
      check_error(ErrorCode::unsupported, {"lacks", name}, [&] { device.kernel(module); });
    }
  }
  CHECK_EQ(host.messages(), 0);
}

TEST_CASE("a wrapped device has the capabilities of what its host enabled, and atomics on the memory of each feature") {
  VkPhysicalDeviceShaderAtomicFloatFeaturesEXT atomics{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT};
  atomics.shaderBufferFloat32AtomicAdd = VK_TRUE;
  Host host({.extensions = {VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME}, .chained = &atomics});
  if (!host.has(VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME)) return;
  const Device device = vulkan::wrap_device(host.description());
  CHECK(device.info().capabilities.contains(uint32_t(spv::Capability::AtomicFloat32AddEXT)));
  CHECK_FALSE(device.info().capabilities.contains(uint32_t(spv::Capability::AtomicFloat64AddEXT)));
  CHECK_FALSE(device.info().capabilities.contains(uint32_t(spv::Capability::AtomicFloat32MinMaxEXT)));
  const auto adding = [&](const std::string& statements) {
    return device.kernel_from_glsl(
        "#version 460\n#extension GL_EXT_shader_atomic_float : require\nlayout(local_size_x = 32) in;\n"
        "layout(binding = 0) buffer Block { float v[]; };\nshared float sum;\nvoid main() { " +
        statements + " }");
  };
  CHECK(adding("atomicAdd(v[0], 1.0);"));
  check_error(ErrorCode::unsupported, {"shaderSharedFloat32AtomicAdd", "float atomics on workgroup memory"},
              [&] { adding("atomicAdd(sum, 1.0); v[0] = sum;"); });
  check_error(ErrorCode::unsupported, {"shaderBufferFloat32Atomics"},
              [&] { adding("v[1] = atomicExchange(v[0], 1.0);"); });
  auto unnamed = host.description();
  unnamed.enabled_extensions.clear();
  CHECK_FALSE(
      vulkan::wrap_device(unnamed).info().capabilities.contains(uint32_t(spv::Capability::AtomicFloat32AddEXT)));
  CHECK_EQ(host.messages(), 0);
}

TEST_CASE("features that Vulkan 1.4 took in count in the structure of that version") {
  // VkPhysicalDeviceVulkan14Features, which older headers lack: its first five bits.
  struct {
    VkStructureType type = VkStructureType(55);
    void* next = nullptr;
    VkBool32 globalPriorityQuery = VK_FALSE, shaderSubgroupRotate = VK_TRUE, shaderSubgroupRotateClustered = VK_FALSE,
             shaderFloatControls2 = VK_FALSE, shaderExpectAssume = VK_TRUE;
  } v14;
  const VkPhysicalDeviceFeatures2 chain{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &v14, {}};
  vulkan::FeatureChain enabled(vulkan::enabled_extensions({}, chain));
  enabled.set_from(chain);
  CHECK_EQ(enabled.names(), std::set<std::string_view>{"shaderExpectAssume", "shaderSubgroupRotate"});
}
