#include "backends/cuda/compiler.h"

#include <algorithm>

#include <weft/error.h>

#include "backends/cuda/architectures.h"

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

  std::vector<std::byte> cubin(const std::string& name) {
    return output(name, nvrtc_.nvrtcGetCUBINSize, nvrtc_.nvrtcGetCUBIN);
  }
  std::vector<std::byte> ptx(const std::string& name) {
    return output(name, nvrtc_.nvrtcGetPTXSize, nvrtc_.nvrtcGetPTX);
  }

 private:
  template <typename GetSize, typename Get>
  std::vector<std::byte> output(const std::string& name, GetSize get_size, Get get) const {
    size_t bytes = 0;
    check(get_size(program_, &bytes), name);
    std::vector<std::byte> code(bytes);
    check(get(program_, reinterpret_cast<char*>(code.data())), name);
    return code;
  }

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

bool compiles_for(const CompilerFunctions& nvrtc, uint32_t capability) {
  int count = 0;
  if (nvrtc.nvrtcGetNumSupportedArchs(&count) != NVRTC_SUCCESS) return false;
  std::vector<int> known(size_t(count), 0);
  if (nvrtc.nvrtcGetSupportedArchs(known.data()) != NVRTC_SUCCESS) return false;
  return std::ranges::find(known, int(capability)) != known.end();
}

}  // namespace

const CompilerFunctions& Compiler::nvrtc() const {
  std::call_once(opened_, [&] { nvrtc_ = open_(); });
  return *nvrtc_;
}

std::string Compiler::refusal(const std::string& architecture) const {
  try {
    if (compiles_for(nvrtc(), capability_of(architecture))) return {};
    return identity() + " does not compile for " + architecture + "; another version may";
  } catch (const Error& error) {
    return error.what();
  }
}

std::string Compiler::identity() const {
  int major = 0, minor = 0;
  nvrtc().nvrtcVersion(&major, &minor);
  return "NVRTC " + std::to_string(major) + "." + std::to_string(minor);
}

std::vector<std::string> Compiler::options(const std::string& architecture) const {
  return {"--gpu-architecture=" + architecture, "--std=c++17"};
}

std::vector<std::byte> Compiler::compile(const std::string& source, const std::string& name,
                                         const std::string& architecture) const {
  Program program(nvrtc(), source, name);
  program.compile(name, options(architecture));
  return is_ptx(architecture) ? program.ptx(name) : program.cubin(name);
}

// WEFT_AWAIT_EARLIER_LAUNCHES in the prelude.
bool Compiler::awaits_earlier_launches(const std::string& architecture) const {
  return capability_of(architecture) >= 90;
}

}  // namespace weft::cuda
