// Bounding boxes: a low and a high corner. A box with a low coordinate above the high one is empty.
//
// Gives:    weft_lower(a, b), weft_upper(a, b)   the smaller and the larger of two numbers, and of each component of
//                                                vec2 and vec3. A NaN gives way to a number; -0 is below 0
//           float weft_surface_area(vec3 low, vec3 high)    of a box; 0 if it is empty or has a NaN
//           float weft_surface_area(vec2 low, vec2 high)    the perimeter of a rectangle
//           bool weft_is_nan(float)
// Macros:   none
// Usage:    low = weft_lower(low, point);
//
// GLSL's own min() and max() leave open what becomes of NaNs and of zeros. These compare bits, so results are the same
// on every device and, apart from the bits of NaNs, in every order.
#ifndef WEFT_THREAD_BOX
#define WEFT_THREAD_BOX

bool weft_is_nan(float x) { return (floatBitsToUint(x) & 0x7FFFFFFFu) > 0x7F800000u; }

// Unsigned integers in the order of floats.
uint weft_float_order(float x) {
  uint bits = floatBitsToUint(x);
  return bits ^ ((bits & 0x80000000u) != 0u ? 0xFFFFFFFFu : 0x80000000u);
}

float weft_lower(float a, float b) {
  if (weft_is_nan(a)) return b;
  return !weft_is_nan(b) && weft_float_order(b) < weft_float_order(a) ? b : a;
}
float weft_upper(float a, float b) {
  if (weft_is_nan(a)) return b;
  return !weft_is_nan(b) && weft_float_order(b) > weft_float_order(a) ? b : a;
}

vec2 weft_lower(vec2 a, vec2 b) { return vec2(weft_lower(a.x, b.x), weft_lower(a.y, b.y)); }
vec2 weft_upper(vec2 a, vec2 b) { return vec2(weft_upper(a.x, b.x), weft_upper(a.y, b.y)); }
vec3 weft_lower(vec3 a, vec3 b) { return vec3(weft_lower(a.xy, b.xy), weft_lower(a.z, b.z)); }
vec3 weft_upper(vec3 a, vec3 b) { return vec3(weft_upper(a.xy, b.xy), weft_upper(a.z, b.z)); }

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
