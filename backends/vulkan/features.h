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

/// Every feature structure that Weft reads, linked for vkGetPhysicalDeviceFeatures2 and vkCreateDevice. The structures
/// of extensions are linked only if `extensions` names them.
class FeatureChain {
 public:
  explicit FeatureChain(const std::set<std::string>& extensions);
  /// Sets the features of the table that are on in `other`, a chain of any structures.
  void set_from(const VkPhysicalDeviceFeatures2& other);
  FeatureChain(const FeatureChain&) = delete;

  /// Whether `extensions` named this one.
  bool has(const char* extension) const { return extensions_.contains(extension); }

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
  std::set<std::string> extensions_;
};

/// Location of a feature's bit in one structure of a chain.
struct FeatureField {
  const char* structure = nullptr;  ///< Null if there is no such structure.
  VkStructureType type{};
  size_t offset = 0;
};

/// One feature that Weft needs or can use.
struct Feature {
  const char* name;
  FeatureField field;     ///< In the structure of a Vulkan version or of an extension.
  FeatureField alone;     ///< In the single-feature structure of a core feature; hosts may chain either.
  const char* extension;  ///< nullptr for core.
  bool required;
  const char* reason;
  std::vector<uint32_t> capabilities;  ///< SPIR-V capabilities that it lets kernels declare.
};

/// The table behind requirements(), refusals, device creation and the list of capabilities.
std::span<const Feature> features();

/// A device extension that Weft can use, and that has no features.
struct Extension {
  const char* name;
  const char* reason;
};
std::span<const Extension> extensions();

/// The feature's bit in a chain; null if the chain has neither of its structures.
VkBool32* find(const Feature& feature, VkPhysicalDeviceFeatures2& chain);
const VkBool32* find(const Feature& feature, const VkPhysicalDeviceFeatures2& chain);
/// Whether the bit is there and set.
bool is_on(const Feature& feature, const VkPhysicalDeviceFeatures2& chain);

/// "bufferDeviceAddress (kernels take buffers as device addresses)" for each required feature that is off in `chain`.
std::vector<std::string> missing_features(const VkPhysicalDeviceFeatures2& chain);

}  // namespace weft::vulkan
