// A build with WEFT_COMPILERS=OFF: everything that needs glslang, SPIRV-Tools or SPIRV-Cross is an error.
#include <weft/error.h>
#include <weft/glsl.h>
#include <weft/kernel.h>
#include <weft/spirv.h>

#include "core/src/glsl/shader_library.h"
#include "core/src/runtime/compilers.h"
#include "core/src/runtime/making_plan.h"
#include "core/src/spirv/inlining.h"
#include "core/src/spirv/preparation.h"

namespace weft {
namespace {

constexpr const char* without = "This build of Weft has no compilers (WEFT_COMPILERS=OFF)";

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::unsupported, std::string(without) + ", so it cannot " + what + ".");
}

}  // namespace

namespace core {

bool has_compilers() { return false; }

void require_compilers(const std::string& what, const DeviceInfo& device) {
  std::string sentence =
      std::string(without) + ", and no pack holds " + what + " for " + device.selector + " (" + device.name + "). ";
  if (const MakingPlan* plan = MakingPlan::current()) {
    sentence +=
        "Make the pack anew from a list with this line, for a device like this one (`weft pack`): " + plan->line();
  } else {
    sentence += "List the kernel (WEFT_RECORD_PLANS does), and make the pack anew with `weft pack`.";
  }
  throw Error(ErrorCode::unsupported, sentence);
}

std::string preparation_tools() { return {}; }

PreparedKernel prepare(const Spirv& given, const KernelOptions&, const DeviceInfo& device, const Cache&) {
  require_compilers("kernel '" + given.name + "' with these options", device);
  return {};
}

std::vector<uint32_t> with_functions_inlined(const std::vector<uint32_t>&) { refuse("inline a kernel's functions"); }

std::span<const EmbeddedFile> shader_library() { return {}; }

}  // namespace core

Spirv compile_glsl(const std::string&, const GlslOptions& options) { refuse("compile '" + options.name + "'"); }
std::vector<std::string> shader_library_files() { return {}; }
Spirv assemble_spirv(const std::string&, std::string name) { refuse("assemble '" + name + "'"); }
std::string disassemble_spirv(const Spirv& module) { refuse("disassemble '" + module.name + "'"); }
void validate_spirv(const Spirv& module) { refuse("validate '" + module.name + "'"); }
Reflection reflect(const Spirv& module, const std::string&) { refuse("reflect '" + module.name + "'"); }

}  // namespace weft
