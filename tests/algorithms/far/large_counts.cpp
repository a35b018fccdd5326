#include <weft/by_key.h>
#include <weft/compact.h>
#include <weft/histogram.h>
#include <weft/map.h>
#include <weft/merge.h>
#include <weft/merge_sort.h>
#include <weft/partition.h>
#include <weft/reductions.h>
#include <weft/run_length.h>
#include <weft/scan.h>
#include <weft/segmented.h>
#include <weft/sort.h>
#include <weft/split.h>
#include <weft/top_k.h>

#include "tests/algorithms/scan/scan_check.h"

using namespace weft;
using namespace weft::test;

/// Counts beyond 32 bits. All elements are 1 except marks at the ends and on both sides of 2^32.

namespace {

constexpr uint64_t huge_count = index_limit + 1234567;
constexpr uint64_t marks[] = {0, 77777, index_limit - 1, index_limit, index_limit + 1, huge_count - 1};
constexpr uint32_t marked = 1000003;
// The runs of marks and ones. Three of the marks are neighbours.
constexpr uint64_t run_lengths[] = {1, 77776, 1, index_limit - 77779, 3, huge_count - index_limit - 3, 1};

Buffer<uint32_t> marked_ones(const Device& device, Stream& stream, int buffers) {
  const DeviceInfo& info = device.info();
  // A CPU device shares the host's memory with other tests.
  if (info.kind == DeviceKind::cpu) unsupported("a CPU device, whose memory is the host's");
  const uint64_t bytes = huge_count * sizeof(uint32_t);
  if (info.limits.memory_bytes < (uint64_t(buffers) + 1) * bytes) unsupported("too little memory for 2^32 elements");
  if (info.limits.max_buffer_bytes < bytes) unsupported("no buffer holds 2^32 elements");
  Buffer<uint32_t> elements = device.buffer<uint32_t>(huge_count);
  stream.fill(elements, 1u);
  for (const uint64_t at : marks) stream.fill(elements.part(at, 1), marked);
  return elements;
}

/// Sum of the elements before `end`, modulo 2^32.
uint32_t sum_before(uint64_t end) {
  uint64_t sum = end;
  for (const uint64_t at : marks) sum += at < end ? marked - 1 : 0;
  return uint32_t(sum);
}

/// Sum of the elements of each run in run_lengths.
std::vector<uint32_t> run_sums() {
  std::vector<uint32_t> sums;
  uint64_t start = 0;
  for (const uint64_t length : run_lengths) {
    sums.push_back(sum_before(start + length) - sum_before(start));
    start += length;
  }
  return sums;
}

void check_scanned(Stream& stream, const Buffer<uint32_t>& scanned) {
  constexpr uint64_t length = 5000;
  for (const uint64_t first :
       {uint64_t(0), uint64_t(75000), index_limit / 2, index_limit - length / 2, huge_count - length}) {
    INFO("from element ", first);
    std::vector<uint32_t> expected;
    for (uint64_t i = first; i < first + length; ++i) expected.push_back(sum_before(i + 1));
    check_same(stream.download(scanned.part(first, length)), expected);
  }
}

/// Reduces more than 2^32 bytes, scans them into 64 bits, and finds the smallest and largest.
void check_bytes(const Device& device, uint64_t number) {
  const DeviceInfo& info = device.info();
  if (info.kind == DeviceKind::cpu) unsupported("a CPU device, whose memory is the host's");
  if (!info.features.int8 || !info.features.storage8) unsupported("no 8-bit integers");
  const std::string sums_text = std::to_string(number) + " sums of 64 bits";
  if (info.limits.memory_bytes < 10 * number) unsupported("too little memory for " + sums_text);
  if (info.limits.max_buffer_bytes < 8 * number) unsupported("no buffer holds " + sums_text);
  Stream stream = device.stream();
  const Buffer<uint8_t> words = device.buffer<uint8_t>((number + 3) / 4 * 4);
  stream.fill(words, uint8_t(255));
  const View<uint8_t> bytes = words.part(0, number);
  stream.upload<uint8_t>(bytes.part(0, 1), std::vector<uint8_t>{254});
  stream.upload<uint8_t>(bytes.part(index_limit + 5, 1), std::vector<uint8_t>{7});
  const Extreme<uint8_t> smallest = arg_min(stream, bytes);
  CHECK_EQ(smallest.index, index_limit + 5);
  CHECK_EQ(smallest.value, 7);
  CHECK_EQ(arg_max(stream, bytes).index, 1);

  const Element wide = Element::of<uint64_t>();
  const Transform widen = Transform::of(Element::of<uint8_t>(), "T(x)");
  const Buffer<uint64_t> sums = device.buffer<uint64_t>(number);
  const auto sum_to = [](uint64_t i) { return (i + 1) * 255 - 1 - (i >= index_limit + 5 ? 248 : 0); };
  const Reduce reduce_plan(device, wide, Operator::sum(), number, {.transform = widen});
  const Buffer<std::byte> temporary = device.buffer<std::byte>(reduce_plan.temporary_bytes());
  reduce_plan.record(stream, {.input = bytes, .output = sums.part(0, 1), .count = number, .temporary = temporary});
  check_same(stream.download(sums.part(0, 1)), {sum_to(number - 1)});

  const Scan plan(device, wide, Operator::sum(), number, {.kind = ScanKind::inclusive, .transform = widen});
  const Buffer<std::byte> more = device.buffer<std::byte>(plan.temporary_bytes());
  plan.record(stream, {.input = bytes, .output = sums, .count = number, .temporary = more});
  for (const uint64_t first : {uint64_t(0), index_limit - 2500, number - 5000}) {
    std::vector<uint64_t> expected;
    for (uint64_t i = first; i < first + 5000; ++i) expected.push_back(sum_to(i));
    INFO("from element ", first);
    check_same(stream.download(sums.part(first, 5000)), expected);
  }
}

}  // namespace

DEVICE_TEST("more than 2^32 elements are reduced") {
  Stream stream = device.stream();
  const Buffer<uint32_t> elements = marked_ones(device, stream, 1);
  CHECK_EQ(reduce(stream, elements.view()), sum_before(huge_count));
  CHECK_EQ(reduce(stream, elements.view(), Operator::max()), marked);
  CHECK_EQ(reduce(stream, elements.part(index_limit + 2, 1234), Operator::max()), 1u);
}

DEVICE_TEST("more than 2^32 elements are computed from elements and indices") {
  Stream stream = device.stream();
  const Buffer<uint32_t> elements = marked_ones(device, stream, 1);
  map(stream, "x + i * i_high", elements, elements);
  for (const uint64_t first : {uint64_t(0), index_limit - 2500, huge_count - 5000}) {
    INFO("from element ", first);
    std::vector<uint32_t> expected;
    for (uint64_t i = first; i < first + 5000; ++i) {
      const uint32_t before = sum_before(i + 1) - sum_before(i);
      expected.push_back(before + uint32_t(i < index_limit ? 0 : i - index_limit));
    }
    check_same(stream.download(elements.part(first, 5000)), expected);
  }
}

DEVICE_TEST("more than 2^32 elements are scanned") {
  Stream stream = device.stream();
  for (const TilePath path : {TilePath::look_back, TilePath::reduce_then_scan}) {
    if (path == TilePath::look_back && !device.info().features.workgroup_forward_progress) continue;
    INFO("path: ", std::string(name_of(path)));
    const Buffer<uint32_t> elements = marked_ones(device, stream, 1);
    const Scan plan(device, Element::of<uint32_t>(), Operator::sum(), huge_count,
                    {.kind = ScanKind::inclusive, .path = path});
    const Buffer<std::byte> temporary = device.buffer<std::byte>(plan.temporary_bytes());
    plan.record(stream, {.input = elements, .output = elements, .count = huge_count, .temporary = temporary});
    check_scanned(stream, elements);
  }
}

DEVICE_TEST("more than 2^32 bytes are reduced, scanned into 64 bits and searched for the largest") {
  check_bytes(device, huge_count);
}
DEVICE_TEST("2^33 bytes are reduced, scanned into 64 bits and searched for the largest") {
  check_bytes(device, 2 * index_limit);
}

DEVICE_TEST("marked elements are selected out of more than 2^32") {
  Stream stream = device.stream();
  const Buffer<uint32_t> elements = marked_ones(device, stream, 2), output = device.buffer<uint32_t>(huge_count);
  stream.fill(output, 0xa5a5a5a5u);
  const uint64_t all = compact(stream, "x == 1u", elements, output);
  CHECK_EQ(all, huge_count - std::size(marks));
  check_same(stream.download(output.part(all - 3, 5)), {1, 1, 1, 0xa5a5a5a5, 0xa5a5a5a5});
  const uint64_t few = compact(stream, "x != 1u", elements, output);
  CHECK_EQ(few, std::size(marks));
  check_same(stream.download(output.part(0, few + 1)), {marked, marked, marked, marked, marked, marked, 1});
  const Buffer<uint64_t> indices = device.buffer<uint64_t>(huge_count);
  CHECK_EQ(compact_indices(stream, "x != 1u", elements, indices), std::size(marks));
  check_same(stream.download(indices.part(0, std::size(marks))),
             std::vector<uint64_t>(std::begin(marks), std::end(marks)));
}

DEVICE_TEST("more than 2^32 elements are sorted by merging, and merged") {
  Stream stream = device.stream();
  const Buffer<uint32_t> elements = marked_ones(device, stream, 3);
  const uint64_t ones = huge_count - std::size(marks);
  {
    const MergeSort plan(device, Element::of<uint32_t>(), Comparison::ascending(), huge_count);
    const Buffer<std::byte> temporary = device.buffer<std::byte>(plan.temporary_bytes());
    plan.record(stream, {elements, {}, elements, {}, huge_count, temporary});
    stream.synchronize();
  }
  const std::vector<uint32_t> end{1, 1, marked, marked, marked, marked, marked, marked};
  check_same(stream.download(elements.part(huge_count - end.size(), end.size())), end);
  CHECK_EQ(reduce(stream, elements.part(0, ones), Operator::max()), 1u);
  CHECK_EQ(reduce(stream, elements.part(0, ones), Operator::min()), 1u);

  const Buffer<uint32_t> output = device.buffer<uint32_t>(huge_count);
  const uint64_t first = index_limit - 3, second = huge_count - first;
  merge(stream, Element::of<uint32_t>(), Comparison::ascending(), elements.part(first, second), elements.part(0, first),
        output);
  check_same(stream.download(output.part(huge_count - end.size(), end.size())), end);
  CHECK_EQ(reduce(stream, output.part(0, ones), Operator::max()), 1u);
  CHECK_EQ(reduce(stream, output.part(0, ones), Operator::min()), 1u);
}

DEVICE_TEST("more than 2^32 elements are run-length encoded") {
  Stream stream = device.stream();
  const Buffer<uint32_t> elements = marked_ones(device, stream, 4), firsts = device.buffer<uint32_t>(huge_count);
  const Buffer<uint64_t> lengths = device.buffer<uint64_t>(huge_count), runs = device.buffer<uint64_t>(1);
  for (const TilePath path : {TilePath::look_back, TilePath::reduce_then_scan}) {
    if (path == TilePath::look_back && !device.info().features.workgroup_forward_progress) continue;
    INFO("path: ", std::string(name_of(path)));
    const RunLengthEncode plan(device, Element::of<uint32_t>(), huge_count, {.equality = {}, .path = path});
    const Buffer<std::byte> temporary = device.buffer<std::byte>(plan.temporary_bytes());
    plan.record(stream, {.input = elements,
                         .output = firsts,
                         .lengths = lengths,
                         .runs = runs,
                         .count = huge_count,
                         .temporary = temporary});
    check_same(stream.download(runs), {std::size(run_lengths)});
    check_same(stream.download(lengths.part(0, std::size(run_lengths))),
               std::vector<uint64_t>(std::begin(run_lengths), std::end(run_lengths)));
  }
}

DEVICE_TEST("more than 2^32 elements are reduced by key") {
  Stream stream = device.stream();
  const Element word = Element::of<uint32_t>();
  const Buffer<uint32_t> elements = marked_ones(device, stream, 3), firsts = device.buffer<uint32_t>(huge_count);
  const Buffer<uint32_t> totals = device.buffer<uint32_t>(huge_count);
  const Buffer<uint64_t> runs = device.buffer<uint64_t>(1);
  const std::vector<uint32_t> sums = run_sums();
  for (const TilePath path : {TilePath::look_back, TilePath::reduce_then_scan}) {
    if (path == TilePath::look_back && !device.info().features.workgroup_forward_progress) continue;
    INFO("path: ", std::string(name_of(path)));
    const ReduceByKey plan(device, word, word, Operator::sum(), huge_count, {.equality = {}, .path = path});
    const Buffer<std::byte> temporary = device.buffer<std::byte>(plan.temporary_bytes());
    plan.record(stream, {.keys = elements,
                         .values = elements,
                         .unique_keys = firsts,
                         .output = totals,
                         .runs = runs,
                         .count = huge_count,
                         .temporary = temporary});
    check_same(stream.download(runs), {sums.size()});
    check_same(stream.download(totals.part(0, sums.size())), sums);
  }
}

DEVICE_TEST("segments of more than 2^32 elements are reduced") {
  Stream stream = device.stream();
  const Element word = Element::of<uint32_t>();
  const Buffer<uint32_t> elements = marked_ones(device, stream, 1);
  std::vector<uint64_t> starts{0};
  for (const uint64_t length : run_lengths) starts.push_back(starts.back() + length);
  const uint64_t segments = std::size(run_lengths);
  const Buffer<uint64_t> offsets = device.buffer<uint64_t>(starts.size());
  const Buffer<uint32_t> totals = device.buffer<uint32_t>(segments);
  stream.upload(offsets, starts);
  for (const TilePath path : {TilePath::look_back, TilePath::reduce_then_scan}) {
    if (path == TilePath::look_back && !device.info().features.workgroup_forward_progress) continue;
    INFO("path: ", std::string(name_of(path)));
    const SegmentedReduce plan(device, word, Operator::sum(), SegmentsBy::offsets, huge_count, segments,
                               {.path = path});
    const Buffer<std::byte> temporary = device.buffer<std::byte>(plan.temporary_bytes());
    plan.record(stream, {.input = elements,
                         .heads = offsets,
                         .output = totals,
                         .segments = {},
                         .segment_count = segments,
                         .count = huge_count,
                         .temporary = temporary});
    check_same(stream.download(totals), run_sums());
  }
}

DEVICE_TEST("more than 2^32 elements are partitioned into two and into three") {
  Stream stream = device.stream();
  const Buffer<uint32_t> elements = marked_ones(device, stream, 4);
  const Buffer<uint32_t> first = device.buffer<uint32_t>(huge_count), second = device.buffer<uint32_t>(huge_count),
                         third = device.buffer<uint32_t>(huge_count);
  const Buffer<uint64_t> counts = device.buffer<uint64_t>(3);
  const auto check = [&](uint64_t ones, const Buffer<uint32_t>& output) {
    CHECK_EQ(ones, huge_count - std::size(marks));
    check_same(stream.download(output.part(ones - 3, 4)), {1, 1, 1, 0xa5a5a5a5});
  };
  const auto poison = [&] {
    for (const Buffer<uint32_t>* output : {&first, &second, &third}) stream.fill(*output, 0xa5a5a5a5u);
  };
  const std::vector<uint32_t> expected{marked, marked, marked, marked, marked, marked, 0xa5a5a5a5};
  for (const TilePath path : {TilePath::look_back, TilePath::reduce_then_scan}) {
    if (path == TilePath::look_back && !device.info().features.workgroup_forward_progress) continue;
    INFO("path: ", std::string(name_of(path)));
    poison();
    const Partition two(device, Element::of<uint32_t>(), Selection::when("x != 1u"), huge_count, {.path = path});
    const Buffer<std::byte> temporary = device.buffer<std::byte>(two.temporary_bytes());
    two.record(stream, {elements, {}, first, second, counts.part(0, 1), huge_count, temporary});
    CHECK_EQ(stream.download(counts).front(), std::size(marks));
    check_same(stream.download(first.part(0, 7)), expected);
    check(huge_count - std::size(marks), second);

    poison();
    const Split three(device, Element::of<uint32_t>(), Sides::three_way("x == 0u", "x > 1u"), huge_count,
                      {.path = path});
    const Buffer<std::byte> more = device.buffer<std::byte>(three.temporary_bytes());
    three.record(stream, {elements, first, second, third, counts, huge_count, more});
    const std::vector<uint64_t> sizes = stream.download(counts);
    CHECK_EQ(sizes[0], 0);
    CHECK_EQ(sizes[1], std::size(marks));
    check_same(stream.download(second.part(0, 7)), expected);
    check(sizes[2], third);
  }
}

DEVICE_TEST("more than 2^32 elements are counted") {
  Stream stream = device.stream();
  const Buffer<uint32_t> elements = marked_ones(device, stream, 1);
  const Histogram plan(device, Element::of<uint32_t>(), Bins::even(2, 0, 1u << 20), huge_count, {.wide = true});
  const Buffer<uint64_t> counts = device.buffer<uint64_t>(2);
  plan.record(stream, {elements, {}, {}, counts, huge_count});
  check_same(stream.download(counts), {huge_count - std::size(marks), std::size(marks)});
}

DEVICE_TEST("more than 2^32 elements are sorted by radix") {
  Stream stream = device.stream();
  for (const TilePath path : {TilePath::look_back, TilePath::reduce_then_scan}) {
    if (path == TilePath::look_back && !device.info().features.workgroup_forward_progress) continue;
    INFO("path: ", std::string(name_of(path)));
    const Buffer<uint32_t> elements = marked_ones(device, stream, 3);
    const Sort plan(device, Element::of<uint32_t>(), huge_count, {{.descending = true}, path});
    const Buffer<std::byte> temporary = device.buffer<std::byte>(plan.temporary_bytes());
    plan.record(stream, {elements, {}, elements, {}, huge_count, temporary});
    const uint64_t first = std::size(marks);
    check_same(stream.download(elements.part(0, first + 2)), {marked, marked, marked, marked, marked, marked, 1, 1});
    CHECK_EQ(reduce(stream, elements.part(first, huge_count - first), Operator::max()), 1u);
    CHECK_EQ(reduce(stream, elements.part(first, huge_count - first), Operator::min()), 1u);
  }
}

DEVICE_TEST("2^32 bytes are sorted by radix") {
  const DeviceInfo& info = device.info();
  if (info.kind == DeviceKind::cpu) unsupported("a CPU device, whose memory is the host's");
  if (!info.features.int8 || !info.features.storage8) unsupported("no 8-bit integers");
  if (info.limits.memory_bytes < 4 * index_limit) unsupported("too little memory for 2^32 bytes three times");
  if (info.limits.max_buffer_bytes < index_limit) unsupported("no buffer holds 2^32 bytes");
  Stream stream = device.stream();
  constexpr uint64_t part = index_limit / 4;
  for (const TilePath path : {TilePath::look_back, TilePath::reduce_then_scan}) {
    if (path == TilePath::look_back && !info.features.workgroup_forward_progress) continue;
    INFO("path: ", std::string(name_of(path)));
    const Buffer<uint8_t> keys = device.buffer<uint8_t>(index_limit);
    for (uint64_t p = 0; p < 4; ++p) stream.fill(keys.part(p * part, part), uint8_t(200 - 50 * p));
    // Swaps one key of each part with one of the next, so that every part has a key to give away.
    for (uint64_t p = 0; p < 4; ++p) {
      stream.upload<uint8_t>(keys.part(p * part + 1000003, 1), std::vector<uint8_t>{uint8_t(200 - 50 * ((p + 1) % 4))});
    }
    const Sort plan(device, Element::of<uint8_t>(), index_limit, {{}, path});
    const Buffer<std::byte> temporary = device.buffer<std::byte>(plan.temporary_bytes());
    plan.record(stream, {keys, {}, keys, {}, index_limit, temporary});
    for (uint64_t p = 0; p < 4; ++p) {
      INFO("part ", p);
      CHECK_EQ(reduce(stream, keys.part(p * part, part), Operator::min()), 50 + 50 * p);
      CHECK_EQ(reduce(stream, keys.part(p * part, part), Operator::max()), 50 + 50 * p);
    }
  }
}

DEVICE_TEST("the largest of more than 2^32 elements and their indices are found") {
  Stream stream = device.stream();
  const Buffer<uint32_t> elements = marked_ones(device, stream, 3);
  const Buffer<uint64_t> found = device.buffer<uint64_t>(1);
  const uint64_t all_marks = std::size(marks);
  {
    const uint64_t k = all_marks + 5;  // Most keys equal to the k-th are not selected.
    const TopK plan(device, Element::of<uint32_t>(), huge_count, k, {.indices = true});
    const Buffer<uint32_t> output = device.buffer<uint32_t>(k);
    const Buffer<uint64_t> indices = device.buffer<uint64_t>(k);
    const Buffer<std::byte> temporary = device.buffer<std::byte>(plan.temporary_bytes());
    plan.record(stream, {elements, output, indices, found, k, huge_count, temporary});
    check_same(stream.download(found), {k});
    check_same(stream.download(output), {marked, marked, marked, marked, marked, marked, 1, 1, 1, 1, 1});
    std::vector<uint64_t> found_at = stream.download(indices);
    std::sort(found_at.begin(), found_at.begin() + std::ptrdiff_t(all_marks));
    check_same(std::vector<uint64_t>(found_at.begin(), found_at.begin() + std::ptrdiff_t(all_marks)),
               std::vector<uint64_t>(std::begin(marks), std::end(marks)));
    for (uint64_t i = all_marks; i < k; ++i) CHECK_LT(found_at[i], huge_count);
  }
  const uint64_t k = index_limit + 3;  // Enough that their ranks exceed 32 bits.
  const TopK plan(device, Element::of<uint32_t>(), huge_count, k);
  const Buffer<uint32_t> output = device.buffer<uint32_t>(k);
  const Buffer<std::byte> temporary = device.buffer<std::byte>(plan.temporary_bytes());
  stream.fill(output, 0xa5a5a5a5u);
  plan.record(stream, {elements, output, {}, found, k, huge_count, temporary});
  check_same(stream.download(found), {k});
  check_same(stream.download(output.part(0, all_marks + 1)), {marked, marked, marked, marked, marked, marked, 1});
  CHECK_EQ(reduce(stream, output.part(all_marks, k - all_marks), Operator::max()), 1u);
  CHECK_EQ(reduce(stream, output.part(all_marks, k - all_marks), Operator::min()), 1u);
}
