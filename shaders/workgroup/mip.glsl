// Levels of image pyramids (mipmaps): a texel from those that it covers in the level above, and a tile's levels in
// workgroup memory.
//
// Gives:    WeftMipValue   a texel while it is filtered
//           WeftMipValue weft_mip_value(units), uint[T_WORDS] weft_mip_units(value)   of weft/thread/texel.glsl
//           WEFT_MIP_TAPS(taps, at, size, load)   loads what texel `at` covers in a level above of that size, with an
//                   expression of the uvec2 `tap` that gives units
//           WeftMipValue weft_mip(taps, uvec2 at, uvec2 size)   filters it
//           WeftMipValue weft_mip_of_four(a, b, c, d)   the same of 2 x 2 texels, row by row
//           uint weft_mip_side   the most texels of a tile along an axis: a power of two
//           void weft_mip_put(uint level, uvec2 at, units)   stores a texel of the tile
//           uint[T_WORDS] weft_mip_next(uint level, uvec2 at, uvec2 size)   the units of a texel of a level below the
//                   tile's first, from the level above, which has that size in the tile
// Macros:   WEFT_MIP_LEVELS   the most levels of a tile. Its first has up to weft_mip_side^2 texels, the next ones a
//                             quarter each, the last one texel
//           WEFT_MIP_FLIP     optional: takes the smallest of each channel, or the largest where this uvec4 is ~0u,
//                             instead of the mean
//           WEFT_MIP_EVEN     optional: no level above has an axis of odd size but 1
//           WEFT_MIP_COMBINE  optional: combines texels by this expression of a and b instead
//           those of weft/thread/texel.glsl
// Usage:    WeftMipValue taps[9];
//           WEFT_MIP_TAPS(taps, at, size, weft_load_texel(row(tap.y), tap.x));
//           weft_mip_put(0u, at, weft_mip_units(weft_mip(taps, at, size)));
//           barrier();
//           weft_mip_put(1u, next, weft_mip_next(1u, next, size / 2u));   // in a quarter of the invocations
//
// A level has half the width and height of the one above, rounded down, and at least 1. Along an axis of even size a
// texel covers two. Along one of odd size 2m + 1 it covers (2m + 1) / m: its three taps have the shares m - i, m and
// i + 1 of 2m + 1 (Guthe and Heckbert 2005). An axis of size 1 keeps that size. A tile that is only a part of its level
// needs even sizes: then it gives its part of the next level alone.
//
// Means of linear bytes are computed in integers, with shares of 16 bits, other means in floats, with shares of 24
// bits. Minima and maxima are found in the order of the bits. Even sizes take a shorter path to the same results.
#ifndef WEFT_WORKGROUP_MIP
#define WEFT_WORKGROUP_MIP

#include "weft/thread/texel.glsl"

#ifdef WEFT_MIP_EVEN
bvec2 weft_mip_odd(uvec2 size) { return bvec2(false); }
#else
bvec2 weft_mip_odd(uvec2 size) { return bvec2((size & 1u) * uvec2(greaterThan(size, uvec2(1u)))); }
#endif

#ifdef WEFT_MIP_FLIP
#define WeftMipValue uvec4
const uint weft_mip_sign = 1u << (WEFT_CHANNEL_BITS - 1), weft_mip_bits = 2u * weft_mip_sign - 1u;
const uvec4 weft_mip_flip = WEFT_MIP_FLIP & weft_mip_bits;

#if WEFT_CHANNEL_BITS == 8
uint weft_mip_key(uint bits, uint flip) { return bits ^ flip; }
uint weft_mip_from_key(uint key, uint flip) { return key ^ flip; }
#else
// Keys in the order of numbers. NaNs have the last key, so that they give way to numbers; -0 is below 0.
uint weft_mip_key(uint bits, uint flip) {
  uint infinity = WEFT_CHANNEL_BITS == 16 ? 0x7C00u : 0x7F800000u;
  if ((bits & (weft_mip_sign - 1u)) > infinity) return weft_mip_bits;
  return bits ^ ((bits & weft_mip_sign) != 0u ? weft_mip_bits : weft_mip_sign) ^ flip;
}
uint weft_mip_from_key(uint key, uint flip) {
  key ^= flip;
  return key ^ ((key & weft_mip_sign) != 0u ? weft_mip_sign : weft_mip_bits);
}
#endif

WeftMipValue weft_mip_nothing() { return uvec4(weft_mip_bits); }
WeftMipValue weft_mip_value(uint units[T_WORDS]) {
  uvec4 bits = weft_channels(units), keys;
  [[unroll]] for (int c = 0; c < 4; ++c) keys[c] = weft_mip_key(bits[c], weft_mip_flip[c]);
  return keys;
}
uint[T_WORDS] weft_mip_units(WeftMipValue keys) {
  uvec4 bits;
  [[unroll]] for (int c = 0; c < 4; ++c) bits[c] = weft_mip_from_key(keys[c], weft_mip_flip[c]);
  return weft_units(bits);
}
WeftMipValue weft_mip(WeftMipValue taps[9], uvec2 at, uvec2 size) {
  WeftMipValue least = min(min(taps[0], taps[1]), min(taps[3], taps[4]));
  if (any(weft_mip_odd(size))) {
    [[unroll]] for (int k = 2; k < 9; ++k) least = min(least, taps[k]);
  }
  return least;
}

#elif WEFT_CHANNEL_BITS == 8 && !defined(WEFT_SRGB) && defined(WEFT_MIP_EVEN) && !defined(WEFT_MIP_COMBINE)
// Channels 0 and 2, and 1 and 3, in halves of words.
#define WeftMipValue uvec2
WeftMipValue weft_mip_nothing() { return uvec2(0u); }
WeftMipValue weft_mip_value(uint units[T_WORDS]) {
  uint word = 0u;
  [[unroll]] for (uint u = 0u; u < T_WORDS; ++u) word |= units[u] << (u * weft_unit_bits);
  return uvec2(word, word >> 8) & 0x00FF00FFu;
}
uint[T_WORDS] weft_mip_units(WeftMipValue x) {
  uint word = x.x | x.y << 8, units[T_WORDS];
  [[unroll]] for (uint u = 0u; u < T_WORDS; ++u) {
    units[u] = bitfieldExtract(word, int(u * weft_unit_bits), int(weft_unit_bits));
  }
  return units;
}
WeftMipValue weft_mip(WeftMipValue taps[9], uvec2 at, uvec2 size) {
  return ((taps[0] + taps[1] + taps[3] + taps[4] + 0x00020002u) >> 2) & 0x00FF00FFu;
}

#elif WEFT_CHANNEL_BITS == 8 && !defined(WEFT_SRGB)
#define WeftMipValue uvec4
WeftMipValue weft_mip_nothing() { return uvec4(0u); }
WeftMipValue weft_mip_value(uint units[T_WORDS]) { return weft_channels(units); }
uint[T_WORDS] weft_mip_units(WeftMipValue x) { return weft_units(min(x, 255u)); }

#ifndef WEFT_MIP_COMBINE
// In 65536ths.
uint weft_mip_share(uint taps, uint size) { return (taps << 16) / size; }
uvec3 weft_mip_shares(uint i, uint size) {
  if (size % 2u == 0u || size == 1u) return uvec3(32768u, 32768u, 0u);
  uint first = weft_mip_share(size / 2u - i, size), last = weft_mip_share(i + 1u, size);
  return uvec3(first, 65536u - first - last, last);
}
// A row's mean keeps 8 bits of fraction.
WeftMipValue weft_mip(WeftMipValue taps[9], uvec2 at, uvec2 size) {
  if (!any(weft_mip_odd(size))) return (taps[0] + taps[1] + taps[3] + taps[4] + 2u) >> 2;
  uvec3 columns = weft_mip_shares(at.x, size.x), rows = weft_mip_shares(at.y, size.y);
  uvec4 sum = uvec4(1u << 23);
  [[unroll]] for (int y = 0; y < 3; ++y) {
    uvec4 row = columns.x * taps[3 * y] + columns.y * taps[3 * y + 1] + columns.z * taps[3 * y + 2];
    sum += rows[y] * ((row + 128u) >> 8);
  }
  return sum >> 24;
}
#endif

#else
#define WeftMipValue vec4
WeftMipValue weft_mip_nothing() { return vec4(0.0); }
WeftMipValue weft_mip_value(uint units[T_WORDS]) { return weft_numbers(weft_channels(units)); }
uint[T_WORDS] weft_mip_units(WeftMipValue x) { return weft_units(weft_channels_of(x)); }

#ifndef WEFT_MIP_COMBINE
// In 2^24ths, by a division in two steps.
uint weft_mip_share(uint taps, uint size) {
  uint shifted = taps << 16;
  return ((shifted / size) << 8) | (((shifted % size) << 8) / size);
}
vec3 weft_mip_shares(uint i, uint size) {
  if (size % 2u == 0u || size == 1u) return vec3(0.5, 0.5, 0.0);
  uint first = weft_mip_share(size / 2u - i, size), last = weft_mip_share(i + 1u, size);
  return vec3(uvec3(first, (1u << 24) - first - last, last)) * (1.0 / 16777216.0);
}
WeftMipValue weft_mip(WeftMipValue taps[9], uvec2 at, uvec2 size) {
  if (!any(weft_mip_odd(size))) {
    precise vec4 upper = 0.5 * taps[0] + 0.5 * taps[1], lower = 0.5 * taps[3] + 0.5 * taps[4];
    precise vec4 mean = 0.5 * upper + 0.5 * lower;
    return mean;
  }
  vec3 columns = weft_mip_shares(at.x, size.x), rows = weft_mip_shares(at.y, size.y);
  precise vec4 sum = vec4(0.0);
  [[unroll]] for (int y = 0; y < 3; ++y) {
    precise vec4 row = columns.x * taps[3 * y] + columns.y * taps[3 * y + 1] + columns.z * taps[3 * y + 2];
    sum += rows[y] * row;
  }
  return sum;
}
#endif
#endif

#ifdef WEFT_MIP_COMBINE
#include "weft/thread/extremes.glsl"

WeftMipValue weft_mip_combine(WeftMipValue a, WeftMipValue b) {
  precise WeftMipValue result = WEFT_MIP_COMBINE;
  return result;
}
WeftMipValue weft_mip(WeftMipValue taps[9], uvec2 at, uvec2 size) {
  uvec2 covered = min(size, uvec2(2u) + uvec2(weft_mip_odd(size)));
  WeftMipValue total;
  [[unroll]] for (uint y = 0u; y < 3u; ++y) {
    if (y < covered.y) {
      WeftMipValue row = taps[3u * y];
      if (covered.x > 1u) row = weft_mip_combine(row, taps[3u * y + 1u]);
      if (covered.x > 2u) row = weft_mip_combine(row, taps[3u * y + 2u]);
      if (y > 0u) row = weft_mip_combine(total, row);
      total = row;
    }
  }
  return total;
}
#endif

// Axes of even size have no third taps. There the second is loaded once more, because a third texel may belong to a
// tile that is not finished. On an axis of size 1, the second tap is the first.
#define WEFT_MIP_TAPS(taps, at, size, load)                                                   \
  [[unroll]] for (uint weft_k = 0u; weft_k < 9u; ++weft_k) taps[weft_k] = weft_mip_nothing(); \
  [[unroll]] for (uint weft_k = 0u; weft_k < 4u; ++weft_k) {                                  \
    uvec2 tap = min(2u * (at) + uvec2(weft_k % 2u, weft_k / 2u), (size)-1u);                  \
    taps[weft_k % 2u + 3u * (weft_k / 2u)] = weft_mip_value(load);                            \
  }                                                                                           \
  if (any(weft_mip_odd(size))) {                                                              \
    [[unroll]] for (uint weft_k = 2u; weft_k < 9u; ++weft_k) {                                \
      if (weft_k == 3u || weft_k == 4u) continue;                                             \
      uvec2 weft_offset = uvec2(weft_k % 3u, weft_k / 3u);                                    \
      uvec2 weft_last = uvec2(1u) + uvec2(weft_mip_odd(size));                                \
      uvec2 tap = min(2u * (at) + min(weft_offset, weft_last), (size)-1u);                    \
      WeftMipValue weft_tap = weft_mip_value(load);                                           \
      if (all(lessThanEqual(weft_offset, weft_last))) taps[weft_k] = weft_tap;                \
    }                                                                                         \
  }

WeftMipValue weft_mip_of_four(WeftMipValue a, WeftMipValue b, WeftMipValue c, WeftMipValue d) {
  WeftMipValue none = weft_mip_nothing();
  return weft_mip(WeftMipValue[9](a, b, none, c, d, none, none, none, none), uvec2(0u), uvec2(2u));
}

const uint weft_mip_side = 1u << (WEFT_MIP_LEVELS - 1);

shared uint weft_mip_memory[T_WORDS][(4u * weft_mip_side * weft_mip_side - 1u) / 3u];

uint weft_mip_slot(uint level, uvec2 at) {
  uint side = weft_mip_side >> level;
  return 4u * (weft_mip_side * weft_mip_side - side * side) / 3u + at.y * side + at.x;
}

void weft_mip_put(uint level, uvec2 at, uint units[T_WORDS]) {
  [[unroll]] for (uint u = 0u; u < T_WORDS; ++u) weft_mip_memory[u][weft_mip_slot(level, at)] = units[u];
}
uint[T_WORDS] weft_mip_get(uint level, uvec2 at) {
  uint units[T_WORDS];
  [[unroll]] for (uint u = 0u; u < T_WORDS; ++u) units[u] = weft_mip_memory[u][weft_mip_slot(level, at)];
  return units;
}

uint[T_WORDS] weft_mip_next(uint level, uvec2 at, uvec2 size) {
  WeftMipValue taps[9];
  WEFT_MIP_TAPS(taps, at, size, weft_mip_get(level - 1u, tap))
  return weft_mip_units(weft_mip(taps, at, size));
}

#endif
