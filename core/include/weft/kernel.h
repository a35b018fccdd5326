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

#include <weft/spirv.h>

namespace weft {

namespace backend {
class Kernel;
}

/// A value for one specialization constant, as the bits SPIR-V wants (booleans are 32 bits wide).
struct SpecializationValue {
  uint32_t id = 0;
  uint32_t bytes = 4;
  uint64_t bits = 0;
};

enum class Reconvergence {
  automatic,  ///< Maximal reconvergence where a subgroup operation stands in conditional flow and the device has it.
  device,     ///< As the module says; nothing added.
};

/// Whether a * b + c may be calculated as one operation, which rounds once.
enum class Contraction {
  allowed,    ///< Where the device likes to, except for results that the kernel calls `precise`.
  forbidden,  ///< Nowhere, as if all results were `precise`: +, - and * round each on its own, on every backend alike.
};

struct KernelOptions {
  std::string entry = "main";
  std::vector<SpecializationValue> specialization;
  /// Lanes of a subgroup; 0 leaves it to the device. Throws unsupported where the device cannot give that size.
  uint32_t subgroup_size = 0;
  /// Every subgroup but the last of a workgroup is full. Taken as a wish where the device has no such control, and on
  /// Vulkan where the workgroup's width is no multiple of the subgroup's size.
  bool full_subgroups = true;
  Reconvergence reconvergence = Reconvergence::automatic;
  /// A wish for speed: so many workgroups should run on one multiprocessor at once, for which compilers save registers.
  /// 0 leaves it to them. Without effect but on CUDA.
  uint32_t resident_workgroups = 0;
  Contraction contraction = Contraction::allowed;

  /// Sets specialization constant `id`; T is bool, a 32- or 64-bit integer, float or double (8 and 16 bits too).
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

/// What a kernel takes, read from its SPIR-V.
struct Reflection {
  struct Member {
    std::string name;
    uint32_t offset = 0, bytes = 0;
    std::string type;            ///< As GLSL writes it; "buffer reference" for device pointers.
    uint32_t pointee_align = 0;  ///< For buffer references: the alignment that an address needs. Otherwise 0.
  };
  enum class BindingKind {
    storage_buffer,
    uniform_buffer,
    conflicting,  ///< Several used variables that cannot be one buffer: HLSL's t0, u0 and b0, which all become 0.0.
    other,        ///< No buffer: an image, a sampler and so on.
  };
  struct Binding {
    uint32_t set = 0, binding = 0;
    BindingKind kind = BindingKind::other;
    std::string name;           ///< Of the variable; "a, b" where the entry point uses several for the binding.
    uint32_t count = 1;         ///< Elements of a descriptor array; 0 when the array has no size.
    uint64_t min_bytes = 0;     ///< Fixed part of the block; a runtime array adds to it.
    uint32_t array_stride = 0;  ///< Of the runtime array at the end; 0 when there is none.
    bool used = true;           ///< The entry point's code names it; a binding that it does not may be left out.
  };
  struct Specialization {
    uint32_t id = 0;
    std::string name, type;  ///< GLSL scalar type: bool, int, uint, float, double, int64_t, ...
    uint32_t bytes = 4;
    uint64_t default_bits = 0;
  };
  std::string entry;
  std::array<uint32_t, 3> workgroup_size{1, 1, 1};  ///< With the defaults, or as specialized on a Kernel.
  /// Ids of specialization constants that set the workgroup size; ~0u where a dimension is literal.
  std::array<uint32_t, 3> workgroup_size_ids{~0u, ~0u, ~0u};
  uint32_t workgroup_memory_bytes =
      0;  ///< `shared` variables, with the defaults or as specialized; padding not counted.
  uint32_t push_constant_bytes = 0;
  std::vector<Member> push_constants;
  std::vector<Binding> bindings;
  std::vector<Specialization> specializations;
  std::vector<uint32_t> capabilities;
  /// A subgroup operation stands inside a selection or a loop, where lanes may have parted.
  bool divergent_subgroup_operations = false;
};

/// Reads what `entry` takes. Throws compile_failed unless the module is valid, and invalid_argument, naming the entry
/// points there are, when there is no such one.
Reflection reflect(const Spirv& module, const std::string& entry = "main");

/// Names of a module's capabilities that `supported` lacks, as the SPIR-V specification writes them.
std::vector<std::string> missing_capabilities(const Reflection& reflection, const std::set<uint32_t>& supported);

/// A compiled kernel on one device. Copies share the compiled code. Immutable, so thread-safe; it keeps its device open
/// and may be destroyed while work that uses it runs.
class Kernel {
 public:
  Kernel() = default;
  explicit Kernel(std::shared_ptr<const backend::Kernel> impl) : impl_(std::move(impl)) {}

  explicit operator bool() const { return impl_ != nullptr; }
  /// These throw invalid_argument for a default-constructed Kernel.
  const std::string& name() const;
  const Reflection& reflection() const;
  std::array<uint32_t, 3> workgroup_size() const { return reflection().workgroup_size; }
  /// How many workgroups of this kernel the device runs at once while it does nothing else, on host as many as it has
  /// threads; 0 where the backend cannot say (Vulkan has no such question). For kernels whose workgroups stay and take
  /// work from a queue: more of them than this would only wait for the first ones to end.
  uint32_t resident_workgroups() const;
  /// Compiles what the first dispatch_indirect() of this kernel would compile while it is recorded: on CUDA and HIP a
  /// second form of the kernel, elsewhere nothing. Throws what Device::kernel() throws.
  void prepare_indirect() const;
  const backend::Kernel& impl() const { return *impl_; }

 private:
  std::shared_ptr<const backend::Kernel> impl_;
};

}  // namespace weft
