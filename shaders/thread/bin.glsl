// The bin of a number, of equally wide bins, without a division.
//
// Gives:    WeftEven   a range divided into equally wide bins, as the host prepares it
//           bool weft_even_bin(x, even, out bin)   whether x is in the range; x is uint, int or float
// Macros:   WEFT_EVEN_SHIFT   optional: the width of a bin is a power of two, so a shift is enough
//           WEFT_EVEN_64      optional: x is uint64_t or int64_t instead, and the number of bins follows `even`
//           WEFT_CLOSED       optional: the last bin also has the range's upper end
// Usage:    uint bin;
//           if (weft_even_bin(x, args.even, bin)) ...
//
// For integers bin = floor((x - lower) * bins / range), exactly. With range and x - lower shifted up so that the
// range's highest bit is bit 31, that is the upper word of (x - lower) times ceil(bins * 2^64 / range) / 2^32: the
// error of the ceiling stays below the distance to the next bin. (Granlund and Montgomery 1994, Division by Invariant
// Integers using Multiplication.) For floats bin = floor((x - lower) * (bins / range)) in single precision.
#ifndef WEFT_THREAD_BIN
#define WEFT_THREAD_BIN

#ifdef WEFT_EVEN_64

struct WeftEven {
  uvec2 lower;  // The range's lower end.
  uvec2 last;   // range - 1.
  uvec2 width;  // floor(range / bins).
};

// Bin b starts at ceil(b * range / bins) = b * width + ceil(b * rest / bins), with rest = range - bins * width.
bool weft_even_bin(uint64_t x, WeftEven even, uint bins, out uint bin) {
  uint64_t distance = x - packUint2x32(even.lower), last = packUint2x32(even.last), width = packUint2x32(even.width);
  uint64_t rest = last + 1ul - width * bins;
  uint below = 0u, above = bins;
  while (above - below > 1u) {
    uint middle = (below + above) / 2u;
    if (middle * width + (middle * rest + (bins - 1u)) / bins <= distance) {
      below = middle;
    } else {
      above = middle;
    }
  }
  bin = below;
#ifdef WEFT_CLOSED
  if (distance == last + 1ul) return true;
#endif
  return distance <= last;
}

bool weft_even_bin(int64_t x, WeftEven even, uint bins, out uint bin) {
  return weft_even_bin(uint64_t(x), even, bins, bin);
}

#else

struct WeftEven {
  uint lower;   // The range's lower end, as the bits of the number.
  uint last;    // Integers: range - 1, with WEFT_CLOSED range. Floats: the upper end.
  uint factor;  // Integers: the factor's lower word. Floats: bins / range.
  uint factor_high;
  uint shift;   // Integers: see above.
  uint most;    // Floats, and integers with WEFT_CLOSED: bins - 1.
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
#ifdef WEFT_CLOSED
  bin = min(bin, even.most);
#endif
  return distance <= even.last;
}

bool weft_even_bin(int x, WeftEven even, out uint bin) { return weft_even_bin(uint(x), even, bin); }

bool weft_even_bin(float x, WeftEven even, out uint bin) {
  float lower = uintBitsToFloat(even.lower), upper = uintBitsToFloat(even.last);
#ifdef WEFT_CLOSED
  bool inside = x >= lower && x <= upper;
#else
  bool inside = x >= lower && x < upper;
#endif
  // The product may round up to the number of bins.
  bin = inside ? min(uint((x - lower) * uintBitsToFloat(even.factor)), even.most) : 0u;
  return inside;
}

#endif

#endif
