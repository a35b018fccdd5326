// Values of any size that are only moved, never looked at, unit by unit.
//
// Gives:    WeftPlace weft_value_place(WeftIndex value)   where a value starts: a block and a unit
//           uint weft_load_value_unit(memory, block, unit), void weft_store_value_unit(memory, block, unit, x)
// Macros:   WEFT_VALUE_UNITS        units of a value
//           WEFT_VALUE_UNIT_BYTES   4, or for values narrower than a word 1 or 2
//           those of weft/thread/elements.glsl
#ifndef WEFT_THREAD_VALUES
#define WEFT_THREAD_VALUES

#include "weft/thread/elements.glsl"

WeftPlace weft_value_place(WeftIndex value) {
  return weft_place_of_units(weft_multiply(weft_wide(value), WEFT_VALUE_UNITS),
                             weft_block_words * 4u / WEFT_VALUE_UNIT_BYTES);
}

uint weft_load_value_unit(uvec2 memory, uint block, uint unit) {
#if WEFT_VALUE_UNIT_BYTES == 1
  return weft_load_byte(memory, block, unit);
#elif WEFT_VALUE_UNIT_BYTES == 2
  return weft_load_half(memory, block, unit);
#else
  return weft_load_word(memory, block, unit);
#endif
}

void weft_store_value_unit(uvec2 memory, uint block, uint unit, uint x) {
#if WEFT_VALUE_UNIT_BYTES == 1
  weft_store_byte(memory, block, unit, x);
#elif WEFT_VALUE_UNIT_BYTES == 2
  weft_store_half(memory, block, unit, x);
#else
  weft_store_word(memory, block, unit, x);
#endif
}

#endif
