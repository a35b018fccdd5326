#include "core/src/spirv/specialization.h"

#include <algorithm>
#include <spirv-tools/optimizer.hpp>
#include <unordered_map>

#include <weft/error.h>

#include "core/src/spirv/forms.h"

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

// Checks each value against the module. The last value counts for each id.
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

// Compilers may declare the constants of the workgroup size more than once, with different defaults, so they are always
// set.
void set_workgroup_size_constants(const Reflection& reflection, std::vector<SpecializationValue>& values) {
  for (const uint32_t id : reflection.workgroup_size_ids) {
    if (id == ~0u || std::ranges::find(values, id, &SpecializationValue::id) != values.end()) continue;
    const auto item = std::ranges::find(reflection.specializations, id, &Reflection::Specialization::id);
    if (item != reflection.specializations.end()) values.push_back({id, item->bytes, item->default_bits});
  }
}

// Replaces specialization constants by plain constants, as far as the optimizer can evaluate them.
Spirv specialized(const Spirv& module, const std::vector<SpecializationValue>& values) {
  std::unordered_map<uint32_t, std::vector<uint32_t>> defaults;
  for (const SpecializationValue& value : values) {
    defaults[value.id] = {static_cast<uint32_t>(value.bits)};
    if (value.bytes == 8) defaults[value.id].push_back(static_cast<uint32_t>(value.bits >> 32));
  }
  spvtools::Optimizer optimizer(SPV_ENV_VULKAN_1_3);
  optimizer.SetMessageConsumer([](spv_message_level_t, const char*, const spv_position_t&, const char*) {});
  optimizer.RegisterPass(spvtools::CreateSetSpecConstantDefaultValuePass(defaults))
      .RegisterPass(spvtools::CreateFreezeSpecConstantValuePass())
      .RegisterPass(spvtools::CreateFoldSpecConstantOpAndCompositePass());
  spvtools::OptimizerOptions options;
  options.set_run_validator(false);
  const std::vector<uint32_t> words = tool_form(module.words);
  Spirv result{{}, module.name};
  return optimizer.Run(words.data(), words.size(), &result.words, options) ? result : module;
}

}  // namespace

void validate_specialized(const Spirv& module, const std::vector<SpecializationValue>& values) {
  try {
    validate_spirv(specialized(module, values));
  } catch (const Error& error) {
    std::string text;
    for (const SpecializationValue& value : values) {
      text += (text.empty() ? " (" : ", ") + std::to_string(value.id) + " = " + std::to_string(value.bits);
    }
    throw Error(
        ErrorCode::invalid_argument,
        "With these values of its specialization constants" + text + (text.empty() ? "" : ")") + ", " + error.what(),
        error.log());
  }
}

std::vector<SpecializationValue> complete_specialization(const std::string& kernel, const Reflection& reflection,
                                                         const std::vector<SpecializationValue>& given) {
  std::vector<SpecializationValue> values = checked_values(kernel, reflection, given);
  set_workgroup_size_constants(reflection, values);
  return values;
}

}  // namespace weft::core
