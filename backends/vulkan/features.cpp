#include "backends/vulkan/features.h"

#include <cstddef>
#include <utility>

#include <spirv/unified1/spirv.hpp11>

namespace weft::vulkan {

template <typename Structure>
void FeatureChain::link(Structure& structure, VkStructureType type) {
  structure.sType = type;
  if (tail_) *tail_ = &structure;
  tail_ = &structure.pNext;
}

FeatureChain::FeatureChain(const std::set<std::string>& extensions) : extensions_(extensions) {
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

void FeatureChain::set_from(const VkPhysicalDeviceFeatures2& other) {
  for (const Feature& feature : features()) {
    VkBool32* const bit = find(feature, core);
    if (bit && is_on(feature, other)) *bit = VK_TRUE;
  }
}

#define WEFT_FIELD(structure, type, field) \
  FeatureField { #structure, VK_STRUCTURE_TYPE_##type, offsetof(structure, field) }
#define CORE(required, reason, field, ...)                                             \
  Feature {                                                                            \
#field, {"VkPhysicalDeviceFeatures", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, \
             offsetof(VkPhysicalDeviceFeatures2, features.field) },                    \
             {}, nullptr, required, reason, {                                          \
      __VA_ARGS__                                                                      \
    }                                                                                  \
  }
#define WEFT_CORE_FEATURE(version, single, single_type, required, reason, field, ...)                                 \
  Feature {                                                                                                           \
#field,                                                                                                           \
        WEFT_FIELD(VkPhysicalDeviceVulkan1##version##Features, PHYSICAL_DEVICE_VULKAN_1_##version##_FEATURES, field), \
        WEFT_FIELD(VkPhysicalDevice##single##Features, PHYSICAL_DEVICE_##single_type##_FEATURES, field), nullptr,     \
        required, reason, {                                                                                           \
      __VA_ARGS__                                                                                                     \
    }                                                                                                                 \
  }
#define V11(...) WEFT_CORE_FEATURE(1, __VA_ARGS__)
#define V12(...) WEFT_CORE_FEATURE(2, __VA_ARGS__)
#define V13(...) WEFT_CORE_FEATURE(3, __VA_ARGS__)
#define EXTENSION(name, structure, type, reason, field, ...)                             \
  Feature {                                                                              \
#field, WEFT_FIELD(structure, type, field), {}, name, false, reason, { __VA_ARGS__ } \
  }
#define CAP(name) uint32_t(spv::Capability::name)

std::span<const Feature> features() {
  constexpr bool needed = true, used = false;
  static const Feature table[] = {
      V12(BufferDeviceAddress, BUFFER_DEVICE_ADDRESS, needed, "kernels take buffers as device addresses",
          bufferDeviceAddress, CAP(PhysicalStorageBufferAddresses)),

      V12(TimelineSemaphore, TIMELINE_SEMAPHORE, used, "streams and events order work by counting", timelineSemaphore),
      V13(Synchronization2, SYNCHRONIZATION_2, used, "barriers name reads of storage buffers alone", synchronization2),
      V12(HostQueryReset, HOST_QUERY_RESET, used, "timestamps", hostQueryReset),
      V12(ScalarBlockLayout, SCALAR_BLOCK_LAYOUT, used, "kernels whose blocks have GLSL's scalar layout",
          scalarBlockLayout),
      V12(VulkanMemoryModel, VULKAN_MEMORY_MODEL, used, "single-pass scans order their atomics explicitly",
          vulkanMemoryModel, CAP(VulkanMemoryModel)),
      V12(VulkanMemoryModel, VULKAN_MEMORY_MODEL, used, "workgroups of single-pass scans pass values to one another",
          vulkanMemoryModelDeviceScope, CAP(VulkanMemoryModelDeviceScope)),
      V13(SubgroupSizeControl, SUBGROUP_SIZE_CONTROL, used, "a kernel may require a subgroup size",
          subgroupSizeControl),
      V13(SubgroupSizeControl, SUBGROUP_SIZE_CONTROL, used, "a kernel may require full subgroups",
          computeFullSubgroups),
      V12(ShaderSubgroupExtendedTypes, SHADER_SUBGROUP_EXTENDED_TYPES, used,
          "subgroup operations on 64-, 16- and 8-bit integers", shaderSubgroupExtendedTypes),
      CORE(used, "64-bit integers in kernels", shaderInt64, CAP(Int64)),
      CORE(used, "doubles in kernels", shaderFloat64, CAP(Float64)),
      CORE(used, "16-bit integers in kernels", shaderInt16, CAP(Int16)),
      V12(ShaderFloat16Int8, SHADER_FLOAT16_INT8, used, "8-bit integers in kernels", shaderInt8, CAP(Int8)),
      V12(ShaderFloat16Int8, SHADER_FLOAT16_INT8, used, "half floats in kernels", shaderFloat16, CAP(Float16)),
      V11(16BitStorage, 16BIT_STORAGE, used, "16-bit members in storage buffers", storageBuffer16BitAccess,
          CAP(StorageBuffer16BitAccess)),
      V11(16BitStorage, 16BIT_STORAGE, used, "16-bit members in uniform buffers", uniformAndStorageBuffer16BitAccess,
          CAP(UniformAndStorageBuffer16BitAccess)),
      V11(16BitStorage, 16BIT_STORAGE, used, "16-bit push constants", storagePushConstant16,
          CAP(StoragePushConstant16)),
      V12(8BitStorage, 8BIT_STORAGE, used, "8-bit members in storage buffers", storageBuffer8BitAccess,
          CAP(StorageBuffer8BitAccess)),
      V12(8BitStorage, 8BIT_STORAGE, used, "8-bit members in uniform buffers", uniformAndStorageBuffer8BitAccess,
          CAP(UniformAndStorageBuffer8BitAccess)),
      V12(8BitStorage, 8BIT_STORAGE, used, "8-bit push constants", storagePushConstant8, CAP(StoragePushConstant8)),
      V12(ShaderAtomicInt64, SHADER_ATOMIC_INT64, used,
          "64-bit atomics on buffers; single-pass scans are faster with them", shaderBufferInt64Atomics,
          CAP(Int64Atomics)),
      V12(ShaderAtomicInt64, SHADER_ATOMIC_INT64, used, "64-bit atomics on workgroup memory", shaderSharedInt64Atomics),
      V11(VariablePointers, VARIABLE_POINTERS, used, "pointers chosen at run time, within a buffer",
          variablePointersStorageBuffer, CAP(VariablePointersStorageBuffer)),
      V11(VariablePointers, VARIABLE_POINTERS, used, "pointers chosen at run time", variablePointers,
          CAP(VariablePointers)),
      V12(UniformBufferStandardLayout, UNIFORM_BUFFER_STANDARD_LAYOUT, used, "standard layout for uniform buffers",
          uniformBufferStandardLayout),
      CORE(used, "descriptor arrays of uniform buffers", shaderUniformBufferArrayDynamicIndexing,
           CAP(UniformBufferArrayDynamicIndexing)),
      CORE(used, "descriptor arrays of storage buffers", shaderStorageBufferArrayDynamicIndexing,
           CAP(StorageBufferArrayDynamicIndexing)),
      V12(DescriptorIndexing, DESCRIPTOR_INDEXING, used, "descriptor arrays indexed differently by each lane",
          shaderUniformBufferArrayNonUniformIndexing, CAP(UniformBufferArrayNonUniformIndexing)),
      V12(DescriptorIndexing, DESCRIPTOR_INDEXING, used, "descriptor arrays indexed differently by each lane",
          shaderStorageBufferArrayNonUniformIndexing, CAP(StorageBufferArrayNonUniformIndexing), CAP(ShaderNonUniform)),
      V13(ShaderIntegerDotProduct, SHADER_INTEGER_DOT_PRODUCT, used, "integer dot products", shaderIntegerDotProduct,
          CAP(DotProductKHR), CAP(DotProductInputAllKHR), CAP(DotProductInput4x8BitKHR),
          CAP(DotProductInput4x8BitPackedKHR)),
      EXTENSION("VK_EXT_shader_atomic_float", VkPhysicalDeviceShaderAtomicFloatFeaturesEXT,
                PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT, "float atomics on buffers",
                shaderBufferFloat32AtomicAdd, CAP(AtomicFloat32AddEXT)),
      EXTENSION("VK_EXT_shader_atomic_float", VkPhysicalDeviceShaderAtomicFloatFeaturesEXT,
                PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT, "double atomics on buffers",
                shaderBufferFloat64AtomicAdd, CAP(AtomicFloat64AddEXT)),
      EXTENSION("VK_EXT_shader_atomic_float", VkPhysicalDeviceShaderAtomicFloatFeaturesEXT,
                PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT, "float atomics on workgroup memory",
                shaderSharedFloat32AtomicAdd),
      EXTENSION("VK_KHR_shader_clock", VkPhysicalDeviceShaderClockFeaturesKHR,
                PHYSICAL_DEVICE_SHADER_CLOCK_FEATURES_KHR, "clocks in kernels", shaderSubgroupClock,
                CAP(ShaderClockKHR)),
      EXTENSION("VK_KHR_workgroup_memory_explicit_layout", VkPhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR,
                PHYSICAL_DEVICE_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_FEATURES_KHR, "workgroup memory with explicit layout",
                workgroupMemoryExplicitLayout, CAP(WorkgroupMemoryExplicitLayoutKHR)),
      EXTENSION("VK_KHR_shader_maximal_reconvergence", VkPhysicalDeviceShaderMaximalReconvergenceFeaturesKHR,
                PHYSICAL_DEVICE_SHADER_MAXIMAL_RECONVERGENCE_FEATURES_KHR,
                "subgroup operations in divergent flow act on the lanes that the source says",
                shaderMaximalReconvergence),
  };
  return table;
}

std::span<const Extension> extensions() {
  static constexpr Extension table[] = {
      {VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME, "memory shared with CUDA and other devices by file descriptor"},
      {VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME, "semaphores shared with CUDA and other devices by file descriptor"},
  };
  return table;
}

namespace {

/// The bit in the first structure of the chain that is `field`'s.
const VkBool32* find(const FeatureField& field, const VkPhysicalDeviceFeatures2& chain) {
  if (!field.structure) return nullptr;
  for (auto* next = reinterpret_cast<const VkBaseInStructure*>(&chain); next; next = next->pNext) {
    if (next->sType != field.type) continue;
    return reinterpret_cast<const VkBool32*>(reinterpret_cast<const std::byte*>(next) + field.offset);
  }
  return nullptr;
}

}  // namespace

const VkBool32* find(const Feature& feature, const VkPhysicalDeviceFeatures2& chain) {
  const VkBool32* const bit = find(feature.field, chain);
  return bit ? bit : find(feature.alone, chain);
}

VkBool32* find(const Feature& feature, VkPhysicalDeviceFeatures2& chain) {
  return const_cast<VkBool32*>(find(feature, std::as_const(chain)));
}

bool is_on(const Feature& feature, const VkPhysicalDeviceFeatures2& chain) {
  const VkBool32* const bit = find(feature, chain);
  return bit && *bit;
}

std::vector<std::string> missing_features(const VkPhysicalDeviceFeatures2& chain) {
  std::vector<std::string> missing;
  for (const Feature& f : features()) {
    if (f.required && !is_on(f, chain)) missing.push_back(std::string(f.name) + " (" + f.reason + ")");
  }
  return missing;
}

}  // namespace weft::vulkan
