// A choice of two that compilers make no branch of.
//
// Gives:    uint weft_pick(uint yes, uint a, uint b)   `a` if the first argument is 1, `b` if it is 0
//           the same for uvec2
//
// They make one of `c ? a : b`, and where half of the comparisons hold, a processor foresees none.
#ifndef WEFT_SERIAL_PICK
#define WEFT_SERIAL_PICK

uint weft_pick(uint yes, uint a, uint b) { return b ^ ((a ^ b) & (0u - yes)); }
uvec2 weft_pick(uint yes, uvec2 a, uvec2 b) { return uvec2(weft_pick(yes, a.x, b.x), weft_pick(yes, a.y, b.y)); }

#endif
