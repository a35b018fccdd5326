#include "algorithms/src/select/selection_tuning.h"
#include "tests/algorithms/base/tuned.h"
#include "tests/algorithms/scan/scan_check.h"
#include "tests/algorithms/select/select_check.h"

using namespace weft;
using namespace weft::test;

namespace {

/// Layout in memory of the arguments of a compaction.
struct CompactPlacement {
  uint64_t input_misalignment = 0, output_misalignment = 0;
  uint64_t flags_misalignment = 0;
  bool count_on_device = false;
};

/// Compacts random elements in guarded memory and compares the result with `keep`. For a predicate, `flags` is empty.
template <typename T, typename Keep, typename F = uint32_t>
void check_compact(Stream& stream, const Compact& plan, const std::vector<T>& data, const std::vector<F>& flags,
                   uint64_t count, Keep&& keep, std::mt19937_64& generator, const CompactPlacement& placement = {}) {
  INFO("path: ", std::string(name_of(plan.path())), ", elements: ", count, ", input misaligned by ",
       placement.input_misalignment, ", output by ", placement.output_misalignment, ", flags by ",
       placement.flags_misalignment, ", count on device: ", placement.count_on_device);
  const Device device = stream.device();
  const Guarded<T> input(device, stream, data, generator, placement.input_misalignment);
  const Guarded<T> output(device, stream, data.size(), generator, placement.output_misalignment);
  const Guarded<F> guarded_flags(device, stream, flags, generator, placement.flags_misalignment);
  const DeviceCounts selected(stream, 1, generator);
  const GuardedBytes temporary(device, stream, plan.temporary_bytes(), 7, generator);
  const DeviceCounts count_word(stream, std::vector{count}, generator);
  const std::vector<T> kept = selected_elements(data, count, keep);
  std::vector<T> expected = output.poison();  // the rest is left as it was
  std::copy(kept.begin(), kept.end(), expected.begin());
  plan.record(stream, {.input = input,
                       .flags = flags.empty() ? Region() : Region(guarded_flags),
                       .output = output,
                       .selected = selected,
                       .count = placement.count_on_device ? Count(count_word) : Count(count),
                       .temporary = temporary.region()});
  check_same(selected.read(stream), {kept.size()}, "the number of selected elements");
  check_same(output.read(stream), expected, "the output");
  check_same(input.read(stream), data, "the input afterwards");
  guarded_flags.check_guards(stream);
  temporary.check_guards(stream);
}

template <typename T>
void check_compact_predicate(const Device& device, TilePath path) {
  need_element<T>(device);
  need_path(device, path);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("compact ") + TypeName<T>::value + name_of(path));
  const TestPredicate<T> predicate = predicate_of<T>();
  const std::vector<uint64_t> counts = interesting_counts(device);
  const Element element = Elements<T>::element();
  const Compact plan(device, element, predicate.on_device, counts.back(), {.path = path});
  CHECK((plan.path() == path));
  for (const uint64_t count : counts) {
    check_compact(stream, plan, random_elements<T>(count, generator), {}, count, predicate.on_host, generator);
  }
  for (const uint64_t count : few_counts(device)) {
    check_compact(stream, plan, random_elements<T>(count + 100, generator), {}, count, predicate.on_host, generator,
                  {.input_misalignment = generator() % 8 * element.align(),
                   .output_misalignment = generator() % 8 * element.align(),
                   .count_on_device = true});
  }
}

/// Flags F of every density: none, few, half, nearly all, all. Set flags have any value but zero.
template <typename T, typename F>
void check_flags(const Device& device, TilePath path) {
  need_element<T>(device);
  need_flags<F>(device);
  need_path(device, path);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("compact by flags ") + TypeName<T>::value + name_of(path));
  const Compact plan(device, Elements<T>::element(), Selection::flagged(8 * sizeof(F)), 30011, {.path = path});
  for (const uint64_t count : few_counts(device)) {
    for (const uint64_t density : {0, 1, 50, 99, 100}) {
      const std::vector<F> flags = random_flags<F>(count, density, generator);
      INFO("per cent flagged: ", density);
      check_compact(stream, plan, random_elements<T>(count, generator), flags, count,
                    [&](const T&, size_t i) { return flags[i] != 0; }, generator,
                    {.flags_misalignment = density % 2 * sizeof(F)});
    }
  }
}

/// By tiles of one invocation, on both paths. `selection` selects the elements that `keep` does; all plans take
/// `flags`.
template <typename T, typename Keep, typename F = uint32_t>
void check_serial_compactions(Stream& stream, const Selection& selection, const std::vector<F>& flags, Keep&& keep,
                              std::mt19937_64& generator) {
  const Device device = stream.device();
  const Element element = Elements<T>::element();
  const auto& primitive = !selection.by_flags() ? algorithms::tuned_compact
                          : sizeof(F) == 1      ? algorithms::tuned_compact_by_byte_flags
                                                : algorithms::tuned_compact_by_flags;
  const Tuning tuning = serial_tiles(primitive, element.bytes());
  const std::vector<uint64_t> counts = serial_counts(element.bytes());
  for (const TilePath path : {TilePath::reduce_then_scan, TilePath::look_back}) {
    need_path(device, path);
    const Compact plan(device, element, selection, counts.back(), {.path = path, .tuning = tuning});
    const auto flags_of = [&](uint64_t count) {
      return std::vector<F>(flags.begin(), flags.begin() + ptrdiff_t(std::min<uint64_t>(count, flags.size())));
    };
    for (const uint64_t count : counts) {
      check_compact(stream, plan, random_elements<T>(count, generator), flags_of(count), count, keep, generator);
    }
    const uint64_t count = counts.back() / 2;
    check_compact(stream, plan, random_elements<T>(count + 100, generator), flags_of(count + 100), count, keep,
                  generator,
                  {.input_misalignment = element.align(),
                   .output_misalignment = 3 * element.align(),
                   .flags_misalignment = sizeof(F),
                   .count_on_device = true});
  }
}

/// Flags for these, of every density.
template <typename T, typename F>
void check_serial_flags(const Device& device) {
  need_element<T>(device);
  need_flags<F>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("serial compaction by flags ") + TypeName<T>::value);
  const uint64_t most = serial_counts(sizeof(T)).back();
  for (const uint64_t density : {0, 1, 50, 100}) {
    INFO("per cent flagged: ", density);
    const std::vector<F> flags = random_flags<F>(most, density, generator);
    check_serial_compactions<T>(
        stream, Selection::flagged(8 * sizeof(F)), flags, [&](const T&, size_t i) { return flags[i] != 0; }, generator);
  }
}

}  // namespace

DEVICE_TEST_OF_TYPES("look-back compaction by a predicate", WEFT_TEST_SCALARS, WEFT_TEST_NARROW, WEFT_TEST_STRUCTS,
                     Mixed, Pixel) {
  check_compact_predicate<T>(device, TilePath::look_back);
}
DEVICE_TEST_OF_TYPES("reduce-then-scan compaction by a predicate", WEFT_TEST_SCALARS, WEFT_TEST_OTHER_NARROW,
                     WEFT_TEST_STRUCTS, Texel) {
  check_compact_predicate<T>(device, TilePath::reduce_then_scan);
}
DEVICE_TEST_OF_TYPES("look-back compaction by flags", uint32_t, double, weft::test::Five) {
  check_flags<T, uint32_t>(device, TilePath::look_back);
}
DEVICE_TEST_OF_TYPES("reduce-then-scan compaction by flags", uint32_t, double, weft::test::Five) {
  check_flags<T, uint32_t>(device, TilePath::reduce_then_scan);
}
DEVICE_TEST_OF_TYPES("look-back compaction by flags of 8 bits", uint32_t, uint8_t, weft::test::Five) {
  check_flags<T, uint8_t>(device, TilePath::look_back);
}
DEVICE_TEST_OF_TYPES("reduce-then-scan compaction by flags of 8 bits", uint32_t, weft::Half, double) {
  check_flags<T, uint8_t>(device, TilePath::reduce_then_scan);
}

DEVICE_TEST_OF_TYPES("compaction by tiles of one invocation", WEFT_TEST_SCALARS, WEFT_TEST_NARROW, WEFT_TEST_STRUCTS,
                     Mixed, Pixel) {
  need_element<T>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("serial compaction ") + TypeName<T>::value);
  const TestPredicate<T> predicate = predicate_of<T>();
  check_serial_compactions<T>(stream, predicate.on_device, std::vector<uint32_t>(), predicate.on_host, generator);
}
DEVICE_TEST_OF_TYPES("compaction by flags, by tiles of one invocation", uint32_t, uint8_t, weft::test::Five) {
  check_serial_flags<T, uint32_t>(device);
}
DEVICE_TEST_OF_TYPES("compaction by flags of 8 bits, by tiles of one invocation", uint32_t, double, Pixel) {
  check_serial_flags<T, uint8_t>(device);
}
DEVICE_TEST("tiles of one invocation keep nothing, everything, or what a branch selects") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("serial compaction of all");
  const std::vector<uint32_t> none;
  check_serial_compactions<uint32_t>(
      stream, Selection::when("true"), none, [](uint32_t, size_t) { return true; }, generator);
  check_serial_compactions<uint32_t>(
      stream, Selection::when("false"), none, [](uint32_t, size_t) { return false; }, generator);
  check_serial_compactions<uint32_t>(
      stream, Selection::when("(x & 1u) == 1u && i % 3u != 0u || i > 700u"), none,
      [](uint32_t x, size_t i) { return ((x & 1) == 1 && i % 3 != 0) || i > 700; }, generator);
}

DEVICE_TEST("compactions of many tiles") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("large compaction");
  const TestPredicate<uint32_t> predicate = predicate_of<uint32_t>();
  const uint64_t count = large_count(device);
  const std::vector<uint32_t> data = random_elements<uint32_t>(count, generator);
  for (const TilePath path : {TilePath::reduce_then_scan, TilePath::look_back}) {
    need_path(device, path);
    const Compact plan(device, Element::of<uint32_t>(), predicate.on_device, count, {.path = path});
    check_compact(stream, plan, data, {}, count, predicate.on_host, generator);
  }
}

DEVICE_TEST("compactions of counts around tile boundaries") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("tiles of compactions");
  const TestPredicate<uint32_t> predicate = predicate_of<uint32_t>();
  for (const TilePath path : {TilePath::reduce_then_scan, TilePath::look_back}) {
    need_path(device, path);
    for (const uint64_t count : tile_counts(device, tile_elements(device, algorithms::tuned_compact))) {
      const Compact plan(device, Element::of<uint32_t>(), predicate.on_device, std::max(count, many), {.path = path});
      check_compact(stream, plan, random_elements<uint32_t>(count, generator), {}, count, predicate.on_host, generator);
    }
  }
}

DEVICE_TEST("compactions whose tile counts take three rounds") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("rounds of compactions");
  const TestPredicate<Five> predicate = predicate_of<Five>();
  const SmallTiles tiles(device, algorithms::tuned_compact, 5, 1);
  const Compact plan(device, Elements<Five>::element(), predicate.on_device, tiles.count(),
                     {.path = TilePath::reduce_then_scan, .tuning = tiles.tuning()});
  tiles.check(plan.temporary_bytes());
  check_compact(stream, plan, random_elements<Five>(tiles.count(), generator), {}, tiles.count(), predicate.on_host,
                generator);
}

DEVICE_TEST("compaction keeps nothing or everything if the predicate says so") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("all or nothing");
  for (const auto& [where, all] : {std::pair("true", true), std::pair("false", false)}) {
    const Compact plan(device, Element::of<uint32_t>(), Selection::when(where), 20011);
    for (const uint64_t count : {0, 1, 4096, 20011}) {
      check_compact(
          stream, plan, random_elements<uint32_t>(count, generator), {}, count,
          [all = all](uint32_t, size_t) { return all; }, generator);
    }
  }
}

DEVICE_TEST("a predicate sees the element's index") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("index");
  const Compact plan(device, Element::of<uint32_t>(), Selection::when("i % 5u == 2u || i >= 15000u"), 20011);
  check_compact(
      stream, plan, random_elements<uint32_t>(20011, generator), {}, 20011,
      [](uint32_t, size_t i) { return i % 5 == 2 || i >= 15000; }, generator);
}

DEVICE_TEST("a compaction clamps a device count to the maximum") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("excessive count");
  const TestPredicate<uint32_t> predicate = predicate_of<uint32_t>();
  const std::vector<uint32_t> data = random_elements<uint32_t>(9000, generator);
  for (const TilePath path : {TilePath::reduce_then_scan, TilePath::look_back}) {
    need_path(device, path);
    const Compact plan(device, Element::of<uint32_t>(), predicate.on_device, 5000, {.path = path});
    const Guarded<uint32_t> input(device, stream, data, generator);
    for (const uint64_t held : {9000, 5000, 17}) {
      INFO("path: ", std::string(name_of(path)), ", elements of the regions: ", held);
      const Guarded<uint32_t> output(device, stream, held, generator);
      const Buffer<uint64_t> selected = device.buffer<uint64_t>(1), count = device.buffer<uint64_t>(1);
      const GuardedBytes temporary(device, stream, plan.temporary_bytes(), 0, generator);
      stream.upload(count, std::vector<uint64_t>{~uint64_t(0) - 3});
      const uint64_t taken = std::min<uint64_t>(held, 5000);
      const std::vector<uint32_t> kept = selected_elements(data, taken, predicate.on_host);
      std::vector<uint32_t> expected = output.poison();
      std::copy(kept.begin(), kept.end(), expected.begin());
      plan.record(stream, {.input = input,
                           .flags = {},
                           .output = output,
                           .selected = selected,
                           .count = count,
                           .temporary = temporary.region()});
      check_same(stream.download(selected), {kept.size()});
      check_same(output.read(stream), expected);
      temporary.check_guards(stream);
    }
  }
}

DEVICE_TEST("compact as a function") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("compact function");
  for (const uint64_t count : few_counts(device)) {
    const std::vector<int32_t> data = random_elements<int32_t>(count, generator);
    const Buffer<int32_t> input = device.buffer<int32_t>(count), output = device.buffer<int32_t>(count);
    stream.upload(input, data);
    const std::vector<int32_t> kept = selected_elements(data, count, [](int32_t x, size_t) { return x > 5; });
    CHECK_EQ(compact(stream, "x > 5", input, output), kept.size());
    check_same(stream.download(output.part(0, kept.size())), kept);
    std::vector<uint32_t> flags(count);
    for (uint32_t& flag : flags) flag = uint32_t(generator() % 2);
    const Buffer<uint32_t> flag_words = device.buffer<uint32_t>(count);
    stream.upload(flag_words, flags);
    const auto flagged = selected_elements(data, count, [&](int32_t, size_t i) { return flags[i] != 0; });
    CHECK_EQ(compact(stream, Element::of<int32_t>(), Selection::flagged(), input, flag_words, output), flagged.size());
    check_same(stream.download(output.part(0, flagged.size())), flagged);
  }
}
