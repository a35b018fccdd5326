// Decoupled look-back: the totals of all tiles before this one, combined, while those tiles are still in progress.
// (Merrill and Garland 2016, Single-pass Parallel Prefix Scan with Decoupled Look-back.)
//
// Gives:    WeftTileState   buffer reference to the tiles' states, all zero before the dispatch:
//                           tiles * 2 * n words with WEFT_INT64_ATOMICS and tiles * (1 + 2 * n) without, n words in a T
//           T WEFT_OP(look_back)(WeftTileState state, uint tile, T total)
//                           the totals of tiles 0 to tile - 1, combined in order; `total` is this tile's
// Macros:   those of weft/thread/operator.glsl, which is included before
//           WEFT_INT64_ATOMICS   define it if the device has 64-bit atomics on buffers
//           WEFT_LOOK_BACK_PAUSE optional: rounds of idling before the first look
// Usage:    uint tile = weft_claim_tile(args.ticket);
//           ...
//           uint before = sum_look_back(args.state, tile, total);
//
// All invocations of the workgroup call it together. Tiles are claimed with weft_claim_tile(), and the device
// guarantees forward progress between workgroups that have started. It ends with a barrier, so workgroup memory
// written before the call can be read after it; a barrier is needed between two calls. Include this file once for each
// operator.
//
// A tile publishes its own total at once, and its prefix, the total of all tiles up to its end, as soon as that is
// known. Each lane of the first subgroup looks at one preceding tile; the subgroup moves back until it finds a prefix.
// On fast GPUs a short wait before the first look pays off: more tiles have published a prefix, so fewer looks are
// needed, with less traffic on the few cache lines that all tiles read.

#pragma use_vulkan_memory_model
#extension GL_EXT_control_flow_attributes : require
#include "weft/device/tile_state.glsl"
#include "weft/subgroup/reduce_scan.glsl"

shared T WEFT_OP(look_back_result);

void WEFT_OP(publish)(WeftTileState state, uint tile, uint status, T x) {
  uint words[] = weft_to_words(x);
#ifdef WEFT_INT64_ATOMICS
  [[unroll]] for (int w = 0; w < words.length(); ++w) {
    weft_write_packet(state, tile * words.length() + uint(w), status, words[w]);
  }
#else
  uint first = tile * (1u + 2u * words.length());
  uint value = first + 1u + (status == weft_tile_prefix ? words.length() : 0u);
  [[unroll]] for (int w = 0; w < words.length(); ++w) weft_write_word(state, value + uint(w), words[w]);
  weft_write_status(state, first, status);
#endif
}

// The tile's status, and in x the value it has published; x is unchanged if there is none yet.
uint WEFT_OP(look_at)(WeftTileState state, uint tile, inout T x) {
  uint words[] = weft_to_words(x);
#ifdef WEFT_INT64_ATOMICS
  // Packets with different statuses: the tile is still writing a value.
  uint status;
  bool same = true;
  [[unroll]] for (int w = 0; w < words.length(); ++w) {
    uvec2 packet = weft_read_packet(state, tile * words.length() + uint(w));
    words[w] = packet.x;
    if (w == 0) status = packet.y;
    same = same && packet.y == status;
  }
  if (!same) status = weft_tile_empty;
#else
  uint first = tile * (1u + 2u * words.length());
  uint status = weft_read_status(state, first);
  uint value = first + 1u + (status == weft_tile_prefix ? words.length() : 0u);
  if (status != weft_tile_empty) {
    [[unroll]] for (int w = 0; w < words.length(); ++w) words[w] = weft_read_word(state, value + uint(w));
  }
#endif
  if (status != weft_tile_empty) weft_from_words(words, x);
  return status;
}

T WEFT_OP(look_back)(WeftTileState state, uint tile, T total) {
  if (gl_SubgroupID == 0u) {
    bool first_lane = gl_SubgroupInvocationID == 0u;
    if (first_lane) WEFT_OP(publish)(state, tile, tile == 0u ? weft_tile_prefix : weft_tile_aggregate, total);

    uint lanes = weft_lanes();
    T before = WEFT_OP(identity)();  // The total of tiles [end, tile).
    uint end = tile;
    bool done = tile == 0u;
#ifdef WEFT_LOOK_BACK_PAUSE
    uint idle = 2u * tile + 1u;  // Stays odd, which no compiler should prove.
    uint rounds = tile < 256u ? 0u : WEFT_LOOK_BACK_PAUSE;  // The first tiles on a GPU have few before them.
    [[dont_unroll]] for (uint k = 0u; k < rounds; ++k) idle = (3u * idle + 2u) * idle + 2u;
    done = done || idle == 0u;
#endif
    while (!done) {
      // This lane's tile is end - lanes + lane, if it exists. Tile 0 publishes its prefix at once, so no look goes past
      // it, and tiles before it count as published.
      uint status = weft_tile_aggregate;
      T x = WEFT_OP(identity)();
      if (end + gl_SubgroupInvocationID >= lanes) {
        status = WEFT_OP(look_at)(state, end + gl_SubgroupInvocationID - lanes, x);
      }
      int last_prefix = weft_last_lane(status == weft_tile_prefix);
      int last_empty = weft_last_lane(status == weft_tile_empty);
      if (last_empty <= last_prefix || last_empty < 0) {
        if (int(gl_SubgroupInvocationID) < last_prefix) x = WEFT_OP(identity)();
        before = WEFT_OP(combine)(WEFT_OP(subgroup_reduce)(x), before);
        end -= lanes;
        done = last_prefix >= 0;
      }
    }
    if (first_lane) {
      if (tile > 0u) WEFT_OP(publish)(state, tile, weft_tile_prefix, WEFT_OP(combine)(before, total));
      WEFT_OP(look_back_result) = before;
    }
  }
  barrier();
  return WEFT_OP(look_back_result);
}
