#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

#include <algorithm>

#include <weft/interop/vulkan.h>

#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

/// The features that a host enables before it creates a device. Nothing here loads Vulkan.

namespace {

struct Versions {
  Versions() {
    core.pNext = &v11;
    v11.pNext = &v12;
    v12.pNext = &v13;
  }
  VkPhysicalDeviceFeatures2 core{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
  VkPhysicalDeviceVulkan11Features v11{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES};
  VkPhysicalDeviceVulkan12Features v12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  VkPhysicalDeviceVulkan13Features v13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
};

struct Singles {
  Singles() {
    core.pNext = &timeline;
    timeline.pNext = &address;
  }
  VkPhysicalDeviceFeatures2 core{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
  VkPhysicalDeviceTimelineSemaphoreFeatures timeline{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES};
  VkPhysicalDeviceBufferDeviceAddressFeatures address{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES};
};

bool names(const std::vector<std::string>& list, const std::string& part) {
  return std::ranges::any_of(list, [&](const std::string& text) { return text.find(part) != std::string::npos; });
}

}  // namespace

TEST_CASE("enable() enables supported features in the structures of versions") {
  Versions wanted, supported;
  supported.v12.bufferDeviceAddress = supported.v12.timelineSemaphore = supported.v12.shaderInt8 = VK_TRUE;
  supported.v13.synchronization2 = supported.core.features.shaderInt64 = VK_TRUE;
  supported.core.features.geometryShader = VK_TRUE;  // not used by Weft
  wanted.core.features.samplerAnisotropy = VK_TRUE;  // used by the host
  CHECK(vulkan::enable(wanted.core, supported.core).empty());
  CHECK(wanted.v12.bufferDeviceAddress);
  CHECK(wanted.v12.timelineSemaphore);
  CHECK(wanted.v12.shaderInt8);
  CHECK(wanted.v13.synchronization2);
  CHECK(wanted.core.features.shaderInt64);
  CHECK(wanted.core.features.samplerAnisotropy);
  CHECK_FALSE(wanted.core.features.geometryShader);
  CHECK_FALSE(wanted.v12.scalarBlockLayout);
  CHECK_FALSE(wanted.core.features.shaderFloat64);
}

TEST_CASE("enable() uses the structures of single features, and returns features without one") {
  Singles wanted;
  Versions supported;
  supported.v12.bufferDeviceAddress = supported.v12.timelineSemaphore = supported.v12.hostQueryReset = VK_TRUE;
  const auto left = vulkan::enable(wanted.core, supported.core);
  CHECK(wanted.address.bufferDeviceAddress);
  CHECK(wanted.timeline.timelineSemaphore);
  REQUIRE_EQ(left.size(), 1);
  for (const char* const part :
       {"hostQueryReset", "VkPhysicalDeviceVulkan12Features", "VkPhysicalDeviceHostQueryResetFeatures"}) {
    INFO(left[0]);
    CHECK(left[0].find(part) != std::string::npos);
  }
}

TEST_CASE("enable() leaves an unsupported required feature off, and missing() names it") {
  Versions wanted;
  const Versions supported;
  vulkan::enable(wanted.core, supported.core);
  CHECK_FALSE(wanted.v12.bufferDeviceAddress);
  CHECK(names(vulkan::missing(wanted.core, {}, VK_API_VERSION_1_2), "bufferDeviceAddress"));
  Singles unasked;  // whose supported features were not queried
  VkPhysicalDeviceFeatures2 nothing{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
  vulkan::enable(unasked.core, nothing);
  CHECK(unasked.address.bufferDeviceAddress);
  CHECK_FALSE(unasked.timeline.timelineSemaphore);
}

TEST_CASE("missing() names everything at once, and nothing if bufferDeviceAddress is on in either form") {
  VkPhysicalDeviceFeatures2 nothing{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
  const auto lacks = vulkan::missing(nothing, {}, VK_API_VERSION_1_1);
  CHECK_EQ(lacks.size(), 2);
  CHECK(names(lacks, "1.2"));
  CHECK(names(lacks, "1.1.0"));
  CHECK(names(lacks, "bufferDeviceAddress"));
  Versions versions;
  versions.v12.bufferDeviceAddress = VK_TRUE;
  CHECK(vulkan::missing(versions.core, {}, VK_API_VERSION_1_2).empty());
  Singles singles;
  singles.address.bufferDeviceAddress = VK_TRUE;
  CHECK(vulkan::missing(singles.core, {}, VK_API_VERSION_1_2).empty());
}
