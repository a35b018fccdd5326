#pragma once

#include <cstdint>
#include <string>

#include <weft/translate.h>

namespace weft::test {

/// Converts the translator's C++ for CUDA or HIP to C++ for the CPU. Compile it with host::Compiler and pass the shared
/// object to EmulatedCode. `cuda_architecture` is the value of __CUDA_ARCH__: 900 for sm_90.
std::string emulated_source(std::string code, TranslationTarget target, uint32_t subgroup_size,
                            uint32_t cuda_architecture = 900);

/// Identifies the emulation of this build: kernels compiled for another one do not work with it.
uint64_t emulation_version();

}  // namespace weft::test
