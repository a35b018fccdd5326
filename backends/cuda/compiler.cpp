#include "backends/cuda/compiler.h"

#include <weft/error.h>

namespace weft::cuda {

namespace {

/// An NVRTC program, during compilation.
class Program {
 public:
  Program(const CompilerFunctions& nvrtc, const std::string& source, const std::string& name) : nvrtc_(nvrtc) {
    // Not the kernel's name: NVRTC parses one that starts with a dash as an option.
    check(nvrtc_.nvrtcCreateProgram(&program_, source.c_str(), "kernel.cu", 0, nullptr, nullptr), name);
  }
  ~Program() { nvrtc_.nvrtcDestroyProgram(&program_); }
  Program(const Program&) = delete;

  void compile(const std::string& name, const std::vector<std::string>& options) {
    std::vector<const char*> texts;
    for (const std::string& option : options) texts.push_back(option.c_str());
    check(nvrtc_.nvrtcCompileProgram(program_, int(texts.size()), texts.data()), name);
  }

  std::vector<std::byte> code(const std::string& name) {
    size_t bytes = 0;
    check(nvrtc_.nvrtcGetCUBINSize(program_, &bytes), name);
    std::vector<std::byte> code(bytes);
    check(nvrtc_.nvrtcGetCUBIN(program_, reinterpret_cast<char*>(code.data())), name);
    return code;
  }

 private:
  void check(nvrtcResult result, const std::string& name) const {
    if (result == NVRTC_SUCCESS) return;
    const std::string why = "compiling kernel '" + name + "' failed: NVRTC says " + nvrtc_.nvrtcGetErrorString(result);
    if (result == NVRTC_ERROR_INVALID_OPTION) {
      throw Error(ErrorCode::unsupported, why + "; it may be too old for this GPU");
    }
    throw Error(ErrorCode::compile_failed, why, log());
  }

  std::string log() const {
    size_t bytes = 0;
    if (!program_ || nvrtc_.nvrtcGetProgramLogSize(program_, &bytes) != NVRTC_SUCCESS || bytes == 0) return {};
    std::string text(bytes, '\0');
    nvrtc_.nvrtcGetProgramLog(program_, text.data());
    text.resize(bytes - 1);
    return text;
  }

  const CompilerFunctions& nvrtc_;
  nvrtcProgram program_ = nullptr;
};

}  // namespace

std::string Compiler::identity() const {
  int major = 0, minor = 0;
  nvrtc_->nvrtcVersion(&major, &minor);
  return "NVRTC " + std::to_string(major) + "." + std::to_string(minor);
}

std::vector<std::string> Compiler::options(const std::string& architecture) const {
  return {"--gpu-architecture=" + architecture, "--std=c++17"};
}

std::vector<std::byte> Compiler::compile(const std::string& source, const std::string& name,
                                         const std::string& architecture) const {
  Program program(*nvrtc_, source, name);
  program.compile(name, options(architecture));
  return program.code(name);
}

}  // namespace weft::cuda
