#include "backends/vulkan/features.h"

#include <algorithm>
#include <utility>

namespace weft::vulkan {

template <typename Structure>
void FeatureChain::link(Structure& structure, VkStructureType type) {
  structure.sType = type;
  if (tail_) *tail_ = &structure;
  tail_ = &structure.pNext;
}

FeatureChain::FeatureChain(const std::set<std::string>& extensions, uint32_t version)
    : extensions_(extensions), version_(version) {
  link(core, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
  link(v11, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES);
  link(v12, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
  link(v13, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES);
  for (const Feature& f : features()) {
    if (!f.extension || !extensions.contains(f.extension)) continue;
    const bool linked = std::ranges::any_of(of_extensions_, [&](const auto& s) { return s.sType == f.field.type; });
    if (!linked) link(of_extensions_.emplace_back(), f.field.type);
  }
}

void FeatureChain::set_from(const VkPhysicalDeviceFeatures2& other) {
  for (const Feature& feature : features()) {
    VkBool32* const bit = find(feature, core);
    if (bit && vulkan::is_on(feature, other)) *bit = VK_TRUE;
  }
}

bool FeatureChain::is_on(std::string_view feature) const {
  return std::ranges::any_of(features(), [&](const Feature& f) { return f.name == feature && vulkan::is_on(f, core); });
}

std::set<std::string_view> FeatureChain::names() const {
  std::set<std::string_view> names;
  for (const Feature& f : features()) {
    if (vulkan::is_on(f, core)) names.insert(f.name);
  }
  return names;
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
  return bit ? bit : find(feature.other, chain);
}

VkBool32* find(const Feature& feature, VkPhysicalDeviceFeatures2& chain) {
  return const_cast<VkBool32*>(find(feature, std::as_const(chain)));
}

bool is_on(const Feature& feature, const VkPhysicalDeviceFeatures2& chain) {
  const VkBool32* const bit = find(feature, chain);
  return bit && *bit;
}

std::set<std::string> enabled_extensions(std::set<std::string> named, const VkPhysicalDeviceFeatures2& chain) {
  for (const Feature& f : features()) {
    const VkBool32* const bit = f.extension ? find(f.other, chain) : nullptr;
    if (bit && *bit) named.insert(f.extension);
  }
  return named;
}

std::vector<std::string> missing_features(const VkPhysicalDeviceFeatures2& chain) {
  std::vector<std::string> missing;
  for (const Feature& f : features()) {
    if (f.required && !is_on(f, chain)) missing.push_back(std::string(f.name) + " (" + f.reason + ")");
  }
  return missing;
}

}  // namespace weft::vulkan
