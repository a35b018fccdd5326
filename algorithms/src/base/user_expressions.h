#pragma once

#include <string>

#include <weft/element.h>
#include <weft/equality.h>
#include <weft/transform.h>

#include "algorithms/src/base/kernel_maker.h"

/// Macros for GLSL expressions of the user that several families take.
namespace weft::algorithms {

/// WEFT_SAME: which neighbouring elements, or keys, belong to one run.
void define_equality(KernelMaker& maker, const Element& element, const Equality& equality);

/// WEFT_TRANSFORM: how elements are computed from the input, which uses the type K. Throws invalid_argument if there is
/// no expression.
void define_transform(KernelMaker& maker, const Transform& transform);

/// WEFT_INITIAL: an element that precedes all others, or each segment. Not defined if empty.
void define_initial(KernelMaker& maker, const std::string& initial);

}  // namespace weft::algorithms
