#pragma once

#include "backends/translate/module.h"

namespace weft::translate {

/// Compilers pass each argument by the address of a fresh copy. Where the function only reads it, and nothing changes
/// the original until then, passes the original instead. Functions with subgroup operations or barriers keep their
/// copies, which may differ among lanes where the original does not.
void pass_originals(Module& module);

}  // namespace weft::translate
