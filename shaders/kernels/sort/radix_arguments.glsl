// What the kernels that move keys in a pass of a radix sort are given.
//
// Gives:    WeftSortArguments, WeftExtent weft_sort_extent(WeftSortArguments)
// Macros:   those of weft/workgroup/extent.glsl
#ifndef WEFT_KERNELS_RADIX_ARGUMENTS
#define WEFT_KERNELS_RADIX_ARGUMENTS

#include "weft/kernels/base/options.glsl"
#include "weft/thread/count.glsl"
#include "weft/workgroup/extent.glsl"

// Addresses rather than buffer references: SwiftShader cannot copy a struct of those.
struct WeftSortArguments {
  uvec2 keys;
  uvec2 keys_out;
  uvec2 values;  // 0: values are the indices of keys.
  uvec2 values_out;
  uvec2 count_on_device;
  uvec2 count;
  uint begin;  // The digit's first bit.
  uint mask;   // A one for each bit of the digit.
  uint options;
  uint unused;
};

WeftExtent weft_sort_extent(WeftSortArguments arguments) {
  return weft_extent(weft_count(arguments.count, arguments.options, WeftCount(arguments.count_on_device)));
}

#endif
