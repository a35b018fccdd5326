#pragma once

#include <string>

#include <weft/compact.h>
#include <weft/element.h>

#include "algorithms/src/base/kernel_maker.h"

namespace weft::algorithms {

/// Defines which elements a kernel selects: WEFT_WHERE, WEFT_SAME, or flags. Throws invalid_argument for flags of
/// another width than 8 or 32 bits, unsupported if buffers cannot have 8-bit members.
void define_selection(KernelMaker& maker, const Element& element, const Selection& selection);

/// Part of a key for plan_key().
std::string key_of(const Selection& selection);

}  // namespace weft::algorithms
