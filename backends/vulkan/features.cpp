#include "backends/vulkan/features.h"

#include <weft/interop/vulkan.h>
#include <spirv/unified1/spirv.hpp11>

namespace weft::vulkan {

template <typename Structure>
void FeatureChain::link(Structure& structure, VkStructureType type) {
  structure.sType = type;
  if (tail_) *tail_ = &structure;
  tail_ = &structure.pNext;
}

FeatureChain::FeatureChain(const std::set<std::string>& extensions) {
  link(core, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
  link(v11, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES);
  link(v12, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
  link(v13, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES);
  if (extensions.contains("VK_EXT_shader_atomic_float")) {
    link(atomic_float, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT);
  }
  if (extensions.contains("VK_KHR_shader_clock")) {
    link(clock, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CLOCK_FEATURES_KHR);
  }
  if (extensions.contains("VK_KHR_workgroup_memory_explicit_layout")) {
    link(workgroup_layout, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_FEATURES_KHR);
  }
  if (extensions.contains("VK_KHR_shader_maximal_reconvergence")) {
    link(reconvergence, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_MAXIMAL_RECONVERGENCE_FEATURES_KHR);
  }
}

#define WEFT_FEATURE(structure, member, extension, required, reason, field, ...)                        \
  Feature {                                                                                             \
#structure, #field, extension, required, reason,                                                    \
        [](FeatureChain & chain) -> VkBool32& { return chain.member.field; }, std::vector < uint32_t> { \
      __VA_ARGS__                                                                                       \
    }                                                                                                   \
  }

#define CORE(required, reason, field, ...)                                                                  \
  Feature {                                                                                                 \
    "VkPhysicalDeviceFeatures", #field, nullptr, required, reason,                                          \
        [](FeatureChain& chain) -> VkBool32& { return chain.core.features.field; }, std::vector<uint32_t> { \
      __VA_ARGS__                                                                                           \
    }                                                                                                       \
  }
#define V11(required, reason, field, ...) \
  WEFT_FEATURE(VkPhysicalDeviceVulkan11Features, v11, nullptr, required, reason, field, __VA_ARGS__)
#define V12(required, reason, field, ...) \
  WEFT_FEATURE(VkPhysicalDeviceVulkan12Features, v12, nullptr, required, reason, field, __VA_ARGS__)
#define V13(required, reason, field, ...) \
  WEFT_FEATURE(VkPhysicalDeviceVulkan13Features, v13, nullptr, required, reason, field, __VA_ARGS__)
#define CAP(name) uint32_t(spv::Capability::name)

std::span<const Feature> features() {
  constexpr bool needed = true, used = false;
  static const Feature table[] = {
      V12(needed, "kernels take buffers as device addresses", bufferDeviceAddress, CAP(PhysicalStorageBufferAddresses)),
      V12(needed, "streams and events count submissions", timelineSemaphore),
      V12(needed, "timestamps are reset by the host", hostQueryReset),
      V12(needed, "kernels pack their blocks without padding", scalarBlockLayout),
      V12(needed, "look-back scans use ordered atomics", vulkanMemoryModel, CAP(VulkanMemoryModel)),
      V12(needed, "workgroups pass values to one another", vulkanMemoryModelDeviceScope,
          CAP(VulkanMemoryModelDeviceScope)),
      V13(needed, "barriers and submissions name their stages", synchronization2),

      V13(used, "a kernel may require a subgroup size", subgroupSizeControl),
      V13(used, "a kernel may require full subgroups", computeFullSubgroups),
      V12(used, "subgroup operations on 64-, 16- and 8-bit integers", shaderSubgroupExtendedTypes),
      CORE(used, "64-bit integers in kernels", shaderInt64, CAP(Int64)),
      CORE(used, "doubles in kernels", shaderFloat64, CAP(Float64)),
      CORE(used, "16-bit integers in kernels", shaderInt16, CAP(Int16)),
      V12(used, "8-bit integers in kernels", shaderInt8, CAP(Int8)),
      V12(used, "half floats in kernels", shaderFloat16, CAP(Float16)),
      V11(used, "16-bit members in storage buffers", storageBuffer16BitAccess, CAP(StorageBuffer16BitAccess)),
      V11(used, "16-bit members in uniform buffers", uniformAndStorageBuffer16BitAccess,
          CAP(UniformAndStorageBuffer16BitAccess)),
      V11(used, "16-bit push constants", storagePushConstant16, CAP(StoragePushConstant16)),
      V12(used, "8-bit members in storage buffers", storageBuffer8BitAccess, CAP(StorageBuffer8BitAccess)),
      V12(used, "8-bit members in uniform buffers", uniformAndStorageBuffer8BitAccess,
          CAP(UniformAndStorageBuffer8BitAccess)),
      V12(used, "8-bit push constants", storagePushConstant8, CAP(StoragePushConstant8)),
      V12(used, "64-bit atomics on buffers; single-pass scans are faster with them", shaderBufferInt64Atomics,
          CAP(Int64Atomics)),
      V12(used, "64-bit atomics on workgroup memory", shaderSharedInt64Atomics),
      V11(used, "pointers chosen at run time, within a buffer", variablePointersStorageBuffer,
          CAP(VariablePointersStorageBuffer)),
      V11(used, "pointers chosen at run time", variablePointers, CAP(VariablePointers)),
      V12(used, "standard layout for uniform buffers", uniformBufferStandardLayout),
      CORE(used, "descriptor arrays of uniform buffers", shaderUniformBufferArrayDynamicIndexing,
           CAP(UniformBufferArrayDynamicIndexing)),
      CORE(used, "descriptor arrays of storage buffers", shaderStorageBufferArrayDynamicIndexing,
           CAP(StorageBufferArrayDynamicIndexing)),
      V12(used, "descriptor arrays indexed differently by each lane", shaderUniformBufferArrayNonUniformIndexing,
          CAP(UniformBufferArrayNonUniformIndexing)),
      V12(used, "descriptor arrays indexed differently by each lane", shaderStorageBufferArrayNonUniformIndexing,
          CAP(StorageBufferArrayNonUniformIndexing), CAP(ShaderNonUniform)),
      V13(used, "integer dot products", shaderIntegerDotProduct, CAP(DotProductKHR), CAP(DotProductInputAllKHR),
          CAP(DotProductInput4x8BitKHR), CAP(DotProductInput4x8BitPackedKHR)),
      WEFT_FEATURE(VkPhysicalDeviceShaderAtomicFloatFeaturesEXT, atomic_float, "VK_EXT_shader_atomic_float", used,
                   "float atomics on buffers", shaderBufferFloat32AtomicAdd, CAP(AtomicFloat32AddEXT)),
      WEFT_FEATURE(VkPhysicalDeviceShaderAtomicFloatFeaturesEXT, atomic_float, "VK_EXT_shader_atomic_float", used,
                   "double atomics on buffers", shaderBufferFloat64AtomicAdd, CAP(AtomicFloat64AddEXT)),
      WEFT_FEATURE(VkPhysicalDeviceShaderAtomicFloatFeaturesEXT, atomic_float, "VK_EXT_shader_atomic_float", used,
                   "float atomics on workgroup memory", shaderSharedFloat32AtomicAdd),
      WEFT_FEATURE(VkPhysicalDeviceShaderClockFeaturesKHR, clock, "VK_KHR_shader_clock", used, "clocks in kernels",
                   shaderSubgroupClock, CAP(ShaderClockKHR)),
      WEFT_FEATURE(VkPhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR, workgroup_layout,
                   "VK_KHR_workgroup_memory_explicit_layout", used, "workgroup memory with explicit layout",
                   workgroupMemoryExplicitLayout, CAP(WorkgroupMemoryExplicitLayoutKHR)),
      WEFT_FEATURE(VkPhysicalDeviceShaderMaximalReconvergenceFeaturesKHR, reconvergence,
                   "VK_KHR_shader_maximal_reconvergence", used,
                   "subgroup operations in divergent control flow act on the lanes that the source implies",
                   shaderMaximalReconvergence),
  };
  return table;
}

Requirements requirements() {
  Requirements result;
  result.api_version = VK_API_VERSION_1_3;
  for (const Feature& f : features()) {
    result.features.push_back({f.structure, f.name, f.extension ? f.extension : "", f.required, f.reason});
  }
  return result;
}

std::vector<std::string> Requirements::extensions(bool required) const {
  std::set<std::string> names;
  for (const FeatureRequirement& f : features) {
    if (f.required == required && !f.extension.empty()) names.insert(f.extension);
  }
  return {names.begin(), names.end()};
}

}  // namespace weft::vulkan
