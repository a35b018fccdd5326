// Shared by the kernels of hash tables: the table with the plan's values and operator.
//
// Gives:    what weft/device/hash_table.glsl gives, or with WEFT_HASH_BIDIRECTIONAL hash_table_bidirectional.glsl
//           WeftHashValue weft_value_of(T x), with a macro that needs T, the type of values
// Macros:   those of weft/device/hash_table.glsl; WEFT_HASH(key) is the user's expression
//           WEFT_COMBINE, WEFT_IDENTITY   the operator of a map that combines values, on T
//           WEFT_VALUE_AT                 expression of values, a T
//           those of weft/thread/element_type.glsl, with either
#ifndef WEFT_KERNELS_TABLE
#define WEFT_KERNELS_TABLE

#if defined(WEFT_COMBINE) || defined(WEFT_VALUE_AT)
#define WEFT_VALUES_HAVE_TYPE
#include "weft/thread/element_type.glsl"
#endif
#include "weft/device/hash_slots.glsl"

#ifdef WEFT_VALUES_HAVE_TYPE
WeftHashValue weft_value_of(T x) {
  WeftHashValue value;
  weft_from_words(weft_to_words(x), value);
  return value;
}
#endif

#ifdef WEFT_COMBINE
#include "weft/thread/operator.glsl"

WeftHashValue weft_combine_values(WeftHashValue a, WeftHashValue b) {
  T x, y;
  weft_from_words(weft_to_words(a), x);
  weft_from_words(weft_to_words(b), y);
  return weft_value_of(weft_combine(x, y));
}
#define WEFT_HASH_COMBINE(a, b) weft_combine_values(a, b)
#define WEFT_HASH_IDENTITY weft_value_of(weft_identity())
#endif

#ifdef WEFT_HASH_BIDIRECTIONAL
#include "weft/device/hash_table_bidirectional.glsl"
#else
#include "weft/device/hash_table.glsl"
#endif

#endif
