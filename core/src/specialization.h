#pragma once

#include <string>
#include <vector>

#include <weft/kernel.h>

namespace weft::core {

/// The values that a kernel is made with: those given, the last one for an id, and the constants behind the workgroup
/// size. Throws invalid_argument for an id that the module does not have, and for a value of another size.
std::vector<SpecializationValue> complete_specialization(const std::string& kernel, const Reflection& reflection,
                                                         const std::vector<SpecializationValue>& given);

}  // namespace weft::core
