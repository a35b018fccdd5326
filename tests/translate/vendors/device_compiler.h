#pragma once

#include <string>
#include <vector>

#include <weft/translate.h>

/// The vendors' compilers, which need no GPU. Opened by name when a test asks for one.
namespace weft::test {

/// What a compiler made of a kernel, and what it says of it.
struct DeviceCode {
  std::string log;
  std::string assembly;  ///< PTX, or the instructions of an AMD code object.
  uint32_t registers = 0;
  uint32_t stack_bytes = 0;  ///< Of one invocation.
  uint32_t spills = 0;       ///< Bytes (CUDA) or registers (HIP) that did not fit.
  uint32_t workgroup_memory_bytes = 0;
  uint32_t subgroup_size = 0;
};

class DeviceCompiler {
 public:
  virtual ~DeviceCompiler() = default;
  virtual TranslationTarget target() const = 0;
  /// Name and version: another one may give a kernel other registers.
  virtual std::string identity() const = 0;
  /// Those that tests compile for: "sm_90", "gfx90a".
  virtual std::vector<std::string> architectures() const = 0;
  virtual uint32_t subgroup_size(const std::string& architecture) const = 0;
  /// What a workgroup may have of an architecture's shared memory, as devices of it report.
  virtual uint32_t workgroup_memory_bytes(const std::string& architecture) const = 0;
  /// Throws Error: compile_failed with the compiler's log, unsupported for an architecture that it does not know.
  virtual DeviceCode compile(const std::string& source, const std::string& architecture) const = 0;
};

/// NVRTC, of the CUDA toolkit: WEFT_TEST_NVRTC names its library, or it lies where libraries and toolkits do. Throws
/// unsupported where there is none.
const DeviceCompiler& nvrtc();
/// hipRTC, in Debian's libamdhip64-5, or the library that WEFT_TEST_HIPRTC names. Throws unsupported where there is
/// none.
const DeviceCompiler& hiprtc();
/// What HIP's kernels are compiled with for an NVIDIA GPU, tests/support/hip_on_cuda, as WEFT_HIPRTC names it. Says
/// nothing of what it compiles.
const DeviceCompiler& hip_on_cuda();

/// Clang 19 with AMD's backend, run as a program: WEFT_TEST_CLANG names it, else it is `clang-19`. It knows AMD's newer
/// architectures, which Debian's hipRTC does not. Throws unsupported where there is none.
const DeviceCompiler& clang();
/// What that clang makes of C++ for HIP (then for gfx942) or for the host, in LLVM's text: atomic operations have their
/// scope and order there.
std::string llvm_text(TranslationTarget target, const std::string& source);

/// Lanes of a wavefront as the HIP backend's devices report them.
inline uint32_t wavefront_size(const std::string& amd_architecture) {
  return amd_architecture.starts_with("gfx9") ? 64 : 32;
}
constexpr uint32_t amd_workgroup_memory_bytes = 64 * 1024;

/// A list in an environment variable with , or ; between its parts; `otherwise` when it is not set.
std::vector<std::string> listed_in(const char* variable, std::vector<std::string> otherwise);

}  // namespace weft::test
