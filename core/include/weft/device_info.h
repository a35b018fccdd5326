#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <weft/api.h>
#include <weft/device_options.h>

namespace weft {

enum class DeviceKind { discrete_gpu, integrated_gpu, virtual_gpu, cpu, other };
WEFT_API const char* to_string(DeviceKind kind);

/// Maker of a GPU, whoever wrote its driver. CPUs and software drivers are `other`.
enum class DeviceVendor { nvidia, amd, intel, other };
WEFT_API const char* to_string(DeviceVendor vendor);

/// Groups of subgroup operations, named like the GLSL extensions GL_KHR_shader_subgroup_*.
enum class SubgroupOperation { basic, vote, arithmetic, ballot, shuffle, shuffle_relative, clustered, quad };
WEFT_API const char* to_string(SubgroupOperation operation);

/// Limits of a device. Sizes are in bytes unless a member says otherwise.
struct DeviceLimits {
  uint64_t memory_bytes = 0;      ///< Total device memory.
  uint64_t max_buffer_bytes = 0;  ///< Largest size of one buffer.
  uint32_t subgroup_size = 0;     ///< In lanes, unless a kernel requires another size.
  uint32_t min_subgroup_size = 0;
  uint32_t max_subgroup_size = 0;
  uint32_t max_workgroup_invocations = 0;
  std::array<uint32_t, 3> max_workgroup_size{};
  std::array<uint32_t, 3> max_workgroup_count{};
  uint32_t workgroup_memory_bytes = 0;  ///< `shared` memory of one workgroup.
  /// `shared` memory of all workgroups together that run on one multiprocessor at once; 0 where the driver does not
  /// say.
  uint32_t multiprocessor_memory_bytes = 0;
  uint32_t push_constant_bytes = 0;
  uint32_t storage_binding_alignment = 1;  ///< Storage buffer bindings start at multiples of this.
  uint32_t uniform_binding_alignment = 1;
  uint64_t max_storage_binding_bytes = 0;
  uint64_t max_uniform_binding_bytes = 0;
  double timestamp_period_ns = 0;  ///< Nanoseconds per tick; 0: the device has no timestamps.
};

/// Optional features that kernels may use.
struct DeviceFeatures {
  bool int8 = false, int16 = false, int64 = false;
  bool float16 = false, float64 = false;
  bool storage8 = false, storage16 = false;  ///< 8- and 16-bit members in buffers.
  bool buffer_int64_atomics = false, workgroup_int64_atomics = false;
  bool float32_atomic_add = false;
  bool subgroup_extended_types = false;  ///< Subgroup operations on 8-, 16- and 64-bit integers.
  bool subgroup_size_control = false;    ///< A kernel may require a subgroup size and full subgroups.
  /// Subgroup operations in divergent control flow act on the lanes that the source implies
  /// (VK_KHR_shader_maximal_reconvergence).
  bool maximal_reconvergence = false;
  bool scalar_layout = false;  ///< Blocks may have GLSL's scalar layout.
  /// A workgroup that has started makes progress while another waits for it, and the two see what each other writes.
  /// Single-pass scans rely on it.
  bool workgroup_forward_progress = false;
  /// The device honours KernelOptions::workgroups_per_multiprocessor: its compiler can limit a kernel's registers.
  bool bounded_registers = false;
  /// The device's compiler turns loops of one invocation into vector instructions, as those of CPUs do. Primitives may
  /// then give a workgroup one invocation that runs over many elements.
  bool loop_vectorization = false;
};

/// A device as list_devices() found it. Plain data; nothing stays open.
struct DeviceInfo {
  std::string selector;  ///< Opens this device with open_device(), e.g. "vulkan:0".
  std::string backend;   ///< "vulkan"
  std::string name;      ///< The driver's name for it.
  std::string driver;    ///< Driver name and version.
  std::string api;       ///< Name and version of the API, e.g. "Vulkan 1.4.305".
  DeviceKind kind = DeviceKind::other;
  DeviceVendor vendor = DeviceVendor::other;
  /// Target of machine code, by the vendor's name: "sm_90" through CUDA, "gfx90a" through HIP, "x86-64-v3" on host.
  /// Empty where the driver does not say.
  std::string architecture;
  DeviceLimits limits;
  DeviceFeatures features;
  std::set<SubgroupOperation> subgroup_operations;
  std::set<uint32_t> capabilities;  ///< SPIR-V capabilities that kernels may declare, by number.
  /// Why Weft refuses this device, in words; empty if it can be opened.
  std::string refusal;
};

/// A backend of this build, with its devices or the reason for having none.
struct BackendInfo {
  std::string name;
  std::vector<DeviceInfo> devices;
  std::string reason;  ///< Why there are no devices, e.g. "libvulkan.so.1 not found".
};

/// Lists every backend of this build with its devices. A missing driver is a reason, not an exception. `libraries`: as
/// in DeviceOptions. Thread-safe.
WEFT_API std::vector<BackendInfo> list_devices(const DriverLibraries& libraries = DriverLibraries::from_environment());

}  // namespace weft
