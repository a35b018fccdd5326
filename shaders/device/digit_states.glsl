// Decoupled look-back of a radix sort: for each digit, the output offset of a tile's elements of that digit. Each
// invocation looks back for its own digits. (Adinets and Merrill 2022, Onesweep.)
//
// Gives:    weft_digit_state_words    32-bit words of a digit's state in one tile
//           void weft_publish_digit(row, digit, status, WeftIndex x)
//                        x is the tile's count of the digit, or with weft_tile_prefix the output offset after its last
//                        element of the digit
//           WeftIndex weft_look_back_digit(states, tile, digit)
//                        the output offset of the tile's elements of the digit; tile > 0
//           uvec2 weft_digit_row(states, tile)   the address of a tile's states
//           void weft_clear_digit_row(row)       by all invocations of a workgroup
// Macros:   WEFT_DIGITS           the number of digits
//           WEFT_SHORT_STATES     optional: define it if counts are below 2^30; a state is then one word
//           those of weft/thread/count.glsl and, without WEFT_SHORT_STATES, of weft/device/look_back.glsl
//
// States are zero before the dispatch, tiles are claimed with weft_claim_tile(), and the device guarantees forward
// progress between workgroups that have started. Tile 0 publishes prefixes at once.
#ifndef WEFT_DEVICE_DIGIT_STATES
#define WEFT_DEVICE_DIGIT_STATES

#pragma use_vulkan_memory_model
#include "weft/thread/memory.glsl"

#ifdef WEFT_SHORT_STATES
#include "weft/device/tile_state.glsl"

const uint weft_digit_state_words = 1u;

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer WeftShortStates { uint digit[]; };

void weft_publish_digit(uvec2 row, uint digit, uint status, WeftIndex x) {
  atomicStore(WeftShortStates(row).digit[digit], status << 30 | x, gl_ScopeDevice, gl_StorageSemanticsBuffer,
              gl_SemanticsRelaxed);
}

uint weft_look_at_digit(uvec2 row, uint digit, out WeftIndex x) {
  uint state =
      atomicLoad(WeftShortStates(row).digit[digit], gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
  x = state & 0x3FFFFFFFu;
  return state >> 30;
}

#else
#include "weft/subgroup/index_sum.glsl"

#include "weft/device/look_back.glsl"
#undef T
#undef WEFT_OP

#ifdef WEFT_WIDE_INDEX
const uint weft_index_state_words = 2u;
#else
const uint weft_index_state_words = 1u;
#endif
#ifdef WEFT_INT64_ATOMICS
const uint weft_digit_state_words = 2u * weft_index_state_words;
#else
const uint weft_digit_state_words = 1u + 2u * weft_index_state_words;
#endif

void weft_publish_digit(uvec2 row, uint digit, uint status, WeftIndex x) {
  weft_index_publish(WeftTileState(row), digit, status, x);
}

uint weft_look_at_digit(uvec2 row, uint digit, out WeftIndex x) {
  x = WeftIndex(0u);
  return weft_index_look_at(WeftTileState(row), digit, x);
}
#endif

uvec2 weft_digit_row(uvec2 states, uint tile) {
  return weft_element_address(states, 4u * weft_digit_state_words * WEFT_DIGITS, tile);
}

void weft_clear_digit_row(uvec2 row) {
  for (uint w = gl_LocalInvocationIndex; w < weft_digit_state_words * WEFT_DIGITS; w += gl_WorkGroupSize.x) {
    weft_store_word(row, 0u, w, 0u);
  }
}

WeftIndex weft_look_back_digit(uvec2 states, uint tile, uint digit) {
  WeftIndex before = WeftIndex(0u);
  uint status = weft_tile_empty;
  while (status != weft_tile_prefix) {
    WeftIndex x;
    status = weft_look_at_digit(weft_digit_row(states, tile - 1u), digit, x);
    if (status == weft_tile_empty) continue;
    before = weft_add(before, x);
    --tile;
  }
  return before;
}

#endif
