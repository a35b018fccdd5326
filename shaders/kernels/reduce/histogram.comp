#version 460
// Histogram: adds the number of samples of each channel in each bin to the counts.
//
// Inputs:  `count` pixels of WEFT_CHANNELS samples at source, a pixel's channels side by side; with WEFT_EDGES the
//          bins' edges, for each counted channel WEFT_BINS + 1 in ascending order; with WEFT_WEIGHTED a 32-bit weight
//          for each pixel. The counts were set to zero; without WEFT_BY_VALUE a single workgroup overwrites them.
// Macros:  WEFT_CONSECUTIVE optional: each workgroup has consecutive tiles, and each subgroup consecutive samples of
//                           those, as in reduce.comp
// Tile:    workgroup size * WEFT_ROWS packs; each workgroup takes every groups-th tile and counts in workgroup memory
//          (WEFT_SHARED_BINS), or directly in device memory if the bins do not fit.
// After:   Shams and Kennedy 2007, Efficient Histogram Algorithms for NVIDIA CUDA Compatible Devices; Gomez-Luna et al.
//          2013, An optimized approach to histogram computation on GPU (copies by lane).
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element_type.glsl"

#include "weft/kernels/reduce/histogram_counts.glsl"
#include "weft/workgroup/tile.glsl"

void count_in(uint bin, uint amount) {
#ifdef WEFT_SHARED_BINS
  weft_add_to_bin(bin, amount);
#else
  weft_add_to_counts(bin, uvec2(amount, 0u));
#endif
}

// All lanes of the subgroup call it together.
void count_sample(bool counted, uint slot, uint amount) {
#ifdef WEFT_AGGREGATE
  // One lane counts for all that share the first lane's slot, where skewed samples collide.
  uint leading = subgroupBroadcastFirst(slot);
  uvec4 same = subgroupBallot(counted && slot == leading);
  if (counted && slot == leading) {
    counted = gl_SubgroupInvocationID == subgroupBallotFindLSB(same);
    amount = subgroupBallotBitCount(same);
  }
#endif
  if (counted) count_in(slot, amount);
}

void count_samples(T x[WEFT_ROWS][WEFT_PACK], WeftEven even, uint tile, uint run, uint limit, bool full) {
#if WEFT_CHANNELS > 1 || defined(WEFT_WEIGHTED)
  // The pixel and the channel of the first tile's first sample.
  uint channel_of_first;
  uvec2 pixel = weft_divide(weft_multiply(uvec2(tile, 0u), weft_tile_size()), WEFT_CHANNELS, channel_of_first);
  uint block = pixel.y * (0xFFFFFFFFu / weft_block_words + 1u) + pixel.x / weft_block_words;
#endif
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    uint first = weft_pack_index(run, row) * WEFT_PACK;
    [[unroll]] for (int k = 0; k < WEFT_PACK; ++k) {
      uint sample_index = first + uint(k), slot = 0u, channel = 0u, amount = 1u;
      bool counted = full || sample_index < limit;
#if WEFT_CHANNELS > 1
      channel = (channel_of_first + sample_index) % WEFT_CHANNELS;
      counted = counted && channel < WEFT_COUNTED;
#endif
#if defined(WEFT_EDGES) && !defined(WEFT_BY_VALUE)
      if (counted) counted = weft_slot_of(x[row][k], even, channel, slot);
#else
      bool inside = weft_slot_of(x[row][k], even, channel, slot);  // Cheaper than a branch.
      counted = counted && inside;
#endif
#ifdef WEFT_WEIGHTED
      uint word = pixel.x % weft_block_words + (channel_of_first + sample_index) / WEFT_CHANNELS;
      if (counted) amount = weft_load_word(args.weights, block, word);
#endif
      count_sample(counted, slot, amount);
    }
  }
}

// Counts a run of rows of the tiles from `tile` on, which have `limit` samples.
void count_run(WeftEven even, uint tile, uint run, uint limit) {
  T x[WEFT_ROWS][WEFT_PACK];
  weft_load_rows(x, args.source, weft_has(args.options, weft_source_vectors), tile * weft_tile_blocks(), run, limit,
                 weft_zero());
  bool full = weft_run_is_full(run, limit);
#if defined(WEFT_BY_VALUE) || defined(WEFT_CONSECUTIVE)
  if (full) {  // Without conditions, a sample takes fewer instructions.
    count_samples(x, even, tile, run, limit, true);
    return;
  }
#endif
  count_samples(x, even, tile, run, limit, full);
}

void count_tiles(WeftEven even, uvec2 samples) {
  WeftExtent extent = weft_extent(samples);
#ifdef WEFT_CONSECUTIVE
  uint tiles_each = (extent.tiles + args.groups - 1u) / args.groups, first = weft_group_index() * tiles_each;
  uint limit = weft_limit_of_tiles(samples, first, tiles_each);
  for (uint round = 0u; round < tiles_each; ++round) {
    count_run(even, first, gl_SubgroupID * tiles_each + round, limit);
  }
#else
  for (uint tile = weft_group_index(); tile < extent.tiles; tile += args.groups) {
    count_run(even, tile, gl_SubgroupID, weft_tile_limit(extent, tile));
  }
#endif
}

void main() {
  uvec2 count = weft_count(args.count, args.options, args.count_on_device);
  WeftEven even = args.even;
#ifdef WEFT_SHARED_BINS
  weft_clear_counts();
#endif
  weft_load_edges();
  barrier();
  count_tiles(even, weft_multiply(count, WEFT_CHANNELS));
#ifdef WEFT_SHARED_BINS
  barrier();
  weft_put_counts(even);
#endif
}
