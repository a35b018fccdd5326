#include "backends/host/kernel.h"

#include <algorithm>

#include "backends/host/buffer.h"
#include "backends/translate/code_cache.h"
#include "backends/translate/translate.h"
#include "core/src/runtime/bound_regions.h"

namespace weft::host {

namespace {

// Vector instructions that this processor has. They are part of the code, so that caches tell processors apart. GCC's
// macros do not tell what a pragma selects.
std::string instructions_of_lanes() {
#if defined(__x86_64__)
  const auto selected = [](const char* level, int vector_bytes) {
    return "#pragma GCC target(\"arch=x86-64-" + std::string(level) + "\")\n#ifndef __clang__\n" +
           "#define WEFT_VECTOR_BYTES " + std::to_string(vector_bytes) + "\n#endif\n";
  };
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
    return selected("v4", 64);
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma")) {
    return selected("v3", 32);
  }
#endif
  return "";
}

// Arrays of a few elements get into registers when loops over them are unrolled, which GCC's -O2 does not. Unswitching
// would double the time that large kernels take to compile, for nothing. Without traps, GCC makes float(int(x)) a
// truncation by SSE4.1, which turns -0.5 into -0 instead of 0.
std::string optimized_for_lanes(const Settings& settings) {
  return "#ifdef __OPTIMIZE__\n#pragma GCC optimize(\"O3\", \"no-unswitch-loops\", \"trapping-math\")\n#endif\n" +
         settings.instructions.value_or(instructions_of_lanes());
}

std::string translated(const Spirv& module, const Reflection& reflection, const KernelOptions& options,
                       const Settings& settings) {
  const bool check = settings.check, lanes = settings.runs_lanes();
  const Translation translation =
      translate::translate(module, reflection, lanes ? translate::Target::lanes : translate::Target::host, options);
  uint64_t most_invocation_bytes = 80 * 1024;  // of a fiber's stack; calls need some of it too
  if (lanes) most_invocation_bytes = most_invocation_bytes * settings.subgroup_size / options.subgroup_size;
  if (translation.invocation_bytes > most_invocation_bytes) {
    throw Error(ErrorCode::unsupported, "The variables of one invocation of kernel '" + module.name + "' take " +
                                            std::to_string(translation.invocation_bytes) +
                                            " bytes; the host device allows " + std::to_string(most_invocation_bytes) +
                                            ".");
  }
  return (lanes ? optimized_for_lanes(settings) : "") + "#define WEFT_HOST_CHECK " + (check ? "1\n" : "0\n") +
         translation.code + "\nextern \"C\" const uint64_t weft_workgroup_memory_bytes = " +
         std::to_string(translation.workgroup_memory_bytes) + ";\n";
}

std::vector<std::byte> compiled(Device& device, const Spirv& module, const Reflection& reflection,
                                const KernelOptions& options) {
  const Compiler& compiler = device.compiler();
  const Settings& settings = device.settings();
  const std::string lanes =
      settings.runs_lanes() ? "lanes " + std::to_string(options.subgroup_size) + optimized_for_lanes(settings) : "";
  return translate::CodeCache(device.cache(), "host", compiler.identity())
      .code(
          module, options, settings.check ? "checked" : lanes,
          [&] { return translated(module, reflection, options, settings); },
          [&](const std::string& source) { return compiler.compile(source, module.name); })
      .bytes;
}

}  // namespace

Kernel::Kernel(std::shared_ptr<Device> device, const Spirv& module, const KernelOptions& options, Reflection reflection)
    : backend::Kernel(device, module.name, std::move(reflection)),
      subgroup_size_(options.subgroup_size != 0 ? options.subgroup_size : device->settings().subgroup_size) {
  KernelOptions complete = options;
  complete.subgroup_size = subgroup_size_;
  code_ = std::make_shared<Code>(compiled(*device, module, reflection_, complete), module.name);
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

Dispatch Kernel::dispatch(const Arguments& arguments) const {
  const auto& device = static_cast<const Device&>(*device_);
  Dispatch dispatch;
  dispatch.code = code_;
  dispatch.workgroup_size = reflection_.workgroup_size;
  dispatch.subgroup_size = subgroup_size_;
  dispatch.schedule = device.settings().schedule;
  dispatch.checked = device.checked();
  std::ranges::copy(arguments.push_constants(), dispatch.push_constants.begin());
  for (const Region& region : core::bound_regions(reflection_, arguments)) {
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
