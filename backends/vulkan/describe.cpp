#include "backends/vulkan/describe.h"

#include <algorithm>
#include <cstdio>
#include <string>

#include <spirv/unified1/spirv.hpp11>

#include "backends/vulkan/version.h"

namespace weft::vulkan {

namespace {

struct Properties {
  explicit Properties(const InstanceFunctions& vk, VkPhysicalDevice device) {
    all.pNext = &v11;
    v11.pNext = &v12;
    v12.pNext = &v13;
    vk.vkGetPhysicalDeviceProperties2(device, &all);
    vk.vkGetPhysicalDeviceMemoryProperties(device, &memory);
  }
  VkPhysicalDeviceProperties2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  VkPhysicalDeviceVulkan11Properties v11{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES};
  VkPhysicalDeviceVulkan12Properties v12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES};
  VkPhysicalDeviceVulkan13Properties v13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES};
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
  limits.max_buffer_bytes = std::min<uint64_t>(p.v13.maxBufferSize, limits.memory_bytes);
  limits.subgroup_size = p.v11.subgroupSize;
  limits.min_subgroup_size = p.v13.minSubgroupSize;
  limits.max_subgroup_size = p.v13.maxSubgroupSize;
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
  features.float32_atomic_add = f.atomic_float.shaderBufferFloat32AtomicAdd;
  features.subgroup_extended_types = f.v12.shaderSubgroupExtendedTypes;
  features.subgroup_size_control = f.v13.subgroupSizeControl && f.v13.computeFullSubgroups;
  features.maximal_reconvergence = f.reconvergence.shaderMaximalReconvergence;
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
  if (p.v12.driverID == VK_DRIVER_ID_MESA_LLVMPIPE && mesa_major(p.v12.driverInfo) < 23) {
    return std::string("lavapipe of ") + p.v12.driverInfo +
           " computes wrong results (loops end after 65,535 iterations, subgroup ids repeat in 3-D workgroups); "
           "install Mesa 23 or later";
  }
  std::string lacks;
  auto note = [&](const std::string& what) { lacks += (lacks.empty() ? "it lacks " : ", ") + what; };
  for (const std::string& feature : missing_features(features.core)) note(feature);
  if (!(p.v11.subgroupSupportedStages & VK_SHADER_STAGE_COMPUTE_BIT)) note("subgroup operations in compute shaders");
  for (const SubgroupGroup& g : subgroup_groups) {
    const bool needed = g.operation <= SubgroupOperation::shuffle_relative;
    if (needed && !(p.v11.subgroupSupportedOperations & g.bit)) {
      note(std::string("subgroup operations of the group '") + weft::to_string(g.operation) + "'");
    }
  }
  return lacks;
}

}  // namespace

DeviceInfo describe(const InstanceFunctions& vk, VkPhysicalDevice device, const FeatureChain& enabled) {
  // A device below 1.3 knows none of the chained structures, so only its name and version may be queried.
  VkPhysicalDeviceProperties basic{};
  vk.vkGetPhysicalDeviceProperties(device, &basic);
  DeviceInfo info;
  info.backend = "vulkan";
  info.name = basic.deviceName;
  info.kind = kind_of(basic.deviceType);
  info.vendor = vendor_of(basic.vendorID);
  info.api = "Vulkan " + version_text(basic.apiVersion);
  if (basic.apiVersion < VK_API_VERSION_1_3) {
    info.driver = "version " + version_text(basic.driverVersion);
    info.refusal = "it supports " + info.api + "; Weft needs 1.3, which a newer driver may support";
    return info;
  }
  const Properties properties(vk, device);
  info.driver = std::string(properties.v12.driverName);
  if (properties.v12.driverInfo[0]) info.driver += std::string(" ") + properties.v12.driverInfo;
  info.limits = limits_of(properties);
  if (!enabled.v12.hostQueryReset) info.limits.timestamp_period_ns = 0;
  info.features = features_of(enabled, properties.v12.driverID);
  info.capabilities = {uint32_t(spv::Capability::Matrix), uint32_t(spv::Capability::Shader)};
  for (const Feature& f : vulkan::features()) {
    if (is_on(f, enabled.core)) info.capabilities.insert(f.capabilities.begin(), f.capabilities.end());
  }
  for (const SubgroupGroup& g : subgroup_groups) {
    if (!(properties.v11.subgroupSupportedOperations & g.bit)) continue;
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
  return describe(instance.functions(), device, supported);
}

}  // namespace weft::vulkan
