// The total of a part of a tile that one invocation runs over.
//
// Gives:    T weft_serial_reduce(source, second, tile, begin, end)   of the tile's elements `begin` to `end` - 1
// Macros:   those of weft/thread/operator.glsl, which is included before, and of weft/serial/tile.glsl
//           WEFT_COMMUTATIVE   optional: elements may be combined in any order
//
// Elements far apart have totals of their own: no total waits for the one before it, and neighbours make vectors.
#ifndef WEFT_SERIAL_REDUCE
#define WEFT_SERIAL_REDUCE

#include "weft/serial/tile.glsl"

#ifdef WEFT_COMMUTATIVE
const uint weft_parts = 64u;

void weft_add_parts(inout T parts[weft_parts], WeftSource source, uint count) {
  for (uint k = 0u; k < count; ++k) parts[k] = weft_combine(parts[k], weft_source_at(source, k));
}

T weft_serial_reduce(uvec2 source, uvec2 second, uint tile, uint begin, uint end) {
  T parts[weft_parts];
  for (uint k = 0u; k < weft_parts; ++k) parts[k] = weft_identity();
  uint rest = (end - begin) % weft_parts;
  for (uint i = begin; i < end - rest; i += weft_parts) {
    weft_add_parts(parts, weft_source_of(source, second, tile, i), weft_parts);
  }
  weft_add_parts(parts, weft_source_of(source, second, tile, end - rest), rest);
  for (uint step = weft_parts / 2u; step > 0u; step /= 2u) {
    for (uint k = 0u; k < step; ++k) parts[k] = weft_combine(parts[k], parts[k + step]);
  }
  return parts[0];
}
#else
T weft_serial_reduce(uvec2 source, uvec2 second, uint tile, uint begin, uint end) {
  WeftSource part = weft_source_of(source, second, tile, begin);
  T total = weft_identity();
  for (uint i = 0u; i < end - begin; ++i) total = weft_combine(total, weft_source_at(part, i));
  return total;
}
#endif

#endif
