#include "backends/vulkan/functions.h"

#include <dlfcn.h>

#include <string>

#include <weft/error.h>

namespace weft::vulkan {

namespace {

template <typename Function, typename Get, typename Handle>
void load(Function& function, Get get, Handle handle, const char* name) {
  function = reinterpret_cast<Function>(get(handle, name));
  if (!function) throw Error(ErrorCode::unsupported, std::string("the Vulkan driver has no function ") + name);
}

}  // namespace

std::shared_ptr<const Loader> Loader::open() {
  void* library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) throw Error(ErrorCode::unsupported, "libvulkan.so.1 not found; install the Vulkan loader (libvulkan1)");
  auto get = reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"));
  if (!get) {
    dlclose(library);
    throw Error(ErrorCode::unsupported, "libvulkan.so.1 has no vkGetInstanceProcAddr, so it is not a Vulkan loader");
  }
  auto loader = std::make_shared<Loader>(get);
  loader->library_ = library;
  return loader;
}

Loader::Loader(PFN_vkGetInstanceProcAddr get) : vkGetInstanceProcAddr(get) {
#define WEFT_LOAD(name) load(name, get, VkInstance(VK_NULL_HANDLE), #name);
  WEFT_VULKAN_GLOBAL_FUNCTIONS(WEFT_LOAD)
#undef WEFT_LOAD
}

Loader::~Loader() {
  if (library_) dlclose(library_);
}

InstanceFunctions::InstanceFunctions(const Loader& loader, VkInstance instance) {
  const auto get = loader.vkGetInstanceProcAddr;
#define WEFT_LOAD(name) load(name, get, instance, #name);
  WEFT_VULKAN_INSTANCE_FUNCTIONS(WEFT_LOAD)
#undef WEFT_LOAD
#define WEFT_LOAD(name) name = reinterpret_cast<PFN_##name>(get(instance, #name));
  WEFT_VULKAN_INSTANCE_EXTENSION_FUNCTIONS(WEFT_LOAD)
#undef WEFT_LOAD
}

DeviceFunctions::DeviceFunctions(const InstanceFunctions& instance, VkDevice device) {
#define WEFT_LOAD(name) load(name, instance.vkGetDeviceProcAddr, device, #name);
  WEFT_VULKAN_DEVICE_FUNCTIONS(WEFT_LOAD)
#undef WEFT_LOAD
}

}  // namespace weft::vulkan
