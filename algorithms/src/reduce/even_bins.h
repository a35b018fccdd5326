#pragma once

#include <cstdint>

#include <weft/element.h>
#include <weft/histogram.h>

namespace weft::algorithms {

/// A range cut into equally wide bins, as kernels take it. Mirrors WeftEven of shaders/thread/bin.glsl.
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
  bool by_shift = false;  ///< The width is a power of two: WEFT_EVEN_SHIFT.
};

/// Whether a scalar of up to 32 bits is a floating-point number.
bool is_float_sample(const Element& element);

/// Whether a scalar is an integer of 64 bits.
bool is_wide_sample(const Element& element);

/// Prepares Bins::even(). Throws invalid_argument for a range that is empty, not finite, or not whole and beyond what
/// can be told apart for integers.
PreparedBins prepare_even_bins(const Element& element, const Bins& bins);

}  // namespace weft::algorithms
