#pragma once

#include <weft/compact.h>
#include <weft/element.h>

#include "algorithms/src/base/kernel_maker.h"

namespace weft::algorithms {

/// Which elements a kernel selects: WEFT_WHERE, WEFT_SAME, or flags. Throws invalid_argument for flags of other widths
/// than 8 and 32 bits, unsupported if buffers cannot have members of 8.
void define_selection(KernelMaker& maker, const Element& element, const Selection& selection);

}  // namespace weft::algorithms
