#pragma once

#include <string>

#include <weft/element.h>
#include <weft/equality.h>
#include <weft/transform.h>

#include "algorithms/src/base/kernel_maker.h"

/// GLSL of the user's that kernels of several families take.
namespace weft::algorithms {

/// WEFT_SAME: which neighbouring elements, or keys, belong to one run.
void define_equality(KernelMaker& maker, const Element& element, const Equality& equality);

/// WEFT_TRANSFORM: how elements are computed from the input, whose type takes the place of keys. Throws
/// invalid_argument if there is no expression.
void define_transform(KernelMaker& maker, const Transform& transform);

/// WEFT_INITIAL: an element that comes before all others, or before each segment. Nothing if it is empty.
void define_initial(KernelMaker& maker, const std::string& initial);

}  // namespace weft::algorithms
