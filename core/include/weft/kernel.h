#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <weft/api.h>
#include <weft/spirv.h>

namespace weft {

namespace backend {
class Kernel;
}

/// The value of a specialization constant, as the bits that SPIR-V expects (booleans have 32).
struct SpecializationValue {
  uint32_t id = 0;
  uint32_t bytes = 4;
  uint64_t bits = 0;
};

enum class Reconvergence {
  automatic,  ///< Maximal reconvergence for subgroup operations in conditional code, if the device has it.
  device,     ///< As the module says; nothing is added.
};

/// Whether a * b + c may become one operation, which rounds once.
enum class Contraction {
  allowed,    ///< Where the device chooses to, except for results declared `precise`.
  forbidden,  ///< Nowhere, as if every result were `precise`: +, - and * each round, alike on every backend.
};

struct KernelOptions {
  std::string entry = "main";
  std::vector<SpecializationValue> specialization;
  /// Subgroup size in lanes; 0: the device chooses. Device::kernel() throws unsupported if the device lacks the size.
  uint32_t subgroup_size = 0;
  /// Requires every subgroup but the last of a workgroup to be full. Only a hint if the device has no such control, and
  /// on Vulkan if the width of the workgroup is not a multiple of the subgroup size.
  bool full_subgroups = true;
  Reconvergence reconvergence = Reconvergence::automatic;
  /// Hint: number of workgroups that one multiprocessor should run at once; the compiler limits registers to allow it.
  /// 0: no limit. Affects CUDA only.
  uint32_t workgroups_per_multiprocessor = 0;
  Contraction contraction = Contraction::allowed;

  /// Sets specialization constant `id`. T is bool, an integer of 8 to 64 bits, float or double.
  template <typename T>
  KernelOptions& specialize(uint32_t id, T value) {
    static_assert(std::is_arithmetic_v<T>, "specialization constants are scalars");
    SpecializationValue v{id, std::is_same_v<T, bool> ? 4u : uint32_t(sizeof(T)), 0};
    if constexpr (std::is_same_v<T, float>) {
      v.bits = std::bit_cast<uint32_t>(value);
    } else if constexpr (std::is_same_v<T, double>) {
      v.bits = std::bit_cast<uint64_t>(value);
    } else {
      v.bits = static_cast<uint64_t>(value);
    }
    specialization.push_back(v);
    return *this;
  }
};

/// The interface of a kernel, read from its SPIR-V.
struct Reflection {
  struct Member {
    std::string name;
    uint32_t offset = 0, bytes = 0;
    std::string type;            ///< As GLSL writes it; "buffer reference" for device pointers.
    uint32_t pointee_align = 0;  ///< Required alignment of a buffer reference's address; otherwise 0.
  };
  enum class BindingKind {
    storage_buffer,
    uniform_buffer,
    conflicting,  ///< Several used variables that cannot share a buffer: HLSL's t0, u0 and b0 all become 0.0.
    other,        ///< Not a buffer: an image, a sampler and so on.
  };
  struct Binding {
    uint32_t set = 0, binding = 0;
    BindingKind kind = BindingKind::other;
    std::string name;           ///< Of the variable; "a, b" if the entry point uses several for the binding.
    uint32_t count = 1;         ///< Elements of a descriptor array; 0 if the array has no size.
    uint64_t min_bytes = 0;     ///< Size of the fixed part of the block, without a runtime array.
    uint32_t array_stride = 0;  ///< Of the runtime array at the end, in bytes; 0 if there is none.
    bool used = true;           ///< Whether the entry point's code uses it; unused bindings may be left out.
  };
  struct Specialization {
    uint32_t id = 0;
    std::string name, type;  ///< GLSL scalar type: bool, int, uint, float, double, int64_t, ...
    uint32_t bytes = 4;
    uint64_t default_bits = 0;
  };
  std::string entry;
  std::array<uint32_t, 3> workgroup_size{1, 1, 1};  ///< With default constants, or as specialized in a Kernel.
  /// Ids of the specialization constants that set the workgroup size; ~0u where a dimension is a literal.
  std::array<uint32_t, 3> workgroup_size_ids{~0u, ~0u, ~0u};
  /// Size of `shared` variables without padding, with default constants or as specialized.
  uint32_t workgroup_memory_bytes = 0;
  uint32_t push_constant_bytes = 0;
  std::vector<Member> push_constants;
  std::vector<Binding> bindings;
  std::vector<Specialization> specializations;
  std::vector<uint32_t> capabilities;  ///< That the module declares.
  /// Whether a subgroup operation is inside a selection or a loop, where lanes may have diverged.
  bool divergent_subgroup_operations = false;
};

/// Reads the interface of entry point `entry`. Throws what validate_spirv() throws, and invalid_argument, listing the
/// entry points, if it has no such entry point.
WEFT_API Reflection reflect(const Spirv& module, const std::string& entry = "main");

/// Names of the module's capabilities that `supported` lacks, as the SPIR-V specification writes them. A device takes a
/// kernel whose code uses none of these.
WEFT_API std::vector<std::string> missing_capabilities(const Reflection& reflection,
                                                       const std::set<uint32_t>& supported);

/// A compiled kernel on one device. Copies share the compiled code. Immutable and thread-safe. Keeps its device open;
/// may be destroyed while work that uses it runs.
class WEFT_API Kernel {
 public:
  Kernel() = default;
  explicit Kernel(std::shared_ptr<const backend::Kernel> impl) : impl_(std::move(impl)) {}

  explicit operator bool() const { return impl_ != nullptr; }
  /// These throw invalid_argument for a default-constructed Kernel.
  const std::string& name() const;
  const Reflection& reflection() const;
  std::array<uint32_t, 3> workgroup_size() const { return reflection().workgroup_size; }
  /// Number of workgroups of this kernel that an otherwise idle device runs at once; on host, its number of threads,
  /// with a schedule four times that number. 0 if the backend cannot say (Vulkan has no such query). For persistent
  /// kernels, launch this many workgroups.
  uint32_t resident_workgroups() const;
  /// Compiles now what the first dispatch_indirect() of this kernel would compile during recording: on CUDA and HIP a
  /// second form of the kernel, elsewhere nothing. Throws what Device::kernel() throws.
  void prepare_indirect() const;
  const backend::Kernel& impl() const { return *impl_; }

 private:
  std::shared_ptr<const backend::Kernel> impl_;
};

}  // namespace weft
