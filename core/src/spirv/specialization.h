#pragma once

#include <string>
#include <vector>

#include <weft/kernel.h>

namespace weft::core {

/// The values that a kernel is made with: those given, the last one for an id, and the constants behind the workgroup
/// size. Throws invalid_argument for an id that the module does not have, and for a value of another size.
std::vector<SpecializationValue> complete_specialization(const std::string& kernel, const Reflection& reflection,
                                                         const std::vector<SpecializationValue>& given);

/// Lengths of arrays and more may come from specialization constants, so a valid module may be none with other values.
/// Throws invalid_argument with the validator's message unless it is valid with these, from complete_specialization().
void validate_specialized(const Spirv& module, const std::vector<SpecializationValue>& values);

}  // namespace weft::core
