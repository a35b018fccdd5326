#include <algorithm>
#include <array>
#include <exception>

#include <weft/error.h>

#include "backends/translate/translate.h"
#include "core/src/spirv/reflection.h"
#include "core/src/spirv/specialization.h"
#include "tests/translate/mutate.h"

namespace weft::test {
namespace {

std::vector<SpecializationValue> random_values(const Reflection& reflection, std::mt19937_64& random) {
  static constexpr std::array<uint64_t, 10> striking{0, 1, 2, 3, 64, 4096, 0x40000000, 0x7fffffff, 0x80000000, ~0ull};
  std::vector<SpecializationValue> values;
  for (const Reflection::Specialization& constant : reflection.specializations) {
    if (random() % 2) values.push_back({constant.id, constant.bytes, striking[random() % striking.size()]});
  }
  return values;
}

bool is_valid_with(const Spirv& module, const std::vector<SpecializationValue>& values) try {
  core::validate_specialized(module, values);
  return true;
} catch (const Error&) {
  return false;
}

}  // namespace

Fate process(const std::vector<uint32_t>& words, std::mt19937_64& random) {
  const Spirv module{words, "mutant"};
  try {
    validate_spirv(module);
  } catch (const Error&) {
    return Fate::refused_by_validator;
  }
  Fate fate = Fate::translated;
  try {
    const Reflection reflection = reflect(module);
    const auto values = core::complete_specialization(module.name, reflection, random_values(reflection, random));
    is_valid_with(module, values);  // whatever the result, it must return
    const Reflection specialized = core::reflect_specialized(module, reflection.entry, values);
    KernelOptions options;
    options.specialization = values;
    for (const auto target :
         {TranslationTarget::host, TranslationTarget::cuda, TranslationTarget::hip, TranslationTarget::lanes}) {
      if (translate::translate(module, specialized, target, options).code.empty()) {
        throw std::logic_error("translated to nothing");
      }
    }
  } catch (const Error&) {
    fate = Fate::refused;
  }
  return fate;
}

}  // namespace weft::test
