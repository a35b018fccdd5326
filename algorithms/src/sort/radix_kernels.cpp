#include "algorithms/src/sort/radix_kernels.h"

#include <string>

#include "algorithms/src/base/kernel_options.h"

namespace weft::algorithms {

RadixBlock radix_block(const RadixBuffers& from, const RadixBuffers& to, uint32_t begin, uint32_t mask,
                       const ResolvedCount& count) {
  return {from.keys, to.keys, from.values, to.values, count.address, count.most, begin, mask, count_option(count), 0};
}

KernelMaker radix_key_kernels(const Device& device, const char* primitive, const Element& key, bool descending,
                              uint64_t max_count) {
  KernelMaker maker(device, primitive);
  const std::string& type = key.glsl_type();
  maker.bits_of(key);
  maker.define("WEFT_KEY_BYTES", std::to_string(key.bytes()));
  if (type.starts_with("float") || type == "double") {
    maker.define("WEFT_KEY_FLOAT");
  } else if (type.starts_with("int")) {
    maker.define("WEFT_KEY_SIGNED");
  }
  if (descending) maker.define("WEFT_DESCENDING");
  if (max_count > UINT32_MAX) maker.define("WEFT_WIDE_INDEX");
  return maker;
}

}  // namespace weft::algorithms
