#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <weft/device_options.h>

namespace weft {

enum class DeviceKind { discrete_gpu, integrated_gpu, virtual_gpu, cpu, other };
const char* to_string(DeviceKind kind);

/// Groups of subgroup operations, named as in GLSL's GL_KHR_shader_subgroup_* extensions.
enum class SubgroupOperation { basic, vote, arithmetic, ballot, shuffle, shuffle_relative, clustered, quad };
const char* to_string(SubgroupOperation operation);

/// The largest things one kernel may ask of a device. Sizes in bytes unless they say otherwise.
struct DeviceLimits {
  uint64_t memory_bytes = 0;      ///< Device memory in all.
  uint64_t max_buffer_bytes = 0;  ///< The largest single buffer.
  uint32_t subgroup_size = 0;     ///< Lanes of a subgroup unless a kernel requires another size.
  uint32_t min_subgroup_size = 0;
  uint32_t max_subgroup_size = 0;
  uint32_t max_workgroup_invocations = 0;
  std::array<uint32_t, 3> max_workgroup_size{};
  std::array<uint32_t, 3> max_workgroup_count{};
  uint32_t workgroup_memory_bytes = 0;  ///< `shared` memory of one workgroup.
  uint32_t push_constant_bytes = 0;
  uint32_t storage_binding_alignment = 1;  ///< Offsets of storage buffer bindings are multiples of this.
  uint32_t uniform_binding_alignment = 1;
  uint64_t max_storage_binding_bytes = 0;
  uint64_t max_uniform_binding_bytes = 0;
  double timestamp_period_ns = 0;  ///< 0: the device has no timestamps.
};

/// What kernels may use beyond the core. Each is false when the device lacks it.
struct DeviceFeatures {
  bool int8 = false, int16 = false, int64 = false;
  bool float16 = false, float64 = false;
  bool storage8 = false, storage16 = false;  ///< 8- and 16-bit members in buffers.
  bool buffer_int64_atomics = false, workgroup_int64_atomics = false;
  bool float32_atomic_add = false;
  bool subgroup_extended_types = false;  ///< Subgroup operations on 8-, 16- and 64-bit integers.
  bool subgroup_size_control = false;    ///< A kernel may require a subgroup size and full subgroups.
  /// Subgroup operations in divergent flow act on the lanes the source says (VK_KHR_shader_maximal_reconvergence).
  bool maximal_reconvergence = false;
  /// A workgroup that has started is sure to go on while another waits for it; single-pass scans rely on it.
  bool workgroup_forward_progress = false;
};

/// One device as list_devices() found it. Plain data; nothing stays open behind it.
struct DeviceInfo {
  std::string selector;  ///< What open_device() takes to get this one, e.g. "vulkan:0".
  std::string backend;   ///< "vulkan"
  std::string name;      ///< As the driver calls it.
  std::string driver;    ///< Driver name and version.
  std::string api;       ///< Version of the backend's interface, e.g. "Vulkan 1.4.305".
  DeviceKind kind = DeviceKind::other;
  DeviceLimits limits;
  DeviceFeatures features;
  std::set<SubgroupOperation> subgroup_operations;
  std::set<uint32_t> capabilities;  ///< SPIR-V capabilities that a kernel may declare, as numbers of the specification.
  /// Why Weft refuses this device, in words; empty when it can be opened.
  std::string refusal;
};

/// One backend that this build knows, with its devices or the reason there are none.
struct BackendInfo {
  std::string name;
  std::vector<DeviceInfo> devices;
  std::string reason;  ///< Why devices is empty, e.g. "libvulkan.so.1 not found"; empty when it is not.
};

/// Every backend that was built in, each with its devices. Never throws for a missing driver: that is a reason.
/// Thread-safe.
std::vector<BackendInfo> list_devices(const DriverLibraries& libraries = DriverLibraries::from_environment());

}  // namespace weft
