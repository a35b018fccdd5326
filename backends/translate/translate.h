#pragma once

#include <weft/translate.h>

namespace weft::translate {

using Target = TranslationTarget;

/// translate_spirv() for what Device::kernel() hands to a backend: a module that is valid with the values of
/// `options.specialization` and obeys `options.contraction`, and its reflection with these values.
Translation translate(const Spirv& module, const Reflection& reflection, Target target, const KernelOptions& options);

}  // namespace weft::translate
