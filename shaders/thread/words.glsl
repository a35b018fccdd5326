// Every element as 32-bit words.
//
// Gives:    uint[n] weft_to_words(x)               the words of x
//           void weft_from_words(uint[n], out x)   and back
//           for uint, int, float, uvec2, uvec4, and with the macros below for scalars of other widths. A scalar of 8 or
//           16 bits is a word of its own, in registers and between lanes; only memory packs them. So is each unit of a
//           struct whose size is no multiple of 4: its T_WORDS words hold a byte or half word each, in their low bits.
//           T_UNIT_BYTES   bytes of each of the T_WORDS units that an element has in memory: 4, 2 or 1
// Macros:   T_BYTES       optional: an element's size in memory; without it T_WORDS words
//           WEFT_INT8     define it for int8_t and uint8_t
//           WEFT_INT16    define it for int16_t and uint16_t
//           WEFT_FLOAT16  define it for float16_t
//           WEFT_INT64    define it for int64_t and uint64_t
//           WEFT_FLOAT64  define it for double
// Usage:    uint words[] = weft_to_words(x);
//           weft_from_words(words, y);
//
// The other layers move elements between lanes and through memory with these two functions alone. So your own struct
// becomes an element once you write them for it.
#ifndef WEFT_THREAD_WORDS
#define WEFT_THREAD_WORDS

#extension GL_EXT_control_flow_attributes : require

#ifndef T_BYTES
#define T_BYTES (T_WORDS * 4)
#endif
#define T_UNIT_BYTES (T_BYTES / T_WORDS)

uint[1] weft_to_words(uint x) { return uint[1](x); }
uint[1] weft_to_words(int x) { return uint[1](uint(x)); }
uint[1] weft_to_words(float x) { return uint[1](floatBitsToUint(x)); }
uint[2] weft_to_words(uvec2 x) { return uint[2](x.x, x.y); }
uint[4] weft_to_words(uvec4 x) { return uint[4](x.x, x.y, x.z, x.w); }

void weft_from_words(uint words[1], out uint x) { x = words[0]; }
void weft_from_words(uint words[1], out int x) { x = int(words[0]); }
void weft_from_words(uint words[1], out float x) { x = uintBitsToFloat(words[0]); }
void weft_from_words(uint words[2], out uvec2 x) { x = uvec2(words[0], words[1]); }
void weft_from_words(uint words[4], out uvec4 x) { x = uvec4(words[0], words[1], words[2], words[3]); }

#ifdef WEFT_INT8
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
uint[1] weft_to_words(uint8_t x) { return uint[1](uint(x)); }
uint[1] weft_to_words(int8_t x) { return uint[1](uint(x)); }
void weft_from_words(uint words[1], out uint8_t x) { x = uint8_t(words[0]); }
void weft_from_words(uint words[1], out int8_t x) { x = int8_t(words[0]); }
#endif

#ifdef WEFT_INT16
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
uint[1] weft_to_words(uint16_t x) { return uint[1](uint(x)); }
uint[1] weft_to_words(int16_t x) { return uint[1](uint(x)); }
void weft_from_words(uint words[1], out uint16_t x) { x = uint16_t(words[0]); }
void weft_from_words(uint words[1], out int16_t x) { x = int16_t(words[0]); }
#endif

#ifdef WEFT_FLOAT16
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
uint[1] weft_to_words(float16_t x) { return uint[1](packFloat2x16(f16vec2(x, float16_t(0)))); }
void weft_from_words(uint words[1], out float16_t x) { x = unpackFloat2x16(words[0]).x; }
#endif

#ifdef WEFT_INT64
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
uint[2] weft_to_words(uint64_t x) {
  uvec2 halves = unpackUint2x32(x);
  return uint[2](halves.x, halves.y);
}
uint[2] weft_to_words(int64_t x) { return weft_to_words(uint64_t(x)); }
void weft_from_words(uint words[2], out uint64_t x) { x = packUint2x32(uvec2(words[0], words[1])); }
void weft_from_words(uint words[2], out int64_t x) { x = int64_t(packUint2x32(uvec2(words[0], words[1]))); }
#endif

#ifdef WEFT_FLOAT64
uint[2] weft_to_words(double x) {
  uvec2 halves = unpackDouble2x32(x);
  return uint[2](halves.x, halves.y);
}
void weft_from_words(uint words[2], out double x) { x = packDouble2x32(uvec2(words[0], words[1])); }
#endif

#endif
