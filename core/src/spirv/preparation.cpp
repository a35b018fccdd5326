#include "core/src/spirv/preparation.h"

#include <set>
#include <span>
#include <spirv-tools/libspirv.hpp>

#include <weft/error.h>
#include <weft/spirv.h>

#include "core/src/runtime/device_check.h"
#include "core/src/spirv/capabilities.h"
#include "core/src/spirv/contraction.h"
#include "core/src/spirv/forms.h"
#include "core/src/spirv/layout.h"
#include "core/src/spirv/reflection.h"
#include "core/src/spirv/specialization.h"

namespace weft::core {
namespace {

// Validation takes longer than all other steps for a cached kernel, and its result depends on the module alone.
template <typename Validate>
void validate_once(const Cache& cache, CacheKey key, const Validate& validate) {
  if (!cache) return validate();
  key.add(preparation_tools());
  constexpr const char* kind = "valid";
  if (cache.find(kind, key)) return;
  validate();
  cache.put(kind, key, std::as_bytes(std::span("valid")));
}

void require_valid(const Cache& cache, const Spirv& module) {
  validate_once(cache, CacheKey().add(module.words), [&] { validate_spirv(module); });
}

bool is_valid(const Cache& cache, const Spirv& module) {
  try {
    require_valid(cache, module);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// Compilers declare capabilities that nothing uses, such as dxc GroupNonUniformPartitionedNV for each WaveActiveSum().
// Without one of these, a module is still valid. Only those that the device lacks are worth a validation.
void drop_unused_capabilities(const Cache& cache, Spirv& module, const std::set<uint32_t>& supported) {
  for (const uint32_t capability : declared_capabilities(module.words)) {
    if (supported.contains(capability) || !validator_requires(capability)) continue;
    Spirv without{without_capability(module.words, capability), module.name};
    if (is_valid(cache, without)) module = std::move(without);
  }
}

void require_valid_specialized(const Cache& cache, const Spirv& module, const Reflection& reflection,
                               const std::vector<SpecializationValue>& values) {
  if (reflection.specializations.empty()) return;
  const CacheKey key = CacheKey().add(module.words).add("specialized").add(values);
  validate_once(cache, key, [&] { validate_specialized(module, values); });
}

}  // namespace

std::string preparation_tools() { return std::string(preparation_version()) + " " + spvSoftwareVersionString(); }

PreparedKernel prepare(const Spirv& given, const KernelOptions& options, const DeviceInfo& device, const Cache& cache) {
  Spirv module{driver_form(given.words), given.name};
  drop_unused_capabilities(cache, module, device.capabilities);
  require_valid(cache, module);
  // Before SPIRV-Cross, which may not know the instructions of capabilities that the device lacks.
  DeviceCheck(module.name, device).capabilities(declared_capabilities(module.words), true);
  PreparedKernel kernel;
  kernel.reflection = reflect_specialized(module, options.entry, {});
  kernel.specialization = complete_specialization(module.name, kernel.reflection, options.specialization);
  require_valid_specialized(cache, module, kernel.reflection, kernel.specialization);
  if (!kernel.specialization.empty()) {
    kernel.reflection = reflect_specialized(module, options.entry, kernel.specialization);
  }
  if (!device.features.scalar_layout) kernel.layout_error = layout_error(module);
  const bool contracts = options.contraction == Contraction::allowed;
  kernel.words = contracts ? std::move(module.words) : without_contraction(module.words);
  return kernel;
}

}  // namespace weft::core
