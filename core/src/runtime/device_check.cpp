#include "core/src/runtime/device_check.h"

#include <algorithm>

#include <weft/error.h>

#include "core/src/spirv/capabilities.h"

namespace weft::core {
namespace {

std::string joined(const std::vector<std::string>& parts) {
  std::string all;
  for (const std::string& part : parts) all += (all.empty() ? "" : ", ") + part;
  return all;
}

std::string size_text(const std::array<uint32_t, 3>& size) {
  return std::to_string(size[0]) + "x" + std::to_string(size[1]) + "x" + std::to_string(size[2]);
}

}  // namespace

void DeviceCheck::capabilities(const std::vector<uint32_t>& declared, bool certain) const {
  std::vector<std::string> missing;
  bool refused = !certain;
  for (const uint32_t capability : declared) {
    if (device_.capabilities.contains(capability)) continue;
    missing.push_back(capability_name(capability));
    refused = refused || validator_requires(capability);
  }
  if (refused && !missing.empty()) unsupported("the device lacks: " + joined(missing));
}

void DeviceCheck::workgroup(const Reflection& reflection) const {
  const DeviceLimits& limits = device_.limits;
  const auto& size = reflection.workgroup_size;
  if (std::ranges::count(size, 0u) != 0) {
    throw Error(ErrorCode::invalid_argument, "Kernel '" + kernel_ + "' has a workgroup of " + size_text(size) +
                                                 " invocations; no dimension may be 0.");
  }
  const uint64_t invocations = uint64_t{size[0]} * size[1] * size[2];
  const bool overflows = size[0] > limits.max_workgroup_size[0] || size[1] > limits.max_workgroup_size[1] ||
                         size[2] > limits.max_workgroup_size[2];
  if (overflows || invocations > limits.max_workgroup_invocations) {
    unsupported("its workgroup is " + size_text(size) + " invocations, and the device takes up to " +
                size_text(limits.max_workgroup_size) + " and " + std::to_string(limits.max_workgroup_invocations) +
                " in all");
  }
  if (reflection.workgroup_memory_bytes > limits.workgroup_memory_bytes) {
    unsupported("it needs " + std::to_string(reflection.workgroup_memory_bytes) +
                " bytes of workgroup memory, and the device has " + std::to_string(limits.workgroup_memory_bytes));
  }
}

void DeviceCheck::layout(const std::string& error) const {
  if (device_.features.scalar_layout || error.empty()) return;
  unsupported("the device lacks scalar block layout, which its blocks need: " + error);
}

void DeviceCheck::push_constants(const Reflection& reflection) const {
  if (reflection.push_constant_bytes > device_.limits.push_constant_bytes) {
    unsupported("it needs " + std::to_string(reflection.push_constant_bytes) +
                " bytes of push constants, and the device has " + std::to_string(device_.limits.push_constant_bytes));
  }
}

void DeviceCheck::bindings(const Reflection& reflection) const {
  for (const Reflection::Binding& binding : reflection.bindings) {
    const std::string title =
        "binding " + std::to_string(binding.set) + "." + std::to_string(binding.binding) + " (" + binding.name + ")";
    if (binding.kind == Reflection::BindingKind::conflicting && binding.used) {
      throw Error(ErrorCode::invalid_argument,
                  "Kernel '" + kernel_ + "': several variables share " + title +
                      ", and they cannot share a buffer. HLSL's registers t0, u0 and b0 all become 0.0: give them "
                      "different numbers with [[vk::binding(1)]] in the source, with -fvk-u-shift and -fvk-b-shift "
                      "of dxc, or with --hlsl-iomap and --shift-uav-binding of glslangValidator.");
    }
    if (binding.kind == Reflection::BindingKind::other && binding.used) {
      unsupported(title + " is an image, a sampler or the like, and Weft binds only storage and uniform buffers");
    }
    if (binding.count == 0 && binding.used) {
      unsupported(title + " is a descriptor array without a size, which Weft cannot bind");
    }
  }
}

void DeviceCheck::subgroup_size(uint32_t size) const {
  if (size == 0) return;
  const DeviceLimits& limits = device_.limits;
  if (limits.min_subgroup_size == size && limits.max_subgroup_size == size) return;
  const bool power_of_two = (size & (size - 1)) == 0;
  if (!power_of_two || size < limits.min_subgroup_size || size > limits.max_subgroup_size) {
    unsupported("it requires subgroups of " + std::to_string(size) + " lanes, and the device has " +
                (limits.min_subgroup_size == limits.max_subgroup_size
                     ? std::to_string(limits.max_subgroup_size)
                     : "powers of two from " + std::to_string(limits.min_subgroup_size) + " to " +
                           std::to_string(limits.max_subgroup_size)));
  }
  if (!device_.features.subgroup_size_control) {
    unsupported("it requires subgroups of " + std::to_string(size) +
                " lanes, and the device does not let a kernel choose its subgroup size");
  }
}

void DeviceCheck::unsupported(const std::string& reason) const {
  throw Error(ErrorCode::unsupported, "Kernel '" + kernel_ + "' cannot run on " + device_.selector + " (" +
                                          device_.name + "): " + reason + ".");
}

}  // namespace weft::core
