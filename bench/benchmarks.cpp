#include <algorithm>
#include <vector>

#include "bench/cases.h"
#include "support/text.h"

namespace weft::bench {
namespace {

// All runs share one structure, so one set of arrays is enough.
uint64_t one_set(uint32_t, uint64_t) { return uint64_t{256} << 20; }
uint64_t input_only(uint32_t element_bytes, uint64_t count) { return element_bytes * count; }
uint64_t input_and_output(uint32_t element_bytes, uint64_t count) { return 2 * element_bytes * count; }
uint64_t two_inputs_and_outputs(uint32_t element_bytes, uint64_t count) { return 2 * (element_bytes + 4) * count; }
uint64_t input_and_two_outputs(uint32_t element_bytes, uint64_t count) { return 3 * element_bytes * count; }
uint64_t input_and_three_outputs(uint32_t element_bytes, uint64_t count) { return 4 * element_bytes * count; }
uint64_t key_and_input(uint32_t element_bytes, uint64_t count) { return (element_bytes + 4) * count; }
uint64_t two_inputs_and_output(uint32_t element_bytes, uint64_t count) { return (2 * element_bytes + 4) * count; }
uint64_t bytes_input_and_output(uint32_t element_bytes, uint64_t count) { return (2 * element_bytes + 1) * count; }
uint64_t keys_and_values_three_times(uint32_t key_bytes, uint64_t count) { return 3 * (key_bytes + 4) * count; }
// Runs that wait are long for their bytes: counted as more, so that few sets are made.
uint64_t words_of_long_runs(uint32_t, uint64_t count) {
  return std::max(3 * sizeof(uint32_t) * count, uint64_t(1) << 24);
}
uint64_t image_and_levels(uint32_t texel_bytes, uint64_t texels) { return texels * texel_bytes * 4 / 3; }
uint64_t point_and_output(uint32_t element_bytes, uint64_t count) { return (12 + element_bytes) * count; }
uint64_t tree_and_values(uint32_t element_bytes, uint64_t count) { return (2 * element_bytes + 16) * count; }
// A build sorts as often as the tree has levels, so few sets are made.
uint64_t points_and_nodes(uint32_t, uint64_t count) { return std::max((12 + 16) * count, uint64_t{1} << 26); }
uint64_t nodes_and_neighbours(uint32_t, uint64_t count) { return (16 + 12 + 8 * 8) * count; }
uint64_t boxes_and_nodes(uint32_t, uint64_t count) { return (24 + 64 + 2 * 4) * count; }
uint64_t boxes_and_pairs(uint32_t, uint64_t count) { return (24 + 8 * 8) * count; }
uint64_t points_and_lists(uint32_t, uint64_t count) { return (12 + 8 + 16 * 4) * count; }

uint64_t queries_and_hits(uint32_t, uint64_t count) { return (32 + 16 + 8) * count; }

// A table at a load of 0.5 in slots of 8 or 16 bytes, keys, values, results.
uint64_t table_and_keys(uint32_t key_bytes, uint64_t count) { return (2 * 2 * key_bytes + key_bytes + 8) * count; }
uint64_t two_tables_and_keys(uint32_t key_bytes, uint64_t count) { return 2 * table_and_keys(key_bytes, count); }
uint64_t sectors(uint32_t, uint64_t count) { return 33 * count; }

constexpr Benchmark all_benchmarks[] = {
    {"copy", "kernel", true, "a kernel that copies uvec4", input_and_output, prepare_copy_kernel},
    {"copy", "buffer", true, "a buffer copy by the backend", input_and_output, prepare_copy_buffer},
    {"reduce", "", true, "sum of all elements", input_only, prepare_reduce},
    {"scan", "", true, "exclusive prefix sum, by the device's default path", input_and_output, prepare_scan},
    {"scan", "look-back", false, "the single pass", input_and_output, prepare_scan_look_back},
    {"scan", "reduce-then-scan", false, "three dispatches", input_and_output, prepare_scan_reduce_then_scan},
    {"compact", "", true, "ordered selection of half of the elements", input_and_output, prepare_compact},
    {"compact", "look-back", false, "the single pass", input_and_output, prepare_compact_look_back},
    {"compact", "reduce-then-scan", false, "three dispatches", input_and_output, prepare_compact_reduce_then_scan},
    {"compact", "flags", false, "by 32-bit flags", two_inputs_and_output, prepare_compact_flags},
    {"compact", "byte-flags", false, "by 8-bit flags", bytes_input_and_output, prepare_compact_byte_flags},
    {"unique", "", true, "the first of each run of equal elements", input_and_output, prepare_unique},
    {"run-length", "", true, "run-length encoding", input_and_two_outputs, prepare_run_length},
    {"run-length-decode", "", true, "run-length decoding", two_inputs_and_output, prepare_run_length_decode},
    {"reduce-by-key", "", true, "sums of values in runs of equal u32 keys", two_inputs_and_outputs,
     prepare_reduce_by_key},
    {"scan-by-key", "", true, "prefix sums of values in runs of equal u32 keys", two_inputs_and_output,
     prepare_scan_by_key},
    {"atomic-by-key", "", true, "sums by keys in runs, by atomics to a table of 4096", key_and_input,
     prepare_atomic_by_key},
    {"atomic-by-key", "scattered", false, "by keys of any --distribution, in random order", key_and_input,
     prepare_atomic_by_key_scattered},
    {"atomic-by-key", "merged", false, "the same, equal keys of a subgroup merged first", key_and_input,
     prepare_atomic_by_key_merged},
    {"segmented-reduce", "", true, "sums of segments by offsets", input_and_two_outputs, prepare_segmented_reduce},
    {"segmented-scan", "", true, "prefix sums of segments by flags", two_inputs_and_output, prepare_segmented_scan},
    {"segmented-sort", "short", true, "stable sort by a comparison within segments of about 8", input_and_two_outputs,
     prepare_segmented_sort_short},
    {"segmented-sort", "long", true, "within segments of about 2^19", input_and_two_outputs,
     prepare_segmented_sort_long},
    {"enqueue", "naive", true, "unordered selection of half, one atomic for each element", input_and_output,
     prepare_enqueue_naive},
    {"enqueue", "subgroup", true, "one atomic for each subgroup", input_and_output, prepare_enqueue_subgroup},
    {"enqueue", "multi-item", true, "one atomic for each workgroup", input_and_output, prepare_enqueue_multi_item},
    {"enqueue", "complement", true, "into two queues", input_and_two_outputs, prepare_enqueue_complement},
    {"hash", "insert", true, "keys and 32-bit values into a hash table", table_and_keys, prepare_hash_insert,
     Takes::table_use},
    {"hash", "find", true, "values by key", table_and_keys, prepare_hash_find, Takes::table_use},
    {"hash", "erase", true, "keys from a copy of a table", two_tables_and_keys, prepare_hash_erase, Takes::table_use},
    {"hash", "insert-bidirectional", false, "by bidirectional probing: the table is rebuilt", table_and_keys,
     prepare_hash_insert_bidirectional, Takes::table_use},
    {"hash", "insert-bidirectional-locks", false, "the same keys one by one", table_and_keys, prepare_hash_insert_locks,
     Takes::table_use},
    {"hash", "find-bidirectional", false, "by bidirectional probing", table_and_keys, prepare_hash_find_bidirectional,
     Takes::table_use},
    {"hash", "erase-bidirectional", false, "the table is rebuilt", two_tables_and_keys,
     prepare_hash_erase_bidirectional, Takes::table_use},
    {"random", "read", false, "as many reads of 32-byte sectors at random as there are sectors", sectors,
     prepare_random_read},
    {"random", "write", false, "writes of sectors", sectors, prepare_random_write},
    {"random", "update", false, "atomic additions to sectors", sectors, prepare_random_update},
    {"lock", "", false, "updates of 65536 records under their locks", one_set, prepare_lock},
    {"lock", "contended", false, "of 64 records", one_set, prepare_lock_contended},
    {"lock", "atomics", false, "of 65536 records by three atomics each", one_set, prepare_lock_atomics},
    {"merge", "", true, "two sorted halves into one sequence", input_and_output, prepare_merge},
    {"merge-sort", "keys", true, "stable sort by a comparison", input_and_two_outputs, prepare_merge_sort_keys},
    {"merge-sort", "pairs", true, "the same with 32-bit values", keys_and_values_three_times, prepare_merge_sort_pairs},
    {"histogram", "", true, "256 even bins", input_only, prepare_histogram, Takes::samples},
    {"histogram", "one-bin", false, "256 even bins, all samples in one of them", input_only, prepare_histogram_one_bin,
     Takes::samples},
    {"histogram", "4096", false, "4096 even bins", input_only, prepare_histogram_4096, Takes::samples},
    {"histogram", "2^20", false, "2^20 even bins", input_only, prepare_histogram_million, Takes::samples},
    {"partition", "apart", true, "stable, about half each, into two arrays", input_and_two_outputs,
     prepare_partition_apart},
    {"partition", "reversed", true, "into one array, the others reversed", input_and_output,
     prepare_partition_reversed},
    {"partition", "behind", false, "into one array, stable; reads twice", input_and_output, prepare_partition_behind},
    {"split", "three-way", true, "into three arrays", input_and_three_outputs, prepare_split_three_way},
    {"split", "overlapping", true, "into two arrays, a sixteenth into both", input_and_two_outputs,
     prepare_split_overlapping},
    {"pool", "", false, "a buffer of 4096 taken and given back by each invocation", one_set, prepare_pool},
    {"pool", "slab", false, "64 bytes allocated and freed by each invocation", one_set, prepare_pool_slab},
    {"sort", "keys", true, "radix sort of keys", input_and_two_outputs, prepare_sort_keys},
    {"sort", "pairs", true, "radix sort of keys with 32-bit values", keys_and_values_three_times, prepare_sort_pairs},
    {"tile-sort", "odd-even", true, "a sorting network for each run of 1024", input_and_output,
     prepare_tile_sort_odd_even},
    {"tile-sort", "bitonic", false, "the bitonic network", input_and_output, prepare_tile_sort_bitonic},
    {"grid-barrier", "", false, "32 steps of u32 in one dispatch, with a barrier for all workgroups after each",
     words_of_long_runs, prepare_grid_barrier},
    {"grid-barrier", "alone", false, "1000 barriers and nothing else", one_set, prepare_grid_barrier_alone},
    {"grid-barrier", "alone-indexed", false, "by workgroups that know their index", one_set,
     prepare_grid_barrier_indexed},
    {"grid-barrier", "launches", false, "the same steps as 32 dispatches", words_of_long_runs, prepare_grid_launches},
    {"queue", "", false, "a tree of tasks that workgroups take from a queue and put into it", words_of_long_runs,
     prepare_queue},
    {"queue", "lanes", false, "each invocation pushes an item and pops one", words_of_long_runs, prepare_queue_lanes},
    {"queue", "subgroups", false, "with one ticket for a subgroup", words_of_long_runs, prepare_queue_subgroups},
    {"top-k", "", true, "the 1024 largest, sorted", input_only, prepare_top_k},
    {"mipmaps", "", true, "levels of a square image with a texel for each element", image_and_levels, prepare_mipmaps},
    {"mipmaps", "odd", false, "of odd sizes on all levels", image_and_levels, prepare_mipmaps_odd},
    {"mipmaps", "max", false, "the largest instead of means", image_and_levels, prepare_mipmaps_max},
    {"morton", "", true, "codes of points in space, of the element's size", point_and_output, prepare_morton},
    {"tree-reduce", "", true, "sums up a binary tree with a leaf for each element", tree_and_values,
     prepare_tree_reduce},
    {"kd-tree", "", false, "a balanced kd-tree of points in space", points_and_nodes, prepare_kd_tree},
    {"kd-tree", "nearest", false, "the 8 nearest points of each query, in a kd-tree", nodes_and_neighbours,
     prepare_kd_nearest},
    {"kd-tree", "boxes", false, "a kd-tree of boxes by the surface-area heuristic", boxes_and_nodes,
     prepare_kd_tree_of_boxes, Takes::mesh},
    {"lbvh", "one-pass", true, "a hierarchy of boxes, by codes of the element's size", boxes_and_nodes,
     prepare_lbvh_one_pass, Takes::mesh},
    {"lbvh", "two-passes", true, "links first, then boxes", boxes_and_nodes, prepare_lbvh_two_passes, Takes::mesh},
    {"lbvh", "agglomerative", false, "a better one, by merging clusters", boxes_and_nodes, prepare_lbvh_agglomerative,
     Takes::mesh},
    {"refit", "", true, "boxes of such a hierarchy anew", boxes_and_nodes, prepare_refit, Takes::mesh},
    {"traversal", "overlaps", true, "lists the boxes of a hierarchy that each box overlaps", queries_and_hits,
     prepare_traversal_overlaps, Takes::mesh},
    {"traversal", "nearest", true, "the nearest box of each point", queries_and_hits, prepare_traversal_nearest,
     Takes::mesh},
    {"rays", "nearest", true, "the first box that each ray hits", queries_and_hits, prepare_rays_nearest, Takes::mesh},
    {"rays", "any", true, "whether each ray hits a box", queries_and_hits, prepare_rays_any, Takes::mesh},
    {"rays", "kd-tree", false, "the first box that each ray hits, in a kd-tree of boxes", queries_and_hits,
     prepare_rays_in_kd_tree, Takes::mesh},
    {"rays", "ropes", false, "the first box that each ray hits, without a stack", queries_and_hits,
     prepare_rays_by_ropes, Takes::mesh},
    {"pairs", "brute-force", false,
     "pairs of boxes that overlap four others each: tests all_benchmarks; up to 65536 boxes", boxes_and_pairs,
     prepare_pairs_brute_force, Takes::mesh},
    {"pairs", "sweep", false, "by a sweep along one axis", boxes_and_pairs, prepare_pairs_sweep, Takes::mesh},
    {"pairs", "grid", true, "by a uniform grid", boxes_and_pairs, prepare_pairs_grid, Takes::mesh},
    {"pairs", "bvh", true, "by a hierarchy", boxes_and_pairs, prepare_pairs_bvh, Takes::mesh},
    {"neighbours", "grid", true, "points within a radius, about eight for each, by a uniform grid", boxes_and_pairs,
     prepare_neighbours_grid},
    {"neighbours", "bvh", true, "by a hierarchy", boxes_and_pairs, prepare_neighbours_bvh},
    {"neighbours", "lists", true, "a list for each point, by a uniform grid", points_and_lists,
     prepare_neighbour_lists},
    {"neighbours", "lists-bvh", true, "a list for each point, by a hierarchy", points_and_lists,
     prepare_neighbour_lists_bvh},
};

}  // namespace

std::span<const Benchmark> benchmarks() { return all_benchmarks; }

std::vector<const Benchmark*> find_benchmarks(const std::string& name) {
  std::vector<const Benchmark*> found, family;
  std::vector<std::string> names;
  std::string list;
  for (const Benchmark& benchmark : all_benchmarks) {
    const bool is_relative = benchmark.family == name;
    if (benchmark.name() == name || (is_relative && benchmark.by_default)) found.push_back(&benchmark);
    if (is_relative) family.push_back(&benchmark);
    if (std::ranges::find(names, benchmark.family) == names.end()) names.push_back(benchmark.family);
    if (*benchmark.variant) names.push_back(benchmark.name());
  }
  if (found.empty()) found = family;  // None of it runs by default: all of it.
  if (!found.empty()) return found;
  for (const std::string& one : names) list += (list.empty() ? "" : ", ") + one;
  const auto near = support::nearest(name, names);
  throw Error(ErrorCode::invalid_argument,
              "there is no benchmark '" + name + "'" +
                  (near ? "; did you mean " + *near + "?" : "; the benchmarks are " + list));
}

}  // namespace weft::bench
