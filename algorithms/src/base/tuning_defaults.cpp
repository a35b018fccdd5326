#include <weft/error.h>
#include <algorithm>

#include "algorithms/src/base/tuning.h"

namespace weft::algorithms {
namespace {

// NVIDIA's large GPUs from Hopper on, through CUDA: there a kernel's registers can be bounded, which Vulkan has no way
// to ask for, and the pause pays in every kernel that looks back.
bool is_large_cuda(const DeviceInfo& device) {
  constexpr uint32_t hoppers_memory = 227 * 1024;
  return device.backend == "cuda" && device.limits.workgroup_memory_bytes >= hoppers_memory;
}

// NVIDIA's driver for Vulkan, as measured on an H200: it gives the workgroups of a multiprocessor some 56 KiB of
// workgroup memory together, so that few run where each takes much.
bool is_nvidia_vulkan(const DeviceInfo& device) {
  return device.backend == "vulkan" && device.name.starts_with("NVIDIA");
}

// Up to so many elements all tiles run at once, and smaller ones leave fewer multiprocessors idle.
bool are_few(const TuningQuery& query) { return query.max_count <= 1 << 20; }

// Eight 16-byte loads under way in each invocation; of elements narrower than a word fewer, as each takes a register.
Tuning reduce(const TuningQuery& query) { return {.bytes_per_invocation = query.element_bytes < 4 ? 256u : 128u}; }

// Small tiles of twice the subgroups.
void take_few_through_nvidia_vulkan(Tuning& tuning) {
  tuning.workgroup = 512;
  tuning.bytes_per_invocation = 64;
}

Tuning scan(const TuningQuery& query) {
  // Twelve 16-byte loads under way in each invocation: about 48 KiB a workgroup. Wider elements also hold wider sums.
  Tuning tuning{.bytes_per_invocation = query.element_bytes <= 8 ? 192u : 96u};
  const bool of_words = query.element_bytes == 4 || query.element_bytes == 8;
  if (is_large_cuda(query.device)) {
    tuning.look_back_pause = 200;
    if (of_words) {
      tuning.bytes_per_invocation = 176;  // Eleven loads leave registers for a third workgroup, but some of 8 bytes.
      tuning.resident_workgroups = 3;
    }
    // 2^20 elements are one tile for each multiprocessor of the largest.
    if (query.element_bytes == 8 && are_few(query) && query.max_count > 1u << 19) {
      tuning = {.workgroup = 512, .bytes_per_invocation = 128};
    }
  }
  if (is_nvidia_vulkan(query.device)) {
    tuning.look_back_pause = 60;
    if (of_words && are_few(query)) take_few_through_nvidia_vulkan(tuning);
  }
  return tuning;
}

bool has_short_items(const TuningQuery& query) { return query.element_bytes == 4 && query.max_count <= UINT32_MAX; }

// A kernel of one-word elements and 32-bit places fits a third workgroup's registers without spills.
uint32_t three_of_words(const TuningQuery& query) { return has_short_items(query) ? 3 : 0; }

// What selects elements one by one goes by these values; the others change what was measured to be better.
Tuning split(const TuningQuery& query) {
  if (is_nvidia_vulkan(query.device)) {
    return {.bytes_per_invocation = 128, .look_back_pause = 180, .staged_bytes = 32};
  }
  Tuning tuning{.bytes_per_invocation = 192};
  if (is_large_cuda(query.device)) {
    tuning.bytes_per_invocation = 160;
    tuning.look_back_pause = 130;
    tuning.staged_bytes = 160;  // All at once, where there is memory enough.
  }
  return tuning;
}

Tuning compact(const TuningQuery& query) {
  Tuning tuning = split(query);
  if (is_large_cuda(query.device)) tuning.resident_workgroups = three_of_words(query);
  return tuning;
}

// Flags are as many loads under way again: smaller tiles, of which a multiprocessor runs more.
Tuning compact_by_byte_flags(const TuningQuery& query) {
  Tuning tuning = split(query);
  if (is_large_cuda(query.device) && has_short_items(query)) {
    tuning.bytes_per_invocation = 96;
    tuning.resident_workgroups = 4;
    tuning.staged_bytes = 96;
  }
  return tuning;
}

// Flags of 8 bits were slower through Vulkan with what is better for those of 32.
Tuning compact_by_flags(const TuningQuery& query) {
  Tuning tuning = compact_by_byte_flags(query);
  if (is_nvidia_vulkan(query.device)) {
    tuning.bytes_per_invocation = 64;
    if (!are_few(query)) tuning.workgroup = 512;
  }
  return tuning;
}

// Both kinds of elements take registers. That some spill on sm_90 costs less than a workgroup less or smaller tiles.
Tuning partition(const TuningQuery& query) {
  if (!is_large_cuda(query.device)) return split(query);
  return {.bytes_per_invocation = 128,
          .resident_workgroups = has_short_items(query) ? 4u : 0u,
          .look_back_pause = 130,
          .staged_bytes = 128};
}

Tuning run_length(const TuningQuery& query) {
  Tuning tuning = split(query);
  if (is_nvidia_vulkan(query.device) || is_large_cuda(query.device)) tuning.look_back_pause = 60;
  if (is_nvidia_vulkan(query.device)) {
    tuning.staged_bytes = 16;
    if (are_few(query)) take_few_through_nvidia_vulkan(tuning);
  }
  if (is_large_cuda(query.device)) {
    tuning.resident_workgroups = three_of_words(query);
    tuning.staged_bytes = 80;  // Of heads, and as much of their places.
  }
  return tuning;
}

Tuning unique(const TuningQuery& query) {
  Tuning tuning = compact(query);
  if (is_large_cuda(query.device)) tuning.look_back_pause = 60;
  return tuning;
}

Tuning histogram(const TuningQuery& query) {
  // On a CPU few lanes meet, and each copy is memory to clear and to add up.
  if (query.device.kind == DeviceKind::cpu) {
    return {.workgroup = 64,
            .bytes_per_invocation = 16,
            .shared_bytes = 8 * 1024,
            .shared_copies = query.device.limits.subgroup_size,
            .groups = 8};
  }
  // Each sample of a load under way takes a register.
  Tuning tuning{.workgroup = 512,
                .bytes_per_invocation = query.element_bytes == 1 ? 32u : 64u,
                .shared_bytes = 32 * 1024,  // 32 copies of 256 bins.
                .shared_copies = 32,
                .groups = 1024};
  if (is_large_cuda(query.device)) {
    const bool many_of_16_bits = query.element_bytes == 2 && !are_few(query);
    if (many_of_16_bits) tuning.workgroup = 1024;
    tuning.shared_bytes = (many_of_16_bits ? 16 : 48) * 1024;
  }
  if (is_nvidia_vulkan(query.device)) {
    tuning.workgroup = 1024;
    tuning.shared_bytes = 16 * 1024;
    tuning.groups = 264;  // Two for each multiprocessor of the largest.
  }
  return tuning;
}

// Above, what tiles read to find their splits cost more than a dispatch for all of them (H200, CUDA and Vulkan).
constexpr uint64_t few_to_merge = 1 << 22;

// An odd number of elements an invocation keeps neighbours off one another's banks: 17 words. Each doubling of the
// first runs saves a pass over memory. Of few elements, what merges take is launches and searches for splits.
Tuning merge_tiles(const TuningQuery& query) {
  const uint32_t own_splits = query.max_count <= few_to_merge ? 1 : 0;
  // A CPU's compilers take long over the unrolled comparisons.
  if (query.device.kind == DeviceKind::cpu) return {.bytes_per_invocation = 28, .own_splits = own_splits};
  Tuning tuning{.bytes_per_invocation = query.element_bytes <= 4 ? 68u : 88u, .own_splits = own_splits};
  if (is_nvidia_vulkan(query.device)) tuning.workgroup = 64;
  if (is_large_cuda(query.device) && query.element_bytes <= 8) {
    tuning.workgroup = 128;
    // As many as need no spills: each waits at barriers often.
    tuning.resident_workgroups = query.max_count <= UINT32_MAX ? 8 : 6;
  }
  return tuning;
}

// Words alone leave registers for 23 of them; few are better in more tiles.
Tuning merge_sort(const TuningQuery& query) {
  Tuning tuning = merge_tiles(query);
  const bool large = is_large_cuda(query.device) || is_nvidia_vulkan(query.device);
  if (large && has_short_items(query) && !are_few(query)) tuning.bytes_per_invocation = 92;
  return tuning;
}

Tuning merge(const TuningQuery& query) {
  Tuning tuning = merge_sort(query);
  if (is_nvidia_vulkan(query.device) && has_short_items(query) && !are_few(query)) {
    tuning.workgroup = 128;
    tuning.bytes_per_invocation = 60;
  }
  return tuning;
}

// Through Vulkan, fewer elements an invocation leave memory for first runs of twice as many invocations.
Tuning merge_sort_pairs(const TuningQuery& query) {
  Tuning tuning = merge_tiles(query);
  if (is_nvidia_vulkan(query.device) && query.element_bytes == 4) {
    tuning.workgroup = 128;
    tuning.bytes_per_invocation = 44;
  }
  return tuning;
}

// Segments take some registers more.
Tuning segmented_sort(const TuningQuery& query) {
  Tuning tuning = merge_tiles(query);
  tuning.own_splits = 0;
  if (tuning.resident_workgroups > 0) tuning.resident_workgroups = 6;
  if (is_nvidia_vulkan(query.device)) tuning.run_workgroup = 256;
  return tuning;
}

// What the passes of radix sorts have in common.
Tuning radix(const TuningQuery& query) {
  if (query.device.kind == DeviceKind::cpu) return {.workgroup = 64, .bytes_per_invocation = 32, .groups = 16};
  if (is_nvidia_vulkan(query.device)) {
    // Its compiler gives workgroups of 256 registers for three on a multiprocessor, and of 512 for one.
    return {.workgroup = 256,
            .bytes_per_invocation = 88,
            .staged_bytes = 48,
            .shared_bytes = 32 * 1024,
            .shared_copies = 32,
            .groups = 264};
  }
  Tuning tuning{.workgroup = 512,
                .bytes_per_invocation = 64,
                .staged_bytes = 64,
                .shared_bytes = 32 * 1024,
                .shared_copies = 32,
                .groups = 1056};
  if (is_large_cuda(query.device)) {
    // As many rows as need no spills on sm_90: the longer a tile's runs of one digit, the fewer parts of sectors are
    // written.
    tuning.bytes_per_invocation = 88;
    tuning.staged_bytes = 160;  // All at once.
    tuning.match_by_atomics = 1;
    tuning.resident_workgroups = 2;
    tuning.shared_bytes = 128 * 1024;
  }
  return tuning;
}

bool are_many_of_bytes(const TuningQuery& query, uint32_t bytes) {
  return query.element_bytes == bytes && !are_few(query) && query.max_count <= UINT32_MAX;
}

Tuning sort(const TuningQuery& query) {
  Tuning tuning = radix(query);
  const bool are_wide = are_many_of_bytes(query, 8);
  if (is_nvidia_vulkan(query.device) && (are_wide || are_many_of_bytes(query, 4))) {
    // With 16 rows 384 invocations were faster than 256 and 512; with 32-bit values not.
    tuning.workgroup = 384;
    tuning.bytes_per_invocation = 16 * query.element_bytes;
  }
  if (is_large_cuda(query.device) && are_wide) {
    tuning.bytes_per_invocation = 120;
    tuning.staged_bytes = 64;
  }
  return tuning;
}

// The bytes of elements are those of keys and values together.
Tuning sort_pairs(const TuningQuery& query) {
  Tuning tuning = radix(query);
  const bool are_wide = are_many_of_bytes(query, 8 + 4);
  if (is_nvidia_vulkan(query.device)) {
    tuning.workgroup = are_wide ? 384 : 512;
    tuning.bytes_per_invocation = are_wide ? 112 : 88;
    tuning.staged_bytes = are_wide ? 56 : 160;
    tuning.match_by_atomics = are_wide ? 0 : 1;
  }
  if (is_large_cuda(query.device)) {
    tuning.values_beside_keys = 1;  // It has memory for both.
    if (are_wide) tuning.bytes_per_invocation = 120;
  }
  return tuning;
}

// As much as one multiprocessor does at once.
Tuning sort_one_tile(const TuningQuery& query) {
  if (query.device.kind == DeviceKind::cpu) return {.workgroup = 64, .bytes_per_invocation = 64};
  return {.workgroup = 1024, .bytes_per_invocation = 32};
}

// Small tiles: a network's steps are paid for by barriers, and several workgroups hide one another's.
Tuning tile_sort(const TuningQuery&) { return {.bytes_per_invocation = 16}; }

// Keys and values together; the sums of the latter take registers as well.
Tuning by_key(const TuningQuery& query) {
  if (is_nvidia_vulkan(query.device)) return {.bytes_per_invocation = 160, .look_back_pause = 60, .staged_bytes = 16};
  if (!is_large_cuda(query.device)) return {.bytes_per_invocation = 128};
  return {.bytes_per_invocation = 160, .look_back_pause = 60, .staged_bytes = 160};
}

Tuning reduce_by_key(const TuningQuery& query) {
  Tuning tuning = by_key(query);
  if (is_nvidia_vulkan(query.device) && are_few(query)) take_few_through_nvidia_vulkan(tuning);
  return tuning;
}

// Values alone.
Tuning segmented_reduce(const TuningQuery& query) {
  Tuning tuning = by_key(query);
  if (is_nvidia_vulkan(query.device)) tuning.bytes_per_invocation = 128;
  if (is_large_cuda(query.device) && has_short_items(query)) {
    tuning.bytes_per_invocation = 96;
    tuning.resident_workgroups = 4;
    tuning.staged_bytes = 48;
  }
  return tuning;
}

// All sums of a tile are kept, not just those of whole segments.
Tuning scan_by_key(const TuningQuery& query) {
  Tuning tuning = by_key(query);
  if (is_nvidia_vulkan(query.device)) {
    tuning.workgroup = 512;
    tuning.bytes_per_invocation = 128;
    tuning.look_back_pause = 120;
  }
  return tuning;
}

Tuning segmented_scan(const TuningQuery& query) {
  Tuning tuning = by_key(query);
  tuning.bytes_per_invocation = 128;
  return tuning;
}

// Keys and values, a word of each for each element.
Tuning atomic_by_key(const TuningQuery&) { return {.bytes_per_invocation = 48}; }

// One workgroup goes through the totals of all tiles, so it takes many at a time.
Tuning scan_spine(const TuningQuery&) { return {.bytes_per_invocation = 64}; }

struct Row {
  const char* primitive;
  Tuning (*tuning)(const TuningQuery&);
};
constexpr Row rows[] = {
    {"atomic_by_key", atomic_by_key},
    {"compact", compact},
    {"compact_by_byte_flags", compact_by_byte_flags},
    {"compact_by_flags", compact_by_flags},
    {"histogram", histogram},
    {"merge", merge},
    {"merge_sort", merge_sort},
    {"merge_sort_pairs", merge_sort_pairs},
    {"partition", partition},
    {"reduce", reduce},
    {"reduce_by_key", reduce_by_key},
    {"run_length", run_length},
    {"run_length_decode", reduce},
    {"scan", scan},
    {"scan_by_key", scan_by_key},
    {"scan_spine", scan_spine},
    {"segmented_reduce", segmented_reduce},
    {"segmented_scan", segmented_scan},
    {"segmented_sort", segmented_sort},
    {"sort", sort},
    {"sort_one_tile", sort_one_tile},
    {"sort_pairs", sort_pairs},
    {"split", split},
    {"tile_sort", tile_sort},
    {"unique", unique},
};

}  // namespace

Tuning default_tuning(const std::string& primitive, const TuningQuery& query) {
  for (const Row& row : rows) {
    if (row.primitive != primitive) continue;
    Tuning tuning = row.tuning(query);
    // A CPU has no latency to hide, and its compilers take long over large unrolled loops.
    constexpr uint32_t cpu_bytes = 64;
    if (query.device.kind == DeviceKind::cpu) {
      tuning.bytes_per_invocation = std::min(tuning.bytes_per_invocation, cpu_bytes);
    }
    return tuning;
  }
  throw Error(ErrorCode::invalid_argument, "There are no values to tune '" + primitive +
                                               "'; algorithms/src/base/tuning_defaults.cpp has to have a row.");
}

}  // namespace weft::algorithms
