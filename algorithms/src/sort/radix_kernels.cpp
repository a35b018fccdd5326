#include "algorithms/src/sort/radix_kernels.h"

#include "algorithms/src/base/kernel_options.h"
#include "algorithms/src/base/key_order.h"

namespace weft::algorithms {

RadixBlock radix_block(const RadixBuffers& from, const RadixBuffers& to, uint32_t begin, uint32_t mask,
                       const ResolvedCount& count) {
  return {from.keys, to.keys, from.values, to.values, count.address, count.most, begin, mask, count_option(count), 0};
}

KernelMaker radix_key_kernels(const Device& device, const char* primitive, const Element& key, bool descending,
                              uint64_t max_count) {
  KernelMaker maker(device, primitive);
  maker.bits_of(key);
  define_key_order(maker, key, descending);
  if (max_count > UINT32_MAX) maker.define("WEFT_WIDE_INDEX");
  return maker;
}

}  // namespace weft::algorithms
