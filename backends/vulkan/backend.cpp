#include "core/src/runtime/backend.h"

#include <string>

#include "backends/vulkan/built_in.h"
#include "backends/vulkan/describe.h"
#include "backends/vulkan/owned_device.h"

namespace weft::backend {

namespace {

BackendInfo devices_of(const vulkan::Instance& instance) {
  BackendInfo result{"vulkan", {}, {}};
  for (VkPhysicalDevice device : instance.physical_devices()) {
    result.devices.push_back(vulkan::describe(instance, device));
    result.devices.back().selector = "vulkan:" + std::to_string(result.devices.size() - 1);
  }
  if (result.devices.empty()) result.reason = "the installed Vulkan drivers found no device";
  return result;
}

class VulkanBackend final : public Backend {
 public:
  const char* name() const override { return "vulkan"; }
  bool has_validation() const override { return true; }
  std::vector<Spirv> own_kernels() const override { return vulkan::built_in_kernels(); }

  BackendInfo list(const DriverLibraries&) const override {
    try {
      return devices_of(vulkan::Instance(false));
    } catch (const Error& error) {
      return {name(), {}, error.what()};
    }
  }

  std::shared_ptr<Device> open(size_t index, const DeviceOptions& options) const override {
    return open_on(std::make_shared<vulkan::Instance>(options.validation, options.messages), index, options);
  }

  /// An instance takes most of the time in which a device opens. With validation, devices are listed without the layer,
  /// which may be missing.
  FoundDevices find(const DeviceOptions& options) const override {
    if (options.validation) return Backend::find(options);
    try {
      const auto instance = std::make_shared<vulkan::Instance>(false, options.messages);
      return {devices_of(*instance), [instance, options](size_t index) { return open_on(instance, index, options); }};
    } catch (const Error& error) {
      return {{name(), {}, error.what()}, {}};
    }
  }

 private:
  static std::shared_ptr<Device> open_on(std::shared_ptr<vulkan::Instance> instance, size_t index,
                                         const DeviceOptions& options) {
    const auto devices = instance->physical_devices();
    if (index >= devices.size()) {
      throw Error(ErrorCode::unsupported, "vulkan:" + std::to_string(index) +
                                              " no longer exists: the drivers now list " +
                                              std::to_string(devices.size()) + " devices");
    }
    return vulkan::OwnedDevice::open(std::move(instance), devices[index], "vulkan:" + std::to_string(index), options);
  }
};

}  // namespace

const Backend& vulkan_backend() {
  static const VulkanBackend backend;
  return backend;
}

}  // namespace weft::backend
