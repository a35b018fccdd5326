#include <weft/segmented.h>

#include "algorithms/src/runs/segments_tuning.h"
#include "tests/algorithms/base/fields.h"
#include "tests/algorithms/base/tuned.h"
#include "tests/algorithms/runs/segments_check.h"

using namespace weft;
using namespace weft::test;

namespace {

/// The numbers of elements and, unless 0, of segments, as passed to plans.
struct GivenCounts {
  GivenCounts(Stream& stream, uint64_t count, uint64_t number, bool on_device, std::mt19937_64& generator)
      : count_word(stream, std::vector{count}, generator),
        number_word(stream, std::vector{number}, generator),
        elements(on_device ? Count(count_word) : Count(count)),
        segments(on_device && number > 0 ? Count(number_word) : Count(number)) {}

  DeviceCounts count_word, number_word;
  Count elements, segments;
};

/// The flags or offsets, followed by as many extra ones as there are extra elements.
template <typename Word>
std::vector<Word> words_with_more(const Segments& segments, const SegmentsPlacement& placement,
                                  std::mt19937_64& generator) {
  std::vector<Word> words = words_of<Word>(segments);
  for (uint64_t i = 0; i < placement.behind; ++i) words.push_back(Word(generator() % 1000));
  return words;
}

template <typename T, typename Word = uint32_t>
void check_reduction(Stream& stream, const SegmentedReduce& plan, const Segments& segments, uint64_t count,
                     std::mt19937_64& generator, const SegmentsPlacement& placement = {}) {
  const bool by_flags = segments.by == SegmentsBy::flags;
  const uint64_t number = segments.offsets.size() - 1;
  INFO("path: ", std::string(name_of(plan.path())), ", elements: ", count, ", segments: ", number,
       ", by flags: ", by_flags, ", ", placement.text());
  const Device device = stream.device();
  const std::vector<T> data = random_elements<T>(count + placement.behind, generator);
  const std::vector<T> totals = segment_totals(data, segments.offsets, usual_operator<T>());
  const std::vector<Word> head_data = words_with_more<Word>(segments, placement, generator);
  const Guarded<T> input(device, stream, data, generator, placement.values_misalignment);
  const Guarded<Word> heads(device, stream, head_data, generator, placement.keys_misalignment);
  const Guarded<T> output(device, stream, std::max(count, number) + placement.behind, generator,
                          placement.output_misalignment);
  const DeviceCounts written(stream, 1, generator);
  const GuardedBytes temporary(device, stream, plan.temporary_bytes(), 7, generator);
  const GivenCounts given(stream, count, by_flags ? 0 : number, placement.count_on_device, generator);
  std::vector<T> expected = output.poison();
  std::ranges::copy(totals, expected.begin());
  plan.record(stream, {.input = input,
                       .heads = heads,
                       .output = output,
                       .segments = by_flags ? CountOutput(written) : CountOutput(),
                       .segment_count = given.segments,
                       .count = given.elements,
                       .temporary = temporary.region()});
  if (by_flags) check_same(written.read(stream), {number}, "the number of segments");
  check_same(output.read(stream), expected, "the totals");
  check_same(heads.read(stream), head_data, "the flags or offsets afterwards");
  check_same(input.read(stream), data, "the input afterwards");
  temporary.check_guards(stream);
}

template <typename T, typename Word = uint32_t>
void check_scan(Stream& stream, const SegmentedScan& plan, ScanKind kind, const Segments& segments, uint64_t count,
                std::mt19937_64& generator, const SegmentsPlacement& placement = {},
                const TestOperator<T>& op = usual_operator<T>()) {
  const bool by_flags = segments.by == SegmentsBy::flags;
  const uint64_t number = segments.offsets.size() - 1;
  INFO("path: ", std::string(name_of(plan.path())), ", inclusive: ", kind == ScanKind::inclusive, ", elements: ", count,
       ", segments: ", number, ", by flags: ", by_flags, ", ", placement.text());
  const Device device = stream.device();
  const std::vector<T> data = random_elements<T>(count + placement.behind, generator);
  const Guarded<T> input(device, stream, data, generator, placement.values_misalignment);
  const std::vector<Word> head_data = words_with_more<Word>(segments, placement, generator);
  const Guarded<Word> heads(device, stream, head_data, generator, placement.keys_misalignment);
  const Guarded<T> separate(device, stream, data.size(), generator, placement.output_misalignment);
  const Guarded<T>& output = placement.in_place ? input : separate;
  const GuardedBytes temporary(device, stream, plan.temporary_bytes(), 7, generator);
  const GivenCounts given(stream, count, by_flags ? 0 : number, placement.count_on_device, generator);
  std::vector<bool> starts(count);
  if (count > 0) starts[0] = true;
  for (const uint64_t offset : segments.offsets) {
    if (offset < count) starts[offset] = true;
  }
  std::vector<T> expected = placement.in_place ? data : output.poison();
  std::ranges::copy(segmented_scan_reference(data, starts, op, kind, count), expected.begin());
  plan.record(stream, {.input = input,
                       .heads = heads,
                       .output = output,
                       .segment_count = given.segments,
                       .count = given.elements,
                       .temporary = temporary.region()});
  check_same(output.read(stream), expected, "the scan");
  check_same(heads.read(stream), head_data, "the flags or offsets afterwards");
  temporary.check_guards(stream);
}

template <typename T>
SegmentsPlacement placement_by_segments(std::mt19937_64& generator, bool in_place) {
  const uint64_t align = Elements<T>::element().align();
  return {.keys_misalignment = generator() % 8 * 4,
          .values_misalignment = generator() % 8 * align,
          .output_misalignment = generator() % 8 * align,
          .in_place = in_place,
          .count_on_device = true,
          .behind = 100};
}

template <typename T>
void check_reductions(const Device& device, SegmentsBy by, TilePath path) {
  need_element<T>(device);
  need_path(device, path);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("segmented reduce ") + TypeName<T>::value + name_of(path));
  const std::vector<uint64_t> counts = interesting_counts(device);
  const SegmentedReduce plan(device, Elements<T>::element(), usual_operator<T>().on_device, by, counts.back(),
                             counts.back() * (most_empty + 1) + 1, {.path = path});
  CHECK((plan.path() == path));
  for (const uint64_t count : counts) {
    check_reduction<T>(stream, plan, random_segments(by, Runs::short_ones, count, 0, generator), count, generator);
  }
  for (const Runs runs : all_runs) {
    for (const uint64_t count : few_counts(device)) {
      SegmentsPlacement placement = placement_by_segments<T>(generator, false);
      if (by == SegmentsBy::flags) placement.behind = 0;
      check_reduction<T>(stream, plan, random_segments(by, runs, count, generator() % 2 * most_empty, generator), count,
                         generator, placement);
    }
  }
}

template <typename T>
void check_scans(const Device& device, SegmentsBy by, TilePath path, ScanKind kind) {
  need_element<T>(device);
  need_path(device, path);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("segmented scan ") + TypeName<T>::value + name_of(path));
  const std::vector<uint64_t> counts = interesting_counts(device);
  const SegmentedScan plan(device, Elements<T>::element(), usual_operator<T>().on_device, by, counts.back(),
                           counts.back() * (most_empty + 1) + 1, {.kind = kind, .path = path});
  for (const uint64_t count : counts) {
    check_scan<T>(stream, plan, kind, random_segments(by, Runs::short_ones, count, 0, generator), count, generator);
  }
  for (const Runs runs : all_runs) {
    for (const uint64_t count : few_counts(device)) {
      check_scan<T>(stream, plan, kind, random_segments(by, runs, count, generator() % 2 * most_empty, generator),
                    count, generator, placement_by_segments<T>(generator, generator() % 2 == 0));
    }
  }
}

}  // namespace

DEVICE_TEST_OF_TYPES("look-back segmented reduction by offsets", uint32_t, weft::test::Five, Mixed) {
  check_reductions<T>(device, SegmentsBy::offsets, TilePath::look_back);
}
DEVICE_TEST_OF_TYPES("reduce-then-scan segmented reduction by offsets", float, weft::test::AffineMap) {
  check_reductions<T>(device, SegmentsBy::offsets, TilePath::reduce_then_scan);
}
DEVICE_TEST_OF_TYPES("look-back segmented reduction by flags", weft::test::Matrix, uint8_t) {
  check_reductions<T>(device, SegmentsBy::flags, TilePath::look_back);
}
DEVICE_TEST_OF_TYPES("reduce-then-scan segmented reduction by flags", int64_t) {
  check_reductions<T>(device, SegmentsBy::flags, TilePath::reduce_then_scan);
}
DEVICE_TEST_OF_TYPES("look-back segmented scan by offsets", weft::test::AffineMap) {
  check_scans<T>(device, SegmentsBy::offsets, TilePath::look_back, ScanKind::exclusive);
}
DEVICE_TEST_OF_TYPES("reduce-then-scan segmented scan by offsets", uint32_t) {
  check_scans<T>(device, SegmentsBy::offsets, TilePath::reduce_then_scan, ScanKind::inclusive);
}
DEVICE_TEST_OF_TYPES("look-back segmented scan by flags", double, int16_t) {
  check_scans<T>(device, SegmentsBy::flags, TilePath::look_back, ScanKind::inclusive);
}
DEVICE_TEST_OF_TYPES("reduce-then-scan segmented scan by flags", weft::test::Range, Pixel) {
  check_scans<T>(device, SegmentsBy::flags, TilePath::reduce_then_scan, ScanKind::exclusive);
}

DEVICE_TEST_OF_TYPES("segmented reductions and scans by tiles of one invocation", uint32_t, uint8_t, float,
                     weft::test::Range, Pixel, weft::test::Matrix) {
  need_element<T>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("serial segments ") + TypeName<T>::value);
  const Element element = Elements<T>::element();
  const Operator op = usual_operator<T>().on_device;
  const std::vector<uint64_t> counts = serial_counts(element.bytes());
  const uint64_t most = counts.back() * (most_empty + 1) + 1;
  for (const TilePath path : {TilePath::reduce_then_scan, TilePath::look_back}) {
    need_path(device, path);
    for (const SegmentsBy by : {SegmentsBy::flags, SegmentsBy::offsets}) {
      const ScanKind kind =
          (path == TilePath::look_back) == (by == SegmentsBy::flags) ? ScanKind::exclusive : ScanKind::inclusive;
      const SegmentedReduce reduction(
          device, element, op, by, counts.back(), most,
          {.path = path, .tuning = serial_tiles(algorithms::tuned_segmented_reduce, element.bytes())});
      const SegmentedScan scan(
          device, element, op, by, counts.back(), most,
          {.kind = kind, .path = path, .tuning = serial_tiles(algorithms::tuned_segmented_scan, element.bytes())});
      const auto check = [&](Runs runs, uint64_t count, uint64_t empty, SegmentsPlacement placement) {
        const Segments segments = random_segments(by, runs, count, empty, generator);
        check_scan<T>(stream, scan, kind, segments, count, generator, placement);
        placement.in_place = false;
        if (by == SegmentsBy::flags) placement.behind = 0;
        check_reduction<T>(stream, reduction, segments, count, generator, placement);
      };
      for (const uint64_t count : counts) check(Runs::short_ones, count, 0, {});
      for (const Runs runs : all_runs) {
        check(runs, counts.back(), 0, {});
        check(runs, counts.back() / 2, most_empty, placement_by_segments<T>(generator, runs == Runs::short_ones));
      }
    }
  }
}

DEVICE_TEST("segmented scans start each segment from an initial element") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("initial of segments");
  TestOperator<AffineMap> from_initial = usual_operator<AffineMap>();
  from_initial.identity = {3, 5};  // where the reference starts
  for (const TilePath path : {TilePath::reduce_then_scan, TilePath::look_back}) {
    need_path(device, path);
    const bool first = path == TilePath::look_back;
    const ScanKind kind = first ? ScanKind::inclusive : ScanKind::exclusive;
    const SegmentsBy by = first ? SegmentsBy::offsets : SegmentsBy::flags;
    const SegmentedScan plan(device, Elements<AffineMap>::element(), from_initial.on_device, by, 40000, 40001,
                             {.kind = kind, .path = path, .initial = "T(3u, 5u)"});
    for (const Runs runs : all_runs) {
      for (const uint64_t count : few_counts(device)) {
        check_scan<AffineMap>(stream, plan, kind, random_segments(by, runs, count, 0, generator), count, generator,
                              placement_by_segments<AffineMap>(generator, generator() % 2 == 0), from_initial);
      }
    }
  }
}

DEVICE_TEST("many tiles of segments are reduced, most segments empty and in a row") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("large segmented");
  const uint64_t count = large_count(device), empty = large_count(device);
  Segments segments = random_segments(SegmentsBy::offsets, Runs::skewed, count, 0, generator);
  segments.offsets.insert(segments.offsets.begin() + segments.offsets.size() / 2, empty,
                          segments.offsets[segments.offsets.size() / 2]);
  for (const TilePath path : {TilePath::reduce_then_scan, TilePath::look_back}) {
    need_path(device, path);
    const SegmentedReduce plan(device, Element::of<uint32_t>(), Operator::sum(), SegmentsBy::offsets, count,
                               segments.offsets.size(), {.path = path});
    check_reduction<uint32_t>(stream, plan, segments, count, generator);
  }
}

DEVICE_TEST("one huge segment and as many segments as elements are reduced") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("huge and single segments");
  const uint64_t count = large_count(device) / (computes_on_cpu(device) ? 4 : 1);
  for (const TilePath path : {TilePath::reduce_then_scan, TilePath::look_back}) {
    need_path(device, path);
    for (const SegmentsBy by : {SegmentsBy::offsets, SegmentsBy::flags}) {
      // On a CPU, flags for one of the two and offsets for the other.
      const bool huge_by_this = (by == SegmentsBy::offsets) == (path == TilePath::look_back);
      for (const Runs runs : {Runs::one, Runs::single}) {
        if (computes_on_cpu(device) && huge_by_this != (runs == Runs::one)) continue;
        const SegmentedReduce plan(device, Element::of<uint32_t>(), Operator::sum(), by, count, count, {.path = path});
        check_reduction<uint32_t>(stream, plan, random_segments(by, runs, count, 0, generator), count, generator);
      }
    }
  }
}

DEVICE_TEST("segments in tiles whose totals take three rounds") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("rounds of segments");
  const Element element = Elements<Matrix>::element();
  const Operator op = operator_of<Matrix>().on_device;
  const auto segments = [&](SegmentsBy by, uint64_t count) {
    return random_segments(by, Runs::skewed, count, 0, generator);
  };
  for (const SegmentsBy by : {SegmentsBy::flags, SegmentsBy::offsets}) {
    const SmallTiles tiles(device, algorithms::tuned_segmented_reduce, 4, 5);
    const uint64_t count = tiles.count();
    const SegmentedReduce plan(device, element, op, by, count, count,
                               {.path = TilePath::reduce_then_scan, .tuning = tiles.tuning()});
    tiles.check(plan.temporary_bytes());
    check_reduction<Matrix>(stream, plan, segments(by, count), count, generator);
  }
  const SmallTiles tiles(device, algorithms::tuned_segmented_scan, 4, 5);
  const uint64_t count = tiles.count();
  const SegmentedScan plan(device, element, op, SegmentsBy::flags, count, count,
                           {.kind = ScanKind::inclusive, .path = TilePath::reduce_then_scan, .tuning = tiles.tuning()});
  tiles.check(plan.temporary_bytes());
  check_scan<Matrix>(stream, plan, ScanKind::inclusive, segments(SegmentsBy::flags, count), count, generator);
}

DEVICE_TEST("segments combine stretches in order, each once") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("segments of stretches");
  const TestOperator<Stretch> op = operator_of<Stretch>();
  const Element element = Elements<Stretch>::element();
  for (const TilePath path : {TilePath::reduce_then_scan, TilePath::look_back}) {
    need_path(device, path);
    const SegmentsBy by = path == TilePath::look_back ? SegmentsBy::offsets : SegmentsBy::flags;
    const ScanKind kind = path == TilePath::look_back ? ScanKind::exclusive : ScanKind::inclusive;
    const SegmentedReduce reduction(device, element, op.on_device, by, 40000, 80000, {.path = path});
    const SegmentedScan scan(device, element, op.on_device, by, 40000, 80000, {.kind = kind, .path = path});
    for (const Runs runs : {Runs::one, Runs::short_ones, Runs::skewed}) {
      const Segments segments = random_segments(by, runs, 30011, 3, generator);
      check_reduction<Stretch>(stream, reduction, segments, 30011, generator);
      check_scan<Stretch>(stream, scan, kind, segments, 30011, generator);
    }
  }
}

DEVICE_TEST("segments by offsets of 64 bits") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("long offsets");
  for (const TilePath path : {TilePath::reduce_then_scan, TilePath::look_back}) {
    need_path(device, path);
    const SegmentedReduce plan(device, Element::of<uint32_t>(), Operator::sum(), SegmentsBy::offsets, 100000,
                               uint64_t(1) << 32, {.path = path});
    const SegmentedScan scan(device, Element::of<uint32_t>(), Operator::sum(), SegmentsBy::offsets, 100000,
                             uint64_t(1) << 32, {.kind = ScanKind::inclusive, .path = path});
    CHECK_EQ(plan.offset_bytes(), 8);
    CHECK_EQ(scan.offset_bytes(), 8);
    for (const uint64_t count : {0, 1, 30011}) {
      check_scan<uint32_t, uint64_t>(stream, scan, ScanKind::inclusive,
                                     random_segments(SegmentsBy::offsets, Runs::skewed, count, 20, generator), count,
                                     generator, {.count_on_device = count > 1, .behind = 50});
      check_reduction<uint32_t, uint64_t>(stream, plan,
                                          random_segments(SegmentsBy::offsets, Runs::skewed, count, 20, generator),
                                          count, generator, {.count_on_device = true});
    }
  }
}

DEVICE_TEST("offsets beyond the elements are clamped to their number") {
  Stream stream = device.stream();
  const Buffer<uint32_t> input = device.buffer<uint32_t>(4), output = device.buffer<uint32_t>(5);
  const Buffer<uint32_t> offsets = device.buffer<uint32_t>(6);
  stream.upload(input, std::vector<uint32_t>{1, 20, 300, 4000});
  stream.upload(offsets, std::vector<uint32_t>{1, 2, 2, 7, 9, 12});
  segmented_reduce(stream, input, offsets, output);
  check_same(stream.download(output), {20, 0, 4300, 0, 0});
}

DEVICE_TEST("a reduction of segments by offsets refuses memory for their number") {
  Stream stream = device.stream();
  const SegmentedReduce plan(device, Element::of<uint32_t>(), Operator::sum(), SegmentsBy::offsets, 4, 2);
  const Buffer<uint32_t> input = device.buffer<uint32_t>(4), offsets = device.buffer<uint32_t>(3),
                         output = device.buffer<uint32_t>(2);
  const Buffer<uint64_t> segments = device.buffer<uint64_t>(1);
  const Buffer<std::byte> temporary = device.buffer<std::byte>(plan.temporary_bytes());
  check_error(ErrorCode::invalid_argument, {"'segments' was given", "offsets", "empty"},
              [&] { plan.record(stream, {input, offsets, output, segments, 2, 4, temporary}); });
}

// Structs of 28 words, whose tile and scan once took more workgroup memory than lavapipe has.
DEVICE_TEST("segments of structs of many words") {
  constexpr uint64_t words = 28, count = 1000;
  std::vector<Element::Field> fields;
  std::string sums, zeros;
  for (uint64_t k = 0; k < words / 4; ++k) {
    const std::string name = "v" + std::to_string(k), separator = k == 0 ? "" : ", ";
    fields.push_back({"uvec4", name});
    sums += separator + "a." + name + " + b." + name;
    zeros += separator + "uvec4(0u)";
  }
  const Operator sum = Operator::custom("sums", "T(" + sums + ")", "T(" + zeros + ")");
  const SegmentedReduce plan(device, Element::structure(fields), sum, SegmentsBy::offsets, count, 2);
  Stream stream = device.stream();
  const Buffer<uint32_t> input = device.buffer<uint32_t>(count * words), output = device.buffer<uint32_t>(2 * words);
  const Buffer<uint32_t> offsets = device.buffer<uint32_t>(3);
  const Buffer<std::byte> temporary = device.buffer<std::byte>(plan.temporary_bytes());
  stream.fill(input, 1u);
  stream.upload(offsets, std::vector<uint32_t>{0, 300, count});
  plan.record(
      stream,
      {.input = input, .heads = offsets, .output = output, .segment_count = 2, .count = count, .temporary = temporary});
  std::vector<uint32_t> expected(2 * words, 300);
  std::fill(expected.begin() + words, expected.end(), 700u);
  check_same(stream.download(output), expected);
}

DEVICE_TEST("segmented reductions and scans as functions") {
  Stream stream = device.stream();
  const Buffer<int32_t> input = device.buffer<int32_t>(6), output = device.buffer<int32_t>(4);
  const Buffer<uint32_t> offsets = device.buffer<uint32_t>(5);
  stream.upload(input, std::vector<int32_t>{3, -1, 4, 1, -5, 9});
  stream.upload(offsets, std::vector<uint32_t>{0, 2, 2, 5, 6});
  segmented_reduce(stream, input, offsets, output, Operator::max());
  check_same(stream.download(output), {3, INT32_MIN, 4, 9});
  segmented_scan(stream, ScanKind::inclusive, input, offsets, input);
  check_same(stream.download(input), {3, 2, 4, 5, 0, 9});
}
