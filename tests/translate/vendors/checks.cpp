#include "tests/translate/vendors/checks.h"

#include <bit>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include <weft/error.h>
#include <weft/glsl.h>

#include "tests/support/test.h"

namespace weft::test {

CompiledKernel compile(const DeviceCompiler& compiler, const std::string& architecture, const Spirv& module,
                       const KernelOptions& options) {
  CompiledKernel kernel;
  try {
    kernel.translation = translate_spirv(module, compiler.target(), options);
    kernel.code = compiler.compile(kernel.translation.code, architecture);
  } catch (const Error& error) {
    FAIL(module.name << " for " << architecture << ": " << std::string(error.what()) << "\n" << error.log());
  }
  return kernel;
}

CompiledKernel compile(const DeviceCompiler& compiler, const std::string& architecture, const std::string& glsl) {
  return compile(compiler, architecture, compile_glsl("#version 460\n" + glsl));
}

void check_lean(const CompiledKernel& kernel, uint32_t subgroup_size, Spills spills, uint32_t arrays) {
  CHECK_LE(kernel.code.stack_bytes, arrays + (spills == Spills::none ? 0 : 512));
  CHECK_LE(kernel.code.spills, spills == Spills::none ? 0 : 1024);
  CHECK_EQ(kernel.code.subgroup_size, subgroup_size);
  // A kernel compiled to save registers keeps some values in workgroup memory.
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
  CHECK_EQ(instructions(kernel, R"(\s(ld|st|atom|red)\.(?![a-z0-9_.]*(global|shared|local|param|const)))",
                        R"(\sflat_(load|store|atomic))"),
           0);
}

void check_nothing_called(const CompiledKernel& kernel) {
  CHECK_EQ(instructions(kernel, R"(\scall(\.uni)?\s)", R"(\ss_swappc_b64\s)"), 0);
}

size_t wide_loads(const CompiledKernel& kernel) {
  return instructions(kernel, R"(\sld\.global\.(nc\.)?(v4\.[ubf]32|v2\.[ubf]64))", R"(\sglobal_load_(dwordx4|b128))");
}

size_t wide_stores(const CompiledKernel& kernel) {
  return instructions(kernel, R"(\sst\.global\.(v4\.[ubf]32|v2\.[ubf]64))", R"(\sglobal_store_(dwordx4|b128))");
}

BitBranches bit_branches(const CompiledKernel& kernel) {
  static const std::regex one_bit(R"(\sand\.b32\s+(%r\d+), %r\d+, (\d+);)");
  static const std::regex test(R"(\ssetp\.(?:eq|ne)\.[sub]32\s+(%p\d+), (%r\d+), \d+;)");
  static const std::regex negation(R"(\s(?:not|xor)\.pred\s+(%p\d+), (%p\d+))");
  static const std::regex branch(R"(^\s*@!?(%p\d+)\s+bra)");
  BitBranches branches;
  std::set<std::string> bits;
  std::map<std::string, size_t> tests;  // Predicates, with the number of barriers before they are set.
  size_t barriers = 0;
  std::istringstream lines(kernel.code.assembly);
  std::smatch found;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("\tbar.sync") != std::string::npos) {
      ++barriers;
    } else if (std::regex_search(line, found, one_bit)) {
      if (std::has_single_bit(std::stoul(found[2]))) bits.insert(found[1]);
    } else if (std::regex_search(line, found, test)) {
      if (bits.contains(found[2])) tests[found[1]] = barriers;
    } else if (std::regex_search(line, found, negation)) {
      if (tests.contains(found[2])) tests[found[1]] = tests[found[2]];
    } else if (std::regex_search(line, found, branch)) {
      const auto tested = tests.find(found[1]);
      if (tested == tests.end()) continue;
      ++branches.all;
      branches.kept += tested->second < barriers;
    }
  }
  return branches;
}

}  // namespace weft::test
