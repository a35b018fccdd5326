// Bounding boxes: a low and a high corner. A box with a low coordinate above the high one is empty.
//
// Gives:    weft_lower(a, b), weft_upper(a, b) of weft/thread/extremes.glsl
//           float weft_surface_area(vec3 low, vec3 high)    of a box; 0 if it is empty or has a NaN
//           float weft_surface_area(vec2 low, vec2 high)    the perimeter of a rectangle
//           bool weft_is_nan(float)
// Macros:   none
// Usage:    low = weft_lower(low, point);
#ifndef WEFT_THREAD_BOX
#define WEFT_THREAD_BOX

#include "weft/thread/extremes.glsl"

bool weft_is_nan(float x) { return (floatBitsToUint(x) & 0x7FFFFFFFu) > 0x7F800000u; }

// The order bits of a float: an unsigned integer that compares as the float does, with -0 below +0.
uint weft_unsigned_order_bits(float x) {
  uint bits = floatBitsToUint(x);
  return bits ^ (uint(int(bits) >> 31) | 0x80000000u);
}

float weft_surface_area(vec2 low, vec2 high) {
  precise vec2 size = high - low;
  if (!(size.x >= 0.0 && size.y >= 0.0)) return 0.0;
  precise float half_length = size.x + size.y;
  return 2.0 * half_length;
}
float weft_surface_area(vec3 low, vec3 high) {
  precise vec3 size = high - low;
  if (!(size.x >= 0.0 && size.y >= 0.0 && size.z >= 0.0)) return 0.0;
  precise float half_area = size.x * size.y + size.y * size.z + size.z * size.x;
  return 2.0 * half_area;
}

#endif
