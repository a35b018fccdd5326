// A Vulkan driver for devices that no test machine has: too old, incapable or broken. It answers all queries that
// precede opening a device; opening one fails.
#define VK_NO_PROTOTYPES
#include <vulkan/vk_icd.h>
#include <vulkan/vulkan.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <string_view>

namespace {

struct FakeDevice {
  VK_LOADER_DATA loader_data;
  const char* name;
  uint32_t api_version;
  VkDriverId driver;
  const char* driver_info;
  bool features;   ///< All features, or none.
  bool subgroups;  ///< All groups of subgroup operations, or only the basic one.
};

constexpr VK_LOADER_DATA magic{ICD_LOADER_MAGIC};
FakeDevice devices[] = {
    {magic, "Fake old lavapipe", VK_API_VERSION_1_3, VK_DRIVER_ID_MESA_LLVMPIPE, "Mesa 22.3.6 (LLVM 15.0.6)", true,
     true},
    {magic, "Fake Vulkan 1.2 device", VK_API_VERSION_1_2, VK_DRIVER_ID_MESA_RADV, "", true, true},
    {magic, "Fake poor device", VK_API_VERSION_1_3, VK_DRIVER_ID_MESA_VENUS, "", false, true},
    {magic, "Fake device without subgroups", VK_API_VERSION_1_3, VK_DRIVER_ID_MESA_VENUS, "", true, false},
    {magic, "Fake broken device", VK_API_VERSION_1_3, VK_DRIVER_ID_MESA_LLVMPIPE, "Mesa 25.0.0", true, true},
};

FakeDevice& fake(VkPhysicalDevice device) { return *reinterpret_cast<FakeDevice*>(device); }

unsigned instances = 0;  // Created so far.

VkResult VKAPI_CALL CreateInstance(const VkInstanceCreateInfo*, const VkAllocationCallbacks*, VkInstance* instance) {
  ++instances;
  *instance = reinterpret_cast<VkInstance>(new VK_LOADER_DATA(magic));
  return VK_SUCCESS;
}

void VKAPI_CALL DestroyInstance(VkInstance instance, const VkAllocationCallbacks*) {
  delete reinterpret_cast<VK_LOADER_DATA*>(instance);
}

VkResult VKAPI_CALL EnumerateInstanceExtensionProperties(const char*, uint32_t* count, VkExtensionProperties*) {
  *count = 0;
  return VK_SUCCESS;
}

VkResult VKAPI_CALL EnumerateInstanceVersion(uint32_t* version) {
  *version = VK_API_VERSION_1_3;
  return VK_SUCCESS;
}

VkResult VKAPI_CALL EnumeratePhysicalDevices(VkInstance, uint32_t* count, VkPhysicalDevice* handles) {
  if (handles == nullptr) {
    *count = uint32_t(std::size(devices));
    return VK_SUCCESS;
  }
  *count = std::min(*count, uint32_t(std::size(devices)));
  for (uint32_t i = 0; i < *count; ++i) handles[i] = reinterpret_cast<VkPhysicalDevice>(&devices[i]);
  return *count < std::size(devices) ? VK_INCOMPLETE : VK_SUCCESS;
}

VkResult VKAPI_CALL EnumerateDeviceExtensionProperties(VkPhysicalDevice, const char*, uint32_t* count,
                                                       VkExtensionProperties*) {
  *count = 0;
  return VK_SUCCESS;
}

void VKAPI_CALL GetPhysicalDeviceProperties(VkPhysicalDevice device, VkPhysicalDeviceProperties* properties) {
  *properties = {};
  properties->apiVersion = fake(device).api_version;
  properties->deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;  // The machine's best.
  std::snprintf(properties->deviceName, sizeof properties->deviceName, "%s", fake(device).name);
}

void VKAPI_CALL GetPhysicalDeviceProperties2(VkPhysicalDevice device, VkPhysicalDeviceProperties2* properties) {
  GetPhysicalDeviceProperties(device, &properties->properties);
  for (auto* next = static_cast<VkBaseOutStructure*>(properties->pNext); next != nullptr; next = next->pNext) {
    if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES) {
      auto* p = reinterpret_cast<VkPhysicalDeviceSubgroupProperties*>(next);
      p->subgroupSize = 4;
      p->supportedStages = VK_SHADER_STAGE_COMPUTE_BIT;
      p->supportedOperations = fake(device).subgroups ? 0xff : VK_SUBGROUP_FEATURE_BASIC_BIT;
    } else if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES) {
      auto* p = reinterpret_cast<VkPhysicalDeviceDriverProperties*>(next);
      p->driverID = fake(device).driver;
      std::snprintf(p->driverName, sizeof p->driverName, "fake");
      std::snprintf(p->driverInfo, sizeof p->driverInfo, "%s", fake(device).driver_info);
    }
  }
}

/// Sets every VkBool32 of a structure from its first one on.
template <typename Structure>
void set_all(Structure* structure, VkBool32 Structure::* first, VkBool32 value) {
  VkBool32* begin = &(structure->*first);
  const auto* end = reinterpret_cast<const VkBool32*>(structure + 1);
  while (begin < end) *begin++ = value;
}

void VKAPI_CALL GetPhysicalDeviceFeatures(VkPhysicalDevice device, VkPhysicalDeviceFeatures* features) {
  set_all(features, &VkPhysicalDeviceFeatures::robustBufferAccess, fake(device).features);
}

void VKAPI_CALL GetPhysicalDeviceFeatures2(VkPhysicalDevice device, VkPhysicalDeviceFeatures2* features) {
  GetPhysicalDeviceFeatures(device, &features->features);
  for (auto* next = static_cast<VkBaseOutStructure*>(features->pNext); next != nullptr; next = next->pNext) {
    const VkBool32 value = fake(device).features;
    if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES) {
      using F = VkPhysicalDeviceVulkan11Features;
      set_all(reinterpret_cast<F*>(next), &F::storageBuffer16BitAccess, value);
    } else if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES) {
      using F = VkPhysicalDeviceVulkan12Features;
      set_all(reinterpret_cast<F*>(next), &F::samplerMirrorClampToEdge, value);
    } else if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES) {
      using F = VkPhysicalDeviceVulkan13Features;
      set_all(reinterpret_cast<F*>(next), &F::robustImageAccess, value);
    }
  }
}

void VKAPI_CALL GetPhysicalDeviceMemoryProperties(VkPhysicalDevice, VkPhysicalDeviceMemoryProperties* properties) {
  *properties = {};
  properties->memoryTypeCount = properties->memoryHeapCount = 1;
  properties->memoryTypes[0] = {
      VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
      0};
  properties->memoryHeaps[0] = {uint64_t(1) << 30, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
}

void VKAPI_CALL GetPhysicalDeviceQueueFamilyProperties(VkPhysicalDevice, uint32_t* count,
                                                       VkQueueFamilyProperties* families) {
  if (families != nullptr && *count > 0) families[0] = {VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT, 1, 64, {1, 1, 1}};
  *count = 1;
}

VkResult VKAPI_CALL CreateDevice(VkPhysicalDevice, const VkDeviceCreateInfo*, const VkAllocationCallbacks*, VkDevice*) {
  return VK_ERROR_INITIALIZATION_FAILED;
}

PFN_vkVoidFunction VKAPI_CALL GetDeviceProcAddr(VkDevice, const char*) { return nullptr; }

/// For functions that the loader requires but that are not called before a device is open.
VkResult VKAPI_CALL NotThere() { return VK_ERROR_FEATURE_NOT_PRESENT; }

}  // namespace

extern "C" {

__attribute__((visibility("default"))) VkResult vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t* version) {
  *version = std::min(*version, 5u);
  return VK_SUCCESS;
}

__attribute__((visibility("default"))) PFN_vkVoidFunction vk_icdGetInstanceProcAddr(VkInstance, const char* name) {
  struct Entry {
    std::string_view name;
    PFN_vkVoidFunction function;
  };
#define ENTRY(function) \
  Entry { "vk" #function, reinterpret_cast<PFN_vkVoidFunction>(function) }
  static const Entry entries[] = {ENTRY(CreateInstance),
                                  ENTRY(DestroyInstance),
                                  ENTRY(EnumerateInstanceExtensionProperties),
                                  ENTRY(EnumerateInstanceVersion),
                                  ENTRY(EnumeratePhysicalDevices),
                                  ENTRY(EnumerateDeviceExtensionProperties),
                                  ENTRY(GetPhysicalDeviceProperties),
                                  ENTRY(GetPhysicalDeviceProperties2),
                                  ENTRY(GetPhysicalDeviceFeatures),
                                  ENTRY(GetPhysicalDeviceFeatures2),
                                  ENTRY(GetPhysicalDeviceMemoryProperties),
                                  ENTRY(GetPhysicalDeviceQueueFamilyProperties),
                                  ENTRY(CreateDevice),
                                  ENTRY(GetDeviceProcAddr)};
#undef ENTRY
  for (const Entry& entry : entries) {
    if (entry.name == name) return entry.function;
  }
  const std::string_view wanted = name;
  const bool extension = wanted.ends_with("KHR") || wanted.ends_with("EXT") || wanted.ends_with("NV");
  return wanted.starts_with("vkGetPhysicalDevice") && !extension ? reinterpret_cast<PFN_vkVoidFunction>(NotThere)
                                                                 : nullptr;
}

__attribute__((visibility("default"))) unsigned weft_test_instances() { return instances; }

__attribute__((visibility("default"))) PFN_vkVoidFunction vk_icdGetPhysicalDeviceProcAddr(VkInstance, const char*) {
  return nullptr;
}
}
