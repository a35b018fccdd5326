#include <algorithm>
#include <set>

#include <weft/interop/vulkan.h>

#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

TEST_CASE("requirements are known before any device exists") {
  const vulkan::Requirements requirements = vulkan::requirements();
  CHECK_EQ(requirements.api_version >> 22, 1);
  CHECK_EQ(requirements.api_version >> 12 & 0x3ff, 2);
  std::set<std::string> required, names;
  for (const vulkan::FeatureRequirement& feature : requirements.features) {
    INFO("feature: ", feature.name);
    CHECK_EQ(feature.structure.rfind("VkPhysicalDevice", 0), 0);
    CHECK_FALSE(feature.name.empty());
    CHECK_FALSE(feature.reason.empty());
    CHECK(names.insert(feature.name).second);
    if (feature.required) required.insert(feature.name);
  }
  CHECK_EQ(required, std::set<std::string>{"bufferDeviceAddress"});
  for (const char* const name : {"timelineSemaphore", "synchronization2", "scalarBlockLayout", "hostQueryReset"}) {
    INFO("feature: ", std::string(name));
    CHECK(names.contains(name));
  }
  CHECK_LT(required.size(), names.size());  // some are used only if present
  const auto optional = requirements.extensions(false);
  CHECK(std::count(optional.begin(), optional.end(), "VK_KHR_shader_maximal_reconvergence") == 1);
  for (const bool which : {true, false}) {
    const auto extensions = requirements.extensions(which);
    CHECK_EQ(std::set<std::string>(extensions.begin(), extensions.end()).size(), extensions.size());
  }
}
