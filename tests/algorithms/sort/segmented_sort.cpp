#include <weft/segmented_sort.h>

#include <array>

#include "algorithms/src/sort/merge_pass.h"
#include "tests/algorithms/base/floats.h"
#include "tests/algorithms/base/tuned.h"
#include "tests/algorithms/runs/segments_check.h"
#include "tests/algorithms/sort/merge_check.h"

using namespace weft;
using namespace weft::test;

namespace {

/// Sorts the elements of each segment, and those outside all segments as segments of their own.
template <typename T, typename V>
void sort_segments(std::vector<T>& elements, std::vector<V>& values, const std::vector<uint64_t>& offsets,
                   bool (*before)(const T&, const T&)) {
  std::vector<uint64_t> bounds{0};
  for (const uint64_t offset : offsets) bounds.push_back(std::min<uint64_t>(offset, elements.size()));
  bounds.push_back(elements.size());
  for (size_t s = 0; s + 1 < bounds.size(); ++s) {
    const auto begin = std::ptrdiff_t(bounds[s]), end = std::ptrdiff_t(bounds[s + 1]);
    std::vector<T> segment(elements.begin() + begin, elements.begin() + end);
    std::vector<V> carried;
    if (!values.empty()) carried.assign(values.begin() + begin, values.begin() + end);
    sort_reference(segment, carried, before);
    std::copy(segment.begin(), segment.end(), elements.begin() + begin);
    std::copy(carried.begin(), carried.end(), values.begin() + begin);
  }
}

/// Sorts the segments of `data` and compares the result.
template <typename V, typename Offset = uint32_t, typename T>
void check_segmented_sort(Stream& stream, const SegmentedSort& plan, const TestComparison<T>& comparison,
                          const std::vector<T>& data, const std::vector<uint64_t>& segment_offsets,
                          std::mt19937_64& generator, const MergeSortPlacement& placement = {}) {
  const Device device = stream.device();
  const SortMemory<V, T> memory(stream, data, plan.temporary_bytes(), generator, placement);
  const uint64_t count = memory.count(), number = segment_offsets.size() - 1;
  INFO("elements: ", count, ", segments: ", number, ", ", described(placement));
  const std::vector<Offset> offset_data(segment_offsets.begin(), segment_offsets.end());
  const Guarded<Offset> offsets(device, stream, offset_data, generator, generator() % 8 * sizeof(Offset));
  const DeviceCounts count_there(stream, std::vector{count}, generator);
  const DeviceCounts number_there(stream, std::vector{number}, generator);
  plan.record(stream, {.input = memory.input(),
                       .input_values = memory.input_values(),
                       .offsets = offsets,
                       .output = memory.output(),
                       .output_values = memory.output_values(),
                       .segment_count = placement.count_on_device ? Count(number_there) : Count(number),
                       .count = placement.count_on_device ? Count(count_there) : Count(count),
                       .temporary = memory.temporary()});
  memory.check(
      [&](auto& elements, auto& values) { sort_segments(elements, values, segment_offsets, comparison.on_host); });
  check_same(offsets.read(stream), offset_data, "the offsets afterwards");
}

/// Offsets of segments of any length, for elements with these runs.
std::vector<uint64_t> random_offsets(Runs runs, uint64_t count, uint64_t empty, std::mt19937_64& generator) {
  return random_segments(SegmentsBy::offsets, runs, count, empty, generator).offsets;
}

template <typename T>
SegmentedSort plan_of(const Device& device, uint64_t max_count, const std::optional<Element>& values) {
  return SegmentedSort(device, Elements<T>::element(), comparison_of<T>().on_device, max_count,
                       max_count * (most_empty + 1) + 1, {.values = values});
}

template <typename T, typename V>
void check_segmented_counts(const Device& device, const std::vector<uint64_t>& counts) {
  need_element<T>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("segmented sort ") + TypeName<T>::value);
  const TestComparison<T> comparison = comparison_of<T>();
  const uint64_t align = Elements<T>::element().align();
  const SegmentedSort plan = plan_of<T>(device, counts.back() + 100, value_element<V>());
  for (const uint64_t count : counts) {
    check_segmented_sort<V>(stream, plan, comparison, random_elements<T>(count, generator),
                            random_offsets(Runs::skewed, count, most_empty, generator), generator);
  }
  for (const Runs runs : all_runs) {
    INFO(std::string(name_of(runs)));
    for (const uint64_t count : few_counts(device)) {
      const std::vector<uint64_t> offsets = random_offsets(runs, count, generator() % 2 * most_empty, generator);
      const bool in_place = generator() % 2 == 0;
      check_segmented_sort<V>(stream, plan, comparison, random_elements<T>(count + 100, generator), offsets, generator,
                              {.input_misalignment = generator() % 8 * align,
                               .output_misalignment = generator() % 8 * align,
                               .in_place = in_place,
                               .count_on_device = true,
                               .behind = 100});
    }
  }
}

/// Tiles of 64 invocations with three elements each, and first runs of two tiles.
struct SmallRuns {
  template <typename T, typename V>
  static SmallRuns of(const Device& device, uint32_t own_splits) {
    const Element element = Elements<T>::element();
    const uint32_t shared_words = algorithms::shared_words(element, !std::is_void_v<V>);
    const algorithms::MergeTuning values{.tile = {.workgroup = 64, .bytes_per_invocation = 12 * element.words()},
                                         .own_splits = own_splits,
                                         .run_workgroup = 128};
    const DeviceInfo& info = device.info();
    const algorithms::Tiling tile = algorithms::make_item_tiling("", info, element, shared_words, values.tile);
    CHECK_EQ(tile.rows, 3);
    return {Tuning({tuned(algorithms::tuned_segmented_sort, element.bytes(), values)}),
            algorithms::widen_item_tiling(tile, info, shared_words, values.run_workgroup).elements(), 32 * tile.rows};
  }

  Tuning tuning;
  uint64_t elements;  ///< Of a first run.
  uint64_t most;      ///< Elements of a segment that no merge of runs has to move if it is in two of them.
};

/// Offsets of segments of that length, each a little further before the bound between two runs than the one before,
/// until all of it is. Others are between them, and a few empty ones.
std::vector<uint64_t> offsets_at_bounds(uint64_t length, uint64_t run, uint64_t count, std::mt19937_64& generator) {
  const uint64_t step = (length / run + 1) * run;
  std::vector<uint64_t> offsets{0};
  uint64_t before = generator() % (length + 1);
  for (uint64_t bound = step; bound < count; bound += step, before = (before + 1) % (length + 1)) {
    const uint64_t between = bound - before - offsets.back();
    for (uint64_t other = generator() % 3; other > 0; --other) {
      offsets.push_back(bound - before - generator() % (between + 1));
    }
    offsets.insert(offsets.end(), 1 + generator() % 2, bound - before);
    offsets.insert(offsets.end(), 1 + generator() % 2, bound - before + length);
  }
  offsets.push_back(std::max(offsets.back(), count));
  std::ranges::sort(offsets);
  return offsets;
}

/// `Offset` is that of a plan for `max_segments`.
template <typename T, typename V, typename Offset = uint32_t>
void check_bounds(const Device& device, uint64_t max_segments) {
  need_element<T>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("segments at bounds ") + TypeName<T>::value);
  const TestComparison<T> comparison = comparison_of<T>();
  const auto runs = SmallRuns::of<T, V>(device, generator() % 2);
  const uint64_t run = runs.elements, most = runs.most;
  const uint64_t align = Elements<T>::element().align();
  const SegmentedSort plan(device, Elements<T>::element(), comparison.on_device, 150 * run, max_segments,
                           {.values = value_element<V>(), .tuning = runs.tuning});
  for (const uint64_t length : {uint64_t(0), uint64_t(1), uint64_t(2), most - 1, most, most + 1, run, run + 1}) {
    for (const uint64_t count : {100 * run - 5, 130 * run + 1}) {  // Seven merges, and eight.
      INFO("segments of ", length);
      check_segmented_sort<V, Offset>(stream, plan, comparison, random_elements<T>(count + 100, generator),
                                      offsets_at_bounds(length, run, count, generator), generator,
                                      {.input_misalignment = generator() % 8 * align,
                                       .output_misalignment = generator() % 8 * align,
                                       .in_place = generator() % 2 == 0,
                                       .count_on_device = generator() % 2 == 0,
                                       .behind = 100});
    }
  }
}

}  // namespace

DEVICE_TEST_OF_TYPES("segmented sort is stable at every count", uint32_t) {
  check_segmented_counts<T, void>(device, interesting_counts(device));
}
DEVICE_TEST_OF_TYPES("segmented sort is stable", float, int64_t, double, weft::test::Range, WEFT_TEST_NARROW, Mixed) {
  check_segmented_counts<T, void>(device, few_counts(device));
}
DEVICE_TEST_OF_TYPES("segmented sort moves values", uint32_t, weft::test::Five) {
  check_segmented_counts<T, uint32_t>(device, few_counts(device));
}
DEVICE_TEST_OF_TYPES("segmented sort moves values of any size", uint8_t, weft::test::Five, Texel) {
  need_element<T>(device);
  check_segmented_counts<int32_t, T>(device, few_counts(device));
}

DEVICE_TEST("segments that start and end around the bounds of tiles are sorted") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("segmented sort around tiles");
  const TestComparison<uint32_t> comparison = comparison_of<uint32_t>();
  constexpr uint64_t count = 40000;
  const SegmentedSort plan = plan_of<uint32_t>(device, count, Element::of<uint32_t>());
  for (int round = 0; round < 8; ++round) {
    // Tiles and sequences of tiles start at multiples of 64 * an odd number of rows.
    std::vector<uint64_t> offsets;
    for (const uint64_t invocations : {64, 128, 256, 512, 1024}) {
      for (uint64_t rows = 1; rows <= 17; rows += 2) {
        const uint64_t boundary = invocations * rows * (1 + generator() % 8);
        offsets.insert(offsets.end(), generator() % 3, std::min(boundary + generator() % 3 - 1, count));
      }
    }
    offsets.push_back(0);
    offsets.push_back(count);
    std::ranges::sort(offsets);
    check_segmented_sort<uint32_t>(stream, plan, comparison, random_elements<uint32_t>(count, generator), offsets,
                                   generator, {.in_place = round % 2 == 1});
  }
}

DEVICE_TEST_OF_TYPES("segments at the bounds between runs are sorted", uint32_t, double, weft::test::Range,
                     WEFT_TEST_NARROW, Mixed) {
  check_bounds<T, void>(device, 100000);
}
DEVICE_TEST_OF_TYPES("segments at the bounds between runs move values of any size", uint32_t, uint8_t, weft::test::Five,
                     Texel) {
  need_element<T>(device);
  check_bounds<int32_t, T>(device, 100000);
}
DEVICE_TEST("segments at the bounds between runs, by offsets of 64 bits") {
  check_bounds<uint32_t, uint32_t, uint64_t>(device, uint64_t(1) << 32);
}

DEVICE_TEST("short segments take no merge of runs") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("short segments at bounds");
  const TestComparison<uint32_t> comparison = comparison_of<uint32_t>();
  const auto runs = SmallRuns::of<uint32_t, void>(device, 0);
  const uint64_t count = 4 * runs.elements;  // The first of two merges would write temporary storage.
  const SegmentedSort plan(device, Element::of<uint32_t>(), comparison.on_device, count, count,
                           {.tuning = runs.tuning});
  const std::vector<uint32_t> data = random_elements<uint32_t>(count, generator);
  const std::vector<uint32_t> old(plan.temporary_bytes() / 4, 7);
  const Buffer<uint32_t> elements = device.buffer<uint32_t>(count), offsets = device.buffer<uint32_t>(count + 1);
  const Buffer<uint32_t> temporary = device.buffer<uint32_t>(old.size());
  const auto touched = [&](uint64_t length) {
    std::vector<uint32_t> heads;
    for (uint64_t head = 0; head < count + length; head += length) heads.push_back(uint32_t(head));
    stream.upload(elements, data);
    stream.upload(offsets, heads);
    stream.upload(temporary, old);
    plan.record(stream, {.input = elements,
                         .offsets = offsets,
                         .output = elements,
                         .segment_count = heads.size() - 1,
                         .count = count,
                         .temporary = temporary});
    const std::vector<uint32_t> now = stream.download(temporary);
    return !std::equal(old.begin(), old.begin() + std::ptrdiff_t(count), now.begin());
  };
  CHECK(!touched(runs.most));
  CHECK(!touched(7));
  CHECK(touched(runs.most + 1));
}

DEVICE_TEST("segments of floats with NaNs, infinities and fractions are sorted") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("segmented sort of any floats");
  const TestComparison<float> comparison = comparison_of<float>();
  const SegmentedSort plan = plan_of<float>(device, 30011, Element::of<uint32_t>());
  for (const Runs runs : {Runs::one, Runs::skewed}) {
    check_segmented_sort<uint32_t>(stream, plan, comparison, floats_of_any_bits(30011, generator),
                                   random_offsets(runs, 30011, 3, generator), generator);
  }
}

DEVICE_TEST("segments about as long as the sequences that a tile is merged from are sorted") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("segmented sort of runs");
  const TestComparison<uint32_t> comparison = comparison_of<uint32_t>();
  constexpr uint64_t count = 20000;
  const SegmentedSort plan = plan_of<uint32_t>(device, many, Element::of<uint32_t>());
  const uint64_t rows =
      merge_tiling(device, algorithms::tuned_segmented_sort, true).rows;  // Elements of an invocation.
  CHECK_GT(rows, 1);
  for (const uint64_t invocations : {1, 2, 16, 128}) {
    for (uint64_t more = 0; more <= 2; ++more) {  // With up to 1 more it spans two sequences at most.
      const uint64_t length = rows * invocations + more;
      std::vector<uint64_t> offsets;
      for (uint64_t start = generator() % length; start < count; start += length) {
        offsets.insert(offsets.end(), 1 + generator() % 8 / 7, start);
      }
      // From some index on, no segment is as long.
      for (uint64_t start = generator() % count; start < count; start += 1 + generator() % length) {
        offsets.push_back(start);
      }
      std::ranges::sort(offsets);
      INFO("segments of ", length);
      check_segmented_sort<uint32_t>(stream, plan, comparison, random_elements<uint32_t>(count, generator), offsets,
                                     generator, {.in_place = generator() % 2 == 1});
    }
  }
}

DEVICE_TEST("segmented sorts of small tiles, with and without splits of their own") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("segmented sort of small tiles");
  const TestComparison<uint32_t> comparison = comparison_of<uint32_t>();
  for (const uint32_t own_splits : {0u, 1u}) {
    INFO("own splits: ", own_splits);
    const algorithms::MergeTuning values{
        .tile = {.workgroup = 64, .bytes_per_invocation = 12}, .own_splits = own_splits, .run_workgroup = 64};
    const Tuning tuning({tuned(algorithms::tuned_segmented_sort, 4, values)});
    constexpr uint64_t tile = 64 * 3, count = 300 * tile;  // Nine merges: tiles are listed twice.
    const SegmentedSort plan(device, Element::of<uint32_t>(), comparison.on_device, count, count,
                             {.values = Element::of<uint32_t>(), .tuning = tuning});
    CHECK_EQ(algorithms::make_item_tiling("", device.info(), Element::of<uint32_t>(), 2, values.tile).elements(), tile);
    for (const uint64_t elements : {count, count / 2 + 1, 2 * tile + 1}) {
      for (const Runs runs : {Runs::one, Runs::short_ones, Runs::skewed}) {
        check_segmented_sort<uint32_t>(stream, plan, comparison, random_elements<uint32_t>(elements, generator),
                                       random_offsets(runs, elements, 3, generator), generator);
      }
    }
  }
}

DEVICE_TEST("segmented sorts of many tiles, with most segments empty and in a row") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("large segmented sort");
  const uint64_t count = large_count(device) / 4, empty = large_count(device);
  const TestComparison<uint32_t> comparison = comparison_of<uint32_t>();
  for (const Runs runs : {Runs::one, Runs::short_ones, Runs::skewed}) {
    std::vector<uint64_t> offsets = random_offsets(runs, count, 0, generator);
    const uint64_t offset = offsets[offsets.size() / 2];
    offsets.insert(offsets.begin() + std::ptrdiff_t(offsets.size() / 2), empty, offset);
    const SegmentedSort plan(device, Element::of<uint32_t>(), comparison.on_device, count, offsets.size());
    check_segmented_sort<void>(stream, plan, comparison, random_elements<uint32_t>(count, generator), offsets,
                               generator);
  }
}

DEVICE_TEST("segmented sorts of more busy tiles than a row of a grid") {
  if (computes_on_cpu(device)) unsupported("a CPU takes minutes over so many tiles");
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("segmented sort of a grid's rows");
  const uint64_t count = 3 * large_count(device);  // About 90000 tiles; a row of the list has 32768.
  const TestComparison<uint32_t> comparison = comparison_of<uint32_t>();
  const std::vector<uint64_t> offsets = random_offsets(Runs::one, count, 0, generator);
  const SegmentedSort plan(device, Element::of<uint32_t>(), comparison.on_device, count, offsets.size());
  check_segmented_sort<void>(stream, plan, comparison, random_elements<uint32_t>(count, generator), offsets, generator);
}

DEVICE_TEST("segmented sort by offsets of 64 bits") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("segmented sort by long offsets");
  const TestComparison<uint32_t> comparison = comparison_of<uint32_t>();
  const SegmentedSort plan(device, Element::of<uint32_t>(), comparison.on_device, 100000, uint64_t(1) << 32);
  CHECK_EQ(plan.offset_bytes(), 8);
  CHECK_EQ(SegmentedSort(device, Element::of<uint32_t>(), comparison.on_device, 100000, 1000).offset_bytes(), 4);
  for (const uint64_t count : {0, 1, 30011}) {
    check_segmented_sort<void, uint64_t>(stream, plan, comparison, random_elements<uint32_t>(count, generator),
                                         random_offsets(Runs::skewed, count, 20, generator), generator,
                                         {.count_on_device = true});
  }
}

DEVICE_TEST("segmented sort as a function, with offsets beyond the elements") {
  Stream stream = device.stream();
  const Buffer<float> elements = device.buffer<float>(8);
  const Buffer<uint32_t> offsets = device.buffer<uint32_t>(6);
  stream.upload(elements, std::vector<float>{5, 3, 0.0f, -0.0f, 1, 9, 8, 7});
  stream.upload(offsets, std::vector<uint32_t>{2, 5, 5, 7, 9, 12});
  segmented_sort(stream, elements, offsets);
  check_same(stream.download(elements), {3, 5, -0.0f, 0.0f, 1, 8, 9, 7});
  segmented_sort(stream, elements, offsets, Comparison::descending());
  check_same(stream.download(elements), {5, 3, 1, 0.0f, -0.0f, 9, 8, 7});
}

DEVICE_TEST("segmented sort says what is wrong with its arguments") {
  Stream stream = device.stream();
  const Element element = Element::of<uint32_t>();
  const SegmentedSort plan(device, element, Comparison::ascending(), 100, 10);
  const Buffer<uint32_t> memory = device.buffer<uint32_t>(400), offset_memory = device.buffer<uint32_t>(11);
  const Buffer<std::byte> temporary = device.buffer<std::byte>(plan.temporary_bytes());
  const Region input = memory.part(0, 100).region(), output = memory.part(100, 100).region();
  const Region offsets = offset_memory;
  const auto invalid = [&](const std::vector<std::string>& words, const SegmentedSort::Arguments& arguments) {
    check_error(ErrorCode::invalid_argument, words, [&] { plan.record(stream, arguments); });
  };
  invalid({"SegmentedSort", "101", "100"}, {memory, {}, offsets, memory, {}, 10, 101, temporary});
  invalid({"SegmentedSort", "11", "10"}, {input, {}, offsets, output, {}, 11, 100, temporary});
  invalid({"offsets", "0 bytes"}, {input, {}, {}, output, {}, 0, 100, temporary});
  invalid({"offsets", "40 bytes", "44"}, {input, {}, offsets.part(0, 40), output, {}, 10, 100, temporary});
  invalid({"offsets", "output", "overlap"}, {input, {}, memory.part(199, 11), output, {}, 10, 100, temporary});
  invalid({"overlap"}, {input, {}, offsets, memory.part(50, 100), {}, 10, 100, temporary});
  invalid({"input_values"}, {input, output, offsets, output, {}, 10, 100, temporary});
  invalid({"temporary"}, {input, {}, offsets, output, {}, 10, 100, temporary.part(0, 16)});
  check_error(ErrorCode::compile_failed, {"SegmentedSort", "comparison", "a < c"},
              [&] { SegmentedSort(device, element, Comparison::by("a < c"), 100, 10); });
}

DEVICE_TEST("temporary storage of segmented sorts grows with the maximum") {
  uint64_t before = 0;
  for (uint64_t count = 0; count < uint64_t(1) << 33; count = count * 64 + 63) {
    INFO("elements ", count);
    const uint64_t bytes =
        SegmentedSort(device, Element::of<uint32_t>(), Comparison::ascending(), count, count).temporary_bytes();
    CHECK_EQ(bytes % 16, 0);
    CHECK_GE(bytes, before);
    before = bytes;
  }
}
