#pragma once

#include "backends/translate/module.h"

namespace weft::translate {

/// Arms of a selection may meet before its merge block: at a block that no merge instruction names, which may be one of
/// the arms. Declares each such meeting as the end of a selection of its own, as all that follows expects it.
void declare_joins(Module& module);

}  // namespace weft::translate
