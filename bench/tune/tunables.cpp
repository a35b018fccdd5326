#include <algorithm>

#include <weft/error.h>

#include "algorithms/src/reduce/histogram_tuning.h"
#include "algorithms/src/reduce/reduce_tuning.h"
#include "algorithms/src/runs/atomic_by_key_tuning.h"
#include "algorithms/src/runs/run_length_tuning.h"
#include "algorithms/src/runs/segments_tuning.h"
#include "algorithms/src/scan/scan_tuning.h"
#include "algorithms/src/select/selection_tuning.h"
#include "algorithms/src/sort/merge_tuning.h"
#include "algorithms/src/sort/radix_tuning.h"
#include "algorithms/src/sort/tile_sort_tuning.h"
#include "algorithms/src/tables/hash_tuning.h"
#include "bench/cases/tile_sort.h"
#include "bench/tune/tune.h"
#include "support/text.h"

namespace weft::bench {
namespace {

using namespace algorithms;
using Numbers = std::span<const uint32_t>;

// The numbers to try: few, as each is a kernel to compile and run. CPUs have their own, and none for a value that has
// no effect there.
constexpr uint32_t few_invocations[] = {64, 128, 256}, many_invocations[] = {128, 256, 512, 1024};
constexpr uint32_t cpu_bytes[] = {16, 32, 64}, large_cpu_bytes[] = {32, 64, 128, 256},
                   tile_bytes[] = {32, 64, 96, 128, 160, 176, 192, 224};
constexpr uint32_t staged_bytes[] = {16, 32, 64, 80, 128, 160}, cpu_staged_bytes[] = {64, 256};
constexpr uint32_t resident_workgroups[] = {0, 2, 3, 4, 6};
constexpr uint32_t pauses[] = {0, 60, 100, 130, 150, 200};
constexpr uint32_t item_bytes[] = {28, 44, 60, 68, 76, 84, 92, 100}, cpu_item_bytes[] = {12, 28, 44};
constexpr uint32_t run_workgroups[] = {256, 512, 1024}, cpu_run_workgroups[] = {64, 256, 512};
constexpr uint32_t network_bytes[] = {8, 16, 24, 40}, atomics_bytes[] = {16, 32, 48, 64, 96};
constexpr uint32_t sample_bytes[] = {16, 32, 64, 128}, shared_bytes[] = {8192, 16384, 32768, 49152},
                   shared_copies[] = {8, 16, 32, 64}, groups[] = {256, 512, 1024, 2048};
constexpr uint32_t cpu_shared_bytes[] = {4096, 8192, 32768}, cpu_shared_copies[] = {1, 4, 8}, cpu_groups[] = {4, 8, 16};
constexpr uint32_t reduce_groups[] = {264, 528, 1056}, cpu_reduce_groups[] = {64, 256, 1056};
constexpr uint32_t radix_bytes[] = {32, 48, 64, 76, 88, 92}, radix_groups[] = {132, 264, 528, 1056},
                   radix_staged_bytes[] = {32, 48, 160}, radix_shared_bytes[] = {16384, 32768, 65536, 131072};
constexpr uint32_t serial_bytes[] = {0, 16384, 65536, 131072};
constexpr uint32_t zero_or_one[] = {0, 1};
constexpr uint32_t hash_bytes[] = {4, 8, 16, 32, 64}, hash_tries[] = {16, 64, 256, 1024},
                   cpu_hash_tries[] = {4, 64, 256};
constexpr uint32_t misses[] = {1, 2, 4, 8, 16};
constexpr Numbers none;

constexpr Choice workgroups{"workgroup", many_invocations, few_invocations};
constexpr Choice tiles{"bytes_per_invocation", tile_bytes, cpu_bytes};
constexpr Choice large_tiles{"bytes_per_invocation", tile_bytes, large_cpu_bytes};
constexpr Choice items{"bytes_per_invocation", item_bytes, cpu_item_bytes};
constexpr Choice residency{"resident_workgroups", resident_workgroups, none};
constexpr Choice serial{"serial_bytes", none, serial_bytes};
constexpr Choice pause{"look_back_pause", pauses, none};

constexpr Choice of_decoding[] = {tiles, workgroups, serial};
constexpr Choice of_reduce[] = {
    large_tiles, workgroups, {"groups", reduce_groups, cpu_reduce_groups}, {"consecutive", zero_or_one, zero_or_one},
    serial,      residency};
constexpr Choice of_carried_tiles[] = {large_tiles, workgroups, serial, residency, pause};
constexpr Choice of_staged_tiles[] = {
    large_tiles, {"staged_bytes", staged_bytes, cpu_staged_bytes}, workgroups, serial, residency, pause};
constexpr Choice of_histogram[] = {{"bytes_per_invocation", sample_bytes, large_cpu_bytes},
                                   workgroups,
                                   {"shared_bytes", shared_bytes, cpu_shared_bytes},
                                   {"shared_copies", shared_copies, cpu_shared_copies},
                                   {"groups", groups, cpu_groups},
                                   {"consecutive", zero_or_one, zero_or_one},
                                   serial,
                                   residency};
constexpr Choice first_runs{"run_workgroup", run_workgroups, cpu_run_workgroups};
constexpr Choice own_splits{"own_splits", zero_or_one, zero_or_one};
constexpr Choice of_merge[] = {items, workgroups, own_splits, serial, residency};
constexpr Choice of_segmented_sort[] = {items, workgroups, first_runs, own_splits, residency};
constexpr Choice of_merge_sort[] = {items, workgroups, first_runs, own_splits, serial, residency};
constexpr Choice of_radix[] = {{"bytes_per_invocation", radix_bytes, cpu_bytes},
                               {"staged_bytes", radix_staged_bytes, none},
                               workgroups,
                               {"match_by_atomics", zero_or_one, zero_or_one},
                               {"shared_bytes", radix_shared_bytes, none},
                               {"groups", radix_groups, cpu_groups},
                               serial,
                               residency};
constexpr Choice of_radix_pairs[] = {{"bytes_per_invocation", radix_bytes, cpu_bytes},
                                     {"staged_bytes", radix_staged_bytes, none},
                                     workgroups,
                                     {"values_beside_keys", zero_or_one, zero_or_one},
                                     {"match_by_atomics", zero_or_one, zero_or_one},
                                     {"shared_bytes", radix_shared_bytes, none},
                                     {"groups", radix_groups, cpu_groups},
                                     serial,
                                     residency};
constexpr Choice of_atomics[] = {{"bytes_per_invocation", atomics_bytes, cpu_bytes}, workgroups};
constexpr Choice of_scattered_atomics[] = {
    {"bytes_per_invocation", atomics_bytes, cpu_bytes}, {"misses", misses, misses}, workgroups};
constexpr Choice of_hash[] = {{"bytes_per_invocation", hash_bytes, cpu_bytes}, workgroups};
constexpr Choice of_bidirectional[] = {
    {"bytes_per_invocation", hash_bytes, cpu_bytes}, {"tries", hash_tries, cpu_hash_tries}, workgroups};
constexpr Choice of_networks[] = {{"bytes_per_invocation", network_bytes, network_bytes}, workgroups};

template <const auto& primitive>
Tuning::Values defaults(const TuningQuery& query) {
  return named_values(default_values(primitive, query));
}
template <const auto& primitive>
constexpr Tunable tunable(const char* benchmark, std::span<const Choice> choices, const Tunable& more = {}) {
  return {primitive.name,    defaults<primitive>, benchmark,         choices,
          more.beside_bytes, more.plan_count,     more.count_factor, more.least_count};
}

constexpr uint32_t word = 4;
constexpr uint64_t least_passes = 1 << 14;  // Fewer keys may fit one workgroup, which needs no passes.
constexpr uint32_t slots = 2;               // For each key: the benchmarks' tables have a load of 0.5.
constexpr Tunable all_tunables[] = {
    tunable<tuned_atomic_by_key>("atomic-by-key", of_atomics),
    tunable<tuned_atomic_by_scattered_key>("atomic-by-key:merged", of_scattered_atomics),
    tunable<tuned_compact>("compact", of_staged_tiles),
    tunable<tuned_compact_by_byte_flags>("compact:byte-flags", of_staged_tiles),
    tunable<tuned_compact_by_flags>("compact:flags", of_staged_tiles),
    tunable<tuned_compact_indices>("compact:indices", of_staged_tiles),
    tunable<tuned_hash>("hash:insert", of_hash, {.count_factor = slots}),
    tunable<tuned_hash_bidirectional>("hash:insert-bidirectional-locks", of_bidirectional, {.count_factor = slots}),
    tunable<tuned_hash_find>("hash:find", of_hash, {.count_factor = slots}),
    tunable<tuned_histogram>("histogram", of_histogram),
    tunable<tuned_merge>("merge", of_merge),
    tunable<tuned_merge_sort>("merge-sort:keys", of_merge_sort),
    tunable<tuned_merge_sort_pairs>("merge-sort:pairs", of_merge_sort),
    tunable<tuned_partition>("partition:reversed", of_staged_tiles),
    tunable<tuned_reduce>("reduce", of_reduce),
    tunable<tuned_reduce_by_key>("reduce-by-key", of_staged_tiles, {.beside_bytes = word}),
    tunable<tuned_run_length>("run-length", of_staged_tiles),
    tunable<tuned_run_length_decode>("run-length-decode", of_decoding),
    tunable<tuned_scan>("scan", of_carried_tiles),
    tunable<tuned_scan_by_key>("scan-by-key", of_carried_tiles, {.beside_bytes = word}),
    tunable<tuned_segmented_reduce>("segmented-reduce", of_staged_tiles),
    tunable<tuned_segmented_scan>("segmented-scan", of_carried_tiles),
    tunable<tuned_segmented_sort>("segmented-sort:long", of_segmented_sort),
    tunable<tuned_sort>("sort:keys", of_radix, {.least_count = least_passes}),
    tunable<tuned_sort_pairs>("sort:pairs", of_radix_pairs, {.beside_bytes = word, .least_count = least_passes}),
    tunable<tuned_split>("split:three-way", of_carried_tiles),
    tunable<tuned_tile_sort>("tile-sort:odd-even", of_networks, {.plan_count = tile_sort_length}),
    tunable<tuned_unique>("unique", of_staged_tiles),
};

}  // namespace

std::span<const Tunable> tunables() { return all_tunables; }

const Tunable& find_tunable(const std::string& name) {
  std::string primitive = name, list;
  std::ranges::replace(primitive, '-', '_');
  std::vector<std::string> names;
  for (const Tunable& tunable : all_tunables) {
    if (tunable.primitive == primitive || tunable.benchmark == name) return tunable;
    names.push_back(tunable.primitive);
    list += (list.empty() ? "" : ", ") + names.back();
  }
  const auto near = support::nearest(primitive, names);
  throw Error(ErrorCode::invalid_argument, "there is nothing to tune in '" + name + "'" +
                                               (near ? "; did you mean " + *near + "?" : "") + "; there are " + list);
}

}  // namespace weft::bench
