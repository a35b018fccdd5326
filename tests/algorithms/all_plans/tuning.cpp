#include "algorithms/src/base/tuning.h"

#include <numeric>

#include <weft/compact.h>
#include <weft/reduce.h>

#include "algorithms/src/base/tile_carry.h"
#include "algorithms/src/pairs/pairs_tuning.h"
#include "algorithms/src/reduce/histogram_tuning.h"
#include "algorithms/src/reduce/reduce_tuning.h"
#include "algorithms/src/runs/atomic_by_key_tuning.h"
#include "algorithms/src/runs/run_length_tuning.h"
#include "algorithms/src/runs/segments_tuning.h"
#include "algorithms/src/scan/map_tuning.h"
#include "algorithms/src/scan/scan_tuning.h"
#include "algorithms/src/select/selection_tuning.h"
#include "algorithms/src/sort/merge_tuning.h"
#include "algorithms/src/sort/radix_tuning.h"
#include "algorithms/src/sort/tile_sort_tuning.h"
#include "algorithms/src/tables/hash_tuning.h"
#include "algorithms/src/trees/morton_tuning.h"
#include "tests/algorithms/base/tuned.h"
#include "tests/algorithms/scan/scan_check.h"
#include "tests/algorithms/select/select_check.h"
#include "tests/support/recording_device.h"

using namespace weft;
using namespace weft::test;
using namespace weft::algorithms;

namespace {

Tuning::Entry entry_for(const Device& device, const std::string& primitive, uint64_t count,
                        const Tuning::Values& values) {
  return {.backend = device.info().backend,
          .device = device.info().name,
          .primitive = primitive,
          .element_bytes = 4,
          .count = count,
          .values = values};
}

DeviceInfo cpu_device() {
  DeviceInfo info = gpu(8, 32 * 1024);
  info.kind = DeviceKind::cpu;
  return info;
}

// Calls `see` with every primitive that is tuned.
void each_primitive(const auto& see) {
  const auto all = [&](const auto&... primitives) { (see(primitives), ...); };
  all(tuned_atomic_by_key, tuned_atomic_by_scattered_key, tuned_compact, tuned_compact_by_byte_flags,
      tuned_compact_by_flags, tuned_compact_indices, tuned_hash, tuned_hash_bidirectional, tuned_hash_find,
      tuned_histogram, tuned_map, tuned_merge, tuned_merge_sort, tuned_merge_sort_pairs, tuned_morton, tuned_pairs,
      tuned_partition, tuned_reduce, tuned_reduce_by_key, tuned_run_length, tuned_run_length_decode, tuned_scan,
      tuned_scan_by_key, tuned_segmented_reduce, tuned_segmented_scan, tuned_segmented_sort, tuned_sort,
      tuned_sort_one_tile, tuned_sort_pairs, tuned_spine, tuned_split, tuned_tile_sort, tuned_unique);
}

// The defaults of every primitive, element size and count that some depend on.
using Defaults = std::map<std::string, Tuning::Values>;
Defaults all_defaults(const DeviceInfo& device) {
  Defaults all;
  each_primitive([&](const auto& primitive) {
    for (const uint32_t bytes : {1, 2, 4, 8, 12, 16, 20}) {
      for (const uint64_t count : {uint64_t(1) << 19, uint64_t(1) << 20, uint64_t(1) << 24, uint64_t(1) << 33}) {
        const std::string name =
            primitive.name + std::string(" of ") + std::to_string(bytes) + " bytes, " + std::to_string(count);
        all[name] = named_values(default_values(primitive, {device, bytes, count}));
      }
    }
  });
  return all;
}

}  // namespace

TEST_CASE("defaults are those that were measured on an H200, or best on most devices") {
  struct Expected {
    DeviceInfo device;
    uint32_t scan_bytes, scan_resident, scan_pause, compact_bytes, sort_workgroup, sort_bytes, sort_by_atomics;
  };
  const Expected all[] = {{h200_by_cuda(), 176, 3, 200, 160, 512, 88, 1},
                          {h200_by_vulkan(), 192, 0, 60, 128, 384, 64, 0},
                          {nvidia_by_cuda("sm_80", 163 * 1024), 192, 0, 0, 192, 512, 64, 0},
                          {gpu(64, 64 * 1024), 192, 0, 0, 192, 512, 64, 0},
                          {cpu_device(), 256, 0, 0, 256, 256, 64, 0}};
  for (const Expected& expected : all) {
    INFO(to_string(expected.device.vendor), " ", expected.device.backend, " ", expected.device.architecture);
    const TuningQuery words{expected.device, 4, 1 << 24};
    const ScanTuning scan = default_values(tuned_scan, words);
    CHECK_EQ(scan.tile.bytes_per_invocation, expected.scan_bytes);
    CHECK_EQ(scan.look_back.workgroups_per_multiprocessor, expected.scan_resident);
    CHECK_EQ(scan.look_back.pause, expected.scan_pause);
    CHECK_EQ(default_values(tuned_compact, words).tile.bytes_per_invocation, expected.compact_bytes);
    const RadixTuning sort = default_values(tuned_sort, words);
    CHECK_EQ(sort.tile.workgroup, expected.sort_workgroup);
    CHECK_EQ(sort.tile.bytes_per_invocation, expected.sort_bytes);
    CHECK_EQ(sort.match_by_atomics, expected.sort_by_atomics);
  }
}

TEST_CASE("tiles on a CPU are those that were measured there, or a GPU's made smaller, and never of many elements") {
  const DeviceInfo cpu = cpu_device();
  const auto tile = [&](const auto& primitive, uint32_t element_bytes) {
    const TileTuning values = default_values(primitive, {cpu, element_bytes, 1 << 24}).tile;
    return std::pair(values.workgroup, values.bytes_per_invocation);
  };
  CHECK(tile(tuned_reduce, 4) == std::pair(64u, 128u));
  CHECK(tile(tuned_reduce, 1) == std::pair(64u, 64u));
  CHECK(tile(tuned_scan, 8) == std::pair(128u, 256u));
  CHECK(tile(tuned_scan, 2) == std::pair(128u, 128u));
  CHECK(tile(tuned_histogram, 4) == std::pair(64u, 64u));
  CHECK(tile(tuned_unique, 1) == std::pair(128u, 64u));
  CHECK(tile(tuned_sort, 1) == std::pair(256u, 32u));
  CHECK(tile(tuned_segmented_scan, 4) == std::pair(256u, 64u));
  CHECK(tile(tuned_segmented_scan, 1) == std::pair(256u, 64u));
}

TEST_CASE("defaults depend on what a device can do, not on its backend or its name") {
  const DeviceInfo cuda = h200_by_cuda(), vulkan = h200_by_vulkan(), other = gpu(32, 227 * 1024);
  CHECK(all_defaults(cuda) != all_defaults(vulkan));
  CHECK(all_defaults(cuda) != all_defaults(other));
  CHECK(all_defaults(vulkan) != all_defaults(other));
  DeviceInfo renamed = cuda;
  renamed.backend = "metal";
  renamed.name = renamed.selector = renamed.architecture = "another";
  CHECK(all_defaults(renamed) == all_defaults(cuda));
  DeviceInfo unbounded = cuda;
  unbounded.features.bounded_registers = false;
  CHECK(all_defaults(unbounded) == all_defaults(vulkan));
  DeviceInfo small = cuda;
  small.limits.multiprocessor_memory_bytes = 164 * 1024;
  CHECK(all_defaults(small) == all_defaults(other));
  DeviceInfo of_amd = cuda;
  of_amd.vendor = DeviceVendor::amd;
  CHECK(all_defaults(of_amd) == all_defaults(other));
}

TEST_CASE("the defaults of every primitive are values that a tuning file may have") {
  for (const DeviceInfo& device : {h200_by_cuda(), h200_by_vulkan(), gpu(64, 64 * 1024), cpu_device()}) {
    each_primitive([&](const auto& primitive) {
      for (const uint32_t bytes : {1, 4, 8, 12}) {
        INFO(primitive.name, " of ", bytes, " bytes");
        const auto values = default_values(primitive, {device, bytes, 1 << 24});
        const auto read = values_of<std::remove_const_t<decltype(values)>>(tuned(primitive, bytes, values));
        CHECK(named_values(read) == named_values(values));
      }
    });
  }
}

TEST_CASE("values that a primitive does not have, or that are out of range, are errors that name the line") {
  const DeviceInfo info = gpu(32, 32 * 1024);
  const auto refused = [&](const std::string& value, std::vector<std::string> words) {
    const Tuning tuning = Tuning::parse("primitive=scan element_bytes=4 count=1 " + value, "some file");
    words.push_back("some file, line 1");
    check_error(ErrorCode::invalid_argument, words, [&] { Tuner(tuned_scan, info, tuning, 4); });
    Tuner(tuned_scan, info, tuning, 8);
    Tuner(tuned_reduce, info, tuning, 4);
  };
  refused("workgroup=100", {"workgroup=100", "power of two"});
  refused("workgroup=384", {"workgroup=384", "power of two"});
  refused("workgroup=4096", {"workgroup=4096", "64 to 1024"});
  refused("look_back_pause=100001", {"look_back_pause=100001"});
  refused("colour=3", {"scan", "'colour'", "look_back_pause"});
  refused("match_by_atomics=1", {"scan", "'match_by_atomics'"});
}

DEVICE_TEST("measured values take the place of the default ones, by device, primitive, element and count") {
  const ScanTuning small{.tile = {64, 16}, .look_back = {1, 2}}, large{.tile = {128, 32}, .look_back = {3, 4}};
  const Tuning::Values other{{"workgroup", 512}};
  std::vector<Tuning::Entry> entries{entry_for(device, "scan", 1 << 20, named_values(large)),
                                     entry_for(device, "scan", 1 << 10, named_values(small)),
                                     entry_for(device, "reduce", 1 << 10, other)};
  entries.push_back(entry_for(device, "scan", 1 << 10, other));
  entries.back().device += " of another model";
  entries.push_back(entry_for(device, "scan", 1 << 10, other));
  entries.back().backend += " of another kind";
  const Tuning tuning(entries);
  const auto at = [&](const Tuner<ScanTuning>& tuner, uint64_t count) { return named_values(tuner.at(count)); };
  const Tuner tuner(tuned_scan, device.info(), tuning, 4);
  CHECK(at(tuner, 0) == named_values(small));
  CHECK(at(tuner, 1 << 10) == named_values(small));
  CHECK(at(tuner, (1 << 10) + 1) == named_values(large));
  CHECK(at(tuner, uint64_t(1) << 40) == named_values(large));
  CHECK(at(Tuner(tuned_scan, device.info(), tuning, 8), 1 << 10) ==
        named_values(default_values(tuned_scan, {device.info(), 8, 1 << 10})));
  CHECK(named_values(Tuner(tuned_compact, device.info(), tuning, 4).at(1 << 10)) ==
        named_values(default_values(tuned_compact, {device.info(), 4, 1 << 10})));
  CHECK_EQ(Tuner(tuned_reduce, device.info(), tuning, 4).at(1).tile.bytes_per_invocation, 0);  // It was left out.
}

DEVICE_TEST("plans take their own tuning, else their device's, and two devices have one each") {
  const auto of_workgroup = [&](uint32_t workgroup) {
    return Tuning({{.primitive = "scan", .element_bytes = 4, .values = {{"workgroup", workgroup}}}});
  };
  const auto bytes = [&](const Device& of, const std::optional<Tuning>& own) {
    const Element word = Element::of<uint32_t>();
    return Scan(of, word, Operator::sum(), 1 << 20, {.path = TilePath::reduce_then_scan, .tuning = own})
        .temporary_bytes();
  };
  const auto opened = [&](const Tuning& tuning) {
    DeviceOptions options = DeviceOptions::from_environment();
    options.tuning = tuning;
    return open_device(selector_of(device), options);
  };
  const Device plain = opened({}), small = opened(of_workgroup(128)), large = opened(of_workgroup(256));
  const uint64_t of_defaults = bytes(plain, std::nullopt);
  CHECK_GT(bytes(small, std::nullopt), bytes(large, std::nullopt));  // More tiles.
  CHECK_GT(bytes(large, std::nullopt), of_defaults);
  CHECK_EQ(bytes(small, of_workgroup(256)), bytes(large, std::nullopt));
  CHECK_EQ(bytes(plain, of_workgroup(128)), bytes(small, std::nullopt));
  CHECK_EQ(bytes(small, Tuning{}), of_defaults);
}

DEVICE_TEST("plans of any tuning give right results, and temporary storage that grows with the count") {
  std::vector<Tuning::Entry> entries;
  for (const char* primitive : {"compact", "reduce", "scan"}) {
    entries.push_back(entry_for(device, primitive, 1 << 10, {{"workgroup", 64}}));
    entries.push_back(entry_for(device, primitive, 1 << 14,
                                {{"workgroup", 1024}, {"bytes_per_invocation", 32}, {"resident_workgroups", 2}}));
    if (primitive != std::string("reduce")) entries.back().values["look_back_pause"] = 20;
  }
  const Tuning tuning(entries);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("tuned");
  const Element element = Element::of<uint32_t>();
  const TestOperator<uint32_t> sum = sum_of<uint32_t>();
  uint64_t before[3] = {};
  for (const uint64_t count : {1 << 10, (1 << 10) + 1, 20011}) {
    const Scan scan(device, element, sum.on_device, count, {.kind = ScanKind::inclusive, .tuning = tuning});
    const Reduce reduce(device, element, sum.on_device, count, {.tuning = tuning});
    const Compact compact(device, element, Selection::when("x % 2u == 0u"), count, {.tuning = tuning});
    const uint64_t bytes[3] = {scan.temporary_bytes(), reduce.temporary_bytes(), compact.temporary_bytes()};
    for (int i = 0; i < 3; ++i) {
      INFO("primitive ", i, ", elements ", count);
      CHECK_GE(bytes[i], before[i]);
      before[i] = bytes[i];
    }
    check_scan(stream, scan, sum, ScanKind::inclusive, count, generator);
    const std::vector<uint32_t> data = random_elements<uint32_t>(count, generator);
    const Buffer<uint32_t> input = device.buffer<uint32_t>(count), output = device.buffer<uint32_t>(count);
    const Buffer<uint64_t> selected = device.buffer<uint64_t>(1);
    const Buffer<std::byte> temporary = device.buffer<std::byte>(std::max(bytes[1], bytes[2]));
    stream.upload(input, data);
    compact.record(
        stream,
        {.input = input, .flags = {}, .output = output, .selected = selected, .count = count, .temporary = temporary});
    const auto kept = selected_elements(data, count, [](uint32_t x, uint64_t) { return x % 2 == 0; });
    check_same(stream.download(selected), {kept.size()});
    check_same(stream.download(output.part(0, kept.size())), kept);
    reduce.record(stream, {.input = input, .output = output.part(0, 1), .count = count, .temporary = temporary});
    check_same(stream.download(output.part(0, 1)), {std::accumulate(data.begin(), data.end(), 0u)});
  }
}
