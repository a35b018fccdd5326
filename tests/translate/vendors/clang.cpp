#include <cstdlib>
#include <regex>
#include <string_view>

#include <weft/error.h>

#include "tests/support/files.h"
#include "tests/translate/vendors/clang_header.h"
#include "tests/translate/vendors/device_compiler.h"

namespace weft::test {
namespace {

class Clang : public DeviceCompiler {
 public:
  Clang() {
    const Outcome outcome = run_program(program_, {"--version"});
    if (outcome.status != 0) throw Error(ErrorCode::unsupported, program_ + " does not run: " + outcome.output);
    identity_ = outcome.output.substr(0, outcome.output.find('\n'));
  }

  TranslationTarget target() const override { return TranslationTarget::hip; }
  std::vector<std::string> architectures() const override {
    return listed_in("WEFT_TEST_CLANG_ARCHITECTURES", {"gfx942", "gfx1100", "gfx1201"});
  }
  uint32_t subgroup_size(const std::string& architecture) const override { return wavefront_size(architecture); }
  uint32_t workgroup_memory_bytes(const std::string&) const override { return amd_workgroup_memory_bytes; }
  std::string identity() const override { return identity_; }

  // The assembly's directives and metadata have all the information; nothing is linked.
  DeviceCode compile(const std::string& source, const std::string& architecture) const override {
    DeviceCode code;
    code.assembly = hip_text(source, architecture, {"-O3"}, code.log);
    if (code.assembly.find("s_swappc") != std::string::npos) {
      throw Error(ErrorCode::unsupported, "The kernel calls a function of AMD's libraries, which are not linked here.");
    }
    code.registers = metadata(code.assembly, ".vgpr_count");
    code.stack_bytes = metadata(code.assembly, ".private_segment_fixed_size");
    code.spills = metadata(code.assembly, ".vgpr_spill_count") + metadata(code.assembly, ".sgpr_spill_count");
    code.workgroup_memory_bytes = metadata(code.assembly, ".group_segment_fixed_size");
    code.subgroup_size = metadata(code.assembly, ".wavefront_size");
    return code;
  }

  std::string hip_text(const std::string& source, const std::string& architecture, std::vector<std::string> options,
                       std::string& log) const {
    options.insert(options.end(), {"-x", "hip", "--offload-device-only", "--offload-arch=" + architecture, "-nogpuinc",
                                   "-nogpulib", "-std=c++17", "-fno-finite-loops"});
    return text(std::string(clang_headers().front().text) + "#line 1 \"kernel.hip\"\n" + source, options, log);
  }

  // Returns the output with these options: assembly, or LLVM's text.
  std::string text(const std::string& source, std::vector<std::string> options, std::string& log) const {
    const TemporaryFolder folder;
    folder.write("kernel", source);
    const std::string output = (folder.path() / "kernel.s").string();
    options.insert(options.end(), {"-S", "-o", output, (folder.path() / "kernel").string()});
    const Outcome outcome = run_program(program_, options);
    if (outcome.status != 0) throw Error(ErrorCode::compile_failed, program_ + " fails.", outcome.output);
    log = outcome.output;
    const std::vector<std::byte> bytes = read_file(output);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

 private:
  // Reads the assembly's metadata about its one kernel.
  static uint32_t metadata(const std::string& assembly, const char* name) {
    const size_t at = assembly.find(name, assembly.rfind("amdhsa.kernels:"));
    std::smatch number;
    const std::string line = at == std::string::npos ? "" : assembly.substr(at, assembly.find('\n', at) - at);
    if (std::regex_search(line, number, std::regex(R"(:\s*(\d+))"))) return uint32_t(std::stoul(number[1]));
    throw Error(ErrorCode::compile_failed, std::string("clang's assembly does not say its ") + name + ".");
  }

  static std::string program() {
    const char* given = std::getenv("WEFT_TEST_CLANG");
    return given && *given ? given : "clang-19";
  }

  std::string program_ = program();
  std::string identity_;
};

const Clang& the_clang() {
  static const Clang compiler;
  return compiler;
}

}  // namespace

const DeviceCompiler& clang() { return the_clang(); }

std::string llvm_text(TranslationTarget target, const std::string& source) {
  std::string log;
  if (target == TranslationTarget::hip) return the_clang().hip_text(source, "gfx942", {"-O1", "-emit-llvm"}, log);
  return the_clang().text(source, {"-x", "c++", "-std=c++20", "-w", "-O1", "-emit-llvm"}, log);
}

}  // namespace weft::test
