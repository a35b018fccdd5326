#pragma once

#include <span>
#include <string>

#include <weft/kernel.h>

namespace weft::core {

/// reflect() with specialization constants set: sizes that depend on them are what a kernel with these values has.
/// Values for ids that the module does not have are left aside.
Reflection reflect_specialized(const Spirv& module, const std::string& entry,
                               std::span<const SpecializationValue> specialization);

}  // namespace weft::core
