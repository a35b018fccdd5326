#version 460
// Image pyramids in one dispatch: each texel of a level from the 2 x 2 that it covers in the level above, or 3 along an
// axis of odd size (weft/workgroup/mip.glsl).
//
// Inputs:  the images of all layers, args.width * args.height texels each; room for the levels below. A counter for
//          each tile that is not of the first step, all zero before and after.
// Tile:    weft_mip_side^2 texels of a level, and those of the next levels that depend on these alone. All tiles of the
//          same levels are a step. A finished tile arrives at the tiles of the next step that read it. The last to
//          arrive goes on with that tile, so nobody waits.
// After:   AMD FidelityFX Single Pass Downsampler (the last workgroup finishes); Guthe and Heckbert 2005, Non
//          Power-of-Two Mipmap Creation (three taps).
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#define T WeftMipValue  // For the operator.
#include "weft/device/tickets.glsl"
#include "weft/device/tree_up.glsl"
#include "weft/thread/memory.glsl"
#include "weft/workgroup/mip.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 image;
  uvec2 levels;
  WeftTreeCounters counters;
  uint width;
  uint height;
  uint level_count;   // With level 0.
  uint tiles;         // Of the first step, in all layers.
  uint layer_texels;  // Of all levels of a layer but level 0.
  uint layer_counters;
}
args;

struct Step {
  uint above;     // The level that its first one is computed from.
  uint levels;    // The number of levels.
  uint counters;  // Index of the first counter in a layer. The first step has none.
  uvec2 tiles;
};

const uint side = weft_mip_side;

// A level of a layer: its size, and the index of its first texel, of level 0 in args.image, of others in args.levels.
struct Level {
  uvec2 size;
  uint first;
};

Level level_below(Level level) {
  return Level(max(level.size >> 1, uvec2(1u)), level.first + level.size.x * level.size.y);
}

uvec2 size_of(uint level) { return max(uvec2(args.width, args.height) >> level, uvec2(1u)); }

Level level_at(uint layer, uint index) {
  if (index == 0u) return Level(size_of(0u), layer * args.width * args.height);
  Level level = Level(size_of(1u), layer * args.layer_texels);
  for (uint k = 1u; k < index; ++k) level = level_below(level);
  return level;
}

// The levels of a step whose first one has that size.
uint levels_of_step(uint above, uvec2 size, bool is_whole) {
  uint most = min(args.level_count - 1u - above, uint(WEFT_MIP_LEVELS)), levels = 1u;
  while (levels < most && (is_whole || !any(weft_mip_odd(size)))) {
    size = max(size >> 1, uvec2(1u));
    ++levels;
  }
  return levels;
}

Step step_below(uint above, uint counters) {
  uvec2 size = size_of(above + 1u), tiles = (size + (side - 1u)) / side;
  return Step(above, levels_of_step(above, size, tiles == uvec2(1u)), counters, tiles);
}

Step next_step(Step step) {
  uint counters = step.above == 0u ? 0u : step.counters + step.tiles.x * step.tiles.y;
  return step_below(step.above + step.levels, counters);
}

Step step_at(uint index) {
  Step step = step_below(0u, 0u);
  for (uint k = 0u; k < index; ++k) step = next_step(step);
  return step;
}

uvec2 row_at(uvec2 memory, uint texel) { return weft_element_address(memory, T_BYTES, texel); }

uint[T_WORDS] texel_below(bool of_image, Level above, uvec2 at) {
  WeftMipValue taps[9];
  if (of_image) {
    WEFT_MIP_TAPS(taps, at, above.size, weft_load_texel(row_at(args.image, above.first + tap.y * above.size.x), tap.x))
  } else {
    WEFT_MIP_TAPS(taps, at, above.size,
                  weft_load_shared_texel(row_at(args.levels, above.first + tap.y * above.size.x), tap.x))
  }
  return weft_mip_units(weft_mip(taps, at, above.size));
}

// The next step loads texels of the step's last level.
void store_texel(bool is_last, uvec2 row, uint x, uint units[T_WORDS]) {
  if (is_last)
    weft_store_shared_texel(row, x, units);
  else
    weft_store_texel(row, x, units);
}

// Whether a step's blocks are of texels that other workgroups stored. Blocks of wide ones take too many registers.
bool has_shared_blocks(Step step) { return T_BYTES <= 8 && step.above > 0u; }

// Whether the first two levels of a step are computed from blocks of 4 x 4 texels of the level above.
bool has_blocks(Step step, Level above) {
  if (step.levels == 1u || (above.size.x | above.size.y) % 4u != 0u) return false;
  if (step.above == 0u) return args.image.x % weft_four_texels_align == 0u;
  return has_shared_blocks(step) && row_at(args.levels, above.first).x % weft_four_shared_texels_align == 0u;
}

void load_block(bool is_shared, Level above, uvec2 at, out uint words[4][T_BYTES]) {
  uvec2 block = row_at(is_shared ? args.levels : args.image, above.first + 4u * at.y * above.size.x);
  [[unroll]] for (uint y = 0u; y < 4u; ++y) {
    uint x = 4u * at.x + y * above.size.x;
    if (is_shared)
      words[y] = weft_load_four_shared_texels(block, x);
    else
      words[y] = weft_load_four_texels(block, x);
  }
}

// The texels of the level below that a block has: 2 x 2, row by row.
WeftMipValue[4] filter_block(uint words[4][T_BYTES]) {
  WeftMipValue values[4];
  [[unroll]] for (uint k = 0u; k < 4u; ++k) {
    uint x = 2u * (k % 2u), y = 2u * (k / 2u);
    values[k] = weft_mip_of_four(weft_mip_value(weft_texel_of_four(words[y], x)),
                                 weft_mip_value(weft_texel_of_four(words[y], x + 1u)),
                                 weft_mip_value(weft_texel_of_four(words[y + 1u], x)),
                                 weft_mip_value(weft_texel_of_four(words[y + 1u], x + 1u)));
  }
  return values;
}

void compute_block(Step step, Level above, Level first, Level second, uvec2 at, uvec2 in_tile) {
  uint words[4][T_BYTES];
  load_block(has_shared_blocks(step), above, at, words);
  WeftMipValue values[4] = filter_block(words);
  uvec2 row = row_at(args.levels, first.first + 2u * at.y * first.size.x);
  [[unroll]] for (uint y = 0u; y < 2u; ++y) {
    uint left[T_WORDS] = weft_mip_units(values[2u * y]), right[T_WORDS] = weft_mip_units(values[2u * y + 1u]);
    weft_store_two_texels(row, 2u * at.x + y * first.size.x, left, right);
    values[2u * y] = weft_mip_value(left);
    values[2u * y + 1u] = weft_mip_value(right);
  }
  uint units[T_WORDS] = weft_mip_units(weft_mip_of_four(values[0], values[1], values[2], values[3]));
  weft_mip_put(1u, in_tile, units);
  store_texel(step.levels == 2u, row_at(args.levels, second.first + at.y * second.size.x), at.x, units);
}

void compute_blocks(Step step, Level above, Level first, Level second, uvec2 tile) {
  const uint blocks = side / 2u;
  for (uint i = gl_LocalInvocationIndex; i < blocks * blocks; i += gl_WorkGroupSize.x) {
    uvec2 in_tile = uvec2(i % blocks, i / blocks), at = blocks * tile + in_tile;
    if (all(lessThan(at, second.size))) compute_block(step, above, first, second, at, in_tile);
  }
}

// Level k of the tile. `top` is the level above the step; `above` and `in_tile` are the sizes of the level above and of
// this one in the tile.
void compute_level(Step step, Level top, uvec2 tile, uint k, Level level, uvec2 above, uvec2 in_tile) {
  uint tile_shift = WEFT_MIP_LEVELS - 1u - k;
  for (uint i = gl_LocalInvocationIndex; i < 1u << (2u * tile_shift); i += gl_WorkGroupSize.x) {
    uvec2 at = uvec2(i & ((1u << tile_shift) - 1u), i >> tile_shift), in_level = (tile << tile_shift) + at;
    if (any(greaterThanEqual(at, in_tile))) continue;
    uint units[T_WORDS];
    if (k == 0u) {
      units = texel_below(step.above == 0u, top, in_level);
    } else {
      units = weft_mip_next(k, at, above);
    }
    weft_mip_put(k, at, units);
    store_texel(k + 1u == step.levels, row_at(args.levels, level.first + in_level.y * level.size.x), in_level.x, units);
  }
}

void compute_tile(Step step, uint layer, uvec2 tile) {
  Level top = level_at(layer, step.above), level = level_at(layer, step.above + 1u);
  uvec2 above, in_tile = min(uvec2(side), level.size - side * tile);
  uint k = 0u;
  if (has_blocks(step, top)) {
    Level second = level_below(level);
    compute_blocks(step, top, level, second, tile);
    barrier();
    level = level_below(second);
    above = in_tile / 2u;
    in_tile = max(above / 2u, uvec2(1u));
    k = 2u;
  }
  for (; k < step.levels; ++k) {
    compute_level(step, top, tile, k, level, above, in_tile);
    barrier();
    level = level_below(level);
    above = in_tile;
    in_tile = max(in_tile / 2u, uvec2(1u));
  }
}

// Tiles that this workgroup goes on with: index of the step, index of the tile. A step adds four at most.
shared uvec2 ready[64];
shared uint ready_count;

// `source` is a tile of the step before, `reach` the number of such tiles along an axis for one of this step.
void arrive_at(Step step, uint index, uint layer, uvec2 tile, uvec2 source, uint reach) {
  if (any(greaterThanEqual(tile, step.tiles))) return;
  uvec2 size = size_of(step.above);
  uvec2 last_texel = min(2u * side * (tile + 1u) - 1u + size % 2u, size - 1u);
  uvec2 last = last_texel * reach / (2u * side);
  if (any(greaterThan(source, last))) return;
  uvec2 needed = last - reach * tile + 1u;
  uint tile_index = tile.y * step.tiles.x + tile.x;
  uint counter = layer * args.layer_counters + step.counters + tile_index;
  if (!weft_tree_arrive(args.counters, counter, needed.x * needed.y)) return;
  args.counters.arrived[counter] = 0u;
  ready[atomicAdd(ready_count, 1u)] = uvec2(index, tile_index);
}

// A step's tile is needed by one of the next, and by the one before that if it has its third tap.
void arrive(Step step, uint index, uint layer, uvec2 source) {
  if (step.above + step.levels + 1u == args.level_count) return;
  uint reach = 2u << (step.levels - 1u);
  uvec2 tile = source / reach, others = uvec2(equal(source % reach, uvec2(0u))) * min(tile, uvec2(1u));
  for (uint y = 0u; y <= others.y; ++y) {
    for (uint x = 0u; x <= others.x; ++x) {
      arrive_at(next_step(step), index + 1u, layer, tile - uvec2(x, y), source, reach);
    }
  }
}

// Between the invocation that arrives and the others of the workgroup, which store and load texels. Its arrival orders
// them among workgroups (weft/device/tree_up.glsl), so that one invocation waits for memory instead of all.
void hand_over() {
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                 gl_SemanticsAcquireRelease);
}

void main() {
  Step step = step_at(0u);
  uint group = weft_group_index(), layer_tiles = step.tiles.x * step.tiles.y, index = 0u;
  if (group >= args.tiles) return;
  uint layer = group / layer_tiles, tile_index = group % layer_tiles;
  if (gl_LocalInvocationIndex == 0u) ready_count = 0u;
  while (true) {
    uvec2 tile = uvec2(tile_index % step.tiles.x, tile_index / step.tiles.x);
    compute_tile(step, layer, tile);
    hand_over();
    if (gl_LocalInvocationIndex == 0u) arrive(step, index, layer, tile);
    hand_over();
    uint left = subgroupBroadcastFirst(ready_count);  // Makes it uniform.
    if (left == 0u) break;
    uvec2 work = subgroupBroadcastFirst(ready[left - 1u]);
    barrier();
    if (gl_LocalInvocationIndex == 0u) ready_count = left - 1u;
    index = work.x;
    tile_index = work.y;
    step = step_at(index);
  }
}
