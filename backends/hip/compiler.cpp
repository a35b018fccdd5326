#include "backends/hip/compiler.h"

#include <weft/error.h>
#include <algorithm>

namespace weft::hip {

namespace {

// Beside the driver in use: its own version's compiler, which for version 5 is part of it.
driver::Library::Search search(const Functions& driver) {
  const std::string major = std::to_string(driver.major());
  return {"hipRTC",
          "WEFT_HIPRTC",
          {driver.major() >= 6 ? "libhiprtc.so." + major : driver.library.name()},
          "install hipRTC of ROCm " + major};
}

}  // namespace

Compiler::Compiler(const Functions& driver) : library_(search(driver)), comgr_(library_) {
#define WEFT_LOAD(name) library_.load(name, #name);
  WEFT_HIPRTC_FUNCTIONS(WEFT_LOAD)
#undef WEFT_LOAD
  known_ = comgr_.architectures();
  // hiprtcVersion() says 9.0 whatever it is.
  identity_ = "hipRTC of HIP " + driver.version_text() + ", comgr " + comgr_.version();
}

std::string Compiler::refusal(const std::string& architecture) const {
  const std::string processor = architecture.substr(0, architecture.find(':'));
  if (std::ranges::find(known_, processor) != known_.end()) return {};
  return identity_ + " does not compile for its architecture " + processor + "; a newer ROCm may";
}

std::string Compiler::log(hiprtcProgram program) const {
  size_t bytes = 0;
  if (hiprtcGetProgramLogSize(program, &bytes) != HIPRTC_SUCCESS || bytes == 0) return {};
  std::string text(bytes, '\0');
  if (hiprtcGetProgramLog(program, text.data()) != HIPRTC_SUCCESS) return {};
  return text.c_str();
}

std::vector<std::byte> Compiler::compile(const std::string& source, const std::string& name,
                                         const std::string& architecture) const {
  // Version 5.2 ends the process over an architecture that it does not know.
  if (const std::string why = refusal(architecture); !why.empty()) throw Error(ErrorCode::unsupported, why);
  hiprtcProgram program = nullptr;
  const auto check = [&](hiprtcResult result, const char* what) {
    if (result == HIPRTC_SUCCESS) return;
    const char* words = hiprtcGetErrorString(result);
    throw Error(ErrorCode::compile_failed,
                "kernel '" + name + "': " + what + " for " + architecture + " failed: hipRTC answered " +
                    (words ? words : std::to_string(int(result))),
                program ? log(program) : "");
  };
  check(hiprtcCreateProgram(&program, source.c_str(), (name + ".hip").c_str(), 0, nullptr, nullptr),
        "making a program");
  const struct Destroy {
    const Compiler& compiler;
    hiprtcProgram* program;
    ~Destroy() { (void)compiler.hiprtcDestroyProgram(program); }
  } destroy{*this, &program};
  const std::string option = "--offload-arch=" + architecture;
  const char* options[] = {option.c_str(), "-std=c++17"};
  check(hiprtcCompileProgram(program, int(std::size(options)), options), "compiling");
  size_t bytes = 0;
  check(hiprtcGetCodeSize(program, &bytes), "taking the machine code");
  std::vector<std::byte> code(bytes);
  check(hiprtcGetCode(program, reinterpret_cast<char*>(code.data())), "taking the machine code");
  return code;
}

}  // namespace weft::hip
