#pragma once

#include <string>
#include <utility>
#include <vector>

#include <weft/spirv.h>

namespace weft::backend {
class Device;
}

namespace weft::core {

using Macros = std::vector<std::pair<std::string, std::string>>;

/// A kernel of Weft's own, such as "weft/kernels/scan/scan.comp", with these macros: from a pack of the device's, or
/// compiled. Throws what compile_glsl() throws.
Spirv library_module(const backend::Device& device, const std::string& file, const Macros& macros);

}  // namespace weft::core
