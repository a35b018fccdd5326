#pragma once

/* Records plans: a struct of arguments and a function for each. Part of weft_c.h.
 *
 * Written from the table of plans by tests/c. To write it anew: WEFT_TEST_WRITE_C_PLANS=1 ctest --preset ci -R c_plans
 *
 * What a member means, and how many bytes a region needs, is said for the struct Arguments of the C++ class of the same
 * name, in weft/NAME.h; regions for what a plan was not asked for stay empty. The fields of a plan's line for
 * weft_create_plan() are the parameters of its constructor and its Options. Those under a name with a dot are optional
 * together. Properties are for weft_get_plan_property().
 *
 * Recording takes one thread at a time for the recorder. It waits for nothing and allocates no device memory. */

#include <weft/weft_c.h>

/* clang-format off */

WEFT_C_BEGIN

/* AtomicReduceByKey
 * Fields: element op=sum|min|max|custom op.name op.combine op.identity op.commutative op.nothing max_count
 *   scattered_keys tuning
 */
typedef struct weft_atomic_reduce_by_key_arguments {
  size_t size;
  weft_region keys; /* read */
  weft_region values; /* read */
  weft_region table; /* read and written */
  weft_count count;
} weft_atomic_reduce_by_key_arguments;
weft_result weft_record_atomic_reduce_by_key(weft_recorder* recorder, const weft_plan* plan,
    const weft_atomic_reduce_by_key_arguments* arguments);

/* BoxKdTree
 * Fields: primitive.element primitive.low primitive.high primitive.center primitive.vertex_bytes max_count
 *   cost_of_node cost_of_leaf leaf_size max_depth max_references max_nodes tuning
 * Properties: max_references max_nodes max_depth temporary_bytes
 */
typedef struct weft_box_kd_tree_arguments {
  size_t size;
  weft_region primitives; /* read */
  weft_region nodes; /* written */
  weft_region references; /* written */
  weft_count_output counts; /* written */
  weft_count count;
  weft_region temporary; /* weft_get_temporary_bytes() bytes */
} weft_box_kd_tree_arguments;
weft_result weft_record_box_kd_tree(weft_recorder* recorder, const weft_plan* plan,
    const weft_box_kd_tree_arguments* arguments);

/* BvhQuery
 * Fields: of=boxes|points|rays find=all|nearest|any max_count test.element test.expression test.vertex_bytes tuning
 * Properties: temporary_bytes
 */
typedef struct weft_bvh_query_arguments {
  size_t size;
  weft_region nodes; /* read */
  weft_region indices; /* read */
  weft_region bounds; /* read */
  weft_count leaves;
  weft_region primitives; /* read */
  weft_region queries; /* read */
  weft_count count;
  weft_region hits; /* written */
  weft_region ends; /* written */
  weft_count_output found; /* written */
  weft_region temporary; /* weft_get_temporary_bytes() bytes */
  weft_region vertices; /* read */
} weft_bvh_query_arguments;
weft_result weft_record_bvh_query(weft_recorder* recorder, const weft_plan* plan,
    const weft_bvh_query_arguments* arguments);

/* Compact
 * Fields: element selection.where selection.of_runs selection.same selection.flag_bits max_count
 *   path=automatic|look_back|reduce_then_scan tuning index_bits
 * Properties: temporary_bytes
 */
typedef struct weft_compact_arguments {
  size_t size;
  weft_region input; /* read */
  weft_region flags; /* read */
  weft_region output; /* written */
  weft_count_output selected; /* written */
  weft_count count;
  weft_region temporary; /* weft_get_temporary_bytes() bytes */
} weft_compact_arguments;
weft_result weft_record_compact(weft_recorder* recorder, const weft_plan* plan,
    const weft_compact_arguments* arguments);

/* Enqueue
 * Fields: element selection.where selection.of_runs selection.same selection.flag_bits max_count
 *   variant=naive|subgroup|multi_item|complement
 */
typedef struct weft_enqueue_arguments {
  size_t size;
  weft_region input; /* read */
  weft_region output; /* written */
  weft_region others; /* written */
  weft_count_output queued; /* written */
  weft_count count;
} weft_enqueue_arguments;
weft_result weft_record_enqueue(weft_recorder* recorder, const weft_plan* plan,
    const weft_enqueue_arguments* arguments);

/* FindNeighbours
 * Fields: of point max_count method=uniform_grid|bvh where tuning
 * Properties: temporary_bytes
 */
typedef struct weft_find_neighbours_arguments {
  size_t size;
  weft_region points; /* read */
  weft_region offsets; /* written */
  weft_region neighbours; /* written */
  weft_count_output found; /* written */
  weft_count count;
  double radius;
  weft_region temporary; /* weft_get_temporary_bytes() bytes */
} weft_find_neighbours_arguments;
weft_result weft_record_find_neighbours(weft_recorder* recorder, const weft_plan* plan,
    const weft_find_neighbours_arguments* arguments);

/* FindPairs
 * Fields: primitive.element primitive.low primitive.high primitive.center primitive.vertex_bytes max_count
 *   method=automatic|brute_force|sort_and_sweep|uniform_grid|bvh where cell_size tuning
 * Properties: temporary_bytes
 */
typedef struct weft_find_pairs_arguments {
  size_t size;
  weft_region primitives; /* read */
  weft_region pairs; /* written */
  weft_count_output found; /* written */
  weft_count count;
  weft_region temporary; /* weft_get_temporary_bytes() bytes */
  weft_region vertices; /* read */
} weft_find_pairs_arguments;
weft_result weft_record_find_pairs(weft_recorder* recorder, const weft_plan* plan,
    const weft_find_pairs_arguments* arguments);

/* HashEntries
 * Fields: table.key table.value table.capacity table.probing=linear|bidirectional table.layout=automatic|packed|split
 *   table.update=keep|replace|combine table.op=sum|min|max|custom table.op.name table.op.combine table.op.identity
 *   table.op.commutative table.op.nothing table.hash tuning
 */
typedef struct weft_hash_entries_arguments {
  size_t size;
  weft_region table; /* read */
  weft_region keys; /* written */
  weft_region values; /* written */
  weft_count_output entries; /* written */
} weft_hash_entries_arguments;
weft_result weft_record_hash_entries(weft_recorder* recorder, const weft_plan* plan,
    const weft_hash_entries_arguments* arguments);

/* HashErase
 * Fields: table.key table.value table.capacity table.probing=linear|bidirectional table.layout=automatic|packed|split
 *   table.update=keep|replace|combine table.op=sum|min|max|custom table.op.name table.op.combine table.op.identity
 *   table.op.commutative table.op.nothing table.hash tuning
 * Properties: temporary_bytes
 */
typedef struct weft_hash_erase_arguments {
  size_t size;
  weft_region table; /* read and written */
  weft_region keys; /* read */
  weft_region erased; /* written */
  weft_count_output counts; /* written */
  weft_count count;
  weft_region temporary; /* weft_get_temporary_bytes() bytes */
} weft_hash_erase_arguments;
weft_result weft_record_hash_erase(weft_recorder* recorder, const weft_plan* plan,
    const weft_hash_erase_arguments* arguments);

/* HashFind
 * Fields: table.key table.value table.capacity table.probing=linear|bidirectional table.layout=automatic|packed|split
 *   table.update=keep|replace|combine table.op=sum|min|max|custom table.op.name table.op.combine table.op.identity
 *   table.op.commutative table.op.nothing table.hash tuning
 */
typedef struct weft_hash_find_arguments {
  size_t size;
  weft_region table; /* read */
  weft_region keys; /* read */
  weft_region values; /* written */
  weft_region found; /* written */
  weft_count_output counts; /* written */
  weft_count count;
} weft_hash_find_arguments;
weft_result weft_record_hash_find(weft_recorder* recorder, const weft_plan* plan,
    const weft_hash_find_arguments* arguments);

/* HashInsert
 * Fields: table.key table.value table.capacity table.probing=linear|bidirectional table.layout=automatic|packed|split
 *   table.update=keep|replace|combine table.op=sum|min|max|custom table.op.name table.op.combine table.op.identity
 *   table.op.commutative table.op.nothing table.hash value max_count tuning
 * Properties: temporary_bytes
 */
typedef struct weft_hash_insert_arguments {
  size_t size;
  weft_region table; /* read and written */
  weft_region keys; /* read */
  weft_region values; /* read */
  weft_region results; /* written */
  weft_count_output counts; /* written */
  weft_count count;
  weft_region temporary; /* weft_get_temporary_bytes() bytes */
} weft_hash_insert_arguments;
weft_result weft_record_hash_insert(weft_recorder* recorder, const weft_plan* plan,
    const weft_hash_insert_arguments* arguments);

/* HashRehash
 * Fields: table.key table.value table.capacity table.probing=linear|bidirectional table.layout=automatic|packed|split
 *   table.update=keep|replace|combine table.op=sum|min|max|custom table.op.name table.op.combine table.op.identity
 *   table.op.commutative table.op.nothing table.hash to_capacity tuning
 */
typedef struct weft_hash_rehash_arguments {
  size_t size;
  weft_region from; /* read */
  weft_region to; /* read and written */
  weft_count_output counts; /* written */
} weft_hash_rehash_arguments;
weft_result weft_record_hash_rehash(weft_recorder* recorder, const weft_plan* plan,
    const weft_hash_rehash_arguments* arguments);

/* HashTable
 * Fields: key value capacity probing=linear|bidirectional layout=automatic|packed|split update=keep|replace|combine
 *   op=sum|min|max|custom op.name op.combine op.identity op.commutative op.nothing hash
 * Properties: capacity slots bytes
 */
typedef struct weft_hash_table_arguments {
  size_t size;
  weft_region table; /* written */
} weft_hash_table_arguments;
weft_result weft_record_hash_table(weft_recorder* recorder, const weft_plan* plan,
    const weft_hash_table_arguments* arguments);

/* Histogram
 * Fields: element bins by_edges lower upper closed max_count channels counted weighted wide tuning
 */
typedef struct weft_histogram_arguments {
  size_t size;
  weft_region input; /* read */
  weft_region edges; /* read */
  weft_region weights; /* read */
  weft_region output; /* written */
  weft_count count;
} weft_histogram_arguments;
weft_result weft_record_histogram(weft_recorder* recorder, const weft_plan* plan,
    const weft_histogram_arguments* arguments);

/* IndirectGroups
 * Fields: max_count
 */
typedef struct weft_indirect_groups_arguments {
  size_t size;
  weft_region groups; /* written */
  uint64_t group_size;
  weft_count count;
} weft_indirect_groups_arguments;
weft_result weft_record_indirect_groups(weft_recorder* recorder, const weft_plan* plan,
    const weft_indirect_groups_arguments* arguments);

/* KdNearest
 * Fields: dimensions neighbours of point max_count
 */
typedef struct weft_kd_nearest_arguments {
  size_t size;
  weft_region nodes; /* read */
  weft_count node_count;
  weft_region queries; /* read */
  weft_region indices; /* written */
  weft_region squared_distances; /* written */
  weft_count count;
  double squared_radius; /* INFINITY for no limit */
} weft_kd_nearest_arguments;
weft_result weft_record_kd_nearest(weft_recorder* recorder, const weft_plan* plan,
    const weft_kd_nearest_arguments* arguments);

/* KdTree
 * Fields: dimensions of point max_count tuning
 * Properties: temporary_bytes
 */
typedef struct weft_kd_tree_arguments {
  size_t size;
  weft_region points; /* read */
  weft_region nodes; /* written */
  weft_count count;
  weft_region temporary; /* weft_get_temporary_bytes() bytes */
} weft_kd_tree_arguments;
weft_result weft_record_kd_tree(weft_recorder* recorder, const weft_plan* plan,
    const weft_kd_tree_arguments* arguments);

/* Lbvh
 * Fields: primitive.element primitive.low primitive.high primitive.center primitive.vertex_bytes max_count code_bits
 *   builder=one_pass|two_passes|agglomerative tuning
 * Properties: temporary_bytes
 */
typedef struct weft_lbvh_arguments {
  size_t size;
  weft_region primitives; /* read */
  weft_region nodes; /* written */
  weft_region indices; /* written */
  weft_region leaf_parents; /* written */
  weft_region bounds; /* written */
  weft_count count;
  weft_region temporary; /* weft_get_temporary_bytes() bytes */
  weft_region vertices; /* read */
} weft_lbvh_arguments;
weft_result weft_record_lbvh(weft_recorder* recorder, const weft_plan* plan,
    const weft_lbvh_arguments* arguments);
weft_result weft_record_lbvh_refit(weft_recorder* recorder, const weft_plan* plan,
    const weft_lbvh_arguments* arguments);

/* Map
 * Fields: element transform.from transform.expression transform.two expression max_count tuning
 */
typedef struct weft_map_arguments {
  size_t size;
  weft_region input; /* read */
  weft_region output; /* written; may be input or second */
  weft_count count;
  weft_region second; /* read */
} weft_map_arguments;
weft_result weft_record_map(weft_recorder* recorder, const weft_plan* plan,
    const weft_map_arguments* arguments);

/* Merge
 * Fields: element before max_count values tuning
 * Properties: temporary_bytes
 */
typedef struct weft_merge_arguments {
  size_t size;
  weft_region first; /* read */
  weft_region first_values; /* read */
  weft_count first_count;
  weft_region second; /* read */
  weft_region second_values; /* read */
  weft_count second_count;
  weft_region output; /* written */
  weft_region output_values; /* written */
  weft_region temporary; /* weft_get_temporary_bytes() bytes */
} weft_merge_arguments;
weft_result weft_record_merge(weft_recorder* recorder, const weft_plan* plan,
    const weft_merge_arguments* arguments);

/* MergeSort
 * Fields: element before max_count values tuning
 * Properties: temporary_bytes
 */
typedef struct weft_merge_sort_arguments {
  size_t size;
  weft_region input; /* read */
  weft_region input_values; /* read */
  weft_region output; /* written; may be input */
  weft_region output_values; /* written; may be input_values */
  weft_count count;
  weft_region temporary; /* weft_get_temporary_bytes() bytes */
} weft_merge_sort_arguments;
weft_result weft_record_merge_sort(weft_recorder* recorder, const weft_plan* plan,
    const weft_merge_sort_arguments* arguments);

/* Mipmaps
 * Fields: type=unorm8|srgb8|float16|float32 channels width height filter=box|min|max|min_max op=sum|min|max|custom
 *   op.name op.combine op.identity op.commutative op.nothing layers max_levels
 * Properties: levels image_bytes level_bytes counter_bytes
 */
typedef struct weft_mipmaps_arguments {
  size_t size;
  weft_region image; /* read */
  weft_region levels; /* written */
  weft_region counters; /* read and written */
} weft_mipmaps_arguments;
weft_result weft_record_mipmaps(weft_recorder* recorder, const weft_plan* plan,
    const weft_mipmaps_arguments* arguments);

/* Morton
 * Fields: dimensions of point max_count wide given_bounds tuning
 * Properties: temporary_bytes
 */
typedef struct weft_morton_arguments {
  size_t size;
  weft_region points; /* read */
  weft_region bounds; /* read */
  weft_region codes; /* written */
  weft_count count;
  weft_region temporary; /* weft_get_temporary_bytes() bytes */
} weft_morton_arguments;
weft_result weft_record_morton(weft_recorder* recorder, const weft_plan* plan,
    const weft_morton_arguments* arguments);

/* Partition
 * Fields: element selection.where selection.of_runs selection.same selection.flag_bits max_count
 *   others=apart|behind|reversed path=automatic|look_back|reduce_then_scan tuning
 * Properties: temporary_bytes
 */
typedef struct weft_partition_arguments {
  size_t size;
  weft_region input; /* read */
  weft_region flags; /* read */
  weft_region output; /* written */
  weft_region others; /* written */
  weft_count_output selected; /* written */
  weft_count count;
  weft_region temporary; /* weft_get_temporary_bytes() bytes */
} weft_partition_arguments;
weft_result weft_record_partition(weft_recorder* recorder, const weft_plan* plan,
    const weft_partition_arguments* arguments);

/* Reduce
 * Fields: element op=sum|min|max|custom op.name op.combine op.identity op.commutative op.nothing max_count
 *   transform.from transform.expression transform.two fixed_order tuning
 * Properties: temporary_bytes
 */
typedef struct weft_reduce_arguments {
  size_t size;
  weft_region input; /* read */
  weft_region output; /* written; may be anywhere in input or second */
  weft_count count;
  weft_region temporary; /* weft_get_temporary_bytes() bytes */
  weft_region second; /* read */
} weft_reduce_arguments;
weft_result weft_record_reduce(weft_recorder* recorder, const weft_plan* plan,
    const weft_reduce_arguments* arguments);

/* ReduceByKey
 * Fields: key value op=sum|min|max|custom op.name op.combine op.identity op.commutative op.nothing max_count same
 *   path=automatic|look_back|reduce_then_scan tuning
 * Properties: temporary_bytes
 */
typedef struct weft_reduce_by_key_arguments {
  size_t size;
  weft_region keys; /* read */
  weft_region values; /* read */
  weft_region unique_keys; /* written */
  weft_region output; /* written */
  weft_count_output runs; /* written */
  weft_count count;
  weft_region temporary; /* weft_get_temporary_bytes() bytes */
} weft_reduce_by_key_arguments;
weft_result weft_record_reduce_by_key(weft_recorder* recorder, const weft_plan* plan,
    const weft_reduce_by_key_arguments* arguments);

/* RunLengthDecode
 * Fields: element max_runs max_count path=automatic|look_back|reduce_then_scan tuning
 * Properties: length_bytes temporary_bytes
 */
typedef struct weft_run_length_decode_arguments {
  size_t size;
  weft_region values; /* read */
  weft_region lengths; /* read */
  weft_region output; /* written */
  weft_count_output decoded; /* written */
  weft_count runs;
  weft_region temporary; /* weft_get_temporary_bytes() bytes */
} weft_run_length_decode_arguments;
weft_result weft_record_run_length_decode(weft_recorder* recorder, const weft_plan* plan,
    const weft_run_length_decode_arguments* arguments);

/* RunLengthEncode
 * Fields: element max_count same path=automatic|look_back|reduce_then_scan tuning
 * Properties: length_bytes temporary_bytes
 */
typedef struct weft_run_length_encode_arguments {
  size_t size;
  weft_region input; /* read */
  weft_region output; /* written */
  weft_region lengths; /* written */
  weft_count_output runs; /* written */
  weft_count count;
  weft_region temporary; /* weft_get_temporary_bytes() bytes */
} weft_run_length_encode_arguments;
weft_result weft_record_run_length_encode(weft_recorder* recorder, const weft_plan* plan,
    const weft_run_length_encode_arguments* arguments);

/* Scan
 * Fields: element op=sum|min|max|custom op.name op.combine op.identity op.commutative op.nothing max_count
 *   kind=exclusive|inclusive path=automatic|look_back|reduce_then_scan initial transform.from transform.expression
 *   transform.two tuning
 * Properties: temporary_bytes
 */
typedef struct weft_scan_arguments {
  size_t size;
  weft_region input; /* read */
  weft_region output; /* written; may be input or second */
  weft_count count;
  weft_region temporary; /* weft_get_temporary_bytes() bytes */
  weft_region second; /* read */
} weft_scan_arguments;
weft_result weft_record_scan(weft_recorder* recorder, const weft_plan* plan,
    const weft_scan_arguments* arguments);

/* ScanByKey
 * Fields: key value op=sum|min|max|custom op.name op.combine op.identity op.commutative op.nothing max_count
 *   kind=exclusive|inclusive same path=automatic|look_back|reduce_then_scan initial tuning
 * Properties: temporary_bytes
 */
typedef struct weft_scan_by_key_arguments {
  size_t size;
  weft_region keys; /* read */
  weft_region input; /* read */
  weft_region output; /* written; may be input */
  weft_count count;
  weft_region temporary; /* weft_get_temporary_bytes() bytes */
} weft_scan_by_key_arguments;
weft_result weft_record_scan_by_key(weft_recorder* recorder, const weft_plan* plan,
    const weft_scan_by_key_arguments* arguments);

/* SegmentedReduce
 * Fields: element op=sum|min|max|custom op.name op.combine op.identity op.commutative op.nothing by=flags|offsets
 *   max_count max_segments path=automatic|look_back|reduce_then_scan tuning
 * Properties: offset_bytes temporary_bytes
 */
typedef struct weft_segmented_reduce_arguments {
  size_t size;
  weft_region input; /* read */
  weft_region heads; /* read */
  weft_region output; /* written */
  weft_count_output segments; /* written */
  weft_count segment_count;
  weft_count count;
  weft_region temporary; /* weft_get_temporary_bytes() bytes */
} weft_segmented_reduce_arguments;
weft_result weft_record_segmented_reduce(weft_recorder* recorder, const weft_plan* plan,
    const weft_segmented_reduce_arguments* arguments);

/* SegmentedScan
 * Fields: element op=sum|min|max|custom op.name op.combine op.identity op.commutative op.nothing by=flags|offsets
 *   max_count max_segments kind=exclusive|inclusive path=automatic|look_back|reduce_then_scan initial tuning
 * Properties: offset_bytes temporary_bytes
 */
typedef struct weft_segmented_scan_arguments {
  size_t size;
  weft_region input; /* read */
  weft_region heads; /* read */
  weft_region output; /* written; may be input */
  weft_count segment_count;
  weft_count count;
  weft_region temporary; /* weft_get_temporary_bytes() bytes */
} weft_segmented_scan_arguments;
weft_result weft_record_segmented_scan(weft_recorder* recorder, const weft_plan* plan,
    const weft_segmented_scan_arguments* arguments);

/* SegmentedSort
 * Fields: element before max_count max_segments values tuning
 * Properties: offset_bytes temporary_bytes
 */
typedef struct weft_segmented_sort_arguments {
  size_t size;
  weft_region input; /* read */
  weft_region input_values; /* read */
  weft_region offsets; /* read */
  weft_region output; /* written; may be input */
  weft_region output_values; /* written; may be input_values */
  weft_count segment_count;
  weft_count count;
  weft_region temporary; /* weft_get_temporary_bytes() bytes */
} weft_segmented_sort_arguments;
weft_result weft_record_segmented_sort(weft_recorder* recorder, const weft_plan* plan,
    const weft_segmented_sort_arguments* arguments);

/* Sort
 * Fields: key value max_count descending begin_bit end_bit path=automatic|look_back|reduce_then_scan tuning
 * Properties: temporary_bytes
 */
typedef struct weft_sort_arguments {
  size_t size;
  weft_region keys; /* read */
  weft_region values; /* read */
  weft_region keys_out; /* written; may be keys */
  weft_region values_out; /* written; may be values */
  weft_count count;
  weft_region temporary; /* weft_get_temporary_bytes() bytes */
} weft_sort_arguments;
weft_result weft_record_sort(weft_recorder* recorder, const weft_plan* plan,
    const weft_sort_arguments* arguments);

/* Split
 * Fields: element first second three max_count path=automatic|look_back|reduce_then_scan tuning
 * Properties: temporary_bytes
 */
typedef struct weft_split_arguments {
  size_t size;
  weft_region input; /* read */
  weft_region first; /* written */
  weft_region second; /* written */
  weft_region third; /* written */
  weft_count_output counts; /* written */
  weft_count count;
  weft_region temporary; /* weft_get_temporary_bytes() bytes */
} weft_split_arguments;
weft_result weft_record_split(weft_recorder* recorder, const weft_plan* plan,
    const weft_split_arguments* arguments);

/* TileSort
 * Fields: element before length max_count network=bitonic|odd_even values tuning
 */
typedef struct weft_tile_sort_arguments {
  size_t size;
  weft_region input; /* read */
  weft_region input_values; /* read */
  weft_region output; /* written; may be input */
  weft_region output_values; /* written; may be input_values */
  weft_count count;
} weft_tile_sort_arguments;
weft_result weft_record_tile_sort(weft_recorder* recorder, const weft_plan* plan,
    const weft_tile_sort_arguments* arguments);

/* TopK
 * Fields: key max_count max_k smallest indices tuning
 * Properties: index_bytes temporary_bytes
 */
typedef struct weft_top_k_arguments {
  size_t size;
  weft_region input; /* read */
  weft_region output; /* written */
  weft_region indices; /* written */
  weft_count_output found; /* written */
  uint64_t k;
  weft_count count;
  weft_region temporary; /* weft_get_temporary_bytes() bytes */
} weft_top_k_arguments;
weft_result weft_record_top_k(weft_recorder* recorder, const weft_plan* plan,
    const weft_top_k_arguments* arguments);

/* TreeReduce
 * Fields: element op=sum|min|max|custom op.name op.combine op.identity op.commutative op.nothing max_leaves max_inner
 *   links=children|parents arity record_words first_child parent node transform.from transform.expression
 *   transform.two leaf tuning
 * Properties: temporary_bytes
 */
typedef struct weft_tree_reduce_arguments {
  size_t size;
  weft_region leaves; /* read */
  weft_region children; /* read */
  weft_region parents; /* read */
  weft_region leaf_parents; /* read */
  weft_region output; /* written */
  weft_count count;
  weft_count inner_count;
  weft_region temporary; /* weft_get_temporary_bytes() bytes */
} weft_tree_reduce_arguments;
weft_result weft_record_tree_reduce(weft_recorder* recorder, const weft_plan* plan,
    const weft_tree_reduce_arguments* arguments);

WEFT_C_END
