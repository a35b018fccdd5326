#include "support/extremes.h"

#include <weft/atomic_by_key.h>
#include <weft/by_key.h>
#include <weft/mipmaps.h>
#include <weft/reductions.h>

#include "tests/algorithms/runs/segments_check.h"

using namespace weft;
using namespace weft::test;

/// Operator::min() and max() of floats: NaN gives way to every number, and -0 is below 0.
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

template <typename T>
T empty_result(bool max) {
  return T(max ? -infinity : infinity);
}

template <typename T>
T extreme_of(bool max, std::span<const T> elements) {
  if (elements.empty()) return empty_result<T>(max);
  T found = elements[0];
  for (const T& x : elements) {
    if (support::precedes(x, found, max)) found = x;
  }
  return found;
}

/// Bits as they are, but one NaN for all, whose bits are open.
template <typename T>
std::vector<T> same_nans(std::vector<T> elements) {
  for (T& x : elements) {
    if (std::isnan(double(x))) x = T(std::numeric_limits<float>::quiet_NaN());
  }
  return elements;
}

/// Elements of one kind, so that kinds meet in stretches as long as lanes, subgroups and tiles, then of any.
template <typename T>
std::vector<T> mixed_floats(uint64_t count, std::mt19937_64& generator) {
  const double tiny = std::is_same_v<T, Half> ? 0x1p-24 : std::is_same_v<T, float> ? 0x1p-149 : 0x1p-1074;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double values[] = {nan, -nan, infinity, -infinity, 0.0, -0.0, tiny, -tiny, 1.5, -2.0};
  // Which of the values a stretch draws from.
  const std::vector<std::vector<uint32_t>> kinds{{0},
                                                 {1},
                                                 {0, 1},
                                                 {0, 2},
                                                 {1, 3},
                                                 {0, 4, 5},
                                                 {4, 5},
                                                 {4, 5, 6, 7},
                                                 {0, 8},
                                                 {1, 9},
                                                 {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}};
  std::vector<T> elements(count);
  uint64_t left = 0;
  const std::vector<uint32_t>* kind = nullptr;
  for (T& x : elements) {
    if (left == 0) {
      left = uint64_t(1) << generator() % 14;
      kind = &kinds[generator() % kinds.size()];
    }
    --left;
    x = T(values[(*kind)[generator() % kind->size()]]);
  }
  return elements;
}

/// All NaN, but for one element at times.
template <typename T>
std::vector<T> mostly_nans(uint64_t count, std::mt19937_64& generator) {
  std::vector<T> elements(count, T(std::numeric_limits<double>::quiet_NaN()));
  if (count > 0 && generator() % 2 == 0) elements[generator() % count] = T(generator() % 2 == 0 ? 3.0 : -infinity);
  return elements;
}

template <typename T>
std::vector<T> drawn_floats(uint64_t count, std::mt19937_64& generator) {
  return generator() % 3 == 0 ? mostly_nans<T>(count, generator) : mixed_floats<T>(count, generator);
}

Operator operator_for(bool max) { return max ? Operator::max() : Operator::min(); }

template <typename T>
std::vector<T> running_extremes(bool max, std::span<const T> elements, const std::vector<bool>& heads, bool inclusive,
                                std::optional<T> initial = {}) {
  std::vector<T> result;
  std::optional<T> total = initial;
  const auto take = [&](const T& x) {
    if (!total || support::precedes(x, *total, max)) total = x;
  };
  for (size_t i = 0; i < elements.size(); ++i) {
    if (heads[i]) total = initial;
    if (inclusive) take(elements[i]);
    result.push_back(total ? *total : empty_result<T>(max));
    if (!inclusive) take(elements[i]);
  }
  return result;
}

std::vector<TilePath> paths_of(const Device& device) {
  if (device.info().features.workgroup_forward_progress) return {TilePath::look_back, TilePath::reduce_then_scan};
  return {TilePath::reduce_then_scan};
}

template <typename T>
void check_extreme_reductions(const Device& device) {
  need_element<T>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("extremes, reduced ") + TypeName<T>::value);
  const bool max = generator() % 2 == 0;
  const uint64_t most = few_counts(device).back();
  const Reduce any(device, Element::of<T>(), operator_for(max), most);
  const Reduce fixed(device, Element::of<T>(), operator_for(max), most, {.fixed_order = true});
  for (const uint64_t count : few_counts(device)) {
    INFO("max: ", max, ", elements: ", count);
    const std::vector<T> data = drawn_floats<T>(count, generator);
    const std::vector<T> expected = same_nans<T>({extreme_of<T>(max, data)});
    const Guarded<T> input(device, stream, data, generator);
    for (const Reduce& plan : {any, fixed}) {
      const Guarded<T> output(device, stream, 1, generator);
      const auto temporary = device.buffer<std::byte>(plan.temporary_bytes());
      const DeviceCounts on_device(stream, std::vector{count}, generator);
      const Count given = generator() % 2 == 0 ? Count(on_device) : Count(count);
      plan.record(stream, {.input = input, .output = output, .count = given, .temporary = temporary});
      check_same(same_nans(output.read(stream)), expected);
    }
    const MinMax<T> both = min_max(stream, input.view());
    check_same(same_nans<T>({both.smallest, both.largest}),
               same_nans<T>({extreme_of<T>(false, data), extreme_of<T>(true, data)}), "min_max");
  }
}

template <typename T>
void check_extreme_scans(const Device& device) {
  need_element<T>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("extremes, scanned ") + TypeName<T>::value);
  const uint64_t most = few_counts(device).back();
  for (const TilePath path : paths_of(device)) {
    const auto other = generator() % 2 == 0 ? ScanKind::inclusive : ScanKind::exclusive;
    for (const auto& [kind, starts] :
         {std::pair(ScanKind::exclusive, false), {ScanKind::inclusive, false}, {other, true}}) {
      const bool max = generator() % 2 == 0, inclusive = kind == ScanKind::inclusive;
      const std::optional<T> initial = starts ? std::optional(T(-0.0)) : std::nullopt;
      const Scan plan(device, Element::of<T>(), operator_for(max), most,
                      {.kind = kind, .path = path, .initial = starts ? "T(-0.0)" : ""});
      const auto temporary = device.buffer<std::byte>(plan.temporary_bytes());
      for (const uint64_t count : few_counts(device)) {
        INFO(std::string(weft::test::name_of(path)), ", max: ", max, ", inclusive: ", inclusive, ", initial: ", starts,
             ", elements: ", count);
        const std::vector<T> data = drawn_floats<T>(count, generator);
        const Guarded<T> input(device, stream, data, generator), output(device, stream, count, generator);
        plan.record(stream, {.input = input, .output = output, .count = count, .temporary = temporary});
        check_same(same_nans(output.read(stream)),
                   same_nans(running_extremes<T>(max, data, std::vector<bool>(count), inclusive, initial)));
      }
    }
  }
}

template <typename T>
void check_extreme_segments(const Device& device) {
  need_element<T>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("extremes of segments ") + TypeName<T>::value);
  const Element element = Element::of<T>();
  const uint64_t most = few_counts(device).back(), most_segments = most * (most_empty + 1);
  for (const TilePath path : paths_of(device)) {
    const bool max = generator() % 2 == 0;
    const Operator op = operator_for(max);
    const SegmentedReduce totals(device, element, op, SegmentsBy::offsets, most, most_segments, {.path = path});
    const auto kind = generator() % 2 == 0 ? ScanKind::inclusive : ScanKind::exclusive;
    const SegmentedScan scan(device, element, op, SegmentsBy::offsets, most, most_segments, {kind, path});
    const ScanByKey by_key(device, Element::of<uint32_t>(), element, op, most, {ScanKind::exclusive, {}, path});
    const auto temporary = device.buffer<std::byte>(
        std::max({totals.temporary_bytes(), scan.temporary_bytes(), by_key.temporary_bytes()}));
    for (const Runs runs : all_runs) {
      for (const uint64_t count : few_counts(device)) {
        INFO(std::string(weft::test::name_of(path)), ", max: ", max, ", ", std::string(weft::test::name_of(runs)),
             ", elements: ", count, ", inclusive: ", kind == ScanKind::inclusive);
        const Segments segments = random_segments(SegmentsBy::offsets, runs, count, 3, generator);
        const std::vector<T> data = drawn_floats<T>(count, generator);
        const std::vector<uint32_t> offsets = words_of<uint32_t>(segments);
        const uint64_t number = offsets.size() - 1;
        const Guarded<uint32_t> heads(device, stream, offsets, generator);
        const Guarded<T> input(device, stream, data, generator), reduced(device, stream, number, generator);
        totals.record(stream, {input, heads, reduced, {}, number, count, temporary});
        std::vector<T> expected;
        std::vector<bool> is_head(count);
        for (uint64_t s = 0; s <= number; ++s) {
          if (offsets[s] < count) is_head[offsets[s]] = true;
          if (s == number) break;
          expected.push_back(extreme_of<T>(max, std::span(data).subspan(offsets[s], offsets[s + 1] - offsets[s])));
        }
        check_same(same_nans(reduced.read(stream)), same_nans(expected), "totals");

        const Guarded<T> output(device, stream, count, generator);
        scan.record(stream, {input, heads, output, number, count, temporary});
        check_same(same_nans(output.read(stream)),
                   same_nans(running_extremes<T>(max, data, is_head, kind == ScanKind::inclusive)), "the scan");

        std::vector<uint32_t> key_data(count);
        for (uint64_t i = 1; i < count; ++i) key_data[i] = key_data[i - 1] + uint32_t(segments.heads[i]);
        const Guarded<uint32_t> keys(device, stream, key_data, generator);
        by_key.record(stream, {keys, input, output, count, temporary});
        check_same(same_nans(output.read(stream)), same_nans(running_extremes<T>(max, data, segments.heads, false)),
                   "the scan by key");
      }
    }
  }
}

template <typename T>
void check_extremes_by_key(const Device& device) {
  need_element<T>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("extremes by key ") + TypeName<T>::value);
  const uint64_t count = few_counts(device).back();
  const bool max = generator() % 2 == 0;
  INFO("max: ", max, ", elements: ", count);
  const std::vector<T> data = mixed_floats<T>(count, generator);
  std::vector<uint32_t> key_data(count);
  for (uint64_t i = 1; i < count; ++i) key_data[i] = key_data[i - 1] + uint32_t(generator() % 8 == 0);
  std::vector<T> expected;
  for (uint64_t first = 0, end = 0; first < count; first = end) {
    while (end < count && key_data[end] == key_data[first]) ++end;
    expected.push_back(extreme_of<T>(max, std::span(data).subspan(first, end - first)));
  }
  const Guarded<uint32_t> keys(device, stream, key_data, generator), unique(device, stream, count, generator);
  const Guarded<T> input(device, stream, data, generator), output(device, stream, count, generator);
  const uint64_t runs =
      reduce_by_key(stream, keys.view(), input.view(), unique.view(), output.view(), operator_for(max));
  CHECK_EQ(runs, expected.size());
  std::vector<T> totals = output.read(stream);
  totals.resize(expected.size());
  check_same(same_nans(totals), same_nans(expected), "runs");

  if (sizeof(T) == 2 || (sizeof(T) == 8 && !has_int64_atomics(device))) return;
  // A table of the identity holds what was combined into it alone.
  const std::vector<T> nans(expected.size(), T(std::numeric_limits<double>::quiet_NaN()));
  const Guarded<T> table(device, stream, nans, generator);
  const AtomicReduceByKey plan(device, Element::of<T>(), operator_for(max), count);
  plan.record(stream, {.keys = keys, .values = input, .table = table, .count = count});
  check_same(same_nans(table.read(stream)), same_nans(expected), "the table");
}

}  // namespace

// Floats by themselves: entries of ctest with few types leave out tests of the others.
DEVICE_TEST("reductions by min and max of NaNs, infinities and zeros") { check_extreme_reductions<float>(device); }
DEVICE_TEST("scans by min and max of NaNs, infinities and zeros") { check_extreme_scans<float>(device); }
DEVICE_TEST("segments by min and max of NaNs, infinities and zeros") { check_extreme_segments<float>(device); }
DEVICE_TEST("reductions by key by min and max of NaNs, infinities and zeros") { check_extremes_by_key<float>(device); }
DEVICE_TEST_OF_TYPES("reductions by min and max of NaNs, infinities and zeros", double, weft::Half) {
  check_extreme_reductions<T>(device);
}
DEVICE_TEST_OF_TYPES("scans by min and max of NaNs, infinities and zeros", double, weft::Half) {
  check_extreme_scans<T>(device);
}
DEVICE_TEST_OF_TYPES("segments by min and max of NaNs, infinities and zeros", double, weft::Half) {
  check_extreme_segments<T>(device);
}
DEVICE_TEST_OF_TYPES("reductions by key by min and max of NaNs, infinities and zeros", double, weft::Half) {
  check_extremes_by_key<T>(device);
}

DEVICE_TEST("bounding boxes of points with NaNs, infinities and zeros") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("bounds of mixed floats");
  for (const uint64_t count : few_counts(device)) {
    INFO("points: ", count);
    std::array<std::vector<float>, 3> axes;
    for (std::vector<float>& axis : axes) axis = drawn_floats<float>(count, generator);
    std::vector<float> data;
    for (uint64_t i = 0; i < 3 * count; ++i) data.push_back(axes[i % 3][i / 3]);
    const Guarded<float> points(device, stream, data, generator);
    const Box<3> box = bounds<3>(stream, points.view());
    for (uint32_t axis = 0; axis < 3; ++axis) {
      check_same(same_nans<float>({box.low[axis], box.high[axis]}),
                 same_nans<float>({extreme_of<float>(false, axes[axis]), extreme_of<float>(true, axes[axis])}));
    }
  }
}

DEVICE_TEST("pyramids by min and max as operators are those of the filters") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("pyramids of mixed floats");
  const TexelFormat format{TexelType::float32, 1};
  const Guarded<float> image(device, stream, drawn_floats<float>(67 * 130, generator), generator);
  for (const bool max : {false, true}) {
    const auto levels_by = [&](const Mipmaps::Options& options) {
      const Mipmaps plan = mipmaps(stream, format, 67, 130, {}, {}, options);
      const Guarded<float> levels(device, stream, plan.level_bytes() / 4, generator);
      mipmaps(stream, format, 67, 130, image.view(), levels.view(), options);
      return same_nans(levels.read(stream));
    };
    check_same(levels_by({.op = operator_for(max)}), levels_by({.filter = max ? MipFilter::max : MipFilter::min}));
  }
}
