#pragma once

#include <string>

#include <weft/element.h>

#include "algorithms/src/base/kernel_maker.h"

namespace weft::algorithms {

/// How keys are compared by their digits: shaders/thread/radix_key.glsl.
inline void define_key_order(KernelMaker& maker, const Element& key, bool descending) {
  const std::string& type = key.glsl_type();
  maker.define("WEFT_KEY_BYTES", std::to_string(key.bytes()));
  if (type.starts_with("float") || type == "double") {
    maker.define("WEFT_KEY_FLOAT");
  } else if (type.starts_with("int")) {
    maker.define("WEFT_KEY_SIGNED");
  }
  if (descending) maker.define("WEFT_DESCENDING");
}

}  // namespace weft::algorithms
