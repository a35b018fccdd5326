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
// on every device and in every order.
#ifndef WEFT_THREAD_BOX
#define WEFT_THREAD_BOX

bool weft_is_nan(float x) { return (floatBitsToUint(x) & 0x7FFFFFFFu) > 0x7F800000u; }

// Unsigned integers in the order of floats.
uint weft_float_order(float x) {
  uint bits = floatBitsToUint(x);
  return bits ^ (uint(int(bits) >> 31) | 0x80000000u);
}

// Numbers in order, below or above all NaNs: adding the distance of an infinity from the end of the range turns NaNs
// over to the other end, so that one comparison is enough.
const uint weft_nan_orders = 0x007FFFFFu;
uint weft_order_below_nans(float x) { return weft_float_order(x) - weft_nan_orders; }
uint weft_order_above_nans(float x) { return weft_float_order(x) + weft_nan_orders; }

float weft_lower(float a, float b) { return weft_order_below_nans(b) < weft_order_below_nans(a) ? b : a; }
float weft_upper(float a, float b) { return weft_order_above_nans(b) > weft_order_above_nans(a) ? b : a; }

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
