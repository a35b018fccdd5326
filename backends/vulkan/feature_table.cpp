#include <spirv/unified1/spirv.hpp11>

#include "backends/vulkan/features.h"

namespace weft::vulkan {

#define WEFT_FIELD(structure, type, field) \
  FeatureField { #structure, VK_STRUCTURE_TYPE_##type, offsetof(structure, field) }
#define CORE(required, reason, field, ...)                                         \
  Feature {                                                                        \
    #field,                                                                        \
        {"VkPhysicalDeviceFeatures", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, \
         offsetof(VkPhysicalDeviceFeatures2, features.field)},                     \
        {}, nullptr, required, reason, {                                           \
      __VA_ARGS__                                                                  \
    }                                                                              \
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
#define ATOMIC_FLOAT(...)                                                               \
  EXTENSION("VK_EXT_shader_atomic_float", VkPhysicalDeviceShaderAtomicFloatFeaturesEXT, \
            PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT, __VA_ARGS__)
#define ATOMIC_FLOAT2(...)                                                                \
  EXTENSION("VK_EXT_shader_atomic_float2", VkPhysicalDeviceShaderAtomicFloat2FeaturesEXT, \
            PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_2_FEATURES_EXT, __VA_ARGS__)
#define CLOCK(...)                                                                                                    \
  EXTENSION("VK_KHR_shader_clock", VkPhysicalDeviceShaderClockFeaturesKHR, PHYSICAL_DEVICE_SHADER_CLOCK_FEATURES_KHR, \
            __VA_ARGS__)
#define WORKGROUP_LAYOUT(...)                                                                                    \
  EXTENSION("VK_KHR_workgroup_memory_explicit_layout", VkPhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR, \
            PHYSICAL_DEVICE_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_FEATURES_KHR, __VA_ARGS__)
#define CAP(name) uint32_t(spv::Capability::name)

namespace {

constexpr bool needed = true, used = false;

/// A feature of an extension that Vulkan 1.3.239's headers, those of Debian 12, do not have: the `bit`th of a structure
/// whose number is `type`. `since`: the first headers with it. `alone`: its bit in VkPhysicalDeviceVulkan14Features.
Feature newer(uint32_t since, const char* extension, const char* structure, uint32_t type, uint32_t bit,
              const char* reason, const char* name, std::vector<uint32_t> capabilities, FeatureField alone = {}) {
  return {name,
          {structure, VkStructureType(type), offset_of_bit(bit)},
          alone,
          extension,
          false,
          reason,
          std::move(capabilities),
          since};
}

FeatureField version14(uint32_t bit) {
  return {"VkPhysicalDeviceVulkan14Features", VkStructureType(55), offset_of_bit(bit)};
}

const uint32_t roadmap_2024 = VK_MAKE_API_VERSION(0, 1, 3, 276);

}  // namespace

std::span<const Feature> features() {
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
      V12(ShaderAtomicInt64, SHADER_ATOMIC_INT64, used, "64-bit atomics on workgroup memory", shaderSharedInt64Atomics,
          CAP(Int64Atomics)),
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
          shaderStorageBufferArrayNonUniformIndexing, CAP(StorageBufferArrayNonUniformIndexing)),
      V12(DescriptorIndexing, DESCRIPTOR_INDEXING, used, "descriptor arrays without a size that kernels do not use",
          runtimeDescriptorArray, CAP(RuntimeDescriptorArray)),
      V13(ShaderIntegerDotProduct, SHADER_INTEGER_DOT_PRODUCT, used, "integer dot products", shaderIntegerDotProduct,
          CAP(DotProductKHR), CAP(DotProductInputAllKHR), CAP(DotProductInput4x8BitKHR),
          CAP(DotProductInput4x8BitPackedKHR)),
      ATOMIC_FLOAT("loads, stores and exchanges of floats, atomic, on buffers", shaderBufferFloat32Atomics),
      ATOMIC_FLOAT("float atomics on buffers", shaderBufferFloat32AtomicAdd, CAP(AtomicFloat32AddEXT)),
      ATOMIC_FLOAT("loads, stores and exchanges of doubles, atomic, on buffers", shaderBufferFloat64Atomics),
      ATOMIC_FLOAT("double atomics on buffers", shaderBufferFloat64AtomicAdd, CAP(AtomicFloat64AddEXT)),
      ATOMIC_FLOAT("loads, stores and exchanges of floats, atomic, on workgroup memory", shaderSharedFloat32Atomics),
      ATOMIC_FLOAT("float atomics on workgroup memory", shaderSharedFloat32AtomicAdd, CAP(AtomicFloat32AddEXT)),
      ATOMIC_FLOAT("loads, stores and exchanges of doubles, atomic, on workgroup memory", shaderSharedFloat64Atomics),
      ATOMIC_FLOAT("double atomics on workgroup memory", shaderSharedFloat64AtomicAdd, CAP(AtomicFloat64AddEXT)),
      ATOMIC_FLOAT2("loads, stores and exchanges of halves, atomic, on buffers", shaderBufferFloat16Atomics),
      ATOMIC_FLOAT2("half atomics on buffers", shaderBufferFloat16AtomicAdd, CAP(AtomicFloat16AddEXT)),
      ATOMIC_FLOAT2("atomic min and max of halves on buffers", shaderBufferFloat16AtomicMinMax,
                    CAP(AtomicFloat16MinMaxEXT)),
      ATOMIC_FLOAT2("atomic min and max of floats on buffers", shaderBufferFloat32AtomicMinMax,
                    CAP(AtomicFloat32MinMaxEXT)),
      ATOMIC_FLOAT2("atomic min and max of doubles on buffers", shaderBufferFloat64AtomicMinMax,
                    CAP(AtomicFloat64MinMaxEXT)),
      ATOMIC_FLOAT2("loads, stores and exchanges of halves, atomic, on workgroup memory", shaderSharedFloat16Atomics),
      ATOMIC_FLOAT2("half atomics on workgroup memory", shaderSharedFloat16AtomicAdd, CAP(AtomicFloat16AddEXT)),
      ATOMIC_FLOAT2("atomic min and max of halves on workgroup memory", shaderSharedFloat16AtomicMinMax,
                    CAP(AtomicFloat16MinMaxEXT)),
      ATOMIC_FLOAT2("atomic min and max of floats on workgroup memory", shaderSharedFloat32AtomicMinMax,
                    CAP(AtomicFloat32MinMaxEXT)),
      ATOMIC_FLOAT2("atomic min and max of doubles on workgroup memory", shaderSharedFloat64AtomicMinMax,
                    CAP(AtomicFloat64MinMaxEXT)),
      CLOCK("clocks of a subgroup in kernels", shaderSubgroupClock, CAP(ShaderClockKHR)),
      CLOCK("clocks of the device in kernels", shaderDeviceClock, CAP(ShaderClockKHR)),
      WORKGROUP_LAYOUT("workgroup memory with explicit layout", workgroupMemoryExplicitLayout,
                       CAP(WorkgroupMemoryExplicitLayoutKHR)),
      WORKGROUP_LAYOUT("scalar layout of workgroup memory", workgroupMemoryExplicitLayoutScalarBlockLayout),
      WORKGROUP_LAYOUT("8-bit members in blocks of workgroup memory", workgroupMemoryExplicitLayout8BitAccess,
                       CAP(WorkgroupMemoryExplicitLayout8BitAccessKHR)),
      WORKGROUP_LAYOUT("16-bit members in blocks of workgroup memory", workgroupMemoryExplicitLayout16BitAccess,
                       CAP(WorkgroupMemoryExplicitLayout16BitAccessKHR)),
      EXTENSION("VK_INTEL_shader_integer_functions2", VkPhysicalDeviceShaderIntegerFunctions2FeaturesINTEL,
                PHYSICAL_DEVICE_SHADER_INTEGER_FUNCTIONS_2_FEATURES_INTEL, "integer functions of Intel's",
                shaderIntegerFunctions2, CAP(IntegerFunctions2INTEL)),
      EXTENSION("VK_NV_shader_sm_builtins", VkPhysicalDeviceShaderSMBuiltinsFeaturesNV,
                PHYSICAL_DEVICE_SHADER_SM_BUILTINS_FEATURES_NV, "numbers of multiprocessors and warps on NVIDIA's GPUs",
                shaderSMBuiltins, CAP(ShaderSMBuiltinsNV)),
      EXTENSION("VK_ARM_shader_core_builtins", VkPhysicalDeviceShaderCoreBuiltinsFeaturesARM,
                PHYSICAL_DEVICE_SHADER_CORE_BUILTINS_FEATURES_ARM, "numbers of cores and warps on ARM's GPUs",
                shaderCoreBuiltins, CAP(CoreBuiltinsARM)),
      newer(roadmap_2024, "VK_KHR_shader_maximal_reconvergence",
            "VkPhysicalDeviceShaderMaximalReconvergenceFeaturesKHR", 1000434000, 0,
            "subgroup operations in divergent flow act on the lanes that the source says", "shaderMaximalReconvergence",
            {}),
      newer(roadmap_2024, "VK_KHR_shader_expect_assume", "VkPhysicalDeviceShaderExpectAssumeFeaturesKHR", 1000544000, 0,
            "hints of likely values and of conditions that hold", "shaderExpectAssume", {CAP(ExpectAssumeKHR)},
            version14(4)),
      newer(roadmap_2024, "VK_KHR_shader_subgroup_rotate", "VkPhysicalDeviceShaderSubgroupRotateFeaturesKHR",
            1000416000, 0, "rotations in a subgroup", "shaderSubgroupRotate", {CAP(GroupNonUniformRotateKHR)},
            version14(1)),
      newer(roadmap_2024, "VK_KHR_shader_subgroup_rotate", "VkPhysicalDeviceShaderSubgroupRotateFeaturesKHR",
            1000416000, 1, "rotations in a cluster", "shaderSubgroupRotateClustered", {}, version14(2)),
      newer(roadmap_2024, "VK_KHR_shader_float_controls2", "VkPhysicalDeviceShaderFloatControls2FeaturesKHR",
            1000528000, 0, "rules of floating point for single instructions", "shaderFloatControls2",
            {6029},  // FloatControls2
            version14(3)),
      newer(VK_MAKE_API_VERSION(0, 1, 3, 278), "VK_NV_shader_atomic_float16_vector",
            "VkPhysicalDeviceShaderAtomicFloat16VectorFeaturesNV", 1000563000, 0, "atomics on vectors of halves",
            "shaderFloat16VectorAtomics", {5404}),  // AtomicFloat16VectorNV
      newer(VK_MAKE_API_VERSION(0, 1, 3, 286), "VK_EXT_shader_replicated_composites",
            "VkPhysicalDeviceShaderReplicatedCompositesFeaturesEXT", 1000564000, 0,
            "vectors, arrays and the like made of one value", "shaderReplicatedComposites",
            {6024}),  // ReplicatedCompositesEXT
      newer(VK_MAKE_API_VERSION(0, 1, 3, 295), "VK_KHR_compute_shader_derivatives",
            "VkPhysicalDeviceComputeShaderDerivativesFeaturesKHR", 1000201000, 0, "derivatives across quads",
            "computeDerivativeGroupQuads", {CAP(ComputeDerivativeGroupQuadsNV)}),
      newer(VK_MAKE_API_VERSION(0, 1, 3, 295), "VK_KHR_compute_shader_derivatives",
            "VkPhysicalDeviceComputeShaderDerivativesFeaturesKHR", 1000201000, 1,
            "derivatives across four lanes in a row", "computeDerivativeGroupLinear",
            {CAP(ComputeDerivativeGroupLinearNV)}),
      newer(VK_MAKE_API_VERSION(0, 1, 4, 325), "VK_KHR_shader_untyped_pointers",
            "VkPhysicalDeviceShaderUntypedPointersFeaturesKHR", 1000387000, 0, "pointers without a type",
            "shaderUntypedPointers", {4473}),  // UntypedPointersKHR
      newer(VK_MAKE_API_VERSION(0, 1, 4, 329), "VK_KHR_shader_fma", "VkPhysicalDeviceShaderFmaFeaturesKHR", 1000579000,
            0, "fused multiply-add of halves", "shaderFmaFloat16", {6030}),  // FMAKHR
      newer(VK_MAKE_API_VERSION(0, 1, 4, 329), "VK_KHR_shader_fma", "VkPhysicalDeviceShaderFmaFeaturesKHR", 1000579000,
            1, "fused multiply-add of floats", "shaderFmaFloat32", {6030}),
      newer(VK_MAKE_API_VERSION(0, 1, 4, 329), "VK_KHR_shader_fma", "VkPhysicalDeviceShaderFmaFeaturesKHR", 1000579000,
            2, "fused multiply-add of doubles", "shaderFmaFloat64", {6030}),
      newer(VK_MAKE_API_VERSION(0, 1, 4, 340), "VK_EXT_shader_subgroup_partitioned",
            "VkPhysicalDeviceShaderSubgroupPartitionedFeaturesEXT", 1000662000, 0,
            "subgroup operations over the lanes with equal values", "shaderSubgroupPartitioned",
            {CAP(GroupNonUniformPartitionedNV)}),
  };
  return table;
}

std::span<const Extension> extensions() {
  static const Extension table[] = {
      {VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME, "memory shared with CUDA and other devices by file descriptor", {}},
      {VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME,
       "semaphores shared with CUDA and other devices by file descriptor",
       {}},
      {VK_EXT_SHADER_SUBGROUP_BALLOT_EXTENSION_NAME, "ballots in the form before Vulkan 1.1", {CAP(SubgroupBallotKHR)}},
      {VK_EXT_SHADER_SUBGROUP_VOTE_EXTENSION_NAME, "votes in the form before Vulkan 1.1", {CAP(SubgroupVoteKHR)}},
      {VK_NV_SHADER_SUBGROUP_PARTITIONED_EXTENSION_NAME,
       "subgroup operations over the lanes with equal values",
       {CAP(GroupNonUniformPartitionedNV)}},
  };
  return table;
}

std::span<const uint32_t> capabilities_of_every_device() {
  // Those of images let kernels declare what they do not use: core refuses kernels that use an image.
  static constexpr uint32_t table[] = {
      CAP(Matrix),
      CAP(Shader),
      CAP(InputAttachment),
      CAP(Sampled1D),
      CAP(Image1D),
      CAP(SampledBuffer),
      CAP(ImageBuffer),
      CAP(ImageQuery),
      CAP(DerivativeControl),
      CAP(StorageImageExtendedFormats),
      CAP(DeviceGroup),
      CAP(ShaderNonUniform),
  };
  return table;
}

}  // namespace weft::vulkan
