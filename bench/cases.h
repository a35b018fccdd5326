#pragma once

#include "bench/benchmark.h"

namespace weft::bench {

/// Length of the runs that the TileSort case sorts.
constexpr uint32_t tile_sort_length = 1024;

// Prepare each primitive's cases; the definitions are in cases/.
std::unique_ptr<Case> prepare_copy_kernel(const Problem& problem);
std::unique_ptr<Case> prepare_copy_buffer(const Problem& problem);
std::unique_ptr<Case> prepare_reduce(const Problem& problem);
std::unique_ptr<Case> prepare_scan(const Problem& problem);
std::unique_ptr<Case> prepare_scan_look_back(const Problem& problem);
std::unique_ptr<Case> prepare_scan_reduce_then_scan(const Problem& problem);
std::unique_ptr<Case> prepare_compact(const Problem& problem);
std::unique_ptr<Case> prepare_compact_look_back(const Problem& problem);
std::unique_ptr<Case> prepare_compact_reduce_then_scan(const Problem& problem);
std::unique_ptr<Case> prepare_compact_flags(const Problem& problem);
std::unique_ptr<Case> prepare_compact_byte_flags(const Problem& problem);
std::unique_ptr<Case> prepare_enqueue_naive(const Problem& problem);
std::unique_ptr<Case> prepare_enqueue_subgroup(const Problem& problem);
std::unique_ptr<Case> prepare_enqueue_multi_item(const Problem& problem);
std::unique_ptr<Case> prepare_enqueue_complement(const Problem& problem);
std::unique_ptr<Case> prepare_grid_barrier(const Problem& problem);
std::unique_ptr<Case> prepare_grid_barrier_alone(const Problem& problem);
std::unique_ptr<Case> prepare_grid_barrier_indexed(const Problem& problem);
std::unique_ptr<Case> prepare_grid_launches(const Problem& problem);
std::unique_ptr<Case> prepare_lock(const Problem& problem);
std::unique_ptr<Case> prepare_lock_contended(const Problem& problem);
std::unique_ptr<Case> prepare_lock_atomics(const Problem& problem);
std::unique_ptr<Case> prepare_merge(const Problem& problem);
std::unique_ptr<Case> prepare_merge_sort_keys(const Problem& problem);
std::unique_ptr<Case> prepare_merge_sort_pairs(const Problem& problem);
std::unique_ptr<Case> prepare_hash_insert(const Problem& problem);
std::unique_ptr<Case> prepare_hash_insert_bidirectional(const Problem& problem);
std::unique_ptr<Case> prepare_hash_insert_locks(const Problem& problem);
std::unique_ptr<Case> prepare_hash_find(const Problem& problem);
std::unique_ptr<Case> prepare_hash_find_bidirectional(const Problem& problem);
std::unique_ptr<Case> prepare_hash_erase(const Problem& problem);
std::unique_ptr<Case> prepare_hash_erase_bidirectional(const Problem& problem);
std::unique_ptr<Case> prepare_histogram(const Problem& problem);
std::unique_ptr<Case> prepare_histogram_one_bin(const Problem& problem);
std::unique_ptr<Case> prepare_histogram_4096(const Problem& problem);
std::unique_ptr<Case> prepare_histogram_million(const Problem& problem);
std::unique_ptr<Case> prepare_partition_apart(const Problem& problem);
std::unique_ptr<Case> prepare_partition_reversed(const Problem& problem);
std::unique_ptr<Case> prepare_partition_behind(const Problem& problem);
std::unique_ptr<Case> prepare_pool(const Problem& problem);
std::unique_ptr<Case> prepare_pool_slab(const Problem& problem);
std::unique_ptr<Case> prepare_queue(const Problem& problem);
std::unique_ptr<Case> prepare_queue_lanes(const Problem& problem);
std::unique_ptr<Case> prepare_queue_subgroups(const Problem& problem);
std::unique_ptr<Case> prepare_random_read(const Problem& problem);
std::unique_ptr<Case> prepare_random_write(const Problem& problem);
std::unique_ptr<Case> prepare_random_update(const Problem& problem);
std::unique_ptr<Case> prepare_unique(const Problem& problem);
std::unique_ptr<Case> prepare_run_length(const Problem& problem);
std::unique_ptr<Case> prepare_run_length_decode(const Problem& problem);
std::unique_ptr<Case> prepare_reduce_by_key(const Problem& problem);
std::unique_ptr<Case> prepare_scan_by_key(const Problem& problem);
std::unique_ptr<Case> prepare_atomic_by_key(const Problem& problem);
std::unique_ptr<Case> prepare_atomic_by_key_scattered(const Problem& problem);
std::unique_ptr<Case> prepare_atomic_by_key_merged(const Problem& problem);
std::unique_ptr<Case> prepare_segmented_scan(const Problem& problem);
std::unique_ptr<Case> prepare_segmented_reduce(const Problem& problem);
std::unique_ptr<Case> prepare_segmented_sort_short(const Problem& problem);
std::unique_ptr<Case> prepare_segmented_sort_long(const Problem& problem);
std::unique_ptr<Case> prepare_sort_keys(const Problem& problem);
std::unique_ptr<Case> prepare_sort_pairs(const Problem& problem);
std::unique_ptr<Case> prepare_split_three_way(const Problem& problem);
std::unique_ptr<Case> prepare_split_overlapping(const Problem& problem);
std::unique_ptr<Case> prepare_tile_sort_odd_even(const Problem& problem);
std::unique_ptr<Case> prepare_tile_sort_bitonic(const Problem& problem);
std::unique_ptr<Case> prepare_top_k(const Problem& problem);
std::unique_ptr<Case> prepare_mipmaps(const Problem& problem);
std::unique_ptr<Case> prepare_mipmaps_odd(const Problem& problem);
std::unique_ptr<Case> prepare_mipmaps_max(const Problem& problem);
std::unique_ptr<Case> prepare_morton(const Problem& problem);
std::unique_ptr<Case> prepare_tree_reduce(const Problem& problem);
std::unique_ptr<Case> prepare_kd_tree(const Problem& problem);
std::unique_ptr<Case> prepare_kd_nearest(const Problem& problem);
std::unique_ptr<Case> prepare_kd_tree_of_boxes(const Problem& problem);
std::unique_ptr<Case> prepare_rays_in_kd_tree(const Problem& problem);
std::unique_ptr<Case> prepare_lbvh_one_pass(const Problem& problem);
std::unique_ptr<Case> prepare_lbvh_two_passes(const Problem& problem);
std::unique_ptr<Case> prepare_lbvh_agglomerative(const Problem& problem);
std::unique_ptr<Case> prepare_refit(const Problem& problem);
std::unique_ptr<Case> prepare_traversal_overlaps(const Problem& problem);
std::unique_ptr<Case> prepare_traversal_nearest(const Problem& problem);
std::unique_ptr<Case> prepare_rays_nearest(const Problem& problem);
std::unique_ptr<Case> prepare_rays_any(const Problem& problem);
std::unique_ptr<Case> prepare_rays_by_ropes(const Problem& problem);
std::unique_ptr<Case> prepare_pairs_brute_force(const Problem& problem);
std::unique_ptr<Case> prepare_pairs_sweep(const Problem& problem);
std::unique_ptr<Case> prepare_pairs_grid(const Problem& problem);
std::unique_ptr<Case> prepare_pairs_bvh(const Problem& problem);
std::unique_ptr<Case> prepare_neighbours_grid(const Problem& problem);
std::unique_ptr<Case> prepare_neighbours_bvh(const Problem& problem);
std::unique_ptr<Case> prepare_neighbour_lists(const Problem& problem);
std::unique_ptr<Case> prepare_neighbour_lists_bvh(const Problem& problem);

}  // namespace weft::bench
