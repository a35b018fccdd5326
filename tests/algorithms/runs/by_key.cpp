#include <weft/by_key.h>

#include "algorithms/src/runs/segments_tuning.h"
#include "tests/algorithms/base/fields.h"
#include "tests/algorithms/base/tuned.h"
#include "tests/algorithms/runs/segments_check.h"

using namespace weft;
using namespace weft::test;

namespace {

/// A key type and a value type.
template <typename KeyType, typename ValueType>
struct KeyAndValue {
  using Key = KeyType;
  using Value = ValueType;
};
using WordAndWord = KeyAndValue<uint32_t, uint32_t>;
using WordAndMap = KeyAndValue<int32_t, AffineMap>;
using StructAndFloat = KeyAndValue<Range, float>;
using LongAndFive = KeyAndValue<uint64_t, Five>;
using ByteAndLong = KeyAndValue<uint8_t, uint64_t>;
using FiveAndMatrix = KeyAndValue<Five, Matrix>;
using WordAndStretch = KeyAndValue<uint32_t, Stretch>;
using PixelAndMixed = KeyAndValue<Pixel, Mixed>;
using MixedAndTexel = KeyAndValue<Mixed, Texel>;

template <typename P>
void need_pair(const Device& device) {
  need_element<typename P::Key>(device);
  need_element<typename P::Value>(device);
}

/// Keys in runs and random values, and guarded memory for a plan's results for `count` of them.
template <typename P>
struct MemoryByKey {
  using K = typename P::Key;
  using T = typename P::Value;

  MemoryByKey(Stream& stream, uint64_t temporary_bytes, Runs runs, uint64_t count, std::mt19937_64& generator,
              const SegmentsPlacement& placement)
      : heads(random_heads(count + placement.behind, runs, generator)),
        key_data(elements_in_runs<K>(heads, generator)),
        data(random_elements<T>(heads.size(), generator)),
        keys(stream.device(), stream, key_data, generator, placement.keys_misalignment),
        values(stream.device(), stream, data, generator, placement.values_misalignment),
        output(stream.device(), stream, data.size(), generator, placement.output_misalignment),
        temporary(stream.device(), stream, temporary_bytes, 7, generator),
        count_word(stream, std::vector{count}, generator),
        counted(placement.count_on_device ? Count(count_word) : Count(count)) {}

  std::vector<bool> heads;
  std::vector<K> key_data;
  std::vector<T> data;
  Guarded<K> keys;
  Guarded<T> values, output;
  GuardedBytes temporary;
  DeviceCounts count_word;
  Count counted;
};

template <typename P>
void check_reduction(Stream& stream, const ReduceByKey& plan, Runs runs, uint64_t count, std::mt19937_64& generator,
                     const SegmentsPlacement& placement = {}) {
  using K = typename P::Key;
  using T = typename P::Value;
  INFO("path: ", std::string(name_of(plan.path())), ", elements: ", count, ", ", std::string(name_of(runs)), ", ",
       placement.text());
  const MemoryByKey<P> memory(stream, plan.temporary_bytes(), runs, count, generator, placement);
  const Guarded<K> unique_keys(stream.device(), stream, memory.data.size(), generator, placement.keys_misalignment);
  const DeviceCounts number(stream, 1, generator);
  const std::vector<uint64_t> starts = run_starts(memory.heads, count);
  const std::vector<T> totals = segment_totals(memory.data, starts, usual_operator<T>());
  std::vector<K> expected_keys = unique_keys.poison();  // the rest is left as it was
  std::vector<T> expected = memory.output.poison();
  for (size_t run = 0; run < totals.size(); ++run) {
    expected_keys[run] = memory.key_data[starts[run]];
    expected[run] = totals[run];
  }
  plan.record(stream, {.keys = memory.keys,
                       .values = memory.values,
                       .unique_keys = unique_keys,
                       .output = memory.output,
                       .runs = number,
                       .count = memory.counted,
                       .temporary = memory.temporary.region()});
  check_same(number.read(stream), {totals.size()}, "the number of runs");
  check_same(unique_keys.read(stream), expected_keys, "the keys");
  check_same(memory.output.read(stream), expected, "the totals");
  check_same(memory.keys.read(stream), memory.key_data, "the keys afterwards");
  check_same(memory.values.read(stream), memory.data, "the values afterwards");
  memory.temporary.check_guards(stream);
}

template <typename P>
void check_scan(Stream& stream, const ScanByKey& plan, ScanKind kind, Runs runs, uint64_t count,
                std::mt19937_64& generator, const SegmentsPlacement& placement = {},
                const TestOperator<typename P::Value>& op = usual_operator<typename P::Value>()) {
  using T = typename P::Value;
  INFO("path: ", std::string(name_of(plan.path())), ", inclusive: ", kind == ScanKind::inclusive, ", elements: ", count,
       ", ", std::string(name_of(runs)), ", ", placement.text());
  const MemoryByKey<P> memory(stream, plan.temporary_bytes(), runs, count, generator, placement);
  const Guarded<T>& output = placement.in_place ? memory.values : memory.output;
  std::vector<T> expected = placement.in_place ? memory.data : output.poison();
  std::ranges::copy(segmented_scan_reference(memory.data, memory.heads, op, kind, count), expected.begin());
  plan.record(stream, {.keys = memory.keys,
                       .input = memory.values,
                       .output = output,
                       .count = memory.counted,
                       .temporary = memory.temporary.region()});
  check_same(output.read(stream), expected, "the scan");
  check_same(memory.keys.read(stream), memory.key_data, "the keys afterwards");
  if (!placement.in_place) check_same(memory.values.read(stream), memory.data, "the input afterwards");
  memory.temporary.check_guards(stream);
}

template <typename P>
SegmentsPlacement placement_by_key(std::mt19937_64& generator, bool in_place) {
  const uint64_t key = Elements<typename P::Key>::element().align(),
                 value = Elements<typename P::Value>::element().align();
  return {.keys_misalignment = generator() % 8 * key,
          .values_misalignment = generator() % 8 * value,
          .output_misalignment = generator() % 8 * value,
          .in_place = in_place,
          .count_on_device = true,
          .behind = 100};
}

template <typename P>
void check_reductions(const Device& device, TilePath path) {
  need_pair<P>(device);
  need_path(device, path);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("reduce by key ") + TypeName<P>::value + name_of(path));
  const std::vector<uint64_t> counts = interesting_counts(device);
  const auto op = usual_operator<typename P::Value>();
  const ReduceByKey plan(device, Elements<typename P::Key>::element(), Elements<typename P::Value>::element(),
                         op.on_device, counts.back(), {.equality = {}, .path = path});
  CHECK((plan.path() == path));
  for (const uint64_t count : counts) check_reduction<P>(stream, plan, Runs::short_ones, count, generator);
  for (const Runs runs : all_runs) {
    for (const uint64_t count : few_counts(device)) {
      check_reduction<P>(stream, plan, runs, count, generator, placement_by_key<P>(generator, false));
    }
  }
}

template <typename P>
void check_scans(const Device& device, TilePath path, ScanKind kind) {
  need_pair<P>(device);
  need_path(device, path);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("scan by key ") + TypeName<P>::value + name_of(path));
  const std::vector<uint64_t> counts = interesting_counts(device);
  const auto op = usual_operator<typename P::Value>();
  const ScanByKey plan(device, Elements<typename P::Key>::element(), Elements<typename P::Value>::element(),
                       op.on_device, counts.back(), {.kind = kind, .equality = {}, .path = path});
  for (const uint64_t count : counts) check_scan<P>(stream, plan, kind, Runs::short_ones, count, generator);
  for (const Runs runs : all_runs) {
    for (const uint64_t count : few_counts(device)) {
      check_scan<P>(stream, plan, kind, runs, count, generator, placement_by_key<P>(generator, generator() % 2 == 0));
    }
  }
}

}  // namespace

namespace weft::test {
template <>
struct TypeName<WordAndWord> {
  static constexpr const char* value = "words by words";
};
template <>
struct TypeName<WordAndMap> {
  static constexpr const char* value = "structs of 2 words by words";
};
template <>
struct TypeName<StructAndFloat> {
  static constexpr const char* value = "floats by structs of 3 words";
};
template <>
struct TypeName<LongAndFive> {
  static constexpr const char* value = "structs of 5 words by 64 bits";
};
template <>
struct TypeName<ByteAndLong> {
  static constexpr const char* value = "64 bits by bytes";
};
template <>
struct TypeName<PixelAndMixed> {
  static constexpr const char* value = "structs of every scalar by structs of 3 bytes";
};
template <>
struct TypeName<MixedAndTexel> {
  static constexpr const char* value = "structs of 3 halves of words by structs of every scalar";
};
}  // namespace weft::test

DEVICE_TEST_OF_TYPES("look-back reduction by key", WordAndWord, LongAndFive, ByteAndLong, PixelAndMixed) {
  check_reductions<T>(device, TilePath::look_back);
}
DEVICE_TEST_OF_TYPES("reduce-then-scan reduction by key", WordAndMap, StructAndFloat, MixedAndTexel) {
  check_reductions<T>(device, TilePath::reduce_then_scan);
}
DEVICE_TEST_OF_TYPES("look-back scan by key", WordAndMap, ByteAndLong, MixedAndTexel) {
  check_scans<T>(device, TilePath::look_back, ScanKind::inclusive);
}
DEVICE_TEST_OF_TYPES("reduce-then-scan scan by key", WordAndWord, LongAndFive) {
  check_scans<T>(device, TilePath::reduce_then_scan, ScanKind::exclusive);
}

DEVICE_TEST("many tiles are reduced and scanned by key") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("large by key");
  const uint64_t count = large_count(device);
  const Element word = Element::of<uint32_t>();
  for (const TilePath path : {TilePath::reduce_then_scan, TilePath::look_back}) {
    need_path(device, path);
    const ReduceByKey reduction(device, word, word, Operator::sum(), count, {.equality = {}, .path = path});
    const ScanByKey scan(device, word, word, Operator::sum(), count, {.equality = {}, .path = path});
    check_reduction<WordAndWord>(stream, reduction, Runs::skewed, count, generator);
    check_scan<WordAndWord>(stream, scan, ScanKind::exclusive, Runs::skewed, count, generator);
  }
}

DEVICE_TEST_OF_TYPES("reductions and scans by key, by tiles of one invocation", WordAndWord, ByteAndLong,
                     StructAndFloat, LongAndFive, PixelAndMixed, WordAndMap) {
  need_pair<T>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("serial by key ") + TypeName<T>::value);
  const Element key = Elements<typename T::Key>::element(), value = Elements<typename T::Value>::element();
  const Operator op = usual_operator<typename T::Value>().on_device;
  const uint32_t bytes = key.bytes() + value.bytes();
  const std::vector<uint64_t> counts = serial_counts(std::max(key.bytes(), value.bytes()));
  for (const TilePath path : {TilePath::reduce_then_scan, TilePath::look_back}) {
    need_path(device, path);
    const ScanKind kind = path == TilePath::look_back ? ScanKind::exclusive : ScanKind::inclusive;
    const ReduceByKey reduction(device, key, value, op, counts.back(),
                                {.path = path, .tuning = serial_tiles(algorithms::tuned_reduce_by_key, bytes)});
    const ScanByKey scan(device, key, value, op, counts.back(),
                         {.kind = kind, .path = path, .tuning = serial_tiles(algorithms::tuned_scan_by_key, bytes)});
    const auto check = [&](Runs runs, uint64_t count, const SegmentsPlacement& placement) {
      check_reduction<T>(stream, reduction, runs, count, generator, placement);
      check_scan<T>(stream, scan, kind, runs, count, generator, placement);
    };
    for (const uint64_t count : counts) check(Runs::short_ones, count, {});
    for (const Runs runs : all_runs) {
      check(runs, counts.back(), {});
      check(runs, counts.back() / 2, placement_by_key<T>(generator, false));
      check_scan<T>(stream, scan, kind, runs, counts.back() / 2, generator, placement_by_key<T>(generator, true));
    }
  }
}

DEVICE_TEST("reductions and scans by key whose tile totals take three rounds") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("rounds by key");
  const Element key = Elements<Five>::element(), value = Elements<Matrix>::element();
  const Operator op = operator_of<Matrix>().on_device;
  {
    const SmallTiles tiles(device, algorithms::tuned_reduce_by_key, 9, 5);
    const ReduceByKey plan(device, key, value, op, tiles.count(),
                           {.path = TilePath::reduce_then_scan, .tuning = tiles.tuning()});
    tiles.check(plan.temporary_bytes());
    check_reduction<FiveAndMatrix>(stream, plan, Runs::skewed, tiles.count(), generator);
  }
  const SmallTiles tiles(device, algorithms::tuned_scan_by_key, 9, 5);
  const ScanByKey plan(device, key, value, op, tiles.count(),
                       {.path = TilePath::reduce_then_scan, .tuning = tiles.tuning()});
  tiles.check(plan.temporary_bytes());
  check_scan<FiveAndMatrix>(stream, plan, ScanKind::exclusive, Runs::skewed, tiles.count(), generator);
}

DEVICE_TEST("runs of keys combine stretches in order, each once") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("stretches by key");
  const TestOperator<Stretch> op = operator_of<Stretch>();
  const Element key = Element::of<uint32_t>(), stretch = Elements<Stretch>::element();
  for (const TilePath path : {TilePath::reduce_then_scan, TilePath::look_back}) {
    need_path(device, path);
    const ScanKind kind = path == TilePath::look_back ? ScanKind::exclusive : ScanKind::inclusive;
    const ReduceByKey reduction(device, key, stretch, op.on_device, 40000, {.equality = {}, .path = path});
    const ScanByKey scan(device, key, stretch, op.on_device, 40000, {.kind = kind, .equality = {}, .path = path});
    for (const Runs runs : {Runs::one, Runs::short_ones, Runs::skewed}) {
      check_reduction<WordAndStretch>(stream, reduction, runs, 30011, generator);
      check_scan<WordAndStretch>(stream, scan, kind, runs, 30011, generator);
    }
  }
}

DEVICE_TEST("scans by key start each run from an initial element") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("initial by key");
  TestOperator<AffineMap> from_initial = usual_operator<AffineMap>();
  from_initial.identity = {3, 5};  // where the reference starts
  const Element key = Element::of<int32_t>(), map = Elements<AffineMap>::element();
  for (const TilePath path : {TilePath::reduce_then_scan, TilePath::look_back}) {
    need_path(device, path);
    const ScanKind kind = path == TilePath::look_back ? ScanKind::exclusive : ScanKind::inclusive;
    const ScanByKey plan(device, key, map, from_initial.on_device, 40000,
                         {.kind = kind, .equality = {}, .path = path, .initial = "T(3u, 5u)"});
    for (const Runs runs : all_runs) {
      for (const uint64_t count : few_counts(device)) {
        check_scan<WordAndMap>(stream, plan, kind, runs, count, generator,
                               placement_by_key<WordAndMap>(generator, generator() % 2 == 0), from_initial);
      }
    }
  }
  check_error(ErrorCode::compile_failed, {"initial", "no_such_name"}, [&] {
    ScanByKey(device, key, map, from_initial.on_device, 100, {.equality = {}, .initial = "no_such_name"});
  });
}

DEVICE_TEST("errors of a reduction by key name the runs") {
  Stream stream = device.stream();
  const Buffer<uint32_t> words = device.buffer<uint32_t>(400);
  const auto part = [&](uint32_t number) { return words.part(100 * number, 100); };
  const ReduceByKey plan(device, Element::of<uint32_t>(), Element::of<uint32_t>(), Operator::sum(), 100);
  const Buffer<std::byte> temporary = device.buffer<std::byte>(plan.temporary_bytes());
  const auto record = [&](const Region& runs) {
    plan.record(stream, {part(0), part(1), part(2), part(3), runs, 100, temporary});
  };
  check_error(ErrorCode::invalid_argument, {"ReduceByKey", "'runs' has 4 bytes"},
              [&] { record(device.buffer<uint32_t>(1)); });
  check_error(ErrorCode::invalid_argument, {"ReduceByKey", "'keys' and 'runs' overlap"},
              [&] { record(part(0).part(10, 2)); });
}

DEVICE_TEST("reductions and scans by key as functions, by a user's equality") {
  Stream stream = device.stream();
  const std::vector<uint32_t> key_data{16, 17, 30, 47, 40, 1, 99};
  const std::vector<int32_t> data{1, -2, 3, 4, 50, -6, 7};
  const Buffer<uint32_t> keys = device.buffer<uint32_t>(7), unique_keys = device.buffer<uint32_t>(7);
  const Buffer<int32_t> values = device.buffer<int32_t>(7), output = device.buffer<int32_t>(7);
  stream.upload(keys, key_data);
  stream.upload(values, data);
  CHECK_EQ(reduce_by_key(stream, keys, values, unique_keys, output), 7);
  check_same(stream.download(output), data);
  const Equality tens = Equality::when("a / 16u == b / 16u");
  const Element key = Element::of<uint32_t>(), value = Element::of<int32_t>();
  CHECK_EQ(reduce_by_key(stream, key, value, Operator::max(), tens, keys, values, unique_keys, output), 4);
  check_same(stream.download(unique_keys.part(0, 4)), {16, 47, 1, 99});
  check_same(stream.download(output.part(0, 4)), {3, 50, -6, 7});
  scan_by_key(stream, key, value, Operator::sum(), ScanKind::inclusive, tens, keys, values, values);
  check_same(stream.download(values), {1, -1, 2, 4, 54, -6, 7});
}
