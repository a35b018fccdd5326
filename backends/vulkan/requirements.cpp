#include <set>
#include <string>
#include <vector>

#include <weft/interop/vulkan.h>

#include "backends/vulkan/features.h"
#include "backends/vulkan/version.h"

/// The requirements on a device that does not exist yet.
namespace weft::vulkan {

Requirements requirements() {
  Requirements result;
  result.api_version = VK_API_VERSION_1_2;
  for (const Feature& f : features()) {
    result.features.push_back({f.field.structure, f.name, f.extension ? f.extension : "", f.required, f.reason});
  }
  for (const Extension& e : vulkan::extensions()) result.optional_extensions.push_back({e.name, e.reason});
  return result;
}

std::vector<std::string> Requirements::extensions(bool required) const {
  std::set<std::string> names;
  for (const FeatureRequirement& f : features) {
    if (f.required == required && !f.extension.empty()) names.insert(f.extension);
  }
  if (!required) {
    for (const ExtensionRequirement& e : optional_extensions) names.insert(e.name);
  }
  return {names.begin(), names.end()};
}

std::vector<std::string> enable(VkPhysicalDeviceFeatures2& wanted, const VkPhysicalDeviceFeatures2& supported) {
  std::vector<std::string> without_structure;
  for (const Feature& f : features()) {
    // A required feature that `supported` does not cover is enabled anyway: vkCreateDevice reports if it is missing.
    const VkBool32* const known = find(f, supported);
    if (known ? !*known : !f.required) continue;
    if (VkBool32* const bit = find(f, wanted)) {
      *bit = VK_TRUE;
    } else {
      without_structure.push_back(std::string(f.name) + " of " + f.field.structure +
                                  (f.other.structure ? std::string(" or ") + f.other.structure : ""));
    }
  }
  return without_structure;
}

std::vector<std::string> missing(const VkPhysicalDeviceFeatures2& enabled, std::span<const char* const>,
                                 uint32_t instance_version) {
  std::vector<std::string> lacks;
  if (instance_version < VK_API_VERSION_1_2) {
    lacks.push_back("an instance of Vulkan 1.2, for kernels in SPIR-V 1.5 (VkApplicationInfo::apiVersion is " +
                    version_text(instance_version) + ")");
  }
  for (std::string& feature : missing_features(enabled)) lacks.push_back(std::move(feature));
  return lacks;
}

}  // namespace weft::vulkan
