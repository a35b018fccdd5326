#include "checks.h"

#include <weft/error.h>
#include <weft/glsl.h>
#include <regex>

#include "tests/support/test.h"

namespace weft::test {

CompiledKernel compile(const DeviceCompiler& compiler, const std::string& architecture, const Spirv& module,
                       const KernelOptions& options) {
  CompiledKernel kernel;
  try {
    kernel.translation = translate::translate(
        module, {compiler.target(), options.entry, options.specialization, options.resident_workgroups});
    kernel.code = compiler.compile(kernel.translation.code, architecture);
  } catch (const Error& error) {
    FAIL(module.name << " for " << architecture << ": " << std::string(error.what()) << "\n" << error.log());
  }
  return kernel;
}

CompiledKernel compile(const DeviceCompiler& compiler, const std::string& architecture, const std::string& glsl) {
  return compile(compiler, architecture, compile_glsl("#version 460\n" + glsl));
}

void check_lean(const CompiledKernel& kernel, uint32_t subgroup_size, Spills spills) {
  CHECK_LE(kernel.code.stack_bytes, spills == Spills::none ? 0 : 512);
  CHECK_LE(kernel.code.spills, spills == Spills::none ? 0 : 1024);
  CHECK_EQ(kernel.code.subgroup_size, subgroup_size);
  // A kernel that is to save registers keeps some in workgroup memory.
  const bool saves_registers =
      kernel.translation.code.find("#define WEFT_RESIDENT_WORKGROUPS 0\n") == std::string::npos;
  const uint64_t room = saves_registers ? 32 * 1024 : 0;
  CHECK_LE(kernel.code.workgroup_memory_bytes, kernel.translation.workgroup_memory_bytes + room);
  CHECK_MESSAGE(kernel.code.log.find("warning") == std::string::npos, kernel.code.log);
}

size_t instructions(const CompiledKernel& kernel, const char* ptx, const char* amd) {
  const std::string& text = kernel.code.assembly;
  const bool is_ptx = text.find(".target sm_") != std::string::npos;
  const std::regex expression(is_ptx ? ptx : amd);
  return size_t(std::distance(std::sregex_iterator(text.begin(), text.end(), expression), std::sregex_iterator()));
}

void check_memories_known(const CompiledKernel& kernel) {
  CHECK_EQ(instructions(kernel, R"(\s(ld|st|atom|red)\.(?![a-z0-9_.]*(global|shared|param|const)))", R"(\sflat_)"), 0);
}

size_t wide_loads(const CompiledKernel& kernel) {
  return instructions(kernel, R"(\sld\.global\.(nc\.)?(v4\.[ubf]32|v2\.[ubf]64))", R"(\sglobal_load_(dwordx4|b128))");
}

size_t wide_stores(const CompiledKernel& kernel) {
  return instructions(kernel, R"(\sst\.global\.(v4\.[ubf]32|v2\.[ubf]64))", R"(\sglobal_store_(dwordx4|b128))");
}

}  // namespace weft::test
