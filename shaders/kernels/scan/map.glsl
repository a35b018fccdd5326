// Push constants of a map, and its expression of indices.
//
// Gives:    args
//           T weft_element_at(uint i, uint i_high)   with WEFT_ELEMENT_AT, the expression
// Macros:   those of weft/thread/element_type.glsl, which is included before
#ifndef WEFT_KERNELS_MAP
#define WEFT_KERNELS_MAP

#include "weft/kernels/base/options.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 source;
  uvec2 second;
  uvec2 destination;
  WeftCount count_on_device;
  uvec2 count;
  uint options;
} args;

#ifdef WEFT_ELEMENT_AT
T weft_element_at(uint i, uint i_high) { return WEFT_ELEMENT_AT; }
#endif

#endif
