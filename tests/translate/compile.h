#pragma once

#include <string>

#include <weft/spirv.h>

namespace weft::test {

/// Compiles with glslang's front ends for SPIR-V 1.0 to 1.6; compile_glsl() supports only one version. Uses the oldest
/// version from 1.`minor` on that the source's extensions allow.
Spirv compile_glsl_to(uint32_t minor, const std::string& source, const std::string& name);
Spirv compile_hlsl_to(uint32_t minor, const std::string& source, const std::string& name);

/// Assembles SPIR-V text for version 1.`minor`. The text has the parts specific to a kernel, in any order. The common
/// parts are added:
///   types      %void %bool %uint %int %float, vectors %v2uint %v3int %v4float %v2bool ..., %ptr_uint_function,
///              %ptr_uint_buffer, %ptr_uint_workgroup
///   constants  %c0 to %c64 (uint), %i0 to %i31 (int), %f0 to %f8 (float), %yes %no
///   values     %u0 to %u15 (random words), %s0 to %s15 (the same as int), %r0 to %r15 (random floats between -8 and
///              8), %id, %local
/// "put %x" in main stores a uint as the next result, "puti" an int, "putf" a float, "putb" a bool, "put64" a value of
/// 64 bits, "put2 %v" the two components of a v2uint, "put4 %v" those of a v4uint. Functions other than main are
/// written as "%name = OpFunction ..." to "OpFunctionEnd".
Spirv assemble_kernel(uint32_t minor, const std::string& text, const std::string& name, uint32_t workgroup);

}  // namespace weft::test
