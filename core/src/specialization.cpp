#include "core/src/specialization.h"

#include <weft/error.h>
#include <algorithm>

namespace weft::core {
namespace {

std::string specializations_text(const Reflection& reflection) {
  std::string all;
  for (const Reflection::Specialization& item : reflection.specializations) {
    all += (all.empty() ? "it has: " : ", ") + std::to_string(item.id) + " (" + item.type;
    all += (item.name.empty() ? "" : " ") + item.name + ")";
  }
  return all.empty() ? "it has none" : all;
}

// Checks each value against the module; the last one for an id counts.
std::vector<SpecializationValue> checked_values(const std::string& kernel, const Reflection& reflection,
                                                const std::vector<SpecializationValue>& given) {
  std::vector<SpecializationValue> values;
  for (SpecializationValue value : given) {
    const auto item = std::ranges::find(reflection.specializations, value.id, &Reflection::Specialization::id);
    if (item == reflection.specializations.end()) {
      throw Error(ErrorCode::invalid_argument, "Kernel '" + kernel + "' has no specialization constant " +
                                                   std::to_string(value.id) + "; " + specializations_text(reflection) +
                                                   ".");
    }
    if (value.bytes != item->bytes) {
      throw Error(ErrorCode::invalid_argument,
                  "Specialization constant " + std::to_string(value.id) + (item->name.empty() ? "" : " ") + item->name +
                      " of kernel '" + kernel + "' is of type " + item->type + " with " + std::to_string(item->bytes) +
                      " bytes; a value of " + std::to_string(value.bytes) + " bytes was given.");
    }
    if (item->type == "bool") value.bits = value.bits != 0;
    if (value.bytes < 8) value.bits &= (uint64_t{1} << (8 * value.bytes)) - 1;
    std::erase_if(values, [&](const SpecializationValue& earlier) { return earlier.id == value.id; });
    values.push_back(value);
  }
  return values;
}

// Compilers may declare the constants behind the workgroup size more than once with differing defaults, so they are
// always set.
void set_workgroup_size_constants(const Reflection& reflection, std::vector<SpecializationValue>& values) {
  for (const uint32_t id : reflection.workgroup_size_ids) {
    if (id == ~0u || std::ranges::find(values, id, &SpecializationValue::id) != values.end()) continue;
    const auto item = std::ranges::find(reflection.specializations, id, &Reflection::Specialization::id);
    if (item != reflection.specializations.end()) values.push_back({id, item->bytes, item->default_bits});
  }
}

}  // namespace

std::vector<SpecializationValue> complete_specialization(const std::string& kernel, const Reflection& reflection,
                                                         const std::vector<SpecializationValue>& given) {
  std::vector<SpecializationValue> values = checked_values(kernel, reflection, given);
  set_workgroup_size_constants(reflection, values);
  return values;
}

}  // namespace weft::core
