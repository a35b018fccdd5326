// The functions of hipRTC, and those of AMD's code object library that Weft calls before them, over NVRTC.
#define __HIP_PLATFORM_AMD__
#include <hip/hiprtc.h>

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "tests/stand_ins/hip_on_cuda/cuda.h"

using namespace hip_on_cuda;

#define HIP extern "C" __attribute__((visibility("default")))

namespace {

struct Program {
  std::string source, name, log;
  std::vector<char> code;
};
Program& program_of(hiprtcProgram program) { return *reinterpret_cast<Program*>(program); }

template <class Size, class Get>
std::vector<char> taken(Nvrtc::Program program, Size size_of, Get get) {
  size_t bytes = 0;
  if (size_of(program, &bytes) != 0 || bytes == 0) return {};
  std::vector<char> result(bytes);
  get(program, result.data());
  return result;
}

hiprtcResult compile(const Nvrtc& nvrtc, Program& program, const std::vector<const char*>& options) {
  const std::string source = std::string(weft::test::hip_stand_in().front().text) + program.source;
  Nvrtc::Program made = nullptr;
  if (nvrtc.create(&made, source.c_str(), program.name.c_str(), 0, nullptr, nullptr) != 0) {
    return HIPRTC_ERROR_PROGRAM_CREATION_FAILURE;
  }
  const int result = nvrtc.compile(made, int(options.size()), options.data());
  const std::vector<char> log = taken(made, nvrtc.log_size, nvrtc.log);
  program.log.assign(log.begin(), log.end());
  if (result == 0) program.code = taken(made, nvrtc.code_size, nvrtc.code);
  nvrtc.destroy(&made);
  return program.code.empty() ? HIPRTC_ERROR_COMPILATION : HIPRTC_SUCCESS;
}

// CUDA 13.0's ptxas fails on some kernels, for lack of registers of which there are only 7, unless it optimises less.
hiprtcResult compile_somehow(const Nvrtc& nvrtc, Program& program, std::vector<const char*> options) {
  const hiprtcResult result = compile(nvrtc, program, options);
  if (program.log.find("(C7600)") == std::string::npos) return result;
  options.push_back("--ptxas-options=-O1");
  return compile(nvrtc, program, options);
}

}  // namespace

HIP hiprtcResult hiprtcCreateProgram(hiprtcProgram* program, const char* source, const char* name, int, const char**,
                                     const char**) {
  *program = reinterpret_cast<hiprtcProgram>(new Program{source, name ? name : "kernel", {}, {}});
  return HIPRTC_SUCCESS;
}
HIP hiprtcResult hiprtcDestroyProgram(hiprtcProgram* program) {
  delete reinterpret_cast<Program*>(*program);
  *program = nullptr;
  return HIPRTC_SUCCESS;
}
HIP hiprtcResult hiprtcCompileProgram(hiprtcProgram handle, int count, const char** options) {
  Program& program = program_of(handle);
  const Nvrtc* const nvrtc = Nvrtc::get();
  const char* const gpu = architecture();
  if (!nvrtc || !gpu) {
    program.log = nvrtc ? "there is no GPU to compile for" : "there is no NVRTC";
    return HIPRTC_ERROR_INTERNAL_ERROR;
  }
  const std::string for_gpu = std::string("--gpu-architecture=") + gpu;
  std::vector<const char*> translated{for_gpu.c_str()};
  for (int k = 0; k < count; ++k) {
    const std::string_view option = options[k];
    const bool is_clangs = option.starts_with("--offload-arch=") || option == "-fno-finite-loops";
    if (!is_clangs) translated.push_back(options[k]);
  }
  return compile_somehow(*nvrtc, program, translated);
}
HIP hiprtcResult hiprtcGetProgramLogSize(hiprtcProgram program, size_t* bytes) {
  *bytes = program_of(program).log.size();
  return HIPRTC_SUCCESS;
}
HIP hiprtcResult hiprtcGetProgramLog(hiprtcProgram program, char* log) {
  std::memcpy(log, program_of(program).log.data(), program_of(program).log.size());
  return HIPRTC_SUCCESS;
}
HIP hiprtcResult hiprtcGetCodeSize(hiprtcProgram program, size_t* bytes) {
  *bytes = program_of(program).code.size();
  return HIPRTC_SUCCESS;
}
HIP hiprtcResult hiprtcGetCode(hiprtcProgram program, char* code) {
  std::memcpy(code, program_of(program).code.data(), program_of(program).code.size());
  return HIPRTC_SUCCESS;
}
HIP const char* hiprtcGetErrorString(hiprtcResult result) {
  switch (result) {
    case HIPRTC_SUCCESS:
      return "HIPRTC_SUCCESS";
    case HIPRTC_ERROR_PROGRAM_CREATION_FAILURE:
      return "HIPRTC_ERROR_PROGRAM_CREATION_FAILURE";
    case HIPRTC_ERROR_COMPILATION:
      return "HIPRTC_ERROR_COMPILATION";
    default:
      return "HIPRTC_ERROR_INTERNAL_ERROR";
  }
}

HIP int amd_comgr_get_isa_count(size_t* count) {
  *count = 1;
  return 0;
}
HIP int amd_comgr_get_isa_name(size_t, const char** name) {
  *name = "amdgcn-amd-amdhsa--gfx1030";
  return 0;
}
// Gives the names of cache entries the real compiler and architecture: the code is not for gfx1030.
HIP void amd_comgr_get_version(size_t* major, size_t* minor) {
  int nvrtc_major = 0, nvrtc_minor = 0;
  if (Nvrtc::get()) Nvrtc::get()->version(&nvrtc_major, &nvrtc_minor);
  *major = size_t(nvrtc_major * 100 + nvrtc_minor);
  const char* const gpu = architecture();
  *minor = 0;
  for (const char* c = gpu ? gpu : ""; *c; ++c) {
    if (*c >= '0' && *c <= '9') *minor = *minor * 10 + size_t(*c - '0');
  }
}
