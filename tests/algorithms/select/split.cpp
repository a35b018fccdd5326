#include <weft/split.h>

#include "algorithms/src/select/selection_tuning.h"
#include "tests/algorithms/base/tuned.h"
#include "tests/algorithms/scan/scan_check.h"
#include "tests/algorithms/select/select_check.h"

using namespace weft;
using namespace weft::test;

namespace {

/// Sides on the device and on the host.
template <typename T>
struct TestSides {
  Sides on_device;
  bool (*first)(const T& x, uint64_t i);
  bool (*second)(const T& x, uint64_t i);
};

/// About half of the elements for each side, some for both and some for neither. `where` is from predicate_of().
template <typename T>
TestSides<T> sides_of(bool three) {
  const TestPredicate<T> predicate = predicate_of<T>();
  const std::string second = "i % 3u == 0u || i % 16u > 10u";
  const std::string first = predicate.on_device.where;
  return {three ? Sides::three_way(first, second) : Sides::overlapping(first, second), predicate.on_host,
          [](const T&, uint64_t i) { return i % 3 == 0 || i % 16 > 10; }};
}

struct SplitPlacement {
  uint64_t misalignment = 0;
  bool count_on_device = false;
};

template <typename T>
void check_split(Stream& stream, const Split& plan, const TestSides<T>& sides, const std::vector<T>& data,
                 uint64_t count, std::mt19937_64& generator, const SplitPlacement& placement = {}) {
  const bool three = sides.on_device.three;
  INFO("path: ", std::string(name_of(plan.path())), ", three: ", three, ", elements: ", count, ", misaligned by ",
       placement.misalignment, ", count on device: ", placement.count_on_device);
  const Device device = stream.device();
  const Guarded<T> input(device, stream, data, generator, placement.misalignment);
  const Guarded<T> outputs[] = {{device, stream, data.size(), generator, placement.misalignment},
                                {device, stream, data.size(), generator},
                                {device, stream, three ? data.size() : 0, generator}};
  const DeviceCounts counts(stream, three ? 3 : 2, generator);
  const GuardedBytes temporary(device, stream, plan.temporary_bytes(), 7, generator);
  const DeviceCounts count_word(stream, std::vector{count}, generator);
  plan.record(stream, {.input = input,
                       .first = outputs[0],
                       .second = outputs[1],
                       .third = three ? Region(outputs[2]) : Region(),
                       .counts = counts,
                       .count = placement.count_on_device ? Count(count_word) : Count(count),
                       .temporary = temporary.region()});
  std::vector<std::vector<T>> expected(three ? 3 : 2);
  for (uint64_t i = 0; i < count; ++i) {
    const bool first = sides.first(data[i], i), second = sides.second(data[i], i);
    if (first) expected[0].push_back(data[i]);
    if (second && !(three && first)) expected[1].push_back(data[i]);
    if (three && !first && !second) expected[2].push_back(data[i]);
  }
  std::vector<uint64_t> sizes;
  for (size_t i = 0; i < expected.size(); ++i) {
    std::vector<T> memory = outputs[i].poison();  // the rest is left as it was
    std::copy(expected[i].begin(), expected[i].end(), memory.begin());
    check_same(outputs[i].read(stream), memory, "output " + std::to_string(i));
    sizes.push_back(expected[i].size());
  }
  check_same(counts.read(stream), sizes, "the counts");
  check_same(input.read(stream), data, "the input afterwards");
  temporary.check_guards(stream);
}

template <typename T>
void check_sides(const Device& device, TilePath path) {
  need_element<T>(device);
  need_path(device, path);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("split ") + TypeName<T>::value + name_of(path));
  const Element element = Elements<T>::element();
  for (const bool three : {true, false}) {
    const TestSides<T> sides = sides_of<T>(three);
    const std::vector<uint64_t> counts = sizeof(T) == 4 ? interesting_counts(device) : few_counts(device);
    const Split plan(device, element, sides.on_device, counts.back(), {.path = path});
    CHECK((plan.path() == path));
    for (const uint64_t count : counts) {
      check_split(stream, plan, sides, random_elements<T>(count, generator), count, generator);
    }
    for (const uint64_t count : few_counts(device)) {
      check_split(stream, plan, sides, random_elements<T>(count + 100, generator), count, generator,
                  {.misalignment = generator() % 8 * element.align(), .count_on_device = true});
    }
  }
}

/// By tiles of one invocation, on both paths.
template <typename T>
void check_serial_splits(Stream& stream, const TestSides<T>& sides, std::mt19937_64& generator) {
  const Device device = stream.device();
  const Element element = Elements<T>::element();
  const std::vector<uint64_t> counts = serial_counts(element.bytes());
  for (const TilePath path : {TilePath::reduce_then_scan, TilePath::look_back}) {
    need_path(device, path);
    const Split plan(device, element, sides.on_device, counts.back(),
                     {.path = path, .tuning = serial_tiles(algorithms::tuned_split, element.bytes())});
    for (const uint64_t count : counts) {
      check_split(stream, plan, sides, random_elements<T>(count, generator), count, generator);
    }
    const uint64_t count = counts.back() / 2;
    check_split(stream, plan, sides, random_elements<T>(count + 100, generator), count, generator,
                {.misalignment = element.align(), .count_on_device = true});
  }
}

}  // namespace

DEVICE_TEST_OF_TYPES("look-back split", uint32_t, double, weft::test::Five, Mixed) {
  check_sides<T>(device, TilePath::look_back);
}
DEVICE_TEST_OF_TYPES("reduce-then-scan split", float, uint16_t, weft::test::Range, Pixel) {
  check_sides<T>(device, TilePath::reduce_then_scan);
}

DEVICE_TEST_OF_TYPES("split by tiles of one invocation", uint32_t, double, weft::test::Five, Pixel) {
  need_element<T>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("serial split ") + TypeName<T>::value);
  for (const bool three : {true, false}) check_serial_splits(stream, sides_of<T>(three), generator);
}
DEVICE_TEST("tiles of one invocation are split into all or nothing") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("serial split of all");
  const auto all = [](const uint32_t&, uint64_t) { return true; };
  const auto none = [](const uint32_t&, uint64_t) { return false; };
  check_serial_splits<uint32_t>(stream, {Sides::overlapping("true", "true"), all, all}, generator);
  check_serial_splits<uint32_t>(stream, {Sides::three_way("true", "true"), all, all}, generator);
  check_serial_splits<uint32_t>(stream, {Sides::three_way("false", "false"), none, none}, generator);
}

DEVICE_TEST("a split sends all to both sides, or none to either, if the expressions say so") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("split of all");
  const auto all = [](const uint32_t&, uint64_t) { return true; };
  const auto none = [](const uint32_t&, uint64_t) { return false; };
  for (const TestSides<uint32_t>& sides : {TestSides<uint32_t>{Sides::overlapping("true", "true"), all, all},
                                           TestSides<uint32_t>{Sides::overlapping("false", "false"), none, none}}) {
    const Split plan(device, Element::of<uint32_t>(), sides.on_device, 20011);
    for (const uint64_t count : {0, 1, 4096, 20011}) {
      check_split(stream, plan, sides, random_elements<uint32_t>(count, generator), count, generator);
    }
  }
}

DEVICE_TEST("splits whose tile counts take three rounds") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("rounds of splits");
  const TestSides<Five> sides = sides_of<Five>(true);
  const SmallTiles tiles(device, algorithms::tuned_split, 5, 2);
  const Split plan(device, Elements<Five>::element(), sides.on_device, tiles.count(),
                   {.path = TilePath::reduce_then_scan, .tuning = tiles.tuning()});
  tiles.check(plan.temporary_bytes());
  check_split(stream, plan, sides, random_elements<Five>(tiles.count(), generator), tiles.count(), generator);
}

DEVICE_TEST("split says what is wrong with its expressions and regions") {
  Stream stream = device.stream();
  const Element element = Element::of<uint32_t>();
  check_error(ErrorCode::invalid_argument, {"Split", "expression"},
              [&] { Split(device, element, Sides::three_way("x > 3u", ""), 100); });
  check_error(ErrorCode::compile_failed, {"x +"},
              [&] { Split(device, element, Sides::overlapping("x > 3u", "x +"), 100); });
  const Split two(device, element, Sides::overlapping("x > 3u", "x < 5u"), 100);
  const Split three(device, element, Sides::three_way("x > 3u", "x < 2u"), 100);
  const Buffer<uint32_t> a = device.buffer<uint32_t>(100), b = device.buffer<uint32_t>(100),
                         c = device.buffer<uint32_t>(100), d = device.buffer<uint32_t>(100);
  const Buffer<uint64_t> words = device.buffer<uint64_t>(3);
  const Buffer<std::byte> t = device.buffer<std::byte>(std::max(two.temporary_bytes(), three.temporary_bytes()));
  const auto fails = [&](const Split& plan, const std::vector<std::string>& why, const Split::Arguments& arguments) {
    check_error(ErrorCode::invalid_argument, why, [&] { plan.record(stream, arguments); });
  };
  fails(two, {"count", "101"}, {a, b, c, {}, words, 101, t});
  fails(two, {"third"}, {a, b, c, d, words, 50, t});
  fails(two, {"first", "second", "overlap"}, {a, b, b, {}, words, 50, t});
  fails(three, {"third"}, {a, b, c, {}, words, 50, t});
  fails(three, {"input", "third", "overlap"}, {a, b, c, a, words, 50, t});
  fails(three, {"counts", "24"}, {a, b, c, d, words.part(0, 2), 50, t});
  stream.synchronize();
}
