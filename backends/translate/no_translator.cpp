// A build with WEFT_COMPILERS=OFF: kernels come from packs.
#include <weft/error.h>

#include "backends/translate/code_cache.h"
#include "backends/translate/translate.h"

namespace weft {

namespace translate {

std::string tools() { return {}; }

Translation translate(const Spirv& module, const Reflection&, Target, const KernelOptions&) {
  throw Error(ErrorCode::unsupported,
              "This build of Weft has no translator (WEFT_COMPILERS=OFF), so it cannot translate '" + module.name +
                  "'. A build with it can.");
}

}  // namespace translate

Translation translate_spirv(const Spirv& module, TranslationTarget target, const KernelOptions& options) {
  return translate::translate(module, {}, target, options);
}

std::vector<TranslatedInstruction> translated_instructions() { return {}; }

}  // namespace weft
