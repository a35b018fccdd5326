#include "algorithms/src/base/tile_carry.h"
#include "algorithms/src/scan/scan_tuning.h"
#include "algorithms/src/sort/radix_shape.h"
#include "core/src/runtime/backend.h"
#include "tests/algorithms/base/fields.h"
#include "tests/algorithms/base/tuned.h"
#include "tests/algorithms/sort/sort_check.h"

using namespace weft;
using namespace weft::test;

namespace {

constexpr TilePath paths[] = {TilePath::look_back, TilePath::reduce_then_scan};

template <typename K, typename V = NoValue>
void check_sort_counts(const Device& device, const std::vector<uint64_t>& counts, const Sort::Options& options) {
  need_path(device, options.path);
  need_memory_of<K>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("sort ") + TypeName<K>::value + name_of(options.path));
  const Sort plan = sort_plan<K, V>(device, counts.back(), options);
  CHECK((plan.path() == options.path));
  for (const uint64_t count : counts) {
    check_sort<K, V>(stream, plan, options.order, uniform<K>(count, generator), generator);
  }
  const uint64_t align = sort_value<V>().align();
  for (const uint64_t count : few_counts(device)) {
    check_sort<K, V>(stream, plan, options.order, uniform<K>(count, generator), generator,
                     {.keys_misalignment = generator() % 8 * sizeof(K),
                      .values_misalignment = generator() % 8 * align,
                      .in_place = true});
  }
}

/// Direction and values alternate between types.
template <typename K>
void check_type(const Device& device, TilePath path) {
  if constexpr (sizeof(K) % 4 == 0) {
    check_sort_counts<K>(device, few_counts(device), {{.descending = std::is_signed_v<K>}, path});
  } else {
    check_sort_counts<K, uint32_t>(device, few_counts(device), {{.descending = !std::is_signed_v<K>}, path});
  }
}

template <typename K, typename V>
void check_distributions(const Device& device, TilePath path, const std::optional<Tuning>& tuning = {}) {
  need_path(device, path);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("distributions ") + name_of(path));
  constexpr uint64_t counts[] = {4097, 20011};
  const Sort plan = sort_plan<K, V>(device, counts[1], {.path = path, .tuning = tuning});
  for (const auto& [distribution, name] : key_distributions) {
    INFO("distribution: ", std::string(name));
    for (const uint64_t count : counts) {
      check_sort<K, V>(stream, plan, {}, keys_of<K>(distribution, count, generator), generator);
    }
  }
}

template <typename K>
void check_bit_ranges(const Device& device, TilePath path,
                      std::initializer_list<std::pair<uint32_t, uint32_t>> ranges) {
  need_path(device, path);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("bits of ") + TypeName<K>::value + name_of(path));
  for (const auto& [begin, end] : ranges) {
    const SortOrder order{.begin_bit = begin, .end_bit = end};
    const Sort plan = sort_plan<K, uint32_t>(device, 10007, {order, path});
    REQUIRE_GT(plan.temporary_bytes(), 0);  // More than one workgroup is needed.
    for (const bool in_place : {false, true}) {
      check_sort<K, uint32_t>(stream, plan, order, uniform<K>(10007, generator), generator, {.in_place = in_place});
    }
  }
}

/// The most keys that every device sorts in one workgroup.
constexpr uint64_t few = 512;

/// Sorts with plans for few enough keys to take one dispatch, and for more, which do on GPUs.
template <typename K, typename V = NoValue>
void check_few(const Device& device, const SortOrder& order,
               const std::vector<uint64_t>& max_counts = {1, 3, 64, 65, 200, few, 2000}) {
  if (device.info().limits.max_subgroup_size < 8) unsupported("subgroups of fewer than 8 lanes: few keys take passes");
  need_memory_of<K>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("few keys ") + TypeName<K>::value);
  for (const uint64_t max_count : max_counts) {
    const Sort plan = sort_plan<K, V>(device, max_count, {order, TilePath::automatic});
    if (max_count <= few) CHECK_EQ(plan.temporary_bytes(), 0);
    for (const auto& [distribution, name] : key_distributions) {
      INFO("distribution: ", std::string(name));
      check_sort<K, V>(stream, plan, order, keys_of<K>(distribution, max_count, generator), generator);
    }
    for (const uint64_t count : {uint64_t(0), uint64_t(1), max_count / 2 + 1}) {
      check_sort<K, V>(stream, plan, order, uniform<K>(count, generator), generator);
    }
    const uint64_t align = sort_value<V>().align();
    for (const bool in_place : {false, true}) {
      check_sort<K, V>(stream, plan, order, uniform<K>(max_count, generator), generator,
                       {.keys_misalignment = generator() % 8 * sizeof(K),
                        .values_misalignment = generator() % 8 * align,
                        .in_place = in_place,
                        .count_on_device = true,
                        .behind = max_count / 3});
    }
  }
}

/// Fails the running test unless tiles have several rows, and not all of them are in workgroup memory at once.
void check_parts(const Device& device, const algorithms::RadixElements& elements,
                 const algorithms::RadixTuning& values) {
  INFO("keys of ", elements.key_bytes, " bytes, values of ", elements.value_bytes);
  const algorithms::Tiling tiling = algorithms::make_radix_shape(device.info(), elements, values).tiling;
  CHECK_GT(tiling.staged_rows, 0);
  CHECK_GT(tiling.rows, tiling.staged_rows);
}

template <typename K>
Buffer<KeyBits<K>> upload(const Device& device, Stream& stream, const std::vector<KeyBits<K>>& keys) {
  Buffer<KeyBits<K>> buffer = device.buffer<KeyBits<K>>(keys.size());
  stream.upload(buffer, keys);
  return buffer;
}

}  // namespace

DEVICE_TEST("Onesweep sorts any number of keys") {
  check_sort_counts<uint32_t>(device, interesting_counts(device), {{}, TilePath::look_back});
}
DEVICE_TEST("count-scan-scatter sorts any number of keys with values") {
  check_sort_counts<float, uint32_t>(device, interesting_counts(device), {{}, TilePath::reduce_then_scan});
}
DEVICE_TEST_OF_TYPES("Onesweep sorts keys", int8_t, Half, float, uint64_t) {
  check_type<T>(device, TilePath::look_back);
}
DEVICE_TEST_OF_TYPES("count-scan-scatter sorts keys", uint16_t, int32_t, double, int64_t) {
  check_type<T>(device, TilePath::reduce_then_scan);
}
DEVICE_TEST_OF_TYPES("Onesweep sorts with values", uint8_t, AffineMap, Range, Five, Mixed, Pixel) {
  need_memory_of<T>(device);
  check_sort_counts<uint32_t, T>(device, few_counts(device), {{}, TilePath::look_back});
}
DEVICE_TEST_OF_TYPES("count-scan-scatter sorts with values", uint64_t, Matrix, Texel) {
  need_memory_of<T>(device);
  check_sort_counts<float, T>(device, few_counts(device), {{}, TilePath::reduce_then_scan});
}

DEVICE_TEST("Onesweep sorts keys of every distribution") {
  check_distributions<uint32_t, NoValue>(device, TilePath::look_back);
}
DEVICE_TEST("count-scan-scatter sorts keys of every distribution, stably") {
  check_distributions<float, uint32_t>(device, TilePath::reduce_then_scan);
}

DEVICE_TEST_OF_TYPES("few keys are sorted in one dispatch", uint8_t, int16_t, uint32_t, float, int64_t) {
  check_few<T>(device, {.descending = std::is_signed_v<T>});
}
DEVICE_TEST_OF_TYPES("few keys are sorted with values in one dispatch", uint8_t, uint32_t, uint64_t, Five, Mixed, Pixel,
                     Texel) {
  need_memory_of<T>(device);
  check_few<float, T>(device, {}, {3, 65, few, 2000});
}
DEVICE_TEST("few keys are sorted by the given bits") {
  for (const auto& [begin, end] : {std::pair{0u, 0u}, {32u, 32u}, {5u, 6u}, {3u, 23u}, {9u, 32u}}) {
    check_few<uint32_t, uint32_t>(device, {.descending = end == 23, .begin_bit = begin, .end_bit = end}, {3, 200, few});
  }
  for (const auto& [begin, end] : {std::pair{0u, 64u}, {30u, 31u}, {27u, 44u}, {63u, 64u}}) {
    check_few<uint64_t, uint32_t>(device, {.begin_bit = begin, .end_bit = end}, {3, 200, few});
  }
}

DEVICE_TEST("keys are sorted by the given bits") {
  check_bit_ranges<uint32_t>(device, TilePath::look_back,
                             {{0, 32}, {0, 100}, {3, 11}, {5, 6}, {31, 32}, {0, 0}, {17, 17}, {32, 32}, {4, 24}});
  check_bit_ranges<uint64_t>(device, TilePath::look_back, {{0, 64}, {27, 44}, {32, 40}, {30, 31}, {63, 64}});
  check_bit_ranges<float>(device, TilePath::reduce_then_scan, {{9, 32}, {31, 32}, {7, 7}});
}

DEVICE_TEST("sorts of many tiles") {
  std::mt19937_64 generator = random_generator("large sort");
  Stream stream = device.stream();
  const uint64_t count = computes_on_cpu(device) ? 300007 : large_count(device);
  for (const TilePath path : {TilePath::reduce_then_scan, TilePath::look_back}) {
    need_path(device, path);
    const Sort plan(device, Element::of<uint32_t>(), count, {{}, path});
    check_sort<uint32_t>(stream, plan, {}, uniform<uint32_t>(count, generator), generator);
  }
}

DEVICE_TEST("sorts of counts around tile boundaries") {
  std::mt19937_64 generator = random_generator("tiles of sorts");
  Stream stream = device.stream();
  const uint64_t tile = sort_tile_elements(device);
  for (const TilePath path : {TilePath::reduce_then_scan, TilePath::look_back}) {
    need_path(device, path);
    // As many tiles as a tile has keys take the reference long, so only one path sorts them.
    const std::vector<uint64_t> counts = path == TilePath::look_back ? tile_counts(device, tile) : around_tiles(tile);
    const Sort plan(device, Element::of<uint32_t>(), std::max(std::ranges::max(counts), many), {{}, path});
    for (const uint64_t count : counts) {
      check_sort<uint32_t>(stream, plan, {}, uniform<uint32_t>(count, generator), generator);
    }
  }
}

DEVICE_TEST("sorts take their count from device memory") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("device count of sorts");
  for (const TilePath path : {TilePath::reduce_then_scan, TilePath::look_back}) {
    need_path(device, path);
    const SortOrder order{.end_bit = 24};  // An odd number of passes, which needs a copy if in place.
    const Sort plan(device, Element::of<uint32_t>(), Element::of<uint32_t>(), 30011, {order, path});
    for (const uint64_t count : few_counts(device)) {
      for (const bool in_place : {false, true}) {
        const uint64_t behind = count % 700;
        check_sort<uint32_t, uint32_t>(stream, plan, order, uniform<uint32_t>(count + behind, generator), generator,
                                       {.in_place = in_place, .count_on_device = true, .behind = behind});
      }
    }
  }
}

DEVICE_TEST("sorts by matching through atomics, with parts of a tile in workgroup memory") {
  need_path(device, TilePath::look_back);
  const algorithms::RadixTuning values{.tile = {.workgroup = 128, .bytes_per_invocation = 20},
                                       .staged_bytes = 8,
                                       .counting = {.groups = 3},
                                       .match_by_atomics = 1};
  const Tuning tuning({tuned(algorithms::tuned_sort, 4, values), tuned(algorithms::tuned_sort_pairs, 12, values)});
  check_parts(device, {.key_bytes = 4}, values);
  check_parts(device, {.key_bytes = 4, .value_bytes = 8}, values);
  check_sort_counts<uint32_t>(device, few_counts(device), {.path = TilePath::look_back, .tuning = tuning});
  check_sort_counts<uint32_t, uint64_t>(device, few_counts(device), {.path = TilePath::look_back, .tuning = tuning});
  check_distributions<uint32_t, NoValue>(device, TilePath::look_back, tuning);
}

// A workgroup counts a digit in 16 bits before adding to the totals, here without copies.
DEVICE_TEST("sorts of more equal digits than a workgroup counts at once") {
  need_path(device, TilePath::look_back);
  const algorithms::RadixTuning values{.tile = {.workgroup = 64, .bytes_per_invocation = 28},
                                       .counting = {.groups = 1}};
  const Tuning tuning({tuned(algorithms::tuned_sort, 4, values)});
  // Counting takes as many workgroups as the device runs at once, if it knows that number.
  const uint32_t workgroup = algorithms::make_counting_tiling(device.info(), 4, values).workgroup;
  const uint32_t groups = device
                              .kernel_from_glsl("#version 460\nlayout(local_size_x_id = 0) in;\nvoid main() {}",
                                                KernelOptions().specialize(0, workgroup))
                              .resident_workgroups();
  const uint64_t count = 75'001 * uint64_t(std::max(1u, groups));
  const SortOrder order{.end_bit = 16};  // A word holds the counts of two digits.
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("many keys of one digit");
  const Sort plan(device, Element::of<uint32_t>(), count,
                  {.order = order, .path = TilePath::look_back, .tuning = tuning});
  check_sort<uint32_t>(stream, plan, order, keys_of<uint32_t>(KeyDistribution::skewed, count, generator), generator);
}

DEVICE_TEST("sorts with values in workgroup memory beside their keys") {
  const algorithms::RadixTuning values{.tile = {.workgroup = 64, .bytes_per_invocation = 20},
                                       .staged_bytes = 12,
                                       .counting = {.groups = 3},
                                       .match_by_atomics = 1,
                                       .values_beside_keys = 1};
  // Keys that fit into one workgroup do not need it.
  const Tuning tuning({tuned(algorithms::tuned_sort_pairs, 8, values), tuned(algorithms::tuned_sort_pairs, 12, values),
                       tuned(algorithms::tuned_sort_pairs, 16, values),
                       tuned(algorithms::tuned_sort_one_tile, 4, values),
                       tuned(algorithms::tuned_sort_one_tile, 8, values)});
  for (const uint32_t key_bytes : {4, 8}) {
    for (const uint32_t value_bytes : {4, 8}) check_parts(device, {key_bytes, value_bytes}, values);
  }
  check_sort_counts<uint32_t, uint32_t>(device, few_counts(device),
                                        {.path = TilePath::reduce_then_scan, .tuning = tuning});
  check_sort_counts<uint64_t, uint64_t>(device, few_counts(device),
                                        {.path = TilePath::reduce_then_scan, .tuning = tuning});
  need_path(device, TilePath::look_back);
  check_sort_counts<uint32_t, uint64_t>(device, few_counts(device), {.path = TilePath::look_back, .tuning = tuning});
  check_sort_counts<uint64_t, uint32_t>(device, few_counts(device), {.path = TilePath::look_back, .tuning = tuning});
  check_distributions<uint32_t, uint32_t>(device, TilePath::look_back, tuning);
}

DEVICE_TEST("sorts whose digit counts take three rounds") {
  constexpr algorithms::TileTuning smallest{.workgroup = 64};
  const algorithms::RadixTuning values{.tile = smallest};
  const Tuning tuning({tuned(algorithms::tuned_sort, 4, values), tuned(algorithms::tuned_scan, 4, {.tile = smallest}),
                       tuned(algorithms::tuned_spine, 4, {.tile = smallest})});
  const algorithms::RadixShape shape = algorithms::make_radix_shape(device.info(), {.key_bytes = 4}, values);
  const uint64_t totals = 2 * algorithms::make_spine_tiling(device.info(), tuning, 1).elements() + 3;
  const uint64_t counts = totals * tile_elements(device, algorithms::tuned_scan, tuning);
  const uint64_t keys = counts / shape.digits() * shape.tiling.elements();
  const SortOrder order{.begin_bit = 10, .end_bit = 10 + shape.digit_bits};  // One pass.
  const Sort plan(device, Element::of<uint32_t>(), keys,
                  {.order = order, .path = TilePath::reduce_then_scan, .tuning = tuning});
  CHECK_GE(plan.temporary_bytes(), 4 * (keys + keys / shape.tiling.elements() * algorithms::most_digits + totals));
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("rounds of sorts");
  check_sort<uint32_t>(stream, plan, order, uniform<uint32_t>(keys, generator), generator);
}

DEVICE_TEST("sorts as functions") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("sort function");
  for (const uint64_t count : few_counts(device)) {
    const std::vector<uint32_t> keys = uniform<uint32_t>(count, generator);
    const std::vector<size_t> order = sorted_order<uint32_t>(keys, count, {.descending = true});
    std::vector<uint32_t> sorted, indices(count), expected;
    for (const size_t index : order) sorted.push_back(keys[index]), expected.push_back(uint32_t(index));
    std::iota(indices.begin(), indices.end(), 0u);
    const Buffer<uint32_t> on_device = upload<uint32_t>(device, stream, keys);
    const Buffer<uint32_t> values = upload<uint32_t>(device, stream, indices);
    sort(stream, on_device, values, {.descending = true});
    check_same(stream.download(on_device), sorted);
    check_same(stream.download(values), expected);
    std::ranges::reverse(sorted);
    sort(stream, on_device);
    check_same(stream.download(on_device), sorted);
  }
}

DEVICE_TEST("sort() takes one dispatch whenever a plan does") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("sort() of few keys");
  const uint64_t bytes = stream.scratch(16 << 10).buffer->bytes();
  for (uint64_t count = 64; Sort(device, Element::of<uint32_t>(), count).temporary_bytes() == 0; count *= 2) {
    INFO("keys: ", count);
    std::vector<uint32_t> keys = random_elements<uint32_t>(count, generator);
    const Buffer<uint32_t> on_device = upload<uint32_t>(device, stream, keys);
    const View<uint32_t> scratch(stream.scratch(16 << 10));
    stream.fill(scratch, 0xA5A5A5A5u);
    sort(stream, on_device);
    std::ranges::sort(keys);
    check_same(stream.download(on_device), keys);
    // Passes write to scratch memory or need more of it.
    CHECK_EQ(stream.scratch(16 << 10).buffer->bytes(), bytes);
    check_same(stream.download(scratch), std::vector<uint32_t>(scratch.size(), 0xA5A5A5A5u), "the scratch memory");
  }
}

DEVICE_TEST("sort explains what it cannot sort") {
  const Element key = Element::of<uint32_t>();
  check_error(ErrorCode::invalid_argument, {"bits 5 to 4", "32"},
              [&] { Sort(device, key, 100, {{.begin_bit = 5, .end_bit = 4}, TilePath::automatic}); });
  check_error(ErrorCode::invalid_argument, {"bits 33", "begin_bit"},
              [&] { Sort(device, key, 100, {{.begin_bit = 33}, TilePath::automatic}); });
  check_error(ErrorCode::invalid_argument, {"keys are scalars", "struct{"},
              [&] { Sort(device, Elements<AffineMap>::element(), 100); });
  Stream stream = device.stream();
  const Sort plan(device, key, key, 100);
  const Buffer<uint32_t> memory = device.buffer<uint32_t>(400);
  const Buffer<std::byte> temporary = device.buffer<std::byte>(plan.temporary_bytes());
  const auto record = [&](uint64_t keys_out, uint64_t values_out, uint64_t count) {
    plan.record(stream, {.keys = memory.part(0, 100),
                         .values = memory.part(100, 100),
                         .keys_out = memory.part(keys_out, 100),
                         .values_out = memory.part(values_out, 100),
                         .count = count,
                         .temporary = temporary});
  };
  check_error(ErrorCode::invalid_argument, {"keys_out", "overlap"}, [&] { record(50, 300, 100); });
  check_error(ErrorCode::invalid_argument, {"values_out", "overlap"}, [&] { record(200, 150, 100); });
  check_error(ErrorCode::invalid_argument, {"101", "100"}, [&] { record(200, 300, 101); });
}
