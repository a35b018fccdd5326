#include "backends/host/processor.h"

namespace weft::host {

#if defined(__x86_64__)
const char* const base_architecture = "x86-64";
#elif defined(__aarch64__)
const char* const base_architecture = "aarch64";
#else
const char* const base_architecture = "another";  // The compiler's identity tells these apart.
#endif

std::string vector_architecture() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
    return "x86-64-v4";
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma")) {
    return "x86-64-v3";
  }
#endif
  return base_architecture;
}

std::string select_instructions(const std::string& architecture) {
  if (architecture == base_architecture) return "";
  const char* const vector_bytes = architecture == "x86-64-v4" ? "64" : "32";
  return "#pragma GCC target(\"arch=" + architecture + "\")\n#ifndef __clang__\n#define WEFT_VECTOR_BYTES " +
         vector_bytes + "\n#endif\n";
}

}  // namespace weft::host
