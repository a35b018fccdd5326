#version 460
// Inserts the keys that hash_insert_bidirectional.comp has left. Each workgroup inserts one key at a time. It runs
// twice: first with a workgroup for each bucket, which leaves few keys if any, then with one, so that nobody is in the
// way.
//
// Inputs:  those of hash_insert.comp, and the results so far.
// Results: weft_hash_found, weft_hash_inserted, weft_hash_full; weft_hash_busy, the first time, for keys that are left.
// Tile:    workgroup size * WEFT_ROWS keys.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/kernels/tables/counts.glsl"
#include "weft/kernels/tables/insert_key.glsl"
#include "weft/kernels/tables/left_keys.glsl"

shared uint weft_any;

bool any_of_workgroup(bool mine) {
  if (gl_LocalInvocationIndex == 0u) weft_any = 0u;
  barrier();
  if (mine) atomicOr(weft_any, 1u);
  barrier();
  bool any = subgroupBroadcastFirst(weft_any) != 0u;
  barrier();
  return any;
}

bool is_left(uint tile, uint element) { return weft_load_words(args.results, tile, element, 0u) == weft_hash_busy; }

// Adds the results of a tile's keys that are left. Whether this invocation has left one again.
bool insert_left(uint tile, uint limit, inout uvec3 results) {
  bool leaves = false;
  for (uint row = 0u; row < limit; row += gl_WorkGroupSize.x) {
    uint element = row + gl_LocalInvocationIndex;
    bool mine = element < limit && is_left(tile, element);
    if (!any_of_workgroup(mine)) continue;
    for (uint turn = 0u; turn < gl_WorkGroupSize.x; ++turn) {
      if (turn == gl_LocalInvocationIndex && mine) {
        uint result = weft_process_one(tile, element);
        results += weft_one(result);
        leaves = leaves || result == weft_hash_busy;
      }
      barrier();
    }
  }
  return leaves;
}

void insert_bucket(WeftExtent extent, uint bucket, inout uvec3 results) {
  bool leaves = false;
  for (uint tile = bucket; tile < extent.tiles; tile += weft_left_buckets) {
    uint limit = weft_tile_limit(extent, tile);
    bool has = false;
    for (uint element = gl_LocalInvocationIndex; element < limit; element += gl_WorkGroupSize.x) {
      has = has || is_left(tile, element);
    }
    if (any_of_workgroup(has) && insert_left(tile, limit, results)) leaves = true;
  }
  if (!any_of_workgroup(leaves) && gl_LocalInvocationIndex == 0u) weft_set_left(args.left, bucket, false);
}

void main() {
  WeftExtent extent = weft_keys_extent();
  if (!any_of_workgroup(weft_any_left(args.left))) return;
  uvec3 results = uvec3(0u);
  for (uint bucket = weft_group_index(); bucket < weft_left_buckets; bucket += gl_NumWorkGroups.x) {
    if (weft_has_left(args.left, bucket)) insert_bucket(extent, bucket, results);
  }
  weft_add_left(args.left, -int(results.x + results.y + results.z));
  weft_add_results(args.counts, args.options, results);
}
