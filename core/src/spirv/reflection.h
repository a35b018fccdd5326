#pragma once

#include <span>
#include <string>

#include <weft/kernel.h>

namespace weft::core {

/// Like reflect(), with values for specialization constants, which sizes may depend on. Ignores values for unknown ids.
Reflection reflect_specialized(const Spirv& module, const std::string& entry,
                               std::span<const SpecializationValue> specialization);

}  // namespace weft::core
