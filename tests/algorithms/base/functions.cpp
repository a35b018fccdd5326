#include <weft/by_key.h>
#include <weft/histogram.h>
#include <weft/merge.h>
#include <weft/merge_sort.h>
#include <weft/partition.h>
#include <weft/reductions.h>
#include <weft/run_length.h>
#include <weft/segmented.h>
#include <weft/segmented_sort.h>
#include <weft/sort.h>
#include <weft/top_k.h>

#include "tests/algorithms/base/elements.h"

using namespace weft;
using namespace weft::test;

namespace {

// Ways to pass memory to a function.
const auto as_buffer = []<typename T>(const Buffer<T>& buffer) -> const Buffer<T>& { return buffer; };
const auto as_view = []<typename T>(const Buffer<T>& buffer) { return buffer.view(); };
const auto as_const_view = []<typename T>(const Buffer<T>& buffer) { return View<const T>(buffer); };

template <typename T>
Buffer<T> holding(Stream& stream, const std::vector<T>& data) {
  Buffer<T> buffer = stream.device().buffer<T>(data.size());
  stream.upload(buffer, data);
  return buffer;
}

using Words = std::vector<uint32_t>;

void check_reductions(Stream& stream, const auto& read) {
  const Buffer<int32_t> data = holding<int32_t>(stream, {3, -1, 4, -5, 4});
  CHECK_EQ(reduce(stream, read(data)), 5);
  CHECK_EQ(reduce(stream, read(data), Operator::max()), 4);
  CHECK_EQ(arg_min(stream, read(data)).index, 3);
  CHECK_EQ(arg_max(stream, read(data)).index, 2);
  CHECK_EQ(min_max(stream, read(data)).smallest, -5);
  CHECK_EQ(dot_product(stream, read(data), read(data)), 9 + 1 + 16 + 25 + 16);
}

void check_scans_and_selections(Stream& stream, const auto& read, const auto& write) {
  const Buffer<uint32_t> data = holding<uint32_t>(stream, {3, 3, 4, 1, 1, 1}), output = holding(stream, Words(6));
  inclusive_scan(stream, read(data), write(output));
  check_same(stream.download(output), Words{3, 6, 10, 11, 12, 13});
  exclusive_scan(stream, read(data), write(output));
  check_same(stream.download(output), Words{0, 3, 6, 10, 11, 12});
  CHECK_EQ(compact(stream, "x > 1u", read(data), write(output)), 3);
  check_same(stream.download(output.part(0, 3)), Words{3, 3, 4});
  CHECK_EQ(unique(stream, read(data), write(output)), 3);
  check_same(stream.download(output.part(0, 3)), Words{3, 4, 1});
  CHECK_EQ(partition(stream, "x == 1u", read(data), write(output)), 3);
  check_same(stream.download(output), Words{1, 1, 1, 3, 3, 4});
  const Buffer<uint32_t> bins = holding(stream, Words(2));
  histogram(stream, 1, 5, read(data), write(bins));
  check_same(stream.download(bins), Words{3, 3});
}

void check_runs(Stream& stream, const auto& read, const auto& write) {
  const Buffer<uint32_t> keys = holding<uint32_t>(stream, {7, 7, 8, 9, 9}), heads = holding(stream, Words(5));
  const Buffer<float> values = holding<float>(stream, {1, 2, 3, 4, 5}), totals = holding(stream, std::vector<float>(5));
  CHECK_EQ(reduce_by_key(stream, read(keys), read(values), write(heads), write(totals)), 3);
  check_same(stream.download(heads.part(0, 3)), Words{7, 8, 9});
  check_same(stream.download(totals.part(0, 3)), std::vector<float>{3, 3, 9});
  scan_by_key(stream, ScanKind::inclusive, read(keys), read(values), write(totals));
  check_same(stream.download(totals), std::vector<float>{1, 3, 3, 4, 9});
  const Buffer<uint32_t> lengths = holding(stream, Words(5));
  CHECK_EQ(run_length_encode(stream, read(keys), write(heads), write(lengths)), 3);
  check_same(stream.download(heads.part(0, 3)), Words{7, 8, 9});
  check_same(stream.download(lengths.part(0, 3)), Words{2, 1, 2});
}

void check_segments(Stream& stream, const auto& read, const auto& write) {
  const Buffer<uint32_t> data = holding<uint32_t>(stream, {5, 2, 9, 1, 4}),
                         offsets = holding<uint32_t>(stream, {0, 3, 5});
  const Buffer<uint32_t> totals = holding(stream, Words(2)), output = holding(stream, Words(5));
  segmented_reduce(stream, read(data), read(offsets), write(totals));
  check_same(stream.download(totals), Words{16, 5});
  segmented_scan(stream, ScanKind::inclusive, read(data), read(offsets), write(output));
  check_same(stream.download(output), Words{5, 7, 16, 1, 5});
  segmented_sort(stream, write(data), read(offsets));
  check_same(stream.download(data), Words{2, 5, 9, 1, 4});
}

void check_sorts(Stream& stream, const auto& read, const auto& write) {
  const Buffer<uint32_t> first = holding<uint32_t>(stream, {3, 1, 2}), second = holding<uint32_t>(stream, {9, 2, 5});
  const Buffer<float> values = holding<float>(stream, {0.5, 1.5, 2.5});
  sort(stream, write(first), write(values), {.descending = true});
  check_same(stream.download(values), std::vector<float>{0.5, 2.5, 1.5});
  sort(stream, write(first));
  check_same(stream.download(first), Words{1, 2, 3});
  merge_sort(stream, write(second));
  const Buffer<uint32_t> output = holding(stream, Words(6));
  merge(stream, read(first), read(second), write(output));
  check_same(stream.download(output), Words{1, 2, 2, 3, 5, 9});
}

void check_functions(const Device& device, const auto& read, const auto& write) {
  Stream stream = device.stream();
  check_reductions(stream, read);
  check_scans_and_selections(stream, read, write);
  check_runs(stream, read, write);
  check_segments(stream, read, write);
  check_sorts(stream, read, write);
}

}  // namespace

DEVICE_TEST("functions take buffers") { check_functions(device, as_buffer, as_buffer); }
DEVICE_TEST("functions take views") { check_functions(device, as_view, as_view); }
DEVICE_TEST("functions read from views of what is const") { check_functions(device, as_const_view, as_view); }
DEVICE_TEST("functions take a buffer beside a view") { check_functions(device, as_const_view, as_buffer); }

DEVICE_TEST("functions transform and convert what they reduce and scan") {
  Stream stream = device.stream();
  const Buffer<uint32_t> data = holding<uint32_t>(stream, {3, 0xFFFFFFF0, 5, 0xFFFFFFF0});
  CHECK_EQ(reduce<float>(stream, "x < 10u ? float(x) / 2.0 : 0.25", data), 4.5f);
  CHECK_EQ(reduce<int32_t>(stream, "int(x)", data, Operator::min()), -16);
  const Buffer<int32_t> output = holding(stream, std::vector<int32_t>(4));
  inclusive_scan(stream, "int(x)", data, output);
  check_same(stream.download(output), std::vector<int32_t>{3, -13, -8, -24});
  exclusive_scan(stream, "int(x) + 1", data, output.view(), Operator::max());
  check_same(stream.download(output.part(1, 3)), std::vector<int32_t>{4, 4, 6});
  if (!device.info().features.int64) return;
  CHECK_EQ(reduce(stream, data), 0xFFFFFFE8);
  CHECK_EQ(reduce<uint64_t>(stream, data), 0x1FFFFFFE8);
}

DEVICE_TEST("functions sum bytes without wrapping around") {
  if (const std::string lacking = lacks_type<uint8_t>(device.info()); !lacking.empty()) unsupported(lacking);
  Stream stream = device.stream();
  std::vector<uint8_t> bytes(200);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = uint8_t(i);
  const Buffer<uint8_t> data = holding(stream, bytes);
  CHECK_EQ(reduce(stream, data), 188);
  CHECK_EQ(reduce<uint32_t>(stream, data), 19900);
  const Buffer<uint32_t> sums = holding(stream, Words(200));
  inclusive_scan(stream, "T(x)", data, sums);
  CHECK_EQ(stream.download(sums).back(), 19900);
}

DEVICE_TEST("functions find the largest and smallest keys and their indices") {
  Stream stream = device.stream();
  const Buffer<int32_t> data = holding<int32_t>(stream, {3, -1, 40, -5, 4}),
                        found = holding(stream, std::vector<int32_t>(3));
  const Buffer<uint32_t> indices = holding(stream, Words(3));
  CHECK_EQ(top_k(stream, data, found), 3);
  check_same(stream.download(found), std::vector<int32_t>{40, 4, 3});
  CHECK_EQ(bottom_k(stream, data, found, indices), 3);
  check_same(stream.download(found), std::vector<int32_t>{-5, -1, 3});
  check_same(stream.download(indices), Words{3, 1, 0});
  CHECK_EQ(top_k(stream, data.part(0, 2), found, indices), 2);
  check_same(stream.download(indices.part(0, 2)), Words{0, 1});
}

DEVICE_TEST("functions refuse memory of elements of another size") {
  struct alignas(16) Padded {
    std::array<float, 3> at;
  };
  using Point = std::array<float, 3>;
  Stream stream = device.stream();
  const Buffer<Padded> padded = device.buffer<Padded>(12);
  const Buffer<Point> points = device.buffer<Point>(16);
  const Buffer<uint32_t> offsets = holding<uint32_t>(stream, {0, 16});
  const Element element = Element::structure({{"vec3", "at"}});
  const Operator sum = Operator::custom("sum", "T(a.at + b.at)", "T(vec3(0.0))", true);
  const Comparison before = Comparison::by("a.at.x < b.at.x");
  const auto refused = [](const std::string& name, const auto& call) {
    check_error(ErrorCode::invalid_argument, {"'" + name + "'", "16 bytes", "12"}, call);
  };
  refused("input", [&] { bounds<3>(stream, padded); });
  refused("input", [&] { reduce<float>(stream, element, "x.at.x", padded); });
  std::array<std::byte, 12> result{};
  refused("input", [&] { reduce(stream, element, sum, padded, result); });
  refused("input", [&] { scan(stream, element, sum, ScanKind::inclusive, padded, points); });
  refused("output", [&] { scan(stream, element, sum, ScanKind::inclusive, points, padded); });
  refused("input", [&] { compact(stream, element, Selection::when("x.at.x > 0.0"), padded, {}, points); });
  refused("output", [&] { partition(stream, element, Selection::when("x.at.x > 0.0"), points, {}, padded); });
  refused("second", [&] { merge(stream, element, before, points, padded, points); });
  refused("output", [&] { merge_sort(stream, element, before, points, padded); });
  refused("output", [&] { segmented_sort(stream, element, before, points, offsets, padded); });
  refused("input", [&] { segmented_reduce(stream, element, sum, padded, offsets, points); });
  refused("output", [&] { segmented_scan(stream, element, sum, ScanKind::inclusive, points, offsets, padded); });
  refused("keys", [&] {
    scan_by_key(stream, element, element, sum, ScanKind::inclusive, Equality::own(), padded, points, points);
  });
  refused("unique_keys",
          [&] { reduce_by_key(stream, element, element, sum, Equality::own(), points, points, padded, points); });
  refused("input", [&] { run_length_encode(stream, element, Equality::own(), padded, points, offsets); });
  refused("values", [&] { sort(stream, Element::of<float>(), element, {}, Region(points), padded); });
  // Arrays of the elements' scalars, and untyped memory.
  const Buffer<float> numbers = holding<float>(stream, {1, 2, 3, 4, -5, 6});
  const auto bytes = numbers.view().as<std::byte>();
  CHECK(bounds<3>(stream, numbers).low == Point{1, -5, 3});
  CHECK(bounds<3>(stream, bytes).high == Point{4, 2, 6});
  CHECK(bounds<3>(stream, numbers.view().region()).high == Point{4, 2, 6});
}
