#include "backends/vulkan/describe.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <spirv/unified1/spirv.hpp11>
#include <string>

#include "backends/vulkan/float_controls.h"
#include "backends/vulkan/version.h"

namespace weft::vulkan {

namespace {

/// In structures of single groups of properties, because those of Vulkan 1.3 are in extensions too.
struct Properties {
  Properties(const InstanceFunctions& vk, VkPhysicalDevice device, const FeatureChain& enabled) {
    const bool v13 = enabled.version() >= VK_API_VERSION_1_3;
    const bool has_sizes = v13 || enabled.has(VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME);
    const bool has_largest_buffer = v13 || enabled.has(VK_KHR_MAINTENANCE_4_EXTENSION_NAME);
    all.pNext = &subgroups;
    subgroups.pNext = &driver;
    driver.pNext = &float_controls;
    void** tail = &float_controls.pNext;
    if (has_sizes) {
      *tail = &sizes;
      tail = &sizes.pNext;
    }
    if (has_largest_buffer) *tail = &maintenance4;
    vk.vkGetPhysicalDeviceProperties2(device, &all);
    vk.vkGetPhysicalDeviceMemoryProperties(device, &memory);
    if (!has_sizes) sizes.minSubgroupSize = sizes.maxSubgroupSize = subgroups.subgroupSize;
    if (!has_largest_buffer) maintenance4.maxBufferSize = std::numeric_limits<VkDeviceSize>::max();
  }
  VkPhysicalDeviceProperties2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  VkPhysicalDeviceSubgroupProperties subgroups{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
  VkPhysicalDeviceDriverProperties driver{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
  FloatControls float_controls{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES};
  VkPhysicalDeviceSubgroupSizeControlProperties sizes{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES};
  VkPhysicalDeviceMaintenance4Properties maintenance4{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES};
  VkPhysicalDeviceMemoryProperties memory{};
};

DeviceKind kind_of(VkPhysicalDeviceType type) {
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
      return DeviceKind::discrete_gpu;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
      return DeviceKind::integrated_gpu;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
      return DeviceKind::virtual_gpu;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
      return DeviceKind::cpu;
    default:
      return DeviceKind::other;
  }
}

// By the PCI-SIG's numbers.
DeviceVendor vendor_of(uint32_t id) {
  switch (id) {
    case 0x10de:
      return DeviceVendor::nvidia;
    case 0x1002:
      return DeviceVendor::amd;
    case 0x8086:
      return DeviceVendor::intel;
    default:
      return DeviceVendor::other;
  }
}

DeviceLimits limits_of(const Properties& p) {
  const VkPhysicalDeviceLimits& vk = p.all.properties.limits;
  DeviceLimits limits;
  for (uint32_t i = 0; i < p.memory.memoryHeapCount; ++i) {
    if (p.memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) {
      limits.memory_bytes = std::max<uint64_t>(limits.memory_bytes, p.memory.memoryHeaps[i].size);
    }
  }
  // maxMemoryAllocationSize is not a bound: drivers that report 4 GiB allocate more, or return out of memory.
  limits.max_buffer_bytes = std::min<uint64_t>(p.maintenance4.maxBufferSize, limits.memory_bytes);
  limits.subgroup_size = p.subgroups.subgroupSize;
  limits.min_subgroup_size = p.sizes.minSubgroupSize;
  limits.max_subgroup_size = p.sizes.maxSubgroupSize;
  limits.max_workgroup_invocations = vk.maxComputeWorkGroupInvocations;
  std::copy_n(vk.maxComputeWorkGroupSize, 3, limits.max_workgroup_size.begin());
  std::copy_n(vk.maxComputeWorkGroupCount, 3, limits.max_workgroup_count.begin());
  limits.workgroup_memory_bytes = vk.maxComputeSharedMemorySize;
  limits.push_constant_bytes = vk.maxPushConstantsSize;
  limits.storage_binding_alignment = uint32_t(vk.minStorageBufferOffsetAlignment);
  limits.uniform_binding_alignment = uint32_t(vk.minUniformBufferOffsetAlignment);
  limits.max_storage_binding_bytes = vk.maxStorageBufferRange;
  limits.max_uniform_binding_bytes = vk.maxUniformBufferRange;
  limits.timestamp_period_ns = vk.timestampPeriod;
  return limits;
}

/// Drivers known to guarantee progress to every workgroup that has started, whatever others wait for: hardware with
/// independent schedulers, and CPU drivers that run each active workgroup on its own thread.
bool has_forward_progress(VkDriverId driver) {
  switch (driver) {
    case VK_DRIVER_ID_NVIDIA_PROPRIETARY:
    case VK_DRIVER_ID_AMD_PROPRIETARY:
    case VK_DRIVER_ID_AMD_OPEN_SOURCE:
    case VK_DRIVER_ID_MESA_RADV:
    case VK_DRIVER_ID_INTEL_OPEN_SOURCE_MESA:
    case VK_DRIVER_ID_INTEL_PROPRIETARY_WINDOWS:
    case VK_DRIVER_ID_MESA_LLVMPIPE:
    case VK_DRIVER_ID_GOOGLE_SWIFTSHADER:
      return true;
    default:
      return false;
  }
}

DeviceFeatures features_of(const FeatureChain& f, VkDriverId driver) {
  DeviceFeatures features;
  features.int8 = f.v12.shaderInt8;
  features.int16 = f.core.features.shaderInt16;
  features.int64 = f.core.features.shaderInt64;
  features.float16 = f.v12.shaderFloat16;
  features.float64 = f.core.features.shaderFloat64;
  features.storage8 = f.v12.storageBuffer8BitAccess;
  features.storage16 = f.v11.storageBuffer16BitAccess;
  features.buffer_int64_atomics = f.v12.shaderBufferInt64Atomics;
  features.workgroup_int64_atomics = f.v12.shaderSharedInt64Atomics;
  features.float32_atomic_add = f.is_on("shaderBufferFloat32AtomicAdd");
  features.subgroup_extended_types = f.v12.shaderSubgroupExtendedTypes;
  features.subgroup_size_control = f.v13.subgroupSizeControl && f.v13.computeFullSubgroups;
  features.maximal_reconvergence = f.is_on("shaderMaximalReconvergence");
  features.scalar_layout = f.v12.scalarBlockLayout;
  // Without the memory model, a workgroup cannot rely on seeing what another wrote while both run.
  const bool memory_model = f.v12.vulkanMemoryModel && f.v12.vulkanMemoryModelDeviceScope;
  features.workgroup_forward_progress = has_forward_progress(driver) && memory_model;
  return features;
}

struct SubgroupGroup {
  VkSubgroupFeatureFlagBits bit;
  SubgroupOperation operation;
  spv::Capability capability;
};

constexpr SubgroupGroup subgroup_groups[] = {
    {VK_SUBGROUP_FEATURE_BASIC_BIT, SubgroupOperation::basic, spv::Capability::GroupNonUniform},
    {VK_SUBGROUP_FEATURE_VOTE_BIT, SubgroupOperation::vote, spv::Capability::GroupNonUniformVote},
    {VK_SUBGROUP_FEATURE_ARITHMETIC_BIT, SubgroupOperation::arithmetic, spv::Capability::GroupNonUniformArithmetic},
    {VK_SUBGROUP_FEATURE_BALLOT_BIT, SubgroupOperation::ballot, spv::Capability::GroupNonUniformBallot},
    {VK_SUBGROUP_FEATURE_SHUFFLE_BIT, SubgroupOperation::shuffle, spv::Capability::GroupNonUniformShuffle},
    {VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT, SubgroupOperation::shuffle_relative,
     spv::Capability::GroupNonUniformShuffleRelative},
    {VK_SUBGROUP_FEATURE_CLUSTERED_BIT, SubgroupOperation::clustered, spv::Capability::GroupNonUniformClustered},
    {VK_SUBGROUP_FEATURE_QUAD_BIT, SubgroupOperation::quad, spv::Capability::GroupNonUniformQuad},
};

/// Parses Mesa's version from driverInfo: "Mesa 22.3.6 (LLVM 15.0.6)".
int mesa_major(const char* driver_info) {
  int major = 0;
  return std::sscanf(driver_info, "Mesa %d", &major) == 1 ? major : 0;
}

std::string refusal_of(const Properties& p, const FeatureChain& features) {
  if (p.driver.driverID == VK_DRIVER_ID_MESA_LLVMPIPE && mesa_major(p.driver.driverInfo) < 23) {
    return std::string("lavapipe of ") + p.driver.driverInfo +
           " computes wrong results (loops end after 65,535 iterations, subgroup ids repeat in 3-D workgroups); "
           "install Mesa 23 or later";
  }
  std::string lacks;
  auto note = [&](const std::string& what) { lacks += (lacks.empty() ? "it lacks " : ", ") + what; };
  for (const std::string& feature : missing_features(features.core)) note(feature);
  if (!(p.subgroups.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT)) note("subgroup operations in compute shaders");
  for (const SubgroupGroup& g : subgroup_groups) {
    const bool needed = g.operation <= SubgroupOperation::shuffle_relative;
    if (needed && !(p.subgroups.supportedOperations & g.bit)) {
      note(std::string("subgroup operations of the group '") + weft::to_string(g.operation) + "'");
    }
  }
  return lacks;
}

}  // namespace

DeviceInfo describe(const InstanceFunctions& vk, VkPhysicalDevice device, const FeatureChain& enabled, uint32_t least) {
  // An older device may know none of the chained structures, so only its name and version may be queried.
  VkPhysicalDeviceProperties basic{};
  vk.vkGetPhysicalDeviceProperties(device, &basic);
  DeviceInfo info;
  info.backend = "vulkan";
  info.name = basic.deviceName;
  info.kind = kind_of(basic.deviceType);
  info.vendor = vendor_of(basic.vendorID);
  info.api = "Vulkan " + version_text(basic.apiVersion);
  if (basic.apiVersion < least) {
    info.driver = "version " + version_text(basic.driverVersion);
    info.refusal = "it supports " + info.api + "; Weft needs 1." + std::to_string(VK_API_VERSION_MINOR(least)) +
                   ", which a newer driver may support";
    return info;
  }
  const Properties properties(vk, device, enabled);
  info.driver = std::string(properties.driver.driverName);
  if (properties.driver.driverInfo[0]) info.driver += std::string(" ") + properties.driver.driverInfo;
  info.limits = limits_of(properties);
  if (!enabled.v12.hostQueryReset) info.limits.timestamp_period_ns = 0;
  info.features = features_of(enabled, properties.driver.driverID);
  const auto allow = [&](const auto& capabilities) {
    info.capabilities.insert(capabilities.begin(), capabilities.end());
  };
  allow(capabilities_of_every_device());
  allow(vulkan::capabilities(properties.float_controls));
  for (const Feature& f : vulkan::features()) {
    if (is_on(f, enabled.core)) allow(f.capabilities);
  }
  for (const Extension& e : vulkan::extensions()) {
    if (enabled.has(e.name)) allow(e.capabilities);
  }
  for (const SubgroupGroup& g : subgroup_groups) {
    if (!(properties.subgroups.supportedOperations & g.bit)) continue;
    info.subgroup_operations.insert(g.operation);
    info.capabilities.insert(uint32_t(g.capability));
  }
  info.refusal = refusal_of(properties, enabled);
  return info;
}

DeviceInfo describe(const Instance& instance, VkPhysicalDevice device) {
  FeatureChain supported(instance.device_extensions(device));
  VkPhysicalDeviceProperties basic{};
  instance.functions().vkGetPhysicalDeviceProperties(device, &basic);
  if (basic.apiVersion >= VK_API_VERSION_1_3) instance.owner().vkGetPhysicalDeviceFeatures2(device, &supported.core);
  return describe(instance.functions(), device, supported, VK_API_VERSION_1_3);
}

}  // namespace weft::vulkan
