#pragma once

#include <cstdint>
#include <string>

#include <weft/translate.h>

namespace weft::test {

/// What the translator writes for CUDA or HIP, as C++ for the CPU: compile it with host::Compiler and give the shared
/// object to EmulatedCode. `cuda_architecture` is the value of __CUDA_ARCH__: 900 for sm_90.
std::string emulated_source(std::string code, TranslationTarget target, uint32_t subgroup_size,
                            uint32_t cuda_architecture = 900);

/// What tells the emulation of this build from others: kernels compiled for another one do not fit.
uint64_t emulation_version();

}  // namespace weft::test
