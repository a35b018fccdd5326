#include "backends/host/architectures.h"

namespace weft::host {

namespace {

constexpr std::string_view windows = "-windows";

constexpr const char* all[] = {"x86-64",         "x86-64-v3",         "x86-64-v4",        "aarch64",
                               "x86-64-windows", "x86-64-v3-windows", "x86-64-v4-windows"};

std::string_view instruction_set(std::string_view architecture) {
  if (architecture.ends_with(windows)) architecture.remove_suffix(windows.size());
  return architecture;
}

bool has_vectors(std::string_view architecture) {
  const std::string_view set = instruction_set(architecture);
  return set == "x86-64-v3" || set == "x86-64-v4";
}

// "x86-64" for "x86-64-v3".
std::string_view base_of(std::string_view instructions) {
  return has_vectors(instructions) ? instructions.substr(0, instructions.rfind('-')) : instructions;
}

#if defined(__x86_64__) && defined(_WIN32)
constexpr const char* own = "x86-64-windows";
#elif defined(__x86_64__)
constexpr const char* own = "x86-64";
#elif defined(__aarch64__)
constexpr const char* own = "aarch64";
#else
constexpr const char* own = "another";  // The compiler's identity tells these apart.
#endif

}  // namespace

std::span<const char* const> known_architectures() { return all; }

const char* const base_architecture = own;

std::string vector_architecture() {
#if defined(__x86_64__)
  const char* const system = std::string_view(own).ends_with(windows) ? windows.data() : "";
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
    return std::string("x86-64-v4") + system;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma")) {
    return std::string("x86-64-v3") + system;
  }
#endif
  return base_architecture;
}

bool is_native(std::string_view architecture) {
  return architecture.ends_with(windows) == std::string_view(own).ends_with(windows) &&
         base_of(instruction_set(architecture)) == instruction_set(own);
}

Toolchain toolchain_for(std::string_view architecture) {
  if (is_native(architecture)) return {{"c++", "g++", "clang++"}, "g++", {}};
  if (architecture == "aarch64") return {{"aarch64-linux-gnu-g++"}, "g++-aarch64-linux-gnu", {}};
  if (!architecture.ends_with(windows)) return {{"x86_64-linux-gnu-g++"}, "g++-x86-64-linux-gnu", {}};
  // GCC keeps the stack aligned to 16 bytes there, and moves wider vectors to it as if it were aligned to more
  // (gcc.gnu.org/PR54412). The assembler makes these moves unaligned.
  return {{"x86_64-w64-mingw32-g++-posix", "x86_64-w64-mingw32-g++"},
          "g++-mingw-w64-x86-64-posix",
          {"-static", "-Wa,-muse-unaligned-vector-move"},
          true};
}

std::string select_instructions(std::string_view architecture) {
  if (!has_vectors(architecture)) return "";
  const std::string set(instruction_set(architecture));
  return "#pragma GCC target(\"arch=" + set + "\")\n#ifndef __clang__\n#define WEFT_VECTOR_BYTES " +
         (set == "x86-64-v4" ? "64" : "32") + "\n#endif\n";
}

}  // namespace weft::host
