// Texels of images in buffers: 1 to 4 channels of 8, 16 or 32 bits, one after the other without padding.
//
// Gives:    uint[T_WORDS] weft_load_texel(uvec2 row, uint x)   the units of texel x of the row at that address
//           uint[T_WORDS] weft_load_shared_texel(row, x), void weft_store_shared_texel(row, x, units)
//                   for texels that other workgroups store or load in the same dispatch
//           void weft_store_texel(row, x, units)
//           void weft_store_two_texels(row, x, units, next)   texels x and x + 1, where x is even
//           uint[T_BYTES] weft_load_four_texels(row, x)   the words of texels x to x + 3. The row's address and that of
//                   texel x are multiples of weft_four_texels_align
//           uint[T_BYTES] weft_load_four_shared_texels(row, x)   the same of shared texels, whose addresses are
//                   multiples of weft_four_shared_texels_align
//           uint[T_WORDS] weft_texel_of_four(words, uint k)   the units of texel x + k
//           uvec4 weft_channels(units), weft_units(uvec4 channels)   each channel's bits; 0 for one that texels lack
//           vec4 weft_numbers(uvec4 channels), uvec4 weft_channels_of(vec4 numbers)   channels as floats, and back to
//                   the nearest. Of 8 bits: fractions of 255, linear
// Macros:   T_WORDS, T_BYTES    units and bytes of a texel. A unit has 4 bytes, or 2 or 1 if a texel is no multiple of
//                               these. They need 16-bit or 8-bit members in buffers
//           WEFT_CHANNELS       1 to 4
//           WEFT_CHANNEL_BITS   8, 16 for half floats, 32 for floats
//           WEFT_SRGB           optional: the first three of the channels of 8 bits are in sRGB's curve
// Usage:    uint units[T_WORDS] = weft_load_texel(weft_element_address(image, T_BYTES, y * width), x);
#ifndef WEFT_THREAD_TEXEL
#define WEFT_THREAD_TEXEL

#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_scalar_block_layout : require

#include "weft/thread/memory.glsl"
#include "weft/thread/words.glsl"

#if T_UNIT_BYTES == 4
#define WEFT_TEXEL_UNIT uint
#define WEFT_TEXEL_ALIGN 4
#elif T_UNIT_BYTES == 2
#extension GL_EXT_shader_16bit_storage : require
#define WEFT_TEXEL_UNIT uint16_t
#define WEFT_TEXEL_ALIGN 2
#else
#extension GL_EXT_shader_8bit_storage : require
#define WEFT_TEXEL_UNIT uint8_t
#define WEFT_TEXEL_ALIGN 1
#endif

layout(buffer_reference, scalar, buffer_reference_align = WEFT_TEXEL_ALIGN) buffer WeftTexels {
  WEFT_TEXEL_UNIT unit[];
};
layout(buffer_reference, scalar, buffer_reference_align = WEFT_TEXEL_ALIGN) coherent buffer WeftSharedTexels {
  WEFT_TEXEL_UNIT unit[];
};

uint[T_WORDS] weft_load_texel(uvec2 row, uint x) {
  uint units[T_WORDS];
  [[unroll]] for (uint u = 0u; u < T_WORDS; ++u) units[u] = uint(WeftTexels(row).unit[x * T_WORDS + u]);
  return units;
}
void weft_store_texel(uvec2 row, uint x, uint units[T_WORDS]) {
  [[unroll]] for (uint u = 0u; u < T_WORDS; ++u) WeftTexels(row).unit[x * T_WORDS + u] = WEFT_TEXEL_UNIT(units[u]);
}
uint[T_WORDS] weft_load_shared_texel(uvec2 row, uint x) {
  uint units[T_WORDS];
  [[unroll]] for (uint u = 0u; u < T_WORDS; ++u) units[u] = uint(WeftSharedTexels(row).unit[x * T_WORDS + u]);
  return units;
}
void weft_store_shared_texel(uvec2 row, uint x, uint units[T_WORDS]) {
  [[unroll]] for (uint u = 0u; u < T_WORDS; ++u) {
    WeftSharedTexels(row).unit[x * T_WORDS + u] = WEFT_TEXEL_UNIT(units[u]);
  }
}

#if T_BYTES == 4
layout(buffer_reference, scalar, buffer_reference_align = 8) buffer WeftTexelPairs { uvec2 pair[]; };
#endif
void weft_store_two_texels(uvec2 row, uint x, uint units[T_WORDS], uint next[T_WORDS]) {
#if T_BYTES == 4
  if (row.x % 8u == 0u) {  // Two stores would each write half of every sector.
    WeftTexelPairs(row).pair[x / 2u] = uvec2(units[0], next[0]);
    return;
  }
#endif
  weft_store_texel(row, x, units);
  weft_store_texel(row, x + 1u, next);
}

const uint weft_unit_bits = 8u * T_UNIT_BYTES;

#if T_BYTES % 4 == 0
const uint weft_four_texels_align = 16u;
uint[T_BYTES] weft_load_four_texels(uvec2 row, uint x) {
  uint words[T_BYTES];
  [[unroll]] for (uint v = 0u; v < T_BYTES / 4; ++v) {
    uvec4 vector = weft_load_vector(row, 0u, x / 4u * (T_BYTES / 4) + v);
    words[4u * v] = vector.x;
    words[4u * v + 1u] = vector.y;
    words[4u * v + 2u] = vector.z;
    words[4u * v + 3u] = vector.w;
  }
  return words;
}
#else
const uint weft_four_texels_align = 4u;
uint[T_BYTES] weft_load_four_texels(uvec2 row, uint x) {
  uint words[T_BYTES];
  [[unroll]] for (uint w = 0u; w < T_BYTES; ++w) words[w] = weft_load_word(row, 0u, x / 4u * T_BYTES + w);
  return words;
}
#endif

layout(buffer_reference, scalar, buffer_reference_align = 4) coherent buffer WeftSharedWords { uint word[]; };
const uint weft_four_shared_texels_align = 4u;
uint[T_BYTES] weft_load_four_shared_texels(uvec2 row, uint x) {
  uint words[T_BYTES];
  [[unroll]] for (uint w = 0u; w < T_BYTES; ++w) words[w] = WeftSharedWords(row).word[x / 4u * T_BYTES + w];
  return words;
}

uint[T_WORDS] weft_texel_of_four(uint words[T_BYTES], uint k) {
  uint units[T_WORDS];
  [[unroll]] for (uint u = 0u; u < T_WORDS; ++u) {
    uint bit = (k * T_WORDS + u) * weft_unit_bits;
    units[u] = bitfieldExtract(words[bit / 32u], int(bit % 32u), int(weft_unit_bits));
  }
  return units;
}

uvec4 weft_channels(uint units[T_WORDS]) {
  uvec4 channels = uvec4(0u);
  [[unroll]] for (uint c = 0u; c < WEFT_CHANNELS; ++c) {
    uint bit = c * WEFT_CHANNEL_BITS;
    channels[c] = bitfieldExtract(units[bit / weft_unit_bits], int(bit % weft_unit_bits), WEFT_CHANNEL_BITS);
  }
  return channels;
}

uint[T_WORDS] weft_units(uvec4 channels) {
  uint units[T_WORDS];
  [[unroll]] for (uint u = 0u; u < T_WORDS; ++u) units[u] = 0u;
  [[unroll]] for (uint c = 0u; c < WEFT_CHANNELS; ++c) {
    uint bit = c * WEFT_CHANNEL_BITS;
    units[bit / weft_unit_bits] |= channels[c] << (bit % weft_unit_bits);
  }
  return units;
}

#if WEFT_CHANNEL_BITS == 32
vec4 weft_numbers(uvec4 channels) { return uintBitsToFloat(channels); }
uvec4 weft_channels_of(vec4 numbers) { return floatBitsToUint(numbers); }

#elif WEFT_CHANNEL_BITS == 16
vec4 weft_numbers(uvec4 channels) {
  return vec4(unpackHalf2x16(channels.x | channels.y << 16), unpackHalf2x16(channels.z | channels.w << 16));
}

// packHalf2x16() may round in any way. This rounds to nearest even on every device.
uint weft_half_of(float x) {
  uint bits = floatBitsToUint(x), sign = (bits >> 16) & 0x8000u, magnitude = bits & 0x7FFFFFFFu;
  if (magnitude > 0x7F800000u) return sign | 0x7E00u;   // NaN
  if (magnitude >= 0x477FF000u) return sign | 0x7C00u;  // infinite from 65520 on
  if (magnitude < 0x38800000u) {                        // subnormal halves, in steps of 2^-24, as floats have from 0.5
    precise float shifted = uintBitsToFloat(magnitude) + 0.5;
    return sign | (floatBitsToUint(shifted) - 0x3F000000u);
  }
  return sign | ((magnitude - 0x38000000u + 0xFFFu + ((magnitude >> 13) & 1u)) >> 13);
}
uvec4 weft_channels_of(vec4 numbers) {
  return uvec4(weft_half_of(numbers.x), weft_half_of(numbers.y), weft_half_of(numbers.z), weft_half_of(numbers.w));
}

#else
#ifdef WEFT_SRGB
// At most 0.01 of 255 steps from the curve, by polynomials: pow() takes much longer.
vec3 weft_linear(vec3 x) {
  vec3 high = ((-0.0876871031 * x + 0.3234586731) * x - 0.5412057856) * x + 0.7719093156;
  vec3 curve = ((high * x + 0.4981201815) * x + 0.0345017386) * x + 0.0008715955;
  return mix(curve, x / 12.92, lessThanEqual(x, vec3(0.04045)));
}
// The same of the fourth root. Its inverse is guessed to 3 % from the bits, and found by Newton's iteration.
vec3 weft_srgb(vec3 x) {
  const float last_linear = 0.0031308;
  vec3 y = max(x, last_linear), inverse = uintBitsToFloat(0x4F586000u - floatBitsToUint(y) / 4u);
  [[unroll]] for (int step = 0; step < 3; ++step) {
    vec3 square = inverse * inverse;
    inverse *= 1.25 - 0.25 * y * square * square;
  }
  vec3 root = y * inverse * inverse * inverse, high = (0.0814342113 * root - 0.3357768551) * root + 1.1229410305;
  vec3 curve = (high * root + 0.1960335465) * root - 0.0645974386;
  return mix(curve, 12.92 * x, lessThanEqual(x, vec3(last_linear)));
}
#endif

vec4 weft_numbers(uvec4 channels) {
  vec4 x = vec4(channels) / 255.0;
#ifdef WEFT_SRGB
  x.rgb = weft_linear(x.rgb);
#endif
  return x;
}
uvec4 weft_channels_of(vec4 numbers) {
#ifdef WEFT_SRGB
  numbers.rgb = weft_srgb(clamp(numbers.rgb, 0.0, 1.0));
#endif
  return uvec4(clamp(255.0 * numbers + 0.5, 0.0, 255.0));
}
#endif

#endif
