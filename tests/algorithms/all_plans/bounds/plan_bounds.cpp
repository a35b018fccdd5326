#include <functional>

#include <weft/box_kd_tree.h>
#include <weft/bvh_query.h>
#include <weft/by_key.h>
#include <weft/compact.h>
#include <weft/find_neighbours.h>
#include <weft/find_pairs.h>
#include <weft/hash_table.h>
#include <weft/kd_tree.h>
#include <weft/lbvh.h>
#include <weft/merge.h>
#include <weft/merge_sort.h>
#include <weft/morton.h>
#include <weft/partition.h>
#include <weft/reduce.h>
#include <weft/run_length.h>
#include <weft/scan.h>
#include <weft/segmented.h>
#include <weft/segmented_sort.h>
#include <weft/sort.h>
#include <weft/split.h>
#include <weft/top_k.h>
#include <weft/tree_reduce.h>

#include "algorithms/src/base/tiling.h"
#include "algorithms/src/select/selection_tuning.h"
#include "algorithms/src/sort/radix_shape.h"
#include "tests/algorithms/scan/scan_check.h"
#include "tests/support/recording_device.h"

using namespace weft;
using namespace weft::test;
using namespace weft::algorithms;

/// Promises of plans for counts that no test has memory for.

namespace {

constexpr uint64_t limit = uint64_t(1) << 32;

DeviceInfo without_int64_atomics() {
  DeviceInfo info = gpu(64, 32 * 1024);
  info.features.buffer_int64_atomics = info.features.workgroup_int64_atomics = false;
  return info;
}

struct Plans {
  std::string name;
  std::function<uint64_t(uint64_t count)> temporary_bytes;
};

void add_plans_of_path(std::vector<Plans>& all, const Device& device, TilePath path) {
  const Element word = Element::of<uint32_t>(), wide = Element::of<uint64_t>();
  const Operator sum = Operator::sum();
  const auto add = [&](const std::string& name, auto make) {
    all.push_back({name + ", " + name_of(path), [make](uint64_t count) { return make(count).temporary_bytes(); }});
  };
  add("scan", [=](uint64_t n) { return Scan(device, word, sum, n, {.path = path}); });
  add("scan of two words", [=](uint64_t n) { return Scan(device, wide, sum, n, {.path = path}); });
  add("compact", [=](uint64_t n) { return Compact(device, word, Selection::when("x > 3u"), n, {path}); });
  add("compact by flags", [=](uint64_t n) { return Compact(device, word, Selection::flagged(), n, {path}); });
  add("indices", [=](uint64_t n) { return Compact(device, word, Selection::when("x > 3u"), n, {path, {}, 64}); });
  add("unique", [=](uint64_t n) { return Compact(device, word, Selection::first_of_runs(), n, {path}); });
  add("partition",
      [=](uint64_t n) { return Partition(device, word, Selection::when("x > 3u"), n, {Others::reversed, path}); });
  add("split", [=](uint64_t n) { return Split(device, word, Sides::three_way("x > 3u", "x > 2u"), n, {path}); });
  add("run-length encoding", [=](uint64_t n) { return RunLengthEncode(device, word, n, {{}, path}); });
  add("run-length decoding", [=](uint64_t n) { return RunLengthDecode(device, word, n, n, {path}); });
  add("reduce by key", [=](uint64_t n) { return ReduceByKey(device, word, word, sum, n, {{}, path}); });
  add("scan by key", [=](uint64_t n) { return ScanByKey(device, word, word, sum, n, {.path = path}); });
  for (const SegmentsBy by : {SegmentsBy::flags, SegmentsBy::offsets}) {
    const std::string what = by == SegmentsBy::flags ? " by flags" : " by offsets";
    add("segmented reduce" + what, [=](uint64_t n) { return SegmentedReduce(device, word, sum, by, n, n, {path}); });
    add("segmented scan" + what,
        [=](uint64_t n) { return SegmentedScan(device, word, sum, by, n, n, {.path = path}); });
  }
  add("sort", [=](uint64_t n) { return Sort(device, word, n, {{}, path}); });
  add("sort of pairs", [=](uint64_t n) { return Sort(device, word, wide, n, {{}, path}); });
  const Element large = Element::structure({{"uvec3", "value"}});
  add("sort of large values", [=](uint64_t n) { return Sort(device, word, large, n, {{}, path}); });
}

std::vector<Plans> all_plans(const Device& device) {
  const Element word = Element::of<uint32_t>();
  const Operator sum = Operator::sum();
  const Comparison before = Comparison::ascending();
  std::vector<Plans> all;
  const auto add = [&](const std::string& name, auto make) {
    all.push_back({name, [make](uint64_t count) { return make(count).temporary_bytes(); }});
  };
  for (const TilePath path : {TilePath::look_back, TilePath::reduce_then_scan}) add_plans_of_path(all, device, path);
  for (const bool fixed : {false, true}) {
    add(fixed ? "reduce in a fixed order" : "reduce",
        [=](uint64_t n) { return Reduce(device, word, sum, n, {.fixed_order = fixed}); });
  }
  add("partition, others behind", [=](uint64_t n) {
    return Partition(device, word, Selection::when("x > 3u"), n, {Others::behind, TilePath::reduce_then_scan});
  });
  add("merge", [=](uint64_t n) { return Merge(device, word, before, n); });
  add("merge sort", [=](uint64_t n) { return MergeSort(device, word, before, n, {word}); });
  const HashTable table(device, word, 1000, {.probing = Probing::bidirectional});
  add("sorted hash insertion", [=](uint64_t n) { return HashInsert(table, {.max_count = n / 256}); });
  add("morton", [=](uint64_t n) { return Morton(device, 3, n); });
  add("kd-tree", [=](uint64_t n) { return KdTree(device, 3, n / 256); });
  // Up to 2^29 references, four to a box.
  add("kd-tree of boxes", [=](uint64_t n) { return BoxKdTree(device, BvhPrimitive::boxes(), n / 1024); });
  for (const uint32_t bits : {30u, 63u}) {
    add("hierarchy by " + std::to_string(bits) + " bits",
        [=](uint64_t n) { return Lbvh(device, BvhPrimitive::boxes(), n / 256, {.code_bits = bits}); });
  }
  add("agglomerative hierarchy", [=](uint64_t n) {
    return Lbvh(device, BvhPrimitive::boxes(), n / 256, {.builder = Lbvh::Builder::agglomerative});
  });
  add("bvh query", [=](uint64_t n) { return BvhQuery(device, BvhQuery::Of::rays, BvhQuery::Find::all, n / 256); });
  for (const BroadPhase method : {BroadPhase::sort_and_sweep, BroadPhase::uniform_grid, BroadPhase::bvh}) {
    add("pairs by method " + std::to_string(int(method)),
        [=](uint64_t n) { return FindPairs(device, BvhPrimitive::boxes(), n / 256, {.method = method}); });
  }
  for (const FindNeighbours::Method method : {FindNeighbours::Method::uniform_grid, FindNeighbours::Method::bvh}) {
    add("neighbours by method " + std::to_string(int(method)),
        [=](uint64_t n) { return FindNeighbours(device, n / 256, {.method = method}); });
  }
  // Trees have up to 2^29 leaves and as many inner nodes.
  for (const TreeReduce::Links links : {TreeReduce::Links::children, TreeReduce::Links::parents}) {
    add(links == TreeReduce::Links::children ? "tree reduce by children" : "tree reduce by parents", [=](uint64_t n) {
      const uint64_t nodes = n / 256;
      return TreeReduce(device, word, sum, nodes, nodes, {.links = links});
    });
  }
  add("segmented sort", [=](uint64_t n) { return SegmentedSort(device, word, before, n, n); });
  // Counts above what atomics can count are refused.
  const bool has_wide = device.info().features.buffer_int64_atomics;
  add("top k",
      [=](uint64_t n) { return TopK(device, word, has_wide ? n : std::min(n, limit - 1), n, {.indices = true}); });
  return all;
}

}  // namespace

TEST_CASE("temporary storage grows with the maximum count, across all widths of kernels") {
  // Counts around the limits of one workgroup, of few elements, of states of one word, and of 32-bit offsets and
  // indices.
  const uint64_t last_ones[] = {8192, 1 << 19, 1 << 20, 1 << 22, (limit >> 2) - 1, most_short_offset, limit - 1};
  std::vector<uint64_t> counts{0};
  for (const uint64_t last : last_ones) counts.insert(counts.end(), {last, last + 1});
  counts.push_back(2 * limit);
  for (const DeviceInfo& info : {h200_by_cuda(), h200_by_vulkan(), without_int64_atomics()}) {
    std::vector<RequestedKernel> requested;
    for (const Plans& plans : all_plans(recording_device(info, requested))) {
      uint64_t before = 0;
      for (const uint64_t count : counts) {
        INFO(plans.name, " of ", count, " with ", info.limits.workgroup_memory_bytes, " bytes of workgroup memory");
        const uint64_t bytes = plans.temporary_bytes(count);
        CHECK_EQ(bytes % 16, 0);
        CHECK_GE(bytes, before);
        before = bytes;
      }
      // Eight times the count takes eight times the storage, apart from a constant part.
      constexpr uint64_t constant = 1 << 20;
      INFO(plans.name, " of ", 16 * limit, " after ", before, " bytes for ", 2 * limit);
      const uint64_t bytes = plans.temporary_bytes(16 * limit);
      CHECK_LE(bytes, 8 * before);
      CHECK_GE(bytes + 8 * constant, 8 * before);
      requested.clear();
    }
  }
}

TEST_CASE("tiles cover all elements, and the last tile has at least one") {
  const Tiling tiling{.workgroup = 256, .rows = 3, .pack = 4, .element_words = 1, .element_bytes = 4};
  CHECK_EQ(tiling.tiles(0), 1);
  for (const uint64_t power : {uint64_t(1) << 12, limit / 2, limit, 2 * limit, uint64_t(1) << 40}) {
    for (const uint64_t count : {power - 1, power, power + 1, power / 3072 * 3072}) {
      INFO(count, " elements");
      CHECK_GE(tiling.tiles(count) * 3072, count);
      CHECK_LT((tiling.tiles(count) - 1) * 3072, count);
    }
  }
}

TEST_CASE("workgroups are spread over rows that the device takes, with fewer spare ones than rows") {
  DeviceLimits limits;
  for (const uint32_t row : {65535u, 0x7fffffffu}) {
    limits.max_workgroup_count = {row, 65535, 65535};
    for (const uint64_t groups :
         {uint64_t(0), uint64_t(1), uint64_t(65535), uint64_t(65536), uint64_t(65537), limit / 2 - 1, limit / 2 + 1,
          uint64_t(65535) * 65535, limit - 1, limit + 12345, 9 * limit}) {
      if (groups > uint64_t(row) * 65535) continue;
      INFO(groups, " workgroups in rows of ", row);
      const Groups grid = spread(groups, limits);
      CHECK_LE(grid.x, row);
      CHECK_LE(grid.y, 65535);
      CHECK_EQ(grid.z, 1);
      CHECK_GE(uint64_t(grid.x) * grid.y, groups);
      CHECK_LT(uint64_t(grid.x) * grid.y, groups + grid.y);
    }
  }
}

TEST_CASE("storage for a larger count is never for fewer tiles") {
  const DeviceInfo info = h200_by_cuda();
  const Element word = Element::of<uint32_t>();
  const Tuner tuner(tuned_compact_by_flags, info, {}, word.bytes());
  uint64_t before = 0;
  for (const uint64_t count : {limit / 2, limit - 2, limit - 1, limit, limit + 1, limit + limit / 4, 2 * limit}) {
    const uint64_t tiles =
        tuner.most_tiles(count, [&](const StagedTuning& at) { return make_tiling(info, word, at.tile); });
    INFO(count, " elements");
    CHECK_GE(tiles, before);
    before = tiles;
  }
}

TEST_CASE("pairs are found as is fastest on a GPU or a CPU") {
  std::vector<RequestedKernel> requested;
  DeviceInfo cpu = without_int64_atomics();
  cpu.kind = DeviceKind::cpu;
  const Device on_gpu = recording_device(h200_by_vulkan(), requested), on_cpu = recording_device(cpu, requested);
  const auto method = [](const Device& device, uint64_t count) {
    return FindPairs(device, BvhPrimitive::boxes(), count).method();
  };
  CHECK(method(on_cpu, 128) == BroadPhase::brute_force);
  CHECK(method(on_cpu, 129) == BroadPhase::bvh);
  CHECK(method(on_gpu, 1024) == BroadPhase::brute_force);
  CHECK(method(on_gpu, 1025) == BroadPhase::uniform_grid);
  CHECK(method(on_gpu, 32768) == BroadPhase::uniform_grid);
  CHECK(method(on_gpu, 32769) == BroadPhase::bvh);
}

TEST_CASE("merges of few elements take one dispatch, larger ones two") {
  std::vector<RequestedKernel> requested;
  const Device device = recording_device(h200_by_cuda(), requested);
  const Element word = Element::of<uint32_t>();
  const auto kernels = [&](const auto& make, uint64_t count) {
    requested.clear();
    make(count);
    return requested.size();
  };
  const auto merge = [&](uint64_t count) { Merge(device, word, Comparison::ascending(), count); };
  const auto merge_sort = [&](uint64_t count) { MergeSort(device, word, Comparison::ascending(), count); };
  const auto segmented_sort = [&](uint64_t count) {
    SegmentedSort(device, word, Comparison::ascending(), count, count);
  };
  CHECK_EQ(kernels(merge, 1 << 22), 1);
  CHECK_EQ(kernels(merge, (1 << 22) + 1), 2);
  CHECK_EQ(kernels(merge_sort, 1 << 22), 2);
  CHECK_EQ(kernels(merge_sort, (1 << 22) + 1), 3);
  // One of them merges short segments at the bounds of runs, and one lists the tiles of all merges.
  CHECK_EQ(kernels(segmented_sort, 1 << 22), 4);
  CHECK_EQ(kernels(segmented_sort, (1 << 22) + 1), 5);
}

TEST_CASE("tiles have fewer than 2^16 elements, whatever the tuning") {
  const DeviceInfo info = h200_by_cuda();
  constexpr TileTuning most{.workgroup = 1024, .bytes_per_invocation = 1024};
  const Element key = Element::of<uint8_t>();
  for (const Element& element :
       {Element::of<uint8_t>(), Element::of<uint32_t>(), Element::structure({{"vec4", "x"}})}) {
    INFO("elements of ", element.bytes(), " bytes");
    CHECK_LT(make_tiling(info, element, most).elements(), 65536);
    CHECK_LT(make_keyed_tiling(info, element, &key, most).elements(), 65536);
    const Tiling gathered = make_row_staged_tiling("Test", info, element, nullptr, 1, most, 16);
    CHECK_LT(gathered.elements(), 65536);
    CHECK_GT(gathered.elements(), 32767);  // About the maximum.
  }
}

TEST_CASE("a radix sort's tile reduced to workgroup memory stages no more rows than it has") {
  const RadixTuning tuning{
      .tile = {.workgroup = 64, .bytes_per_invocation = 256}, .staged_bytes = 256, .values_beside_keys = 1};
  const DeviceInfo info = gpu(32, 32 * 1024);
  const RadixShape shape = make_radix_shape(info, {.key_bytes = 4, .value_bytes = 4}, tuning);
  CHECK_LT(shape.tiling.rows, 64);
  CHECK_LE(shape.tiling.staged_rows, shape.tiling.rows);
  // The keys and values of the staged rows.
  CHECK_GE(shape.memory_words, shape.tiling.workgroup * shape.tiling.staged_rows * 2);
  CHECK_LE(shape.memory_words * 4, info.limits.workgroup_memory_bytes);
}
