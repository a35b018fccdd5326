#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "backends/vulkan/functions.h"

#ifndef VK_KHR_shader_maximal_reconvergence
#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_MAXIMAL_RECONVERGENCE_FEATURES_KHR VkStructureType(1000434000)
struct VkPhysicalDeviceShaderMaximalReconvergenceFeaturesKHR {
  VkStructureType sType;
  void* pNext;
  VkBool32 shaderMaximalReconvergence;
};
#endif

namespace weft::vulkan {

/// All feature structures that Weft reads, chained for vkGetPhysicalDeviceFeatures2 and vkCreateDevice. Structures of
/// extensions are included only if the device has the extension.
class FeatureChain {
 public:
  explicit FeatureChain(const std::set<std::string>& extensions);
  FeatureChain(const FeatureChain&) = delete;

  VkPhysicalDeviceFeatures2 core{};
  VkPhysicalDeviceVulkan11Features v11{};
  VkPhysicalDeviceVulkan12Features v12{};
  VkPhysicalDeviceVulkan13Features v13{};
  VkPhysicalDeviceShaderAtomicFloatFeaturesEXT atomic_float{};
  VkPhysicalDeviceShaderClockFeaturesKHR clock{};
  VkPhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR workgroup_layout{};
  VkPhysicalDeviceShaderMaximalReconvergenceFeaturesKHR reconvergence{};

 private:
  template <typename Structure>
  void link(Structure& structure, VkStructureType type);
  void** tail_ = nullptr;
};

/// A feature that Weft requires or can use.
struct Feature {
  const char* structure;
  const char* name;
  const char* extension;  ///< Null for core features.
  bool required;
  const char* reason;
  VkBool32& (*field)(FeatureChain&);
  std::vector<uint32_t> capabilities;  ///< SPIR-V capabilities that kernels may then declare.
};

/// The table behind requirements(), refusals, device creation and the list of capabilities.
std::span<const Feature> features();

}  // namespace weft::vulkan
