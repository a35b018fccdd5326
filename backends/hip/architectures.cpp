#include "backends/hip/architectures.h"

#include <algorithm>

#include "backends/cuda_hip/describe.h"

namespace weft::hip {

namespace {

constexpr uint32_t kibibyte = 1024;

/// "90a" for "gfx90a:xnack-", empty for other names. All but the last two digits are the major version.
std::string version_of(const std::string& architecture) {
  const std::string prefix = "gfx", processor = architecture.substr(0, architecture.find(':'));
  if (!processor.starts_with(prefix)) return {};
  const std::string version = processor.substr(prefix.size());
  const bool is_one = version.size() >= 3 && std::ranges::all_of(version, [](char c) {
                        return ('0' <= c && c <= '9') || ('a' <= c && c <= 'f');
                      });
  return is_one ? version : std::string();
}

}  // namespace

void describe_any(DeviceInfo& info) {
  info.backend = "hip";
  info.vendor = DeviceVendor::amd;
  cuda_hip::describe_translated(info);
}

std::optional<DeviceInfo> described(const std::string& architecture) {
  const std::string version = version_of(architecture);
  if (version.empty()) return std::nullopt;
  const bool is_gfx9_or_older = version.size() == 3;
  DeviceInfo info;
  info.selector = "hip:0";
  info.architecture = architecture;
  info.kind = DeviceKind::discrete_gpu;
  DeviceLimits& limits = info.limits;
  limits.memory_bytes = uint64_t{1} << 40;
  limits.subgroup_size = limits.min_subgroup_size = limits.max_subgroup_size = is_gfx9_or_older ? 64 : 32;
  limits.max_workgroup_invocations = 1024;
  limits.max_workgroup_size = {1024, 1024, 1024};
  limits.max_workgroup_count = {0x3fffff, 65535, 65535};
  limits.workgroup_memory_bytes = limits.multiprocessor_memory_bytes = (version == "950" ? 160 : 64) * kibibyte;
  describe_any(info);
  return info;
}

}  // namespace weft::hip
