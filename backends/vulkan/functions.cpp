#include "backends/vulkan/functions.h"

#include <string>

#include <weft/error.h>

namespace weft::vulkan {

namespace {

template <typename Function>
void load(Function& function, const FindFunction& find, const char* name) {
  function = reinterpret_cast<Function>(find(name));
  if (!function) throw Error(ErrorCode::unsupported, std::string("the Vulkan driver has no function ") + name);
}

}  // namespace

#define WEFT_LOAD(name) load(name, find, #name);
#define WEFT_LOAD_IF_THERE(name) name = reinterpret_cast<PFN_##name>(find(#name));

Loader::Loader() {
  const std::string file = core::library_file("vulkan", 1);
  library_ = core::DynamicLibrary(file);
  if (!library_) {
    throw Error(ErrorCode::unsupported,
                file + " not found; install the Vulkan loader (libvulkan1; on Windows, GPU drivers have it)");
  }
  const auto get = reinterpret_cast<PFN_vkGetInstanceProcAddr>(library_.find("vkGetInstanceProcAddr"));
  if (!get) {
    throw Error(ErrorCode::unsupported, file + " has no vkGetInstanceProcAddr: it is not a Vulkan loader");
  }
  vkGetInstanceProcAddr = get;
  const FindFunction find = [get](const char* name) { return get(VK_NULL_HANDLE, name); };
  WEFT_VULKAN_GLOBAL_FUNCTIONS(WEFT_LOAD)
}

InstanceFunctions::InstanceFunctions(const FindFunction& find){WEFT_VULKAN_INSTANCE_FUNCTIONS(WEFT_LOAD)}

InstanceOwnerFunctions::InstanceOwnerFunctions(const FindFunction& find){
    WEFT_VULKAN_INSTANCE_OWNER_FUNCTIONS(WEFT_LOAD) WEFT_VULKAN_INSTANCE_EXTENSION_FUNCTIONS(WEFT_LOAD_IF_THERE)}

DeviceFunctions::DeviceFunctions(const FindFunction& find, uint32_t version) {
  WEFT_VULKAN_DEVICE_FUNCTIONS(WEFT_LOAD)
  // A loader may have a function that the device does not implement, so the name goes by the version.
  const std::string suffix = version >= VK_API_VERSION_1_3 ? "" : "KHR";
#define WEFT_LOAD_WITH_SUFFIX(name) name = reinterpret_cast<PFN_##name>(find((#name + suffix).c_str()));
  WEFT_VULKAN_SYNCHRONIZATION2_FUNCTIONS(WEFT_LOAD_WITH_SUFFIX)
}

DebugFunctions::DebugFunctions(const FindFunction& find){WEFT_VULKAN_DEBUG_FUNCTIONS(WEFT_LOAD_IF_THERE)}

ExternalFunctions::ExternalFunctions(const FindFunction& find){WEFT_VULKAN_EXTERNAL_FUNCTIONS(WEFT_LOAD_IF_THERE)}

DeviceOwnerFunctions::DeviceOwnerFunctions(const FindFunction& find) {
  WEFT_VULKAN_DEVICE_OWNER_FUNCTIONS(WEFT_LOAD)
}

}  // namespace weft::vulkan
