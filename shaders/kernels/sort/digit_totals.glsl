// The number of all keys of each digit of a pass.
//
// Gives:    WeftDigitTotals   buffer reference to them
// Macros:   those of weft/thread/count.glsl
#ifndef WEFT_KERNELS_DIGIT_TOTALS
#define WEFT_KERNELS_DIGIT_TOTALS

#include "weft/thread/count.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer WeftDigitTotals { WeftIndex digit[]; };

#endif
