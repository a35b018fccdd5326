#include <algorithm>

#include "tests/algorithms/far/far.h"

using namespace weft;
using namespace weft::test;

namespace {

/// What a merge of two neighbouring runs does with a tile, and which of its segments start in it.
constexpr const char* merge_source = R"(#version 460
  layout(local_size_x_id = 0) in;
  #define WEFT_WIDE_INDEX
  #define WEFT_MERGE_SORT
  #define WEFT_SEGMENTS
  #define WEFT_ROWS 3
  #define WEFT_PACK 1
  #include "weft/kernels/sort/merge_work.glsl"
  #include "weft/workgroup/tile_segments.glsl"

  layout(buffer_reference, scalar, buffer_reference_align = 8) buffer Results { uvec2 at[]; };
  layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Heads { uint at[]; };

  void main() {
    // Addresses of elements in the merge's arguments have another meaning here.
    uvec2 offsets = args.first, number = args.first_values;
    Results results = Results(args.destination);
    Heads heads = Heads(args.destination_values);
    uint tile = args.second.x;

    WeftMergeCounts counts = weft_merge_counts();
    uint limit = weft_tile_limit(counts.extent, tile);
    WeftIndex start = weft_product(tile, weft_tile_size());
    heads.at[gl_LocalInvocationIndex] = weft_find_segments(offsets, number, start, limit);
    barrier();
    uvec2 whole = weft_whole_segments(offsets, start, limit);
    if (gl_LocalInvocationIndex != 0u) return;
    WeftMergePair pair = weft_merge_pair(counts, tile);
    WeftTileRange merged = weft_merged_range(counts, tile, limit, args.run_tiles);
    WeftTileRange settled = weft_settled_range(counts, tile, limit);
    results.at[0] = pair.first;
    results.at[1] = pair.second;
    results.at[2] = pair.first_count;
    results.at[3] = pair.second_count;
    results.at[4] = pair.diagonal;
    results.at[5] = pair.staying;
    results.at[6] = pair.moving;
    results.at[7] = uvec2(merged.begin, merged.end);
    results.at[8] = uvec2(settled.begin, settled.end);
    results.at[9] = whole;
  })";

/// Memory holds only the bounds around the second run: shaders/kernels/sort/merge_sort_segments.glsl.
struct MergedTile {
  uint64_t count, size, tile, run_tiles;
  uint64_t within = tile % (2 * run_tiles), run = run_tiles * size, tiles = (count + size - 1) / size;
  uint64_t start = tile * size, limit = std::min(size, count - start);
  uint64_t first = (tile - within) * size, first_count = std::min(count - first, run);
  uint64_t second = first + first_count, second_count = std::min(count - second, run);
  uint64_t first_bound = 2 * ((tile - within) / run_tiles) + 1;
  std::vector<uint64_t> bounds = {};

  /// Number of the tile's elements before that element of `from`, and of those after it.
  uint64_t elements_before(uint64_t element, uint64_t from) const {
    return element < from ? 0 : std::min(element - from, limit);
  }
  std::vector<uint64_t> expected(const std::vector<uint64_t>& offsets) const {
    const uint64_t diagonal = within * size;
    uint64_t staying = 0, moving = second_count, merged = 0, settled = limit << 32;
    if (second_count > 0) {
      staying = bounds[1] - std::min(bounds[1], first);
      moving = std::min(bounds[2] - second, second_count);
    }
    if (moving > 0) merged = elements_before(staying, diagonal) | elements_before(first_count + moving, diagonal) << 32;
    const uint64_t number = tile / run_tiles;
    if (number > 0) settled |= elements_before(bounds[2 * number + 1 - first_bound], start);
    if ((number + 1) * run_tiles < tiles) {
      settled = uint32_t(settled) | elements_before(bounds[2 * number + 2 - first_bound], start) << 32;
    }
    const auto begin = std::ranges::lower_bound(offsets, start), end = std::ranges::lower_bound(offsets, start + limit);
    const uint64_t whole = begin == end ? limit : (*begin - start) | (*(end - 1) - start) << 32;
    return {first, second, first_count, second_count, diagonal, staying, moving, merged, settled, whole};
  }
};

void check_merged_tile(Stream& stream, const Kernel& kernel, MergedTile merged, std::mt19937_64& generator) {
  const Device device = stream.device();
  INFO("tile ", merged.tile, " of ", merged.count, " elements, runs of ", merged.run_tiles);
  for (int i = 0; i < 4; ++i) merged.bounds.push_back(merged.first + generator() % (2 * merged.run));
  merged.bounds[2] = std::max(merged.bounds[2], merged.second);
  const std::vector<uint64_t> offset_list = offsets_around(merged.start, merged.size, false, generator);
  const uint64_t workgroup = merged.size / 3;
  const Guarded<uint64_t> bounds(device, stream, merged.bounds, generator), results(device, stream, 10, generator);
  const Guarded<uint64_t> offsets(device, stream, offset_list, generator);
  const Guarded<uint32_t> heads(device, stream, workgroup, generator);
  const struct {
    uint64_t offsets, tile, results, offset_number, none, heads, splits, counts_on_device[2], count, no_count;
    uint32_t run_tiles, options;
    uint64_t bounds;
    uint32_t bound_tiles, listed_tiles;
    uint64_t busy, busy_tiles;
  } block{.offsets = Region(offsets).address(),
          .tile = merged.tile,
          .results = Region(results).address(),
          .offset_number = offset_list.size(),
          .heads = Region(heads).address(),
          .count = merged.count,
          .run_tiles = uint32_t(merged.run_tiles),
          .bounds = Region(bounds).address() - 8 * merged.first_bound,
          .bound_tiles = uint32_t(merged.run_tiles)};
  stream.dispatch(kernel, {1, 1, 1}, block);
  check_same(results.read(stream), merged.expected(offset_list), "what is merged");
  std::vector<uint32_t> expected_heads(workgroup);
  for (const uint64_t offset : offset_list) {
    const uint64_t index = offset - merged.start;
    if (index < merged.limit) expected_heads[index / 3] |= 1u << index % 3;
  }
  check_same(heads.read(stream), expected_heads, "where segments start");
}

}  // namespace

DEVICE_TEST("merges find the runs and segments of a tile beyond 2^32 elements") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("far merges");
  const Kernel kernel = kernel_of_full_subgroups(device, merge_source);
  const uint64_t size = 3 * least_workgroup(device);
  for (const uint64_t power : {uint64_t(1) << 32, uint64_t(1) << 33, uint64_t(1) << 38}) {
    const uint64_t count = power - 7, tiles = (count + size - 1) / size;
    for (const uint64_t run_tiles : {uint64_t(1), uint64_t(64), tiles / 3, tiles - 2}) {
      for (const uint64_t tile : {tiles - 1, tiles - 2, tiles / 2, tiles / 4}) {
        check_merged_tile(stream, kernel, {count, size, tile, run_tiles}, generator);
      }
    }
  }
}
