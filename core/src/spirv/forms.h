#pragma once

#include <cstdint>
#include <vector>

namespace weft::core {

/// The form of a module that a driver compiles. It means the same, without what drivers and the installed SPIRV-Tools
/// may be too old for: source languages after HLSL are "Unknown", non-semantic instructions that are no part of a
/// block, or that refer to later ones, are left out, and replicated composites are written out. Debug information stays
/// otherwise, for a debugger. Returns a module that is cut off unchanged, so that the validator reports it.
std::vector<uint32_t> driver_form(const std::vector<uint32_t>& module);

/// The form that SPIRV-Tools, SPIRV-Cross and the translator read: driver_form() without any non-semantic instruction,
/// without the execution mode of SPV_KHR_maximal_reconvergence, which SPIRV-Tools of Debian 12 does not know, and
/// without declarations of capabilities that the installed one does not know. OpFmaKHR is written as Fma. Names, and
/// the lines of OpLine, stay.
std::vector<uint32_t> tool_form(const std::vector<uint32_t>& module);

}  // namespace weft::core
