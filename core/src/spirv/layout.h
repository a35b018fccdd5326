#pragma once

#include <string>

#include <weft/spirv.h>

namespace weft::core {

/// The validator's message where a valid module's blocks have GLSL's scalar layout, which devices need a feature for;
/// empty where std430 (relaxed, as Vulkan 1.1 has it) allows them.
std::string layout_error(const Spirv& module);

}  // namespace weft::core
