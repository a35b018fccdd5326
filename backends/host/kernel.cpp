#include "backends/host/kernel.h"

#include <algorithm>

#include "backends/host/buffer.h"
#include "backends/host/processor.h"
#include "backends/translate/code_cache.h"
#include "backends/translate/translate.h"
#include "core/src/runtime/compilers.h"

namespace weft::host {

namespace {

// Arrays of a few elements get into registers when loops over them are unrolled, which GCC's -O2 does not. Unswitching
// would double the time that large kernels take to compile, for nothing. Without traps, GCC makes float(int(x)) a
// truncation by SSE4.1, which turns -0.5 into -0 instead of 0.
constexpr const char* optimize_lanes =
    "#ifdef __OPTIMIZE__\n#pragma GCC optimize(\"O3\", \"no-unswitch-loops\", \"trapping-math\")\n#endif\n";

std::string architecture_of(const Settings& settings) {
  if (!settings.runs_lanes()) return base_architecture;
  return settings.architecture.empty() ? vector_architecture() : settings.architecture;
}

translate::Target target_of(const Settings& settings) {
  return settings.runs_lanes() ? translate::Target::lanes : translate::Target::host;
}

std::string preamble(const Settings& settings, const std::string& architecture) {
  return (settings.runs_lanes() ? optimize_lanes + select_instructions(architecture) : "") +
         "#define WEFT_HOST_CHECK " + (settings.check ? "1\n" : "0\n");
}

void require_stack(const Translation& translation, const std::string& name, const KernelOptions& options,
                   const Settings& settings) {
  uint64_t most_bytes = 80 * 1024;  // of a fiber's stack; calls need some of it too
  if (settings.runs_lanes()) most_bytes = most_bytes * settings.subgroup_size / options.subgroup_size;
  if (translation.invocation_bytes <= most_bytes) return;
  throw Error(ErrorCode::unsupported, "The variables of one invocation of kernel '" + name + "' take " +
                                          std::to_string(translation.invocation_bytes) +
                                          " bytes; the host device allows " + std::to_string(most_bytes) + ".");
}

// The object of a kernel that no pack has.
std::vector<std::byte> compiled(Device& device, const Spirv& module, const Reflection& reflection,
                                const KernelOptions& options, const core::CacheKey& kernel,
                                const std::string& architecture, const std::string& before) {
  core::require_compilers("the machine code of kernel '" + module.name + "' for " + architecture, device);
  const Compiler& compiler = device.compiler();
  const translate::CodeCache cache(device.cache(),
                                   {"host", architecture, compiler.identity(device.cache(), module.name)});
  if (auto known = cache.find(kernel)) return std::move(*known);

  const Translation translation = translate::translate(module, reflection, target_of(device.settings()), options);
  require_stack(translation, module.name, options, device.settings());
  const std::string source = before + translation.code +
                             "\nextern \"C\" const uint64_t weft_workgroup_memory_bytes = " +
                             std::to_string(translation.workgroup_memory_bytes) + ";\n";
  cache.put(kernel, source);
  if (auto known = cache.find(source)) return std::move(*known);

  std::vector<std::byte> code = compiler.compile(source, module.name);
  cache.put(source, code);
  return code;
}

std::vector<std::byte> machine_code(Device& device, const Spirv& module, const Reflection& reflection,
                                    const KernelOptions& options) {
  const Settings& settings = device.settings();
  const std::string architecture = architecture_of(settings), before = preamble(settings, architecture);
  const core::CacheKey kernel = translate::translation_key(module, target_of(settings), options, before);
  return device.kernels.get_packed(translate::packed_code("host", architecture, kernel, module.name), [&] {
    return compiled(device, module, reflection, options, kernel, architecture, before);
  });
}

}  // namespace

Kernel::Kernel(std::shared_ptr<Device> device, const Spirv& module, const KernelOptions& options, Reflection reflection)
    : backend::Kernel(device, module.name, std::move(reflection)),
      subgroup_size_(options.subgroup_size != 0 ? options.subgroup_size : device->settings().subgroup_size) {
  KernelOptions complete = options;
  complete.subgroup_size = subgroup_size_;
  code_ = std::make_shared<Code>(machine_code(*device, module, reflection_, complete), module.name);
  if (code_->workgroup_memory_bytes() > device->info().limits.workgroup_memory_bytes) {
    throw Error(ErrorCode::unsupported, "Kernel '" + name() + "' takes " +
                                            std::to_string(code_->workgroup_memory_bytes()) +
                                            " bytes of workgroup memory, and the host device has " +
                                            std::to_string(device->info().limits.workgroup_memory_bytes) + ".");
  }
}

uint32_t Kernel::resident_workgroups() const {
  const auto& device = static_cast<const Device&>(*device_);
  return device.threads() * (device.settings().schedule ? interleaved_workgroups : 1);
}

Dispatch Kernel::dispatch(const backend::BoundArguments& arguments) const {
  const auto& device = static_cast<const Device&>(*device_);
  Dispatch dispatch;
  dispatch.code = code_;
  dispatch.workgroup_size = reflection_.workgroup_size;
  dispatch.subgroup_size = subgroup_size_;
  dispatch.schedule = device.settings().schedule;
  dispatch.checked = device.checked();
  std::ranges::copy(arguments.push_constants, dispatch.push_constants.begin());
  for (const Region& region : arguments.bindings) {
    weft_host_binding bound{};
    if (region.buffer != nullptr) {
      const auto& memory = memory_of(region);
      bound = {memory->data() + region.offset, region.bytes};
      dispatch.bound.push_back(memory);
    }
    dispatch.bindings.push_back(bound);
  }
  return dispatch;
}

}  // namespace weft::host
