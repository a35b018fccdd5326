#include <weft/kernel.h>

#include <algorithm>
#include <span>
#include <spirv-tools/libspirv.hpp>

#include <weft/device.h>
#include <weft/glsl.h>

#include "core/src/runtime/backend.h"
#include "core/src/spirv/capabilities.h"
#include "core/src/spirv/contraction.h"
#include "core/src/spirv/forms.h"
#include "core/src/spirv/layout.h"
#include "core/src/spirv/reflection.h"
#include "core/src/spirv/specialization.h"

namespace weft {
namespace {

std::string joined(const std::vector<std::string>& parts) {
  std::string all;
  for (const std::string& part : parts) all += (all.empty() ? "" : ", ") + part;
  return all;
}

// Validation takes longer than all other steps for a cached kernel, and its result depends on the module alone.
template <typename Validate>
void validate_once(const core::Cache& cache, core::CacheKey key, const Validate& validate) {
  if (!cache) return validate();
  key.add(spvSoftwareVersionString());
  constexpr const char* kind = "valid";
  if (cache.find(kind, key)) return;
  validate();
  cache.put(kind, key, std::as_bytes(std::span("valid")));
}

void require_valid(const core::Cache& cache, const Spirv& module) {
  validate_once(cache, core::CacheKey().add(module.words), [&] { validate_spirv(module); });
}

bool is_valid(const core::Cache& cache, const Spirv& module) {
  try {
    require_valid(cache, module);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// Compilers declare capabilities that nothing uses, such as dxc GroupNonUniformPartitionedNV for each WaveActiveSum().
// Without one of these, a module is still valid. Only those that the device lacks are worth a validation.
void drop_unused_capabilities(const core::Cache& cache, Spirv& module, const std::set<uint32_t>& supported) {
  for (const uint32_t capability : core::declared_capabilities(module.words)) {
    if (supported.contains(capability) || !core::validator_requires(capability)) continue;
    Spirv without{core::without_capability(module.words, capability), module.name};
    if (is_valid(cache, without)) module = std::move(without);
  }
}

void require_valid_specialized(const core::Cache& cache, const Spirv& module, const Reflection& reflection,
                               const std::vector<SpecializationValue>& values) {
  if (reflection.specializations.empty()) return;
  const core::CacheKey key = core::CacheKey().add(module.words).add("specialized").add(values);
  validate_once(cache, key, [&] { core::validate_specialized(module, values); });
}

std::string size_text(const std::array<uint32_t, 3>& size) {
  return std::to_string(size[0]) + "x" + std::to_string(size[1]) + "x" + std::to_string(size[2]);
}

class DeviceCheck {
 public:
  DeviceCheck(const std::string& kernel, const DeviceInfo& device) : kernel_(kernel), device_(device) {}

  // `certain`: refuses only if the device lacks a capability that the module is known to use.
  void capabilities(const std::vector<uint32_t>& declared, bool certain) const {
    std::vector<std::string> missing;
    bool refused = !certain;
    for (const uint32_t capability : declared) {
      if (device_.capabilities.contains(capability)) continue;
      missing.push_back(core::capability_name(capability));
      refused = refused || core::validator_requires(capability);
    }
    if (refused && !missing.empty()) unsupported("the device lacks: " + joined(missing));
  }

  void workgroup(const Reflection& reflection) const {
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

  void layout(const core::Cache& cache, const Spirv& module) const {
    if (device_.features.scalar_layout) return;
    validate_once(cache, core::CacheKey().add(module.words).add("standard layout"), [&] {
      const std::string error = core::layout_error(module);
      if (!error.empty()) unsupported("the device lacks scalar block layout, which its blocks need: " + error);
    });
  }

  void push_constants(const Reflection& reflection) const {
    if (reflection.push_constant_bytes > device_.limits.push_constant_bytes) {
      unsupported("it needs " + std::to_string(reflection.push_constant_bytes) +
                  " bytes of push constants, and the device has " + std::to_string(device_.limits.push_constant_bytes));
    }
  }

  void bindings(const Reflection& reflection) const {
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

  void subgroup_size(uint32_t size) const {
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

 private:
  [[noreturn]] void unsupported(const std::string& reason) const {
    throw Error(ErrorCode::unsupported, "Kernel '" + kernel_ + "' cannot run on " + device_.selector + " (" +
                                            device_.name + "): " + reason + ".");
  }

  const std::string& kernel_;
  const DeviceInfo& device_;
};

const backend::Kernel& present(const std::shared_ptr<const backend::Kernel>& kernel) {
  if (!kernel) throw Error(ErrorCode::invalid_argument, "This Kernel is empty; create one with Device::kernel().");
  return *kernel;
}

}  // namespace

const std::string& Kernel::name() const { return present(impl_).name(); }
const Reflection& Kernel::reflection() const { return present(impl_).reflection(); }
uint32_t Kernel::resident_workgroups() const { return present(impl_).resident_workgroups(); }
void Kernel::prepare_indirect() const { present(impl_).prepare_indirect(); }

Kernel Device::kernel(const Spirv& given, const KernelOptions& options) const {
  impl_->require_this_process();
  Spirv module{core::driver_form(given.words), given.name};
  const core::Cache cache = impl_->cache();
  drop_unused_capabilities(cache, module, info().capabilities);
  require_valid(cache, module);
  const DeviceCheck check(module.name, info());
  const std::vector<uint32_t> declared = core::declared_capabilities(module.words);
  check.capabilities(declared, true);  // before SPIRV-Cross, which may not know their instructions
  Reflection reflection = core::reflect_specialized(module, options.entry, {});
  KernelOptions checked = options;
  checked.specialization = core::complete_specialization(module.name, reflection, options.specialization);
  require_valid_specialized(cache, module, reflection, checked.specialization);
  if (!checked.specialization.empty()) {
    reflection = core::reflect_specialized(module, options.entry, checked.specialization);
  }
  check.bindings(reflection);  // an image's capability would not name its binding
  check.capabilities(declared, false);
  check.layout(cache, module);
  check.workgroup(reflection);
  check.push_constants(reflection);
  check.subgroup_size(options.subgroup_size);
  if (options.contraction == Contraction::forbidden) {
    return Kernel(
        impl_->create_kernel({core::without_contraction(module.words), module.name}, checked, std::move(reflection)));
  }
  return Kernel(impl_->create_kernel(module, checked, std::move(reflection)));
}

Kernel Device::kernel_from_glsl(const std::string& source, const KernelOptions& options) const {
  GlslOptions glsl_options;
  glsl_options.cache = impl_->options().cache;
  glsl_options.messages = impl_->options().messages;
  return kernel(compile_glsl(source, glsl_options), options);
}

}  // namespace weft
