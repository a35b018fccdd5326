#pragma once

#include "backends/translate/module.h"

namespace weft::translate {

/// Arms of a selection may join before its merge block, at a block that no merge instruction names, possibly one of the
/// arms. Declares each such join as the merge block of an additional selection, as the rest of the translator expects.
void declare_joins(Module& module);

}  // namespace weft::translate
