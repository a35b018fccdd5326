#pragma once

#include <string>
#include <vector>

#include <weft/translate.h>

/// The vendors' compilers, which need no GPU. Opened by name when a test needs one.
namespace weft::test {

/// A compiled kernel, with the compiler's report.
struct DeviceCode {
  std::string log;
  std::string assembly;  ///< PTX, or the instructions of an AMD code object.
  uint32_t registers = 0;
  uint32_t stack_bytes = 0;  ///< Per invocation.
  uint32_t spills = 0;       ///< Spilled bytes (CUDA) or registers (HIP).
  uint32_t workgroup_memory_bytes = 0;
  uint32_t subgroup_size = 0;
};

class DeviceCompiler {
 public:
  virtual ~DeviceCompiler() = default;
  virtual TranslationTarget target() const = 0;
  /// Name and version: another one may give a kernel other registers.
  virtual std::string identity() const = 0;
  /// The architectures to compile for, e.g. "sm_90", "gfx90a".
  virtual std::vector<std::string> architectures() const = 0;
  virtual uint32_t subgroup_size(const std::string& architecture) const = 0;
  /// The most workgroup memory of an architecture, as its devices report it.
  virtual uint32_t workgroup_memory_bytes(const std::string& architecture) const = 0;
  /// Throws Error: compile_failed with the compiler's log, unsupported for an architecture that it does not know.
  virtual DeviceCode compile(const std::string& source, const std::string& architecture) const = 0;
};

/// NVRTC of the CUDA toolkit: the library named by WEFT_TEST_NVRTC, or one in the usual folders. Throws unsupported if
/// there is none.
const DeviceCompiler& nvrtc();
/// hipRTC in Debian's libamdhip64-5, or the library named by WEFT_TEST_HIPRTC. Throws unsupported if there is
/// none.
const DeviceCompiler& hiprtc();
/// The compiler of HIP kernels for an NVIDIA GPU, tests/stand_ins/hip_on_cuda, named by WEFT_HIPRTC. It gives no report
/// on its kernels.
const DeviceCompiler& hip_on_cuda();

/// Clang 19 or later with AMD's backend, run as a program: WEFT_TEST_CLANG, or `clang-19`. It knows AMD's newer
/// architectures, which Debian's hipRTC does not. Throws unsupported if there is none.
const DeviceCompiler& clang();
/// Returns that clang's output in LLVM's text for C++ for HIP (then for gfx942) or for the host. It has the scope and
/// order of atomic operations.
std::string llvm_text(TranslationTarget target, const std::string& source);

/// Returns the lanes of a wavefront, as the HIP backend's devices report them.
inline uint32_t wavefront_size(const std::string& amd_architecture) {
  return amd_architecture.starts_with("gfx9") ? 64 : 32;
}
constexpr uint32_t amd_workgroup_memory_bytes = 64 * 1024;

/// Splits a list in an environment variable at , or ;. Returns `otherwise` if it is not set.
std::vector<std::string> listed_in(const char* variable, std::vector<std::string> otherwise);

}  // namespace weft::test
