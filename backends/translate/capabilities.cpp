#include "backends/translate/capabilities.h"

#include <spirv/unified1/spirv.hpp11>

namespace weft::translate {

std::set<uint32_t> supported_capabilities() {
  using spv::Capability;
  std::set<uint32_t> numbers;
  for (const auto capability : {
           Capability::Matrix,
           Capability::Shader,
           Capability::Float16,
           Capability::Float64,
           Capability::Int64,
           Capability::Int64Atomics,
           Capability::Int16,
           Capability::Int8,
           Capability::GroupNonUniform,
           Capability::GroupNonUniformVote,
           Capability::GroupNonUniformArithmetic,
           Capability::GroupNonUniformBallot,
           Capability::GroupNonUniformShuffle,
           Capability::GroupNonUniformShuffleRelative,
           Capability::GroupNonUniformClustered,
           Capability::GroupNonUniformQuad,
           Capability::GroupNonUniformRotateKHR,
           Capability::GroupNonUniformPartitionedNV,
           Capability::SubgroupBallotKHR,
           Capability::SubgroupVoteKHR,
           Capability::StorageBuffer16BitAccess,
           Capability::UniformAndStorageBuffer16BitAccess,
           Capability::StoragePushConstant16,
           Capability::StorageBuffer8BitAccess,
           Capability::UniformAndStorageBuffer8BitAccess,
           Capability::StoragePushConstant8,
           Capability::VariablePointersStorageBuffer,
           Capability::VariablePointers,
           Capability::UniformBufferArrayDynamicIndexing,
           Capability::StorageBufferArrayDynamicIndexing,
           Capability::ShaderNonUniform,
           Capability::UniformBufferArrayNonUniformIndexing,
           Capability::StorageBufferArrayNonUniformIndexing,
           Capability::VulkanMemoryModel,
           Capability::VulkanMemoryModelDeviceScope,
           Capability::PhysicalStorageBufferAddresses,
           Capability::WorkgroupMemoryExplicitLayoutKHR,
           Capability::WorkgroupMemoryExplicitLayout8BitAccessKHR,
           Capability::WorkgroupMemoryExplicitLayout16BitAccessKHR,
           Capability::AtomicFloat32AddEXT,
           Capability::AtomicFloat64AddEXT,
           Capability::AtomicFloat32MinMaxEXT,
           Capability::AtomicFloat64MinMaxEXT,
           Capability::ExpectAssumeKHR,
           Capability::DenormPreserve,
           Capability::SignedZeroInfNanPreserve,
           Capability::RoundingModeRTE,
           Capability::DotProduct,
           Capability::DotProductInputAll,
           Capability::DotProductInput4x8Bit,
           Capability::DotProductInput4x8BitPacked,
           Capability{6030},  // FMAKHR, newer than the headers
       }) {
    numbers.insert(uint32_t(capability));
  }
  return numbers;
}

std::set<SubgroupOperation> supported_subgroup_operations() {
  return {SubgroupOperation::basic,     SubgroupOperation::vote,    SubgroupOperation::arithmetic,
          SubgroupOperation::ballot,    SubgroupOperation::shuffle, SubgroupOperation::shuffle_relative,
          SubgroupOperation::clustered, SubgroupOperation::quad};
}

DeviceFeatures supported_features() {
  DeviceFeatures features;
  features.int8 = features.int16 = features.int64 = true;
  features.float16 = features.float64 = true;
  features.storage8 = features.storage16 = true;
  features.buffer_int64_atomics = features.workgroup_int64_atomics = true;
  features.float32_atomic_add = true;
  features.subgroup_extended_types = true;
  features.subgroup_size_control = true;
  features.maximal_reconvergence = true;
  features.scalar_layout = true;
  features.workgroup_forward_progress = true;
  return features;
}

}  // namespace weft::translate
