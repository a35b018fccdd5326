#pragma once

#include <cstdint>
#include <vector>

// Instructions of newer extensions, written as those of SPIR-V 1.0.
namespace weft::core {

/// Writes composites of SPV_EXT_replicated_composites out. Returns the module unchanged if one has a length that is a
/// specialization constant, or too many constituents for an instruction.
std::vector<uint32_t> without_replicated_composites(const std::vector<uint32_t>& module);

/// Writes OpFmaKHR of SPV_KHR_fma as Fma of GLSL.std.450, if the module declares its capability. Only where Fma rounds
/// once, as in the translation.
std::vector<uint32_t> without_fma_instructions(const std::vector<uint32_t>& module);

}  // namespace weft::core
