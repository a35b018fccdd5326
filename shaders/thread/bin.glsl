// Which of equally wide bins a number falls into, without a division.
//
// Gives:    WeftEven   a range cut into equally wide bins, as the host prepares it
//           bool weft_even_bin(x, even, out bin)   whether x is in the range; x is uint, int or float
// Macros:   WEFT_EVEN_SHIFT   optional: the width of a bin is a power of two, so that a shift does
// Usage:    uint bin;
//           if (weft_even_bin(x, args.even, bin)) ...
//
// Of integers bin = floor((x - lower) * bins / range), exactly. With range and x - lower shifted up so that the range's
// highest bit is bit 31, that is the upper word of (x - lower) times ceil(bins * 2^64 / range) / 2^32: the error that
// the ceiling makes stays below one bin's distance to the next. (Granlund and Montgomery 1994, Division by Invariant
// Integers using Multiplication.) Of floats bin = floor((x - lower) * (bins / range)) in single precision.
#ifndef WEFT_THREAD_BIN
#define WEFT_THREAD_BIN

struct WeftEven {
  uint lower;   // The range's lower end, as the bits of the number.
  uint last;    // Integers: range - 1. Floats: the upper end, which is outside.
  uint factor;  // Integers: the factor's lower word. Floats: bins / range.
  uint factor_high;
  uint shift;   // Integers: see above.
  uint most;    // Floats: bins - 1.
};

bool weft_even_bin(uint x, WeftEven even, out uint bin) {
  uint distance = x - even.lower;
#ifdef WEFT_EVEN_SHIFT
  bin = distance >> even.shift;
#else
  uint scaled = distance << even.shift, lowest, middle, upper, carry;
  umulExtended(scaled, even.factor, middle, lowest);
  umulExtended(scaled, even.factor_high, upper, lowest);
  uaddCarry(lowest, middle, carry);
  bin = upper + carry;
#endif
  return distance <= even.last;
}

bool weft_even_bin(int x, WeftEven even, out uint bin) { return weft_even_bin(uint(x), even, bin); }

bool weft_even_bin(float x, WeftEven even, out uint bin) {
  float lower = uintBitsToFloat(even.lower), upper = uintBitsToFloat(even.last);
  bool inside = x >= lower && x < upper;
  // The product may round up to the number of bins.
  bin = inside ? min(uint((x - lower) * uintBitsToFloat(even.factor)), even.most) : 0u;
  return inside;
}

#endif
