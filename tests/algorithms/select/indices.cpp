#include <algorithm>

#include "algorithms/src/base/tiling.h"
#include "algorithms/src/select/selection_tuning.h"
#include "tests/algorithms/base/tuned.h"
#include "tests/algorithms/scan/scan_check.h"
#include "tests/algorithms/select/select_check.h"
#include "tests/support/errors.h"

using namespace weft;
using namespace weft::test;

namespace {

/// The indices of the first `count` elements that `keep` selects.
template <typename Index, typename T, typename Keep>
std::vector<Index> selected_indices(const std::vector<T>& data, size_t count, Keep&& keep) {
  std::vector<Index> selected;
  for (size_t i = 0; i < count; ++i) {
    if (keep(data[i], i)) selected.push_back(Index(i));
  }
  return selected;
}

/// Writes the indices that `keep` selects into guarded memory and compares them. `data` is the plan's input, or for a
/// plan by flags those.
template <typename Index, typename T, typename Keep>
void check_indices(Stream& stream, const Compact& plan, bool by_flags, const std::vector<T>& data, uint64_t count,
                   Keep&& keep, std::mt19937_64& generator, uint64_t misalignment = 0, bool count_on_device = false) {
  INFO("path: ", std::string(name_of(plan.path())), ", elements: ", count, ", input misaligned by ", misalignment,
       ", count on device: ", count_on_device);
  const Device device = stream.device();
  const Guarded<T> input(device, stream, data, generator, misalignment);
  const Guarded<Index> output(device, stream, data.size(), generator, generator() % 4 * sizeof(Index));
  const DeviceCounts selected(stream, 1, generator), count_word(stream, std::vector{count}, generator);
  const GuardedBytes temporary(device, stream, plan.temporary_bytes(), 7, generator);
  const std::vector<Index> indices = selected_indices<Index>(data, count, keep);
  std::vector<Index> expected = output.poison();  // the rest is left as it was
  std::ranges::copy(indices, expected.begin());
  plan.record(stream, {.input = by_flags ? Region() : Region(input),
                       .flags = by_flags ? Region(input) : Region(),
                       .output = output,
                       .selected = selected,
                       .count = count_on_device ? Count(count_word) : Count(count),
                       .temporary = temporary.region()});
  check_same(selected.read(stream), {indices.size()}, "the number of indices");
  check_same(output.read(stream), expected, "the indices");
  check_same(input.read(stream), data, "the input afterwards");
  temporary.check_guards(stream);
}

template <typename Index, typename T>
void check_predicate_indices(const Device& device, TilePath path) {
  need_element<T>(device);
  need_path(device, path);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("indices ") + TypeName<T>::value + name_of(path));
  const TestPredicate<T> predicate = predicate_of<T>();
  const std::vector<uint64_t> counts = interesting_counts(device);
  const Element element = Elements<T>::element();
  const Compact plan(device, element, predicate.on_device, counts.back(),
                     {.path = path, .index_bits = 8 * sizeof(Index)});
  const auto check = [&](uint64_t size, uint64_t count, auto... more) {
    check_indices<Index>(stream, plan, false, random_elements<T>(size, generator), count, predicate.on_host, generator,
                         more...);
  };
  for (const uint64_t count : counts) check(count, count);
  for (const uint64_t count : few_counts(device)) check(count + 100, count, generator() % 8 * element.align(), true);
}

/// Flags F of every density, without elements.
template <typename Index, typename F>
void check_flag_indices(const Device& device, TilePath path) {
  need_flags<F>(device);
  need_path(device, path);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("indices by flags ") + name_of(path));
  const Compact plan(device, Element::of<uint32_t>(), Selection::flagged(8 * sizeof(F)), 30011,
                     {.path = path, .index_bits = 8 * sizeof(Index)});
  for (const uint64_t count : few_counts(device)) {
    for (const uint64_t density : {0, 1, 50, 99, 100}) {
      INFO("per cent flagged: ", density);
      const std::vector<F> flags = random_flags<F>(count, density, generator);
      check_indices<Index>(
          stream, plan, true, flags, count, [](F flag, size_t) { return flag != 0; }, generator,
          density % 2 * sizeof(F));
    }
  }
}

/// By tiles of one invocation, on both paths. `data` is the plan's input, or for a plan by flags those.
template <typename Index, typename T, typename Keep>
void check_serial_indices(Stream& stream, const Element& element, const Selection& selection,
                          const std::vector<T>& data, Keep&& keep, std::mt19937_64& generator) {
  const Device device = stream.device();
  for (const TilePath path : {TilePath::reduce_then_scan, TilePath::look_back}) {
    need_path(device, path);
    const Compact plan(device, element, selection, data.size(),
                       {.path = path,
                        .tuning = serial_tiles(algorithms::tuned_compact_indices, element.bytes()),
                        .index_bits = 8 * sizeof(Index)});
    for (const uint64_t count : serial_counts(element.bytes())) {
      check_indices<Index>(stream, plan, selection.by_flags(), data, count, keep, generator, sizeof(T), count % 2 == 0);
    }
  }
}

}  // namespace

DEVICE_TEST_OF_TYPES("look-back compaction writes indices of 32 bits", WEFT_TEST_SCALARS, WEFT_TEST_NARROW,
                     weft::test::Five) {
  check_predicate_indices<uint32_t, T>(device, TilePath::look_back);
}
DEVICE_TEST_OF_TYPES("look-back compaction writes indices of 64 bits", uint32_t, float, uint8_t, Mixed) {
  check_predicate_indices<uint64_t, T>(device, TilePath::look_back);
}
DEVICE_TEST_OF_TYPES("reduce-then-scan compaction writes indices of 32 bits", int32_t, double, weft::Half) {
  check_predicate_indices<uint32_t, T>(device, TilePath::reduce_then_scan);
}
DEVICE_TEST_OF_TYPES("reduce-then-scan compaction writes indices of 64 bits", uint32_t, int8_t, weft::test::Five) {
  check_predicate_indices<uint64_t, T>(device, TilePath::reduce_then_scan);
}
DEVICE_TEST_OF_TYPES("look-back compaction writes the indices of flags", uint32_t, uint8_t) {
  check_flag_indices<uint32_t, T>(device, TilePath::look_back);
}
DEVICE_TEST_OF_TYPES("reduce-then-scan compaction writes the wide indices of flags", uint32_t, uint8_t) {
  check_flag_indices<uint64_t, T>(device, TilePath::reduce_then_scan);
}

DEVICE_TEST_OF_TYPES("tiles of one invocation write indices", uint32_t, uint8_t, weft::test::Five) {
  need_element<T>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("serial indices ") + TypeName<T>::value);
  const Element element = Elements<T>::element();
  const std::vector<T> data = random_elements<T>(serial_counts(element.bytes()).back(), generator);
  const TestPredicate<T> predicate = predicate_of<T>();
  check_serial_indices<uint32_t>(stream, element, predicate.on_device, data, predicate.on_host, generator);
  check_serial_indices<uint64_t>(stream, element, predicate.on_device, data, predicate.on_host, generator);
}
DEVICE_TEST("tiles of one invocation write the indices of flags and of heads") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("serial indices of flags");
  const Element word = Element::of<uint32_t>();
  const uint64_t most = serial_counts(word.bytes()).back();
  for (const uint64_t density : {0, 3, 97, 100}) {
    INFO("per cent flagged: ", density);
    const std::vector<uint32_t> flags = random_flags<uint32_t>(most, density, generator);
    check_serial_indices<uint32_t>(
        stream, word, Selection::flagged(), flags, [](uint32_t flag, size_t) { return flag != 0; }, generator);
  }
  std::vector<uint32_t> runs(most);
  for (size_t i = 1; i < most; ++i) runs[i] = runs[i - 1] + (generator() % 5 == 0 ? 1 : 0);
  check_serial_indices<uint64_t>(
      stream, word, Selection::first_of_runs(), runs, [&](uint32_t x, size_t i) { return i == 0 || runs[i - 1] != x; },
      generator);
}

DEVICE_TEST("many tiles write indices") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("large indices");
  const TestPredicate<uint32_t> predicate = predicate_of<uint32_t>();
  const uint64_t count = large_count(device);
  const std::vector<uint32_t> data = random_elements<uint32_t>(count, generator);
  for (const TilePath path : {TilePath::reduce_then_scan, TilePath::look_back}) {
    need_path(device, path);
    const Compact plan(device, Element::of<uint32_t>(), predicate.on_device, count, {.path = path, .index_bits = 32});
    check_indices<uint32_t>(stream, plan, false, data, count, predicate.on_host, generator);
  }
}

DEVICE_TEST("indices whose rows pass through workgroup memory in parts") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("staged indices");
  const TestPredicate<uint32_t> predicate = predicate_of<uint32_t>();
  const algorithms::StagedTuning values{.tile = {.workgroup = 64, .bytes_per_invocation = 80}, .staged_bytes = 32};
  const algorithms::Tiling tiling = algorithms::make_row_staged_tiling(
      "Compact", device.info(), Element::of<uint32_t>(), nullptr, 0, values.tile, values.staged_bytes);
  CHECK_EQ(tiling.rows, 5);
  CHECK_EQ(tiling.staged_rows, 2);
  const Tuning tuning({tuned(algorithms::tuned_compact_indices, 4, values)});
  const Compact plan(device, Element::of<uint32_t>(), predicate.on_device, 30011, {.tuning = tuning, .index_bits = 64});
  for (const uint64_t count : few_counts(device)) {
    check_indices<uint64_t>(stream, plan, false, random_elements<uint32_t>(count, generator), count, predicate.on_host,
                            generator);
  }
}

DEVICE_TEST("the first index of each run") {
  Stream stream = device.stream();
  const std::vector<int32_t> data{4, 4, 4, -1, -1, 4, 7, 7};
  const Buffer<int32_t> input = device.buffer<int32_t>(data.size());
  const Buffer<uint32_t> output = device.buffer<uint32_t>(data.size());
  stream.upload(input, data);
  const uint64_t runs = compact_indices(stream, Element::of<int32_t>(), Selection::first_of_runs(), input, {}, output);
  CHECK_EQ(runs, 4);
  check_same(stream.download(output.part(0, 4)), {0, 3, 5, 6});
}

DEVICE_TEST("nonzero and compact_indices as functions") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("nonzero");
  for (const uint64_t count : few_counts(device)) {
    std::vector<float> data(count);
    for (float& x : data) x = generator() % 3 == 0 ? (generator() % 2 == 0 ? 0.0f : -0.0f) : float(generator() % 9) - 4;
    const Buffer<float> input = device.buffer<float>(count);
    const Buffer<uint32_t> narrow = device.buffer<uint32_t>(count);
    const Buffer<uint64_t> wide = device.buffer<uint64_t>(count);
    stream.upload(input, data);
    const auto there = selected_indices<uint32_t>(data, count, [](float x, size_t) { return x != 0; });
    CHECK_EQ(nonzero(stream, input, narrow), there.size());
    check_same(stream.download(narrow.part(0, there.size())), there);
    const auto high = selected_indices<uint64_t>(data, count, [](float x, size_t) { return x > 1; });
    CHECK_EQ(compact_indices(stream, "x > 1.0", input, wide), high.size());
    check_same(stream.download(wide.part(0, high.size())), high);
    const std::vector<uint32_t> flags = random_flags<uint32_t>(count, 50, generator);
    const Buffer<uint32_t> flag_words = device.buffer<uint32_t>(count);
    stream.upload(flag_words, flags);
    const auto flagged = selected_indices<uint32_t>(flags, count, [](uint32_t flag, size_t) { return flag != 0; });
    CHECK_EQ(compact_indices(stream, Element::of<float>(), Selection::flagged(), {}, flag_words, narrow),
             flagged.size());
    check_same(stream.download(narrow.part(0, flagged.size())), flagged);
  }
}

DEVICE_TEST("widths of indices are checked") {
  const auto make = [&](uint32_t bits, uint64_t count) {
    return Compact(device, Element::of<uint32_t>(), Selection::flagged(), count, {.index_bits = bits});
  };
  check_error(ErrorCode::invalid_argument, {"32 or 64 bits, not 16"}, [&] { make(16, 10); });
  check_error(ErrorCode::invalid_argument, {"need 64 bits"}, [&] { make(32, (uint64_t{1} << 32) + 1); });
  const Compact plan = make(32, 100);
  Stream stream = device.stream();
  const auto words = device.buffer<uint32_t>(100);
  const auto count = device.buffer<uint64_t>(1);
  const auto temporary = device.buffer<std::byte>(plan.temporary_bytes());
  check_error(ErrorCode::invalid_argument, {"'input'", "indices of flags"}, [&] {
    plan.record(stream, {.input = words,
                         .flags = words,
                         .output = device.buffer<uint32_t>(100),
                         .selected = count,
                         .count = 100,
                         .temporary = temporary});
  });
}
