#include <unistd.h>

#include <weft/version.h>
#include <algorithm>
#include <fstream>
#include <spirv/unified1/spirv.hpp11>
#include <string>

#include "backends/host/device.h"

namespace weft::host {

namespace {

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "host processor";
}

uint64_t memory_bytes() {
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? uint64_t(pages) * uint64_t(page) : uint64_t{1} << 30;
}

DeviceLimits limits_of(const Settings& settings) {
  DeviceLimits limits;
  limits.memory_bytes = limits.max_buffer_bytes = memory_bytes();
  limits.subgroup_size = settings.subgroup_size;
  limits.min_subgroup_size = 1;
  limits.max_subgroup_size = 128;
  limits.max_workgroup_invocations = 1024;
  limits.max_workgroup_size = {1024, 1024, 1024};
  // As GPUs of the usual vendors have it.
  limits.max_workgroup_count = {0x7fffffff, 65535, 65535};
  limits.workgroup_memory_bytes = 256 * 1024;
  limits.push_constant_bytes = Arguments::max_push_constant_bytes;
  limits.storage_binding_alignment = limits.uniform_binding_alignment = 16;
  limits.max_storage_binding_bytes = limits.max_uniform_binding_bytes = limits.max_buffer_bytes;
  limits.timestamp_period_ns = 1;
  return limits;
}

DeviceFeatures features() {
  DeviceFeatures features;
  features.int8 = features.int16 = features.int64 = true;
  features.float16 = features.float64 = true;
  features.storage8 = features.storage16 = true;
  features.buffer_int64_atomics = features.workgroup_int64_atomics = true;
  features.float32_atomic_add = true;
  features.subgroup_extended_types = true;
  features.subgroup_size_control = true;
  features.maximal_reconvergence = true;
  features.workgroup_forward_progress = true;
  return features;
}

}  // namespace

DeviceInfo describe(const Settings& settings) {
  DeviceInfo info;
  info.selector = settings.selector();
  info.backend = "host";
  info.name = processor_name();
  info.driver = "Weft " WEFT_VERSION ", the system's C++ compiler";
  info.api = "host";
  info.kind = DeviceKind::cpu;
  info.limits = limits_of(settings);
  info.features = features();
  for (const auto operation :
       {SubgroupOperation::basic, SubgroupOperation::vote, SubgroupOperation::arithmetic, SubgroupOperation::ballot,
        SubgroupOperation::shuffle, SubgroupOperation::shuffle_relative, SubgroupOperation::clustered,
        SubgroupOperation::quad}) {
    info.subgroup_operations.insert(operation);
  }
  using spv::Capability;
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
       }) {
    info.capabilities.insert(uint32_t(capability));
  }
  return info;
}

}  // namespace weft::host
