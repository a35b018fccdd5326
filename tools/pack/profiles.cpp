#include "tools/pack/profiles.h"

#include <nlohmann/json.hpp>

#include <weft/error.h>

#include "core/src/runtime/backend.h"
#include "support/input_file.h"
#include "tools/device_json.h"

namespace weft::tools {
namespace {

using namespace support;

constexpr uint32_t kibibyte = 1024;

// A GPU that has every feature of Vulkan which kernels may use.
DeviceInfo gpu(DeviceVendor vendor, uint32_t least, uint32_t usual, uint32_t most, uint32_t workgroup_memory_bytes) {
  DeviceInfo info;
  info.selector = "vulkan:0";
  info.backend = "vulkan";
  info.kind = DeviceKind::discrete_gpu;
  info.vendor = vendor;
  DeviceLimits& limits = info.limits;
  limits.min_subgroup_size = least;
  limits.subgroup_size = usual;
  limits.max_subgroup_size = most;
  limits.max_workgroup_invocations = 1024;
  limits.max_workgroup_size = {1024, 1024, 64};
  limits.max_workgroup_count = {0x7fffffff, 65535, 65535};
  limits.workgroup_memory_bytes = workgroup_memory_bytes;
  limits.push_constant_bytes = 256;
  limits.memory_bytes = limits.max_buffer_bytes = uint64_t{1} << 40;
  limits.max_storage_binding_bytes = limits.max_uniform_binding_bytes = limits.max_buffer_bytes;
  DeviceFeatures& has = info.features;
  for (const auto& [name, value] : features(has)) *value = true;
  has.bounded_registers = false;
  constexpr uint32_t beyond_all_capabilities = 8192;
  for (uint32_t capability = 0; capability < beyond_all_capabilities; ++capability) {
    info.capabilities.insert(capability);
  }
  return info;
}

}  // namespace

std::vector<Profile> known_profiles() {
  DeviceInfo intel = gpu(DeviceVendor::intel, 8, 32, 32, 32 * kibibyte);
  intel.features.float64 = false;
  return {{"nvidia", gpu(DeviceVendor::nvidia, 32, 32, 32, 48 * kibibyte)},
          {"amd", gpu(DeviceVendor::amd, 32, 64, 64, 32 * kibibyte)},
          {"amd-64", gpu(DeviceVendor::amd, 64, 64, 64, 32 * kibibyte)},
          {"intel", intel}};
}

Profile find_profile(const std::string& name) {
  std::string names;
  for (Profile& profile : known_profiles()) {
    if (profile.name == name) return std::move(profile);
    names += (names.empty() ? "" : ", ") + profile.name;
  }
  for (const backend::Backend* backend : backend::built_in_backends()) {
    if (auto device = backend->describe(name)) return {name, std::move(*device)};
  }
  if (!name.ends_with(".json")) {
    throw Error(ErrorCode::invalid_argument,
                "There is no profile '" + name + "'; there are: " + names +
                    ", architectures (sm_75 to sm_121 and compute_75 to compute_121 in a build with CUDA, gfx90a and "
                    "others in one with HIP, x86-64-v3, aarch64, x86-64-v3-windows and others in one with host), and "
                    "files NAME.json with a device as `weft devices --json` shows it.");
  }
  const std::vector<std::byte> bytes = InputFile(name).read_rest();
  const auto json =
      nlohmann::ordered_json::parse(reinterpret_cast<const char*>(bytes.data()),
                                    reinterpret_cast<const char*>(bytes.data()) + bytes.size(), nullptr, false);
  if (json.is_discarded()) throw Error(ErrorCode::invalid_argument, "'" + name + "' is not JSON.");
  return {name, device_from_json(json)};
}

}  // namespace weft::tools
