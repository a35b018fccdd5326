#pragma once

#include <string>

namespace weft::backend {
class Device;
}

namespace weft::core {

/// Whether this build has glslang, SPIRV-Tools, SPIRV-Cross and the translator (WEFT_COMPILERS).
bool has_compilers();

/// Throws unsupported in a build without: no pack of the device's holds `what`, which would have to be compiled. Names
/// the plan that is being made, as the line to add to a list.
void require_compilers(const std::string& what, const backend::Device& device);

}  // namespace weft::core
