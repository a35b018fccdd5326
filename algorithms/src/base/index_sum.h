#pragma once

#include "algorithms/src/base/kernel_maker.h"

namespace weft::algorithms {

/// Makes the element type an index among all elements and the operator the sum of indices, as selections and run-length
/// encoding scan them. `wide`: indices reach 2^32 and take two words.
inline KernelMaker index_sums(KernelMaker maker, bool wide) {
  maker.define("WEFT_SCALAR", wide ? "uvec2" : "uint").define("T_WORDS", wide ? "2" : "1");
  return maker.define("WEFT_COMBINE", "weft_add(a, b)").define("WEFT_IDENTITY", "T(0u)");
}

/// An index among all elements. `wide`: as above.
inline Element index_element(bool wide) {
  if (wide) return Element::structure({{"uvec2", "at"}});
  return Element::scalar("uint");
}

}  // namespace weft::algorithms
