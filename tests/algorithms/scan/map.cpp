#include <weft/map.h>

#include "algorithms/src/scan/map_tuning.h"
#include "tests/algorithms/base/device_counts.h"
#include "tests/algorithms/base/elements.h"
#include "tests/algorithms/base/fields.h"
#include "tests/algorithms/base/sizes.h"
#include "tests/algorithms/base/tuned.h"

using namespace weft;
using namespace weft::test;

namespace {

/// A transform on the device and on the host.
template <typename From, typename To>
struct TestMap {
  Transform on_device;
  To (*on_host)(const From& x, const From& y, uint64_t i);
};

/// Layout of the arguments in memory.
struct MapPlacement {
  uint64_t input_misalignment = 0, output_misalignment = 0, second_misalignment = 0;
  bool count_on_device = false;
  uint64_t behind = 0;  ///< Elements of the inputs and the output after `count`.
};

Count count_in(Stream& stream, const Buffer<uint64_t>& word, uint64_t count, bool on_device) {
  stream.upload(word, std::vector<uint64_t>{count});
  return on_device ? Count(word) : Count(count);
}

template <typename From, typename To>
void check_map(Stream& stream, const Map& plan, const TestMap<From, To>& map, uint64_t count,
               std::mt19937_64& generator, const MapPlacement& at = {}) {
  INFO("elements: ", count, ", misaligned by ", at.input_misalignment, ", ", at.second_misalignment, " and ",
       at.output_misalignment, ", count on device: ", at.count_on_device);
  const Device device = stream.device();
  const uint64_t room = count + at.behind;
  const std::vector<From> x = random_elements<From>(room, generator), y = random_elements<From>(room, generator);
  const Guarded<From> input(device, stream, x, generator, at.input_misalignment);
  const Guarded<From> second(device, stream, y, generator, at.second_misalignment);
  const Guarded<To> output(device, stream, room, generator, at.output_misalignment);
  const DeviceCounts count_word(stream, std::vector{count}, generator);
  const Count given = at.count_on_device ? Count(count_word) : Count(count);
  const Region second_region = map.on_device.two ? Region(second) : Region();
  plan.record(stream, {.input = input, .output = output, .count = given, .second = second_region});
  std::vector<To> expected = output.poison();
  for (uint64_t i = 0; i < count; ++i) expected[i] = map.on_host(x[i], y[i], i);
  check_same(output.read(stream), expected);
  check_same(input.read(stream), x, "the input afterwards");
  check_same(second.read(stream), y, "the second input afterwards");
}

template <typename T>
uint64_t align_of() {
  return Elements<T>::element().align();
}

template <typename From, typename To>
void check_map_counts(const Device& device, const TestMap<From, To>& map, const std::vector<uint64_t>& counts,
                      const std::optional<Tuning>& tuning = {}) {
  need_element<From>(device);
  need_element<To>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("map " + map.on_device.expression + TypeName<To>::value);
  const Map plan(device, Elements<To>::element(), map.on_device, counts.back(), {.tuning = tuning});
  for (const uint64_t count : counts) check_map(stream, plan, map, count, generator);
  const uint64_t from = align_of<From>(), to = align_of<To>();
  for (const MapPlacement& at : {MapPlacement{.input_misalignment = from}, MapPlacement{.output_misalignment = to},
                                 MapPlacement{.second_misalignment = from, .count_on_device = true, .behind = 100},
                                 MapPlacement{from, to, from, false, 7}}) {
    for (const uint64_t count : few_counts(device)) {
      if (count <= counts.back()) check_map(stream, plan, map, count, generator, at);
    }
  }
}

/// Each number twice, plus the low bits of its index; exact in every type.
template <typename T>
TestMap<T, T> doubled() {
  return {Transform::of(Elements<T>::element(), "T(x + x) + T(i & 7u)"), [](const T& x, const T&, uint64_t i) {
            const auto sum = sum_of<T>().on_host;
            return sum(sum(x, x), T(float(i % 8)));
          }};
}

TestMap<uint8_t, uint64_t> widened_bytes() {
  return {Transform::of(Element::of<uint8_t>(), "T(x) << 40"),
          [](const uint8_t& x, const uint8_t&, uint64_t) { return uint64_t(x) << 40; }};
}
TestMap<uint64_t, uint8_t> narrowing() {
  return {Transform::of(Element::of<uint64_t>(), "T(x >> 56)"),
          [](const uint64_t& x, const uint64_t&, uint64_t) { return uint8_t(x >> 56); }};
}
TestMap<Five, uint32_t> folded_structs() {
  return {Transform::of(Elements<Five>::element(), "x.bits.y ^ i"),
          [](const Five& x, const Five&, uint64_t i) { return x.bits[1] ^ uint32_t(i); }};
}
TestMap<uint32_t, AffineMap> made_structs() {
  return {Transform::of(Element::of<uint32_t>(), "T(x, i)"),
          [](const uint32_t& x, const uint32_t&, uint64_t i) { return AffineMap{x, uint32_t(i)}; }};
}
TestMap<Range, Range> of_structs() {
  return {Transform::of_two(Elements<Range>::element(), "T(min(x.low, y.low), max(x.high, y.high), x.count + i)"),
          [](const Range& x, const Range& y, uint64_t i) {
            return Range{std::min(x.low, y.low), std::max(x.high, y.high), x.count + uint32_t(i)};
          }};
}
TestMap<int32_t, int32_t> product() {
  return {Transform::of_two(Element::of<int32_t>(), "x * y + int(i_high)"),
          [](const int32_t& x, const int32_t& y, uint64_t) { return int32_t(uint32_t(x) * uint32_t(y)); }};
}

/// Maps an array onto itself or onto its second input.
template <typename T>
void check_in_place(const Device& device, const TestMap<T, T>& map, bool over_second,
                    const std::optional<Tuning>& tuning = {}) {
  need_element<T>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("map in place " + map.on_device.expression);
  const Map plan(device, Elements<T>::element(), map.on_device, 70000, {.tuning = tuning});
  for (const uint64_t count : few_counts(device)) {
    for (const uint64_t misalignment : {uint64_t(0), align_of<T>()}) {
      INFO("elements: ", count, ", misaligned by ", misalignment);
      const std::vector<T> x = random_elements<T>(count, generator), y = random_elements<T>(count, generator);
      const Guarded<T> input(device, stream, x, generator, misalignment), second(device, stream, y, generator);
      const Guarded<T>& output = over_second ? second : input;
      const Region second_region = map.on_device.two ? Region(second) : Region();
      plan.record(stream, {.input = input, .output = output, .count = count, .second = second_region});
      std::vector<T> expected;
      for (uint64_t i = 0; i < count; ++i) expected.push_back(map.on_host(x[i], y[i], i));
      check_same(output.read(stream), expected);
    }
  }
}

template <typename T>
void check_indices(const Device& device, const std::string& expression, const std::vector<uint64_t>& counts,
                   T (*on_host)(uint64_t i), const std::optional<Tuning>& tuning = {}) {
  need_element<T>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("map of indices " + expression);
  const Map plan(device, Elements<T>::element(), expression, counts.back(), {.tuning = tuning});
  const Buffer<uint64_t> word = device.buffer<uint64_t>(1);
  for (const uint64_t count : counts) {
    for (const uint64_t misalignment : {uint64_t(0), align_of<T>()}) {
      INFO("elements: ", count, ", misaligned by ", misalignment);
      const Guarded<T> output(device, stream, count, generator, misalignment);
      plan.record(stream, {{}, output, count_in(stream, word, count, misalignment > 0)});
      std::vector<T> expected;
      for (uint64_t i = 0; i < count; ++i) expected.push_back(on_host(i));
      check_same(output.read(stream), expected);
    }
  }
}

}  // namespace

DEVICE_TEST_OF_TYPES("map computes with numbers", WEFT_TEST_SCALARS, WEFT_TEST_NARROW, WEFT_TEST_OTHER_NARROW) {
  check_map_counts<T, T>(device, doubled<T>(), sizeof(T) == 4 ? interesting_counts(device) : few_counts(device));
}
DEVICE_TEST("map widens bytes") { check_map_counts(device, widened_bytes(), few_counts(device)); }
DEVICE_TEST("map narrows to bytes") { check_map_counts(device, narrowing(), interesting_counts(device)); }
DEVICE_TEST("map reads structs") { check_map_counts(device, folded_structs(), few_counts(device)); }
DEVICE_TEST("map writes structs") { check_map_counts(device, made_structs(), few_counts(device)); }
DEVICE_TEST("map takes two inputs of structs") { check_map_counts(device, of_structs(), few_counts(device)); }
DEVICE_TEST("map takes two inputs of numbers") { check_map_counts(device, product(), interesting_counts(device)); }

DEVICE_TEST("map works in place") {
  check_in_place(device, doubled<uint32_t>(), false);
  check_in_place(device, product(), true);
  check_in_place(device, of_structs(), false);
}
DEVICE_TEST("map of bytes works in place") { check_in_place(device, doubled<uint8_t>(), false); }

DEVICE_TEST("map computes numbers from their indices") {
  check_indices<uint32_t>(device, "T(i)", interesting_counts(device), [](uint64_t i) { return uint32_t(i); });
}
DEVICE_TEST("map computes bytes from their indices") {
  check_indices<uint8_t>(device, "T(i * 3u)", few_counts(device), [](uint64_t i) { return uint8_t(i * 3); });
}
DEVICE_TEST("map computes structs from their indices") {
  check_indices<AffineMap>(device, "T(i, i_high + 3u)", few_counts(device),
                           [](uint64_t i) { return AffineMap{uint32_t(i), 3}; });
}

DEVICE_TEST("maps by tiles of one invocation") {
  const auto tuning = [](uint32_t bytes) { return serial_tiles(algorithms::tuned_map, bytes); };
  check_map_counts(device, widened_bytes(), serial_counts(8), tuning(8));
  check_map_counts(device, narrowing(), serial_counts(8), tuning(1));
  check_map_counts(device, folded_structs(), serial_counts(20), tuning(4));
  check_map_counts(device, made_structs(), serial_counts(8), tuning(8));
  check_map_counts(device, of_structs(), serial_counts(12), tuning(12));
  check_map_counts(device, product(), serial_counts(4), tuning(4));
}
DEVICE_TEST("maps by tiles of one invocation work in place") {
  const auto tuning = [](uint32_t bytes) { return serial_tiles(algorithms::tuned_map, bytes); };
  check_in_place(device, doubled<uint32_t>(), false, tuning(4));
  check_in_place(device, doubled<uint8_t>(), false, tuning(1));
  check_in_place(device, product(), false, tuning(4));
  check_in_place(device, product(), true, tuning(4));
  check_in_place(device, of_structs(), true, tuning(12));
}
DEVICE_TEST("tiles of one invocation compute elements from their indices") {
  check_indices<uint32_t>(
      device, "T(i)", serial_counts(4), [](uint64_t i) { return uint32_t(i); }, serial_tiles(algorithms::tuned_map, 4));
  check_indices<AffineMap>(
      device, "T(i, i_high + 3u)", serial_counts(8), [](uint64_t i) { return AffineMap{uint32_t(i), 3}; },
      serial_tiles(algorithms::tuned_map, 8));
}

DEVICE_TEST("map of counts around tile boundaries") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("tiles of map");
  const TestMap<int32_t, int32_t> map = product();
  // An input of two words with the output: two rows of packs of four.
  const Tuning tuning({tuned(algorithms::tuned_map, 4, {.tile = {.workgroup = 64, .bytes_per_invocation = 64}})});
  const Map plan(device, Element::of<int32_t>(), map.on_device, 1 << 16, {.tuning = tuning});
  for (const uint64_t count : around_tiles(least_workgroup(device) * 8)) {
    check_map(stream, plan, map, count, generator);
  }
}

DEVICE_TEST("map of many elements") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("large map");
  const uint64_t count = large_count(device);
  const Map plan(device, Element::of<int32_t>(), product().on_device, count);
  check_map(stream, plan, product(), count, generator, {.count_on_device = true});
}

DEVICE_TEST("a map's count in device memory is clamped to the regions") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("clamped map");
  const Guarded<uint32_t> output(device, stream, 50, generator);
  const Buffer<uint64_t> word = device.buffer<uint64_t>(1);
  const Map plan(device, Element::of<uint32_t>(), "i + 1u", 1000);
  plan.record(stream, {{}, output, count_in(stream, word, 900, true)});
  CHECK_EQ(output.read(stream).back(), 50);
}

DEVICE_TEST("map functions") {
  Stream stream = device.stream();
  const Buffer<uint32_t> numbers = device.buffer<uint32_t>(4);
  const Buffer<float> halves = device.buffer<float>(4);
  map(stream, "T(i)", numbers);
  map(stream, "T(x) * 0.5", numbers, halves);
  check_same(stream.download(halves), std::vector<float>{0, 0.5, 1, 1.5});
  map(stream, "x * y + 1u", numbers, numbers, numbers);
  check_same(stream.download(numbers), std::vector<uint32_t>{1, 2, 5, 10});
  const Element pair = Element::structure({{"uint", "a"}, {"uint", "b"}});
  map(stream, pair, Transform::of(pair, "T(x.b, x.a)"), numbers, {}, numbers);
  check_same(stream.download(numbers), std::vector<uint32_t>{2, 1, 10, 5});
  map(stream, pair, "T(i, 7u)", numbers);
  check_same(stream.download(numbers), std::vector<uint32_t>{0, 7, 1, 7});
  const auto invalid = [&](const std::vector<std::string>& words, const auto& call) {
    check_error(ErrorCode::invalid_argument, words, call);
  };
  invalid({"map", "16", "12", "equal"}, [&] { map(stream, "x * y", numbers, numbers.part(0, 3), halves); });
  invalid({"'output'", "3", "4"}, [&] { map(stream, "x", numbers, numbers.part(0, 3)); });
  invalid({"'output'", "4 bytes", "32"},
          [&] { map(stream, Element::structure({{"dvec3", "at"}, {"uint", "b"}}), "T(dvec3(0), 1u)", numbers); });
}

DEVICE_TEST("map explains what is wrong") {
  Stream stream = device.stream();
  const Element word = Element::of<uint32_t>();
  const Buffer<uint32_t> a = device.buffer<uint32_t>(100), b = device.buffer<uint32_t>(100),
                         c = device.buffer<uint32_t>(100);
  const auto fails = [&](ErrorCode code, const std::vector<std::string>& words, const auto& call) {
    check_error(code, words, call);
  };
  const auto invalid = [&](const std::vector<std::string>& words, const auto& call) {
    fails(ErrorCode::invalid_argument, words, call);
  };
  fails(ErrorCode::compile_failed, {"Map", "x + nothing", "of uint"},
        [&] { Map(device, word, Transform::of(word, "x + nothing"), 100); });
  fails(ErrorCode::compile_failed, {"Map", "\"x\"", "of i"}, [&] { Map(device, word, "x", 100); });
  fails(ErrorCode::compile_failed, {"Map", "';'"}, [&] { Map(device, word, "i; i", 100); });
  invalid({"Map", "expression of x"}, [&] { Map(device, word, Transform::of(word, ""), 100); });
  invalid({"Map", "expression of i"}, [&] { Map(device, word, "", 100); });
  invalid({"Map", "TiB"}, [&] { Map(device, word, "i", uint64_t(1) << 41); });

  const Map one(device, word, Transform::of(word, "x"), 100), two(device, word, Transform::of_two(word, "x + y"), 100),
      none(device, word, "i", 100);
  const Region part = b.part(0, 99).region(), odd = b.view().region().part(2, 396);
  invalid({"101", "100"}, [&] { one.record(stream, {a, b, 101}); });
  invalid({"'input'", "99"}, [&] { one.record(stream, {part, a, 100}); });
  invalid({"'output'", "99"}, [&] { one.record(stream, {a, part, 100}); });
  invalid({"'second'", "99"}, [&] { two.record(stream, {a, c, 100, part}); });
  invalid({"'second'", "0"}, [&] { two.record(stream, {a, c, 100}); });
  invalid({"'input'", "4"}, [&] { one.record(stream, {odd, a, 9}); });
  invalid({"'output'", "4"}, [&] { one.record(stream, {a, odd, 9}); });
  invalid({"'second'", "two inputs"}, [&] { one.record(stream, {a, b, 9, c}); });
  invalid({"'input'", "indices"}, [&] { none.record(stream, {a, b, 9}); });
  invalid({"'input'", "'output'", "overlap"}, [&] { one.record(stream, {a, a.part(1, 99), 90}); });
  invalid({"'second'", "'output'", "overlap"}, [&] { two.record(stream, {a, b.part(1, 99), 90, b}); });
}

DEVICE_TEST("a map in place has elements of its input's size") {
  if (!device.info().features.int16 || !device.info().features.storage16) unsupported("no 16-bit integers in buffers");
  Stream stream = device.stream();
  const Map plan(device, Element::of<uint32_t>(), Transform::of(Element::of<uint16_t>(), "T(x)"), 100);
  const Buffer<uint32_t> memory = device.buffer<uint32_t>(100);
  check_error(ErrorCode::invalid_argument, {"'input'", "'output'", "size"},
              [&] { plan.record(stream, {memory, memory, 100}); });
}
