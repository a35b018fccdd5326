#pragma once

#include <cstdint>

#include <weft/element.h>
#include <weft/histogram.h>

namespace weft::algorithms {

/// A range divided into bins of equal width, as kernels take it. Mirrors WeftEven in shaders/thread/bin.glsl.
struct EvenBins {
  uint32_t lower = 0, last = 0, factor = 0, factor_high = 0, shift = 0, most = 0;
};
/// The same bytes for samples of 64 bits.
struct WideEvenBins {
  uint64_t lower, last, width;
};
static_assert(sizeof(WideEvenBins) == sizeof(EvenBins));

struct PreparedBins {
  EvenBins words;
  bool by_shift = false;    ///< The width is a power of two: WEFT_EVEN_SHIFT.
  bool covers_all = false;  ///< Known to hold every sample: integers of up to 32 bits.
  bool closed = false;      ///< The last bin has the upper end, which is a number of the samples' type: WEFT_CLOSED.
};

/// Whether samples are floats of up to 32 bits.
bool is_float_sample(const Element& element);

/// Whether samples are 64-bit integers.
bool is_wide_sample(const Element& element);

/// Prepares Bins::even(). Throws invalid_argument for an empty or infinite range, and for integers if its ends are not
/// whole or exceed the type's values.
PreparedBins prepare_even_bins(const Element& element, const Bins& bins);

}  // namespace weft::algorithms
