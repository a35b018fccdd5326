// Boxes in order bits: their corners are unsigned integers that compare as floats do, on every device alike.
//
// Gives:    WeftBoxBits   .low, .high: the order bits of two corners; 6 words in memory
//           WeftBoxBits weft_box_bits(vec3 low, vec3 high)   -0 becomes 0. A box that is empty or has a NaN becomes one
//                                                            that overlaps nothing
//           vec3 weft_corner_of_bits(uvec3)                  floats of a corner; NaNs if it overlaps nothing
//           uint weft_along(uvec3 corner, int axis)          a component
//           bool weft_overlap(a, b)                          whether they have a point in common
//           WeftBoxBits weft_load_box_bits(memory, i)
//           void weft_store_box_bits(memory, i, box)
//           WeftAxis   buffer reference to the axis of a sweep, .axis
// Macros:   those of weft/thread/memory.glsl
#ifndef WEFT_KERNELS_PAIRS_BOXES
#define WEFT_KERNELS_PAIRS_BOXES

#include "weft/thread/box.glsl"
#include "weft/thread/memory.glsl"

const uint weft_nowhere = 0xFFFFFFFFu;  // The low corner of boxes that overlap nothing. Above all floats.

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer WeftAxis { int axis; };

struct WeftBoxBits {
  uvec3 low, high;
};

// A component, by selection: an index would put the vector into memory.
uint weft_along(uvec3 corner, int axis) { return axis == 0 ? corner.x : axis == 1 ? corner.y : corner.z; }

uint weft_corner_bits(float x) {
  return floatBitsToUint(x) == 0x80000000u ? 0x80000000u : weft_unsigned_order_bits(x);  // -0 as 0
}

WeftBoxBits weft_box_bits(vec3 low, vec3 high) {
  WeftBoxBits box;
  bool is_somewhere = true;
  for (int axis = 0; axis < 3; ++axis) {
    box.low[axis] = weft_corner_bits(low[axis]);
    box.high[axis] = weft_corner_bits(high[axis]);
    bool is_number = !weft_is_nan(low[axis]) && !weft_is_nan(high[axis]);
    is_somewhere = is_somewhere && is_number && box.low[axis] <= box.high[axis];
  }
  if (!is_somewhere) box = WeftBoxBits(uvec3(weft_nowhere), uvec3(0u));
  return box;
}

vec3 weft_corner_of_bits(uvec3 x) {
  bvec3 is_positive = greaterThanEqual(x, uvec3(0x80000000u));
  return uintBitsToFloat(x ^ mix(uvec3(0xFFFFFFFFu), uvec3(0x80000000u), is_positive));
}

bool weft_overlap(WeftBoxBits a, WeftBoxBits b) {
  return all(lessThanEqual(a.low, b.high)) && all(lessThanEqual(b.low, a.high));
}

WeftBoxBits weft_load_box_bits(uvec2 memory, uint i) {
  uvec2 at = weft_element_address(memory, 24u, i);
  WeftBoxBits box;
  for (int axis = 0; axis < 3; ++axis) {
    box.low[axis] = weft_load_word(at, 0u, uint(axis));
    box.high[axis] = weft_load_word(at, 0u, uint(axis) + 3u);
  }
  return box;
}

void weft_store_box_bits(uvec2 memory, uint i, WeftBoxBits box) {
  uvec2 at = weft_element_address(memory, 24u, i);
  for (int axis = 0; axis < 3; ++axis) {
    weft_store_word(at, 0u, uint(axis), box.low[axis]);
    weft_store_word(at, 0u, uint(axis) + 3u, box.high[axis]);
  }
}

#endif
