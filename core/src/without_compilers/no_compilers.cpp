// A build with WEFT_COMPILERS=OFF: everything that needs glslang, SPIRV-Tools or SPIRV-Cross is an error.
#include <weft/error.h>
#include <weft/glsl.h>
#include <weft/kernel.h>
#include <weft/spirv.h>

#include "core/src/glsl/shader_library.h"
#include "core/src/runtime/compilers.h"
#include "core/src/runtime/uncompiled.h"
#include "core/src/spirv/contraction.h"
#include "core/src/spirv/inlining.h"
#include "core/src/spirv/preparation.h"
#include "core/src/spirv/specialization.h"

namespace weft {
namespace {

constexpr const char* without = "This build of Weft has no compilers (WEFT_COMPILERS=OFF)";

[[noreturn]] void refuse(const std::string& what, const std::string& advice = "A build with them can.") {
  throw Error(ErrorCode::unsupported, std::string(without) + ", so it cannot " + what + ". " + advice);
}

}  // namespace

namespace core {

bool has_compilers() { return false; }

void require_compilers(const std::string& what, const backend::Device& device) {
  refuse_uncompiled(without, what, device);
}

std::string preparation_tools() { return {}; }

PreparedKernel prepare(const Spirv& given, const KernelOptions&, const DeviceInfo&, const Cache&) {
  refuse("prepare '" + given.name + "'");
}

std::vector<uint32_t> without_contraction(const std::vector<uint32_t>&) { refuse("forbid contraction"); }

std::vector<SpecializationValue> complete_specialization(const std::string& kernel, const Reflection&,
                                                         const std::vector<SpecializationValue>&) {
  refuse("specialize '" + kernel + "'");
}

void validate_specialized(const Spirv& module, const std::vector<SpecializationValue>&) {
  refuse("validate '" + module.name + "'");
}

std::vector<uint32_t> with_functions_inlined(const std::vector<uint32_t>&) { refuse("inline a kernel's functions"); }

std::span<const EmbeddedFile> shader_library() { return {}; }

}  // namespace core

Spirv compile_glsl(const std::string&, const GlslOptions& options) {
  refuse("compile '" + options.name + "'", "Compile it when the program is built: weft_add_kernels() in CMake.");
}
std::vector<std::string> shader_library_files() { return {}; }
Spirv assemble_spirv(const std::string&, std::string name) { refuse("assemble '" + name + "'"); }
std::string disassemble_spirv(const Spirv& module) { refuse("disassemble '" + module.name + "'"); }
void validate_spirv(const Spirv& module) { refuse("validate '" + module.name + "'"); }
Reflection reflect(const Spirv& module, const std::string&) { refuse("reflect '" + module.name + "'"); }

}  // namespace weft
