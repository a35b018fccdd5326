#include <algorithm>

#include "tests/algorithms/far/far.h"

using namespace weft;
using namespace weft::test;

namespace weft::test {

Kernel kernel_of_full_subgroups(const Device& device, const char* source) {
  const uint64_t workgroup = least_workgroup(device), lanes = std::max(1u, device.info().limits.min_subgroup_size);
  const GlslOptions options{.defines = {{"WEFT_MAX_SUBGROUPS", std::to_string(workgroup / lanes)}}};
  return device.kernel(compile_glsl(source, options), KernelOptions().specialize(0, uint32_t(workgroup)));
}

std::vector<uint64_t> offsets_around(uint64_t start, uint64_t size, bool dense, std::mt19937_64& generator) {
  std::vector<uint64_t> offsets{0, start / 2, start - 1, start + size, start + 2 * size};
  for (uint64_t i = 0; i < (dense ? 2 * size : 9); ++i) offsets.push_back(start + generator() % size);
  std::ranges::sort(offsets);
  return offsets;
}

}  // namespace weft::test

namespace {

/// Reads and writes one tile at any index, and finds its flagged elements and the heads of its segments.
constexpr const char* tile_source = R"(#version 460
  layout(local_size_x_id = 0) in;
  #define WEFT_WIDE_INDEX
  #define WEFT_ROWS 2
  #define WEFT_STAGED_ROWS 1
  #define WEFT_COUNT_BITS 16
  #define WEFT_REVERSED
  #include "weft/workgroup/scan_counts.glsl"
  #define T uint
  #define T_WORDS 1
  #define WEFT_KEY_SCALAR uint
  #define K_WORDS 1
  #define K_BYTES 4
  #define WEFT_TRANSFORM x + i * 3u + i_high * 0x10001u
  #include "weft/kernels/select/partitioned_tile.glsl"
  #include "weft/kernels/select/others.glsl"
  #include "weft/serial/tile.glsl"
  #include "weft/workgroup/heads_at_offsets.glsl"
  #include "weft/workgroup/transform.glsl"

  layout(buffer_reference, scalar, buffer_reference_align = 8) buffer Results { uvec2 at[]; };
  layout(push_constant, scalar) uniform Arguments {
    uvec2 source, destination, flags, marks, index, offsets;
    Results results;
    uvec2 offset_number, count, rank;
    uint tile, total;
  } args;

  void main() {
    WeftExtent extent = weft_extent(args.count);
    uint limit = weft_tile_limit(extent, args.tile), block = args.tile * weft_tile_blocks();
    uint x[WEFT_ROWS][WEFT_PACK], flagged[WEFT_ROWS], heads[WEFT_ROWS];
    weft_load_source(x, args.source, uvec2(0u), true, args.tile, gl_SubgroupID, limit, 0u);
    weft_store_rows(x, args.destination, true, block, gl_SubgroupID, limit);
    weft_select_rows(args.flags, true, args.tile, gl_SubgroupID, limit, flagged);
    weft_head_rows_at(args.offsets, args.offset_number, args.tile, limit, heads);
    for (int row = 0; row < WEFT_ROWS; ++row) {
      for (int k = 0; k < WEFT_PACK; ++k) x[row][k] = (flagged[row] >> k & 1u) | (heads[row] >> k & 1u) << 1;
    }
    weft_store_rows(x, args.marks, true, block, gl_SubgroupID, limit);
    if (gl_LocalInvocationIndex != 0u) return;
    WeftIndex start = weft_tile_start(args.tile);
    WeftIndex middle = weft_half(start);  // An index has twice the bytes of an element.
    weft_store_index(args.index, middle, weft_add(start, 5u));
    args.results.at[0] = uvec2(extent.tiles, extent.full);
    args.results.at[1] = uvec2(extent.tail, limit);
    args.results.at[2] = start;
    args.results.at[3] = weft_load_index(args.index, middle);
    args.results.at[4] = weft_others_index(args.tile, args.rank, args.total, limit, args.count);
    args.results.at[5] = weft_tile_index(args.tile, 7u);
    args.results.at[6] = weft_subtract(weft_part_of(args.source, 12u, args.tile, 7u), args.source);
    if (limit > 0u) weft_store_at(args.destination, start, weft_load_at(args.destination, start) + 9u);
  })";

/// Tile `tile` of `count` elements, in memory that holds only this tile.
void check_far_tile(Stream& stream, const Kernel& kernel, uint64_t count, uint64_t tile, std::mt19937_64& generator) {
  const Device device = stream.device();
  const uint64_t size = 8 * least_workgroup(device), start = tile * size;
  const uint64_t limit = std::min(size, count - std::min(count, start));
  INFO("tile ", tile, " of ", count, " elements");
  const std::vector<uint32_t> data = random_values<uint32_t>(size, generator);
  std::vector<uint32_t> flag_words(size);
  for (uint32_t& flag : flag_words) flag = generator() % 3 == 0 ? uint32_t(generator()) | 1 : 0;
  const std::vector<uint64_t> offset_list = offsets_around(start, size, tile % 2 == 0, generator);
  const Guarded<uint32_t> source(device, stream, data, generator), flags(device, stream, flag_words, generator);
  const Guarded<uint32_t> destination(device, stream, size, generator), marks(device, stream, size, generator);
  const Guarded<uint64_t> offsets(device, stream, offset_list, generator), index(device, stream, 1, generator);
  const Guarded<uint64_t> results(device, stream, 7, generator);
  // Where the memory of all elements would start.
  const auto far = [&](const auto& guarded, uint64_t element_bytes) {
    return Region(guarded).address() - start * element_bytes;
  };
  const uint64_t rank = start / 3 * 2, total = limit / 2;
  const struct {
    uint64_t source, destination, flags, marks, index, offsets, results, offset_number, count, rank;
    uint32_t tile, total;
  } block{far(source, 4),
          far(destination, 4),
          far(flags, 4),
          far(marks, 4),
          far(index, 4),
          Region(offsets).address(),
          Region(results).address(),
          offset_list.size(),
          count,
          rank,
          uint32_t(tile),
          uint32_t(total)};
  stream.dispatch(kernel, {1, 1, 1}, block);

  const uint64_t full = count / size, tail = count % size;
  check_same(results.read(stream),
             {(full + (tail > 0 ? 1 : 0)) | full << 32, tail | limit << 32, start, start + 5,
              count - (start - rank + limit - total), start + 7, 12 * (start + 7)},
             "the extent, where the tile starts, twice, where the others go, and a part of the tile");
  check_same(index.read(stream), {start + 5}, "an index in memory");
  std::vector<uint32_t> expected = destination.poison(), expected_marks = marks.poison();
  for (uint64_t k = 0; k < limit; ++k) {
    const uint64_t i = start + k;
    expected[k] = data[k] + uint32_t(i) * 3 + uint32_t(i >> 32) * 0x10001 + (k == 0 ? 9 : 0);
    expected_marks[k] = (flag_words[k] != 0 ? 1 : 0) | (std::ranges::binary_search(offset_list, i) ? 2 : 0);
  }
  check_same(destination.read(stream), expected, "the elements");
  check_same(marks.read(stream), expected_marks, "which elements are flagged and which are heads");
}

}  // namespace

DEVICE_TEST("tiles beyond 2^32 elements are read, written, selected from and divided into segments") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("far tiles");
  const Kernel kernel = kernel_of_full_subgroups(device, tile_source);
  const uint64_t size = 8 * least_workgroup(device);
  // The last tile ends at 1 TiB.
  for (const uint64_t power : {uint64_t(1) << 31, uint64_t(1) << 32, uint64_t(1) << 33, uint64_t(1) << 38}) {
    for (const uint64_t count : {power - 1, power, power - size / 2}) {
      const uint64_t tiles = (count + size - 1) / size;
      for (const uint64_t tile : {tiles / 2, tiles - 2, tiles - 1}) {
        check_far_tile(stream, kernel, count, tile, generator);
      }
    }
  }
  const uint64_t beyond = (uint64_t(1) << 32) + 3 * size / 2;
  for (uint64_t tile = beyond / size - 2; tile < beyond / size + 3; ++tile) {
    check_far_tile(stream, kernel, beyond, tile, generator);
  }
}
