#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backends/vulkan/functions.h"

namespace weft::vulkan {

/// Every feature structure that Weft reads, linked for vkGetPhysicalDeviceFeatures2 and vkCreateDevice. The structures
/// of extensions are linked only if `extensions` names them.
class FeatureChain {
 public:
  /// `version` is the one of Vulkan that the device may be used with: the lesser of its own and its instance's.
  explicit FeatureChain(const std::set<std::string>& extensions, uint32_t version = VK_API_VERSION_1_3);
  /// Sets the features of the table that are on in `other`, a chain of any structures.
  void set_from(const VkPhysicalDeviceFeatures2& other);
  FeatureChain(const FeatureChain&) = delete;

  /// Whether `extensions` named this one.
  bool has(const char* extension) const { return extensions_.contains(extension); }
  /// Whether the feature of the table with this name is on.
  bool is_on(std::string_view feature) const;
  /// The names of all features that are on.
  std::set<std::string_view> names() const;
  uint32_t version() const { return version_; }

  VkPhysicalDeviceFeatures2 core{};
  VkPhysicalDeviceVulkan11Features v11{};
  VkPhysicalDeviceVulkan12Features v12{};
  VkPhysicalDeviceVulkan13Features v13{};

 private:
  /// The structure of any extension: all consist of a head and of bits.
  struct ExtensionStructure {
    VkStructureType sType{};
    void* pNext = nullptr;
    std::array<VkBool32, 16> bits{};
  };
  template <typename Structure>
  void link(Structure& structure, VkStructureType type);
  void** tail_ = nullptr;
  std::deque<ExtensionStructure> of_extensions_;
  std::set<std::string> extensions_;
  uint32_t version_;
};

/// Location of a feature's bit in one structure of a chain.
struct FeatureField {
  const char* structure = nullptr;  ///< Null if there is no such structure.
  VkStructureType type{};
  size_t offset = 0;
};
/// Offset of a bit in a structure of features.
constexpr size_t offset_of_bit(uint32_t bit) { return sizeof(VkBaseOutStructure) + bit * sizeof(VkBool32); }

/// One feature that Weft needs or can use.
struct Feature {
  const char* name;
  FeatureField field;     ///< In the structure of a Vulkan version or of an extension.
  FeatureField other;     ///< In another structure that hosts may chain: that of the core feature alone, or that of the
                          ///< Vulkan version which took in the extension.
  const char* extension;  ///< nullptr for core.
  bool required;
  const char* reason;
  std::vector<uint32_t> capabilities;  ///< SPIR-V capabilities that it lets kernels declare.
  uint32_t since = 0;  ///< The first Vulkan headers with the extension, if later than those of Debian 12.
};

/// The table behind requirements(), refusals, device creation and the list of capabilities. It has every feature by
/// which Vulkan's appendix on SPIR-V enables a capability of compute shaders, but for those of images, cooperative
/// matrices and vectors, ray queries and tensors, and of types that SPIRV-Cross cannot lay out.
std::span<const Feature> features();

/// A device extension that Weft can use, and that has no features.
struct Extension {
  const char* name;
  const char* reason;
  std::vector<uint32_t> capabilities;  ///< As in Feature.
};
std::span<const Extension> extensions();

/// SPIR-V capabilities that need no feature.
std::span<const uint32_t> capabilities_of_every_device();

/// The feature's bit in a chain; null if the chain has neither of its structures.
VkBool32* find(const Feature& feature, VkPhysicalDeviceFeatures2& chain);
const VkBool32* find(const Feature& feature, const VkPhysicalDeviceFeatures2& chain);
/// Whether the bit is there and set.
bool is_on(const Feature& feature, const VkPhysicalDeviceFeatures2& chain);

/// The extensions of a device that was created with these and with `chain`: those that the device's version includes,
/// and that `chain` enables in that version's structure, too.
std::set<std::string> enabled_extensions(std::set<std::string> named, const VkPhysicalDeviceFeatures2& chain);

/// "bufferDeviceAddress (kernels take buffers as device addresses)" for each required feature that is off in `chain`.
std::vector<std::string> missing_features(const VkPhysicalDeviceFeatures2& chain);

}  // namespace weft::vulkan
