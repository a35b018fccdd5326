#include "core/src/runtime/backend.h"

#include <string>

#include "backends/vulkan/built_in.h"
#include "backends/vulkan/describe.h"
#include "backends/vulkan/owned_device.h"

namespace weft::backend {

namespace {

class VulkanBackend final : public Backend {
 public:
  const char* name() const override { return "vulkan"; }
  bool has_validation() const override { return true; }
  std::vector<Spirv> own_kernels() const override { return vulkan::built_in_kernels(); }

  BackendInfo list(const DriverLibraries&) const override {
    BackendInfo result{name(), {}, {}};
    try {
      const vulkan::Instance instance(false);
      for (VkPhysicalDevice device : instance.physical_devices()) {
        result.devices.push_back(vulkan::describe(instance, device));
        result.devices.back().selector = "vulkan:" + std::to_string(result.devices.size() - 1);
      }
      if (result.devices.empty()) result.reason = "the installed Vulkan drivers found no device";
    } catch (const Error& error) {
      result.devices.clear();
      result.reason = error.what();
    }
    return result;
  }

  std::shared_ptr<Device> open(size_t index, const DeviceOptions& options) const override {
    auto instance = std::make_shared<vulkan::Instance>(options.validation, options.messages);
    const auto devices = instance->physical_devices();
    if (index >= devices.size()) {
      throw Error(ErrorCode::unsupported, "vulkan:" + std::to_string(index) +
                                              " no longer exists: the drivers now list " +
                                              std::to_string(devices.size()) + " devices");
    }
    return vulkan::OwnedDevice::open(instance, devices[index], "vulkan:" + std::to_string(index), options);
  }
};

}  // namespace

const Backend& vulkan_backend() {
  static const VulkanBackend backend;
  return backend;
}

}  // namespace weft::backend
