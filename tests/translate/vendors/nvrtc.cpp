#include <algorithm>
#include <cstdlib>
#include <regex>

#include "backends/cuda/nvrtc_names.h"
#include "tests/translate/vendors/device_compiler.h"
#include "tests/translate/vendors/library.h"

namespace weft::test {
namespace {

using Program = void*;
constexpr int nvrtc_success = 0;

// Returns the largest first number that `pattern` matches in the compiler's report, which has lines for each function.
uint32_t largest(const std::string& report, const char* pattern) {
  const std::regex expression(pattern);
  uint32_t most = 0;
  for (std::sregex_iterator match(report.begin(), report.end(), expression), end; match != end; ++match) {
    most = std::max(most, uint32_t(std::stoul((*match)[1])));
  }
  return most;
}

class Nvrtc : public DeviceCompiler {
 public:
  TranslationTarget target() const override { return TranslationTarget::cuda; }
  std::vector<std::string> architectures() const override {
    return listed_in("WEFT_TEST_CUDA_ARCHITECTURES", {"sm_90", "sm_75", "sm_80", "sm_100", "sm_120"});
  }
  uint32_t subgroup_size(const std::string&) const override { return 32; }
  uint32_t workgroup_memory_bytes(const std::string& architecture) const override {
    constexpr uint32_t kib = 1024;  // cudaDevAttrMaxSharedMemoryPerBlockOptin
    if (architecture == "sm_75") return 64 * kib;
    if (architecture == "sm_80") return 163 * kib;
    return architecture == "sm_120" ? 99 * kib : 227 * kib;
  }
  std::string identity() const override { return identity_; }

  DeviceCode compile(const std::string& source, const std::string& architecture) const override {
    const std::string option = "--gpu-architecture=" + architecture;
    const char* options[] = {option.c_str(), "--std=c++17", "--ptxas-options=-v"};
    Program program = nullptr;
    if (create_(&program, source.c_str(), "kernel.cu", 0, nullptr, nullptr) != nvrtc_success) {
      throw Error(ErrorCode::compile_failed, "NVRTC takes no program.");
    }
    const int result = compile_(program, int(std::size(options)), options);
    DeviceCode code;
    code.log = text(program, log_size_, log_);
    if (result == nvrtc_success) code.assembly = text(program, ptx_size_, ptx_);
    destroy_(&program);
    if (result != nvrtc_success) {
      throw Error(ErrorCode::compile_failed, "NVRTC for " + architecture + ": " + error_(result), code.log);
    }
    code.registers = largest(code.log, R"(Used (\d+) registers)");
    code.stack_bytes = largest(code.log, R"((\d+) bytes stack frame)");
    code.spills = largest(code.log, R"((\d+) bytes spill stores)") + largest(code.log, R"((\d+) bytes spill loads)");
    code.workgroup_memory_bytes = largest(code.log, R"((\d+) bytes smem)");
    code.subgroup_size = 32;
    return code;
  }

 private:
  using GetSize = int(Program, size_t*);
  using GetText = int(Program, char*);

  static std::string text(Program program, GetSize* size_of, GetText* get) {
    size_t size = 0;
    if (size_of(program, &size) != nvrtc_success || size == 0) return {};
    std::string result(size, '\0');
    get(program, result.data());
    result.resize(size - 1);
    return result;
  }

  // From the comment in the PTX: nvrtcVersion() omits the last number.
  std::string signature() const {
    const std::string ptx = compile("extern \"C\" __global__ void nothing() {}", "sm_90").assembly;
    std::smatch version;
    if (std::regex_search(ptx, version, std::regex(R"(release [\d.]+, V([\d.]+))"))) return "NVRTC " + version[1].str();
    throw Error(ErrorCode::unsupported, "NVRTC signs its PTX in a way that is not known.");
  }

  static std::vector<std::string> names() {
    const std::vector<std::string> given = listed_in("WEFT_TEST_NVRTC", {});
    return given.empty() ? cuda::nvrtc_names() : given;
  }

  Library library_{"NVRTC", names()};
  int (*create_)(Program*, const char*, const char*, int, const char* const*, const char* const*) =
      library_.function<int(Program*, const char*, const char*, int, const char* const*, const char* const*)>(
          "nvrtcCreateProgram");
  int (*compile_)(Program, int,
                  const char* const*) = library_.function<int(Program, int, const char* const*)>("nvrtcCompileProgram");
  int (*destroy_)(Program*) = library_.function<int(Program*)>("nvrtcDestroyProgram");
  const char* (*error_)(int) = library_.function<const char*(int)>("nvrtcGetErrorString");
  GetSize* log_size_ = library_.function<GetSize>("nvrtcGetProgramLogSize");
  GetText* log_ = library_.function<GetText>("nvrtcGetProgramLog");
  GetSize* ptx_size_ = library_.function<GetSize>("nvrtcGetPTXSize");
  GetText* ptx_ = library_.function<GetText>("nvrtcGetPTX");
  std::string identity_ = signature();
};

}  // namespace

const DeviceCompiler& nvrtc() {
  static const Nvrtc compiler;
  return compiler;
}

std::vector<std::string> listed_in(const char* variable, std::vector<std::string> otherwise) {
  const char* value = std::getenv(variable);
  if (!value || !*value) return otherwise;
  std::vector<std::string> parts(1);
  for (const char* c = value; *c; ++c) {
    if (*c == ';' || *c == ',')
      parts.emplace_back();
    else
      parts.back() += *c;
  }
  return parts;
}

}  // namespace weft::test
