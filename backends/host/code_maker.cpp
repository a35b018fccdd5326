#include "backends/host/code_maker.h"

#include "backends/host/architectures.h"
#include "backends/translate/code_cache.h"
#include "core/src/pack/architectures.h"
#include "core/src/runtime/compilers.h"

namespace weft::host {

namespace {

// Arrays of a few elements get into registers when loops over them are unrolled, which GCC's -O2 does not. Unswitching
// would double the time that large kernels take to compile, for nothing. Without traps, GCC makes float(int(x)) a
// truncation by SSE4.1, which turns -0.5 into -0 instead of 0.
constexpr const char* optimize_lanes =
    "#ifdef __OPTIMIZE__\n#pragma GCC optimize(\"O3\", \"no-unswitch-loops\", \"trapping-math\")\n#endif\n";

}  // namespace

CodeMaker::CodeMaker(const backend::Device& device, const Settings& settings, const Spirv& module,
                     const Reflection& reflection, const KernelOptions& options)
    : device_(device), settings_(settings), module_(module), reflection_(reflection), options_(options) {}

translate::Target CodeMaker::target() const {
  return settings_.runs_lanes() ? translate::Target::lanes : translate::Target::host;
}

std::string CodeMaker::preamble(const std::string& architecture) const {
  return (settings_.runs_lanes() ? optimize_lanes + select_instructions(architecture) : "") +
         "#define WEFT_HOST_CHECK " + (settings_.check ? "1\n" : "0\n");
}

core::CacheKey CodeMaker::key(const std::string& architecture) const {
  return translate::translation_key(module_, target(), options_, preamble(architecture));
}

core::Artifact CodeMaker::packed(const std::string& architecture) const {
  return translate::packed_code("host", architecture, key(architecture), module_.name);
}

void CodeMaker::require_stack(const Translation& translation) const {
  uint64_t most_bytes = 80 * 1024;  // of a fiber's stack; calls need some of it too
  if (settings_.runs_lanes()) most_bytes = most_bytes * settings_.subgroup_size / options_.subgroup_size;
  if (translation.invocation_bytes <= most_bytes) return;
  throw Error(ErrorCode::unsupported, "The variables of one invocation of kernel '" + module_.name + "' take " +
                                          std::to_string(translation.invocation_bytes) +
                                          " bytes; the host device allows " + std::to_string(most_bytes) + ".");
}

CodeMaker::Bytes CodeMaker::made(const std::string& architecture, const Compiler& compiler) const {
  const translate::CodeCache cache(device_.cache(),
                                   {"host", architecture, compiler.identity(device_.cache(), module_.name)});
  const core::CacheKey kernel = key(architecture);
  if (auto known = cache.find(kernel)) return std::move(*known);

  const Translation translation = translate::translate(module_, reflection_, target(), options_);
  require_stack(translation);
  const std::string source = preamble(architecture) + translation.code +
                             "\nextern \"C\" const uint64_t weft_workgroup_memory_bytes = " +
                             std::to_string(translation.workgroup_memory_bytes) + ";\n";
  cache.put(kernel, source);
  if (auto known = cache.find(source)) return std::move(*known);

  Bytes code = compiler.compile(source, module_.name);
  cache.put(source, code);
  return code;
}

CodeMaker::Bytes CodeMaker::object_for(const std::string& architecture,
                                       const std::function<const Compiler&()>& compiler) const {
  for (const std::string& runs : core::code_architectures(architecture)) {
    if (auto known = device_.kernels.find_packed(packed(runs))) return std::move(*known);
  }
  return device_.kernels.get_packed(packed(architecture), [&] {
    core::require_compilers("the machine code of kernel '" + module_.name + "' for " + architecture, device_);
    return made(architecture, compiler());
  });
}

void make_ahead(const backend::Device& device, const Spirv& module, const Reflection& reflection,
                const KernelOptions& options) {
  Settings settings;
  settings.architecture = device.info().architecture;
  KernelOptions complete = options;
  if (complete.subgroup_size == 0) complete.subgroup_size = settings.subgroup_size;
  const CodeMaker maker(device, settings, module, reflection, complete);
  std::optional<Compiler> compiler;
  maker.object_for(settings.architecture, [&]() -> const Compiler& {
    return compiler.emplace(Compiler::find_for(settings.architecture, device.options().compiler));
  });
}

}  // namespace weft::host
