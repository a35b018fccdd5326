#include "backends/translate/translate.h"

#include <new>
#include <stdexcept>

#include <weft/error.h>

#include "backends/translate/arguments.h"
#include "backends/translate/joins.h"
#include "backends/translate/module_emitter.h"
#include "core/src/spirv/contraction.h"
#include "core/src/spirv/reflection.h"
#include "core/src/spirv/specialization.h"

namespace weft {

namespace translate {

Translation translate(const Spirv& spirv, const Reflection& reflection, Target target, const KernelOptions& options) {
  const auto fail = [&](ErrorCode code, const std::string& why) {
    return Error(code, "'" + spirv.name + "' cannot be translated: " + why + ".");
  };
  try {
    Module module = parse_module(spirv);
    declare_joins(module);
    if (target == Target::lanes) pass_originals(module);
    return ModuleEmitter(module, reflection, target, options).run();
  } catch (const std::bad_alloc&) {
    throw fail(ErrorCode::out_of_memory, "the host ran out of memory");
  } catch (const std::out_of_range&) {  // a valid module refers to something that is not there
    throw fail(ErrorCode::unsupported, "its structure is not supported");
  }
}

}  // namespace translate

Translation translate_spirv(const Spirv& module, TranslationTarget target, const KernelOptions& options) {
  Reflection reflection = reflect(module, options.entry);
  KernelOptions complete = options;
  complete.specialization = core::complete_specialization(module.name, reflection, options.specialization);
  if (!reflection.specializations.empty()) core::validate_specialized(module, complete.specialization);
  if (!complete.specialization.empty()) {
    reflection = core::reflect_specialized(module, options.entry, complete.specialization);
  }
  if (options.contraction == Contraction::forbidden) {
    return translate::translate({core::without_contraction(module.words), module.name}, reflection, target, complete);
  }
  return translate::translate(module, reflection, target, complete);
}

}  // namespace weft
