// The smaller and the larger of two numbers.
//
// Gives:    weft_lower(a, b), weft_upper(a, b)   for scalars, and for each component of vec2, vec3, vec4 and uvec4. A
//                                                NaN gives way to a number; -0 is below 0
// Macros:   WEFT_INT8, WEFT_INT16, WEFT_FLOAT16, WEFT_INT64, WEFT_FLOAT64   those of weft/thread/words.glsl
// Usage:    low = weft_lower(low, point);
//
// GLSL's own min() and max() leave open what becomes of NaNs and of zeros, and devices may flush floats near 0. These
// compare bits, so results are the same on every device and in every order.
#ifndef WEFT_THREAD_EXTREMES
#define WEFT_THREAD_EXTREMES

#define WEFT_EXTREMES_OF(type)                           \
  type weft_lower(type a, type b) { return min(a, b); } \
  type weft_upper(type a, type b) { return max(a, b); }
WEFT_EXTREMES_OF(uint)
WEFT_EXTREMES_OF(int)
WEFT_EXTREMES_OF(uvec4)

// The order bits of a float, from its bits. Signed, because vectors of a CPU compare signed integers sooner.
int weft_signed_order_bits(int bits) { return bits ^ (bits >> 31 & 0x7FFFFFFF); }

// Order bits in which all NaNs are above, or below, all numbers, so that one comparison is enough. Adding the distance
// from infinity to the end of the range wraps the NaNs at that end around to the other one.
const int weft_nan_distance = 0x007FFFFF;
int weft_order_bits_below_nans(float x) { return weft_signed_order_bits(floatBitsToInt(x)) - weft_nan_distance; }
int weft_order_bits_above_nans(float x) { return weft_signed_order_bits(floatBitsToInt(x)) + weft_nan_distance; }

float weft_lower(float a, float b) { return weft_order_bits_below_nans(b) < weft_order_bits_below_nans(a) ? b : a; }
float weft_upper(float a, float b) { return weft_order_bits_above_nans(b) > weft_order_bits_above_nans(a) ? b : a; }

vec2 weft_lower(vec2 a, vec2 b) { return vec2(weft_lower(a.x, b.x), weft_lower(a.y, b.y)); }
vec2 weft_upper(vec2 a, vec2 b) { return vec2(weft_upper(a.x, b.x), weft_upper(a.y, b.y)); }
vec3 weft_lower(vec3 a, vec3 b) { return vec3(weft_lower(a.xy, b.xy), weft_lower(a.z, b.z)); }
vec3 weft_upper(vec3 a, vec3 b) { return vec3(weft_upper(a.xy, b.xy), weft_upper(a.z, b.z)); }
vec4 weft_lower(vec4 a, vec4 b) { return vec4(weft_lower(a.xy, b.xy), weft_lower(a.zw, b.zw)); }
vec4 weft_upper(vec4 a, vec4 b) { return vec4(weft_upper(a.xy, b.xy), weft_upper(a.zw, b.zw)); }

#ifdef WEFT_INT8
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
WEFT_EXTREMES_OF(uint8_t)
WEFT_EXTREMES_OF(int8_t)
#endif

#ifdef WEFT_INT16
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
WEFT_EXTREMES_OF(uint16_t)
WEFT_EXTREMES_OF(int16_t)
#endif

#ifdef WEFT_INT64
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
WEFT_EXTREMES_OF(uint64_t)
WEFT_EXTREMES_OF(int64_t)
#endif

#ifdef WEFT_FLOAT16
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
// Of the halves a and b, in the upper bits of words.
ivec2 weft_half_order_bits(float16_t a, float16_t b) {
  int bits = int(packFloat2x16(f16vec2(a, b)));
  return ivec2(weft_signed_order_bits(bits << 16), weft_signed_order_bits(bits & int(0xFFFF0000u)));
}
const int weft_half_nan_distance = 0x03FFFFFF;
float16_t weft_lower(float16_t a, float16_t b) {
  ivec2 order_bits = weft_half_order_bits(a, b) - weft_half_nan_distance;
  return order_bits.y < order_bits.x ? b : a;
}
float16_t weft_upper(float16_t a, float16_t b) {
  ivec2 order_bits = weft_half_order_bits(a, b) + weft_half_nan_distance;
  return order_bits.y > order_bits.x ? b : a;
}
#endif

#ifdef WEFT_FLOAT64
// Doubles are compared as such: no device flushes them, and their bits would take more registers. The upper word of -0
// is below that of 0; other equal numbers have the same.
int weft_upper_bits(double x) { return int(unpackDouble2x32(x).y); }
double weft_lower(double a, double b) {
  bool sign = all(bvec2(a == b, weft_upper_bits(b) < weft_upper_bits(a)));
  return any(bvec3(b < a, isnan(a), sign)) ? b : a;
}
double weft_upper(double a, double b) {
  bool sign = all(bvec2(a == b, weft_upper_bits(b) > weft_upper_bits(a)));
  return any(bvec3(b > a, isnan(a), sign)) ? b : a;
}
#endif

#endif
