#include "backends/hip/compiler.h"

#include <algorithm>
#include <mutex>

#include <weft/error.h>

namespace weft::hip {

namespace {

/// A hipRTC program, during compilation.
class Program {
 public:
  Program(const CompilerFunctions& hiprtc, const std::string& source, const std::string& name) : hiprtc_(hiprtc) {
    check(hiprtc_.hiprtcCreateProgram(&program_, source.c_str(), "kernel.hip", 0, nullptr, nullptr), name);
  }
  ~Program() { hiprtc_.hiprtcDestroyProgram(&program_); }
  Program(const Program&) = delete;

  void compile(const std::string& name, const std::vector<std::string>& options) {
    std::vector<const char*> texts;
    for (const std::string& option : options) texts.push_back(option.c_str());
    check(hiprtc_.hiprtcCompileProgram(program_, int(texts.size()), texts.data()), name);
  }

  std::vector<std::byte> code(const std::string& name) {
    size_t bytes = 0;
    check(hiprtc_.hiprtcGetCodeSize(program_, &bytes), name);
    std::vector<std::byte> code(bytes);
    check(hiprtc_.hiprtcGetCode(program_, reinterpret_cast<char*>(code.data())), name);
    return code;
  }

 private:
  void check(hiprtcResult result, const std::string& name) const {
    if (result == HIPRTC_SUCCESS) return;
    const std::string why =
        "compiling kernel '" + name + "' failed: hipRTC says " + hiprtc_.hiprtcGetErrorString(result);
    if (result == HIPRTC_ERROR_INVALID_OPTION) {
      throw Error(ErrorCode::unsupported, why + "; it may be too old for this GPU");
    }
    throw Error(ErrorCode::compile_failed, why, log());
  }

  std::string log() const {
    size_t bytes = 0;
    if (!program_ || hiprtc_.hiprtcGetProgramLogSize(program_, &bytes) != HIPRTC_SUCCESS || bytes == 0) return {};
    std::string text(bytes, '\0');
    hiprtc_.hiprtcGetProgramLog(program_, text.data());
    text.resize(bytes - 1);
    return text;
  }

  const CompilerFunctions& hiprtc_;
  hiprtcProgram program_ = nullptr;
};

}  // namespace

const CompilerFunctions& Compiler::hiprtc() const {
  std::call_once(opened_, [&] { hiprtc_ = open_(); });
  return *hiprtc_;
}

std::string Compiler::identity() const {
  size_t major = 0, minor = 0;
  hiprtc().amd_comgr_get_version(&major, &minor);
  return "hipRTC of HIP " + version_text(hiprtc().version) + " with amd_comgr " + std::to_string(major) + "." +
         std::to_string(minor);
}

std::vector<std::string> Compiler::architectures() const {
  const std::string prefix = "amdgcn-amd-amdhsa--";
  std::vector<std::string> names;
  size_t count = 0;
  if (hiprtc().amd_comgr_get_isa_count(&count) != 0) count = 0;
  for (size_t k = 0; k < count; ++k) {
    const char* name = nullptr;
    if (hiprtc().amd_comgr_get_isa_name(k, &name) != 0 || !name) continue;
    if (const std::string isa = name; isa.starts_with(prefix)) names.push_back(isa.substr(prefix.size()));
  }
  return names;
}

std::string Compiler::refusal(const std::string& architecture) const {
  try {
    const std::string processor = architecture.substr(0, architecture.find(':'));
    const std::vector<std::string> known = architectures();
    if (std::ranges::find(known, processor) != known.end()) return {};
    return identity() + " does not compile for " + processor + "; a newer ROCm may";
  } catch (const Error& error) {
    return error.what();
  }
}

std::vector<std::string> Compiler::options(const std::string& architecture) const {
  return {"--offload-arch=" + architecture, "--std=c++17", "-fno-finite-loops"};
}

std::vector<std::byte> Compiler::compile(const std::string& source, const std::string& name,
                                         const std::string& architecture) const {
  // hipRTC 5.2 ends the process for an unknown architecture.
  if (const std::string why = refusal(architecture); !why.empty()) throw Error(ErrorCode::unsupported, why);
  // LLVM's options in hipRTC are global: two concurrent compilations sometimes end the process.
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  Program program(hiprtc(), source, name);
  program.compile(name, options(architecture));
  return program.code(name);
}

}  // namespace weft::hip
