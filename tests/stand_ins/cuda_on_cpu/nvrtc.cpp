#include <nvrtc.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string>

#include <weft/device_options.h>
#include <weft/error.h>

#include "backends/host/compiler.h"
#include "tests/stand_ins/cuda_on_cpu/cubin.h"
#include "tests/stand_ins/emulated_gpu/source.h"

#define NVRTC_ON_CPU_CALL extern "C" __attribute__((visibility("default"))) nvrtcResult

struct _nvrtcProgram {
  std::string source, name, log;
  std::vector<std::byte> cubin, ptx;
};

namespace weft::test::cuda_on_cpu {
namespace {

// The architectures that CUDA 13's NVRTC supports.
constexpr uint32_t architectures[] = {75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};

struct Options {
  uint32_t architecture = 75;
  bool ptx = false;
  std::string unknown;
};

Options read(int count, const char* const* options) {
  const std::string prefix = "--gpu-architecture=";
  Options result;
  for (int i = 0; i < count; ++i) {
    const std::string option = options[i];
    if (option.starts_with(prefix)) {
      result.ptx = option.starts_with(prefix + "compute_");
      const size_t number = option.find('_') + 1;
      result.architecture = number == 0 ? 0 : uint32_t(std::strtoul(option.c_str() + number, nullptr, 10));
      if (std::ranges::find(architectures, result.architecture) == std::end(architectures)) result.unknown = option;
    } else if (!option.starts_with("--std=c++") && !option.starts_with("--fmad=")) {
      result.unknown = option;
    }
  }
  return result;
}

}  // namespace
}  // namespace weft::test::cuda_on_cpu

using namespace weft::test;
using namespace weft::test::cuda_on_cpu;

NVRTC_ON_CPU_CALL nvrtcVersion(int* major, int* minor) {
  *major = 12;
  *minor = 99;  // no real NVRTC has this version
  return NVRTC_SUCCESS;
}

NVRTC_ON_CPU_CALL nvrtcCreateProgram(nvrtcProgram* program, const char* source, const char* name, int headers,
                                     const char* const*, const char* const*) {
  if (!program || !source || headers != 0) return NVRTC_ERROR_INVALID_INPUT;
  *program = new _nvrtcProgram{source, name ? name : "default_program", {}, {}, {}};
  return NVRTC_SUCCESS;
}

NVRTC_ON_CPU_CALL nvrtcDestroyProgram(nvrtcProgram* program) {
  if (!program || !*program) return NVRTC_ERROR_INVALID_PROGRAM;
  delete *program;
  *program = nullptr;
  return NVRTC_SUCCESS;
}

NVRTC_ON_CPU_CALL nvrtcCompileProgram(nvrtcProgram program, int count, const char* const* given) {
  if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
  const Options options = read(count, given);
  if (!options.unknown.empty()) {
    program->log = "nvrtc: error: invalid value or option: " + options.unknown;
    return NVRTC_ERROR_INVALID_OPTION;
  }
  if (program->name.starts_with("-")) {  // NVRTC passes the name to its front end as an option.
    program->log = "Command-line error: invalid option: " + program->name;
    return NVRTC_ERROR_COMPILATION;
  }
  const auto target = weft::TranslationTarget::cuda;
  const std::string code = emulated_source(program->source, target, 32, options.architecture * 10);
  try {
    const std::string compiler = weft::DeviceOptions::from_environment().compiler;
    const auto shared_object = weft::host::Compiler::find(compiler).compile(code, program->name);
    (options.ptx ? program->ptx : program->cubin) = wrap({options.architecture, options.ptx, shared_object});
    return NVRTC_SUCCESS;
  } catch (const weft::Error& error) {
    const bool refused = error.code() == weft::ErrorCode::compile_failed;
    program->log = refused ? error.log() : error.what();
    return refused ? NVRTC_ERROR_COMPILATION : NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
  }
}

NVRTC_ON_CPU_CALL nvrtcGetProgramLogSize(nvrtcProgram program, size_t* size) {
  if (!program || !size) return NVRTC_ERROR_INVALID_PROGRAM;
  *size = program->log.size() + 1;
  return NVRTC_SUCCESS;
}

NVRTC_ON_CPU_CALL nvrtcGetProgramLog(nvrtcProgram program, char* log) {
  if (!program || !log) return NVRTC_ERROR_INVALID_PROGRAM;
  std::memcpy(log, program->log.c_str(), program->log.size() + 1);
  return NVRTC_SUCCESS;
}

NVRTC_ON_CPU_CALL nvrtcGetCUBINSize(nvrtcProgram program, size_t* size) {
  if (!program || !size) return NVRTC_ERROR_INVALID_PROGRAM;
  *size = program->cubin.size();
  return NVRTC_SUCCESS;
}

NVRTC_ON_CPU_CALL nvrtcGetCUBIN(nvrtcProgram program, char* cubin) {
  if (!program || !cubin) return NVRTC_ERROR_INVALID_PROGRAM;
  std::memcpy(cubin, program->cubin.data(), program->cubin.size());
  return NVRTC_SUCCESS;
}

// Without a virtual architecture the real NVRTC gives PTX beside the cubin, which Weft never asks for.
NVRTC_ON_CPU_CALL nvrtcGetPTXSize(nvrtcProgram program, size_t* size) {
  if (!program || !size) return NVRTC_ERROR_INVALID_PROGRAM;
  *size = program->ptx.size();
  return NVRTC_SUCCESS;
}

NVRTC_ON_CPU_CALL nvrtcGetPTX(nvrtcProgram program, char* ptx) {
  if (!program || !ptx) return NVRTC_ERROR_INVALID_PROGRAM;
  std::memcpy(ptx, program->ptx.data(), program->ptx.size());
  return NVRTC_SUCCESS;
}

NVRTC_ON_CPU_CALL nvrtcGetNumSupportedArchs(int* count) {
  *count = int(std::size(architectures));
  return NVRTC_SUCCESS;
}

NVRTC_ON_CPU_CALL nvrtcGetSupportedArchs(int* supported) {
  std::ranges::copy(architectures, supported);
  return NVRTC_SUCCESS;
}

extern "C" __attribute__((visibility("default"))) const char* nvrtcGetErrorString(nvrtcResult result) {
  switch (result) {
    case NVRTC_SUCCESS:
      return "NVRTC_SUCCESS";
    case NVRTC_ERROR_INVALID_INPUT:
      return "NVRTC_ERROR_INVALID_INPUT";
    case NVRTC_ERROR_INVALID_PROGRAM:
      return "NVRTC_ERROR_INVALID_PROGRAM";
    case NVRTC_ERROR_INVALID_OPTION:
      return "NVRTC_ERROR_INVALID_OPTION";
    case NVRTC_ERROR_COMPILATION:
      return "NVRTC_ERROR_COMPILATION";
    case NVRTC_ERROR_BUILTIN_OPERATION_FAILURE:
      return "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE";
    default:
      return "NVRTC_ERROR unknown";
  }
}
