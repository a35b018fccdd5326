#include "backends/vulkan/wrapped_device.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "backends/vulkan/describe.h"
#include "backends/vulkan/errors.h"
#include "backends/vulkan/wrapped_allocator.h"
#include "core/src/runtime/messages.h"
#include "core/src/runtime/process.h"

namespace weft::vulkan {

namespace {

void check_given(const HostDevice& host) {
  const std::pair<const char*, const void*> needed[] = {{"instance", host.instance},
                                                        {"physical_device", host.physical_device},
                                                        {"device", host.device},
                                                        {"enabled_features", host.enabled_features}};
  for (const auto& [name, value] : needed) {
    if (!value) core::invalid("wrap_device", std::string("HostDevice::") + name + " is null");
  }
  if (host.queue && !host.queue->queue) core::invalid("wrap_device", "HostDevice::queue has a null handle");
  if (bool(host.buffer_allocator.allocate) != bool(host.buffer_allocator.release)) {
    core::invalid("wrap_device", "HostBufferAllocator takes both allocate and release, or neither");
  }
}

std::string joined(const std::vector<std::string>& parts) {
  std::string all;
  for (const std::string& part : parts) all += (all.empty() ? "" : ", ") + part;
  return all;
}

/// Called before functions are loaded, because older instances lack some of them.
void check_version(const HostDevice& host) {
  if (host.instance_version >= VK_API_VERSION_1_2) return;
  throw Error(ErrorCode::unsupported,
              "wrap_device: the Vulkan device lacks " +
                  joined(missing(*host.enabled_features, {}, host.instance_version)) +
                  "; create the instance with VkApplicationInfo::apiVersion of at least VK_API_VERSION_1_2 and set "
                  "HostDevice::instance_version to it");
}

/// Describes the device with its enabled features. Throws unsupported if Weft cannot use it.
DeviceInfo describe_wrapped(const HostDevice& host, const InstanceFunctions& vk, const FeatureChain& enabled) {
  DeviceInfo info = describe(vk, host.physical_device, enabled, VK_API_VERSION_1_2);
  info.selector = "vulkan:wrapped";
  if (!info.refusal.empty()) {
    throw Error(ErrorCode::unsupported, "wrap_device: Weft cannot use " + info.name + " as it was created: " +
                                            info.refusal + ". vulkan::enable() enables the features that Weft needs.");
  }
  return info;
}

}  // namespace

std::shared_ptr<WrappedDevice> WrappedDevice::wrap(const HostDevice& host, const DeviceOptions& options) {
  check_given(host);
  check_version(host);
  std::shared_ptr<const Loader> loader;
  auto get = reinterpret_cast<PFN_vkGetInstanceProcAddr>(host.get_proc_addr);
  if (!get) {
    loader = std::make_shared<Loader>();
    get = loader->vkGetInstanceProcAddr;
  }
  const FindFunction find = [get, instance = host.instance](const char* name) { return get(instance, name); };
  const InstanceFunctions instance(find);
  VkPhysicalDeviceProperties properties{};
  instance.vkGetPhysicalDeviceProperties(host.physical_device, &properties);
  FeatureChain enabled(
      enabled_extensions({host.enabled_extensions.begin(), host.enabled_extensions.end()}, *host.enabled_features),
      std::min(host.instance_version, properties.apiVersion));
  enabled.set_from(*host.enabled_features);
  DeviceInfo info = describe_wrapped(host, instance, enabled);
  const std::shared_ptr<WrappedDevice> device(
      new WrappedDevice(std::move(info), options, host, std::move(loader), find, instance, enabled),
      core::DeleteWhereMade());
  if (const auto& queue = host.queue) {
    device->add_queue(device->host_queue(queue->queue, queue->family, queue->lock, queue->unlock));
  }
  return device;
}

WrappedDevice::WrappedDevice(DeviceInfo info, const DeviceOptions& options, const HostDevice& host,
                             std::shared_ptr<const Loader> loader, const FindFunction& find,
                             const InstanceFunctions& instance, const FeatureChain& enabled)
    : Device(std::move(info), options, {host.physical_device, host.device, host.allocator, host.pipeline_cache},
             instance, find, enabled,
             host.buffer_allocator.allocate
                 ? std::unique_ptr<BufferAllocator>(std::make_unique<WrappedAllocator>(host.buffer_allocator))
                 : std::make_unique<DriverAllocator>(instance, host.physical_device)),
      loader_(std::move(loader)) {}

WrappedDevice::~WrappedDevice() {
  if (!streams_are_idle() || !pass_host_queues(timeout())) {
    // Objects that the work uses are leaked (see ~Retirement).
    core::report(options().messages, MessageSeverity::error,
                 "closing a wrapped device: its work does not end, and its objects are left behind");
    return;
  }
  destroy_objects();
}

std::shared_ptr<backend::Kernel> WrappedDevice::create_kernel(const Spirv& module, const KernelOptions& options,
                                                              Reflection reflection) {
  built_in().prepare();
  return Device::create_kernel(module, options, std::move(reflection));
}

}  // namespace weft::vulkan
