#pragma once

#include <string>
#include <vector>

#include <weft/kernel.h>

namespace weft::core {

/// The values that a kernel is compiled with: the given ones, of which the last one counts for each id, and the
/// constants of the workgroup size. Throws invalid_argument for an unknown id, or a value of the wrong size.
std::vector<SpecializationValue> complete_specialization(const std::string& kernel, const Reflection& reflection,
                                                         const std::vector<SpecializationValue>& given);

/// Throws invalid_argument, with the validator's message, unless the module is valid with these values, which come from
/// complete_specialization(). Array lengths and more may depend on them.
void validate_specialized(const Spirv& module, const std::vector<SpecializationValue>& values);

}  // namespace weft::core
