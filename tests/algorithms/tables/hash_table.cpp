#include "tests/algorithms/tables/table_check.h"

using namespace weft;
using namespace weft::test;

/// Hash tables against a map on the host.

namespace {

/// Types and layout of a table.
template <typename Key, typename Value, HashLayout Layout>
struct TableShape {
  using K = Key;
  using V = Value;
  static constexpr HashLayout layout = Layout;
  static void need(const Device& device) {
    need_int64_atomics(device, Layout == HashLayout::packed || sizeof(K) == 8);
    if (sizeof(V) == 8) need_element<V>(device);
  }
};

using PackedSet = TableShape<uint32_t, NoValue, HashLayout::packed>;
using PackedMap = TableShape<uint32_t, uint32_t, HashLayout::packed>;
using SplitSet = TableShape<uint32_t, NoValue, HashLayout::split>;
using SplitMap = TableShape<uint32_t, uint32_t, HashLayout::split>;
using MapToPairs = TableShape<uint32_t, AffineMap, HashLayout::split>;
using WideSet = TableShape<uint64_t, NoValue, HashLayout::split>;
using WideMap = TableShape<uint64_t, uint64_t, HashLayout::split>;
using MapFromWide = TableShape<uint64_t, float, HashLayout::split>;

template <typename S>
using TableOf = CheckedTable<typename S::K, typename S::V>;

/// Fills, finds, erases and fills again, with equal keys in every dispatch.
template <typename S>
void check_life(Stream& stream, uint64_t capacity, std::mt19937_64& generator, HashTable::Options options,
                typename TableOf<S>::Update update = nullptr) {
  using K = typename S::K;
  INFO("capacity: ", capacity, ", hash: ", options.hash);
  options.layout = S::layout;
  TableOf<S> table(stream.device(), stream, capacity, generator, options, update);
  table.check();
  table.find(random_keys<K>(37, 100, generator));
  for (int round = 0; round < 3; ++round) {
    table.insert(random_keys<K>(capacity / 2 + 1, capacity, generator));
    table.find(random_keys<K>(2 * capacity + 1, 2 * capacity, generator));
    std::vector<K> some = random_keys<K>(capacity, capacity, generator);
    table.erase(some);
    table.check();
    table.find(some);
  }
  table.insert(random_keys<K>(4 * capacity, 2 * capacity, generator));  // More than fit.
  table.find(random_keys<K>(2 * capacity, 2 * capacity, generator));    // Absent keys in a full table.
  table.erase(table.keys());
  table.check();
  table.insert(random_keys<K>(2 * capacity, 1, generator));
  table.find(random_keys<K>(10, 2, generator));
}

template <typename S>
void check_lives(const Device& device, const std::vector<uint64_t>& capacities, const HashTable::Options& options = {},
                 typename TableOf<S>::Update update = nullptr) {
  S::need(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("hash table " + options.hash);
  for (const uint64_t capacity : capacities) check_life<S>(stream, capacity, generator, options, update);
}

const std::vector<uint64_t> all_capacities{1, 2, 37, 300, 4099};
const std::vector<uint64_t> few_capacities{1, 37, 700};

template <typename V>
std::optional<V> take_least(const std::optional<V>& old, const std::vector<V>& values) {
  const V least = *std::ranges::min_element(values);
  return old ? std::min(*old, least) : least;
}
HashTable::Options combining(const Operator& op) { return {.update = HashUpdate::combine, .combine = op}; }

}  // namespace

DEVICE_TEST("a set of words") { check_lives<PackedSet>(device, all_capacities); }
DEVICE_TEST("a set of words in split slots") { check_lives<SplitSet>(device, all_capacities); }
DEVICE_TEST("a set of 64-bit keys") { check_lives<WideSet>(device, all_capacities); }
DEVICE_TEST("a map of words keeps first values") { check_lives<PackedMap>(device, all_capacities); }
DEVICE_TEST("a map of words in split slots keeps first values") { check_lives<SplitMap>(device, few_capacities); }
DEVICE_TEST("a map of words to structs keeps first values") { check_lives<MapToPairs>(device, few_capacities); }
DEVICE_TEST("a map of 64-bit keys to floats keeps first values") { check_lives<MapFromWide>(device, few_capacities); }

DEVICE_TEST("a map of words replaces values") {
  check_lives<PackedMap>(device, few_capacities, {.update = HashUpdate::replace}, take_any<uint32_t>);
}
DEVICE_TEST("a map of words in split slots replaces values") {
  check_lives<SplitMap>(device, few_capacities, {.update = HashUpdate::replace}, take_any<uint32_t>);
}
DEVICE_TEST("a map of 64-bit keys and values replaces values") {
  check_lives<WideMap>(device, few_capacities, {.update = HashUpdate::replace}, take_any<uint64_t>);
}
DEVICE_TEST("a map of words sums values up") {
  check_lives<PackedMap>(device, few_capacities, combining(Operator::sum()), sum_up<uint32_t>);
}
DEVICE_TEST("a map of words takes the least value") {
  check_lives<PackedMap>(device, few_capacities, combining(Operator::min()), take_least<uint32_t>);
}
DEVICE_TEST("a map of words in split slots sums values up") {
  check_lives<SplitMap>(device, few_capacities, combining(Operator::sum()), sum_up<uint32_t>);
}
DEVICE_TEST("a map of 64-bit keys and values takes the least value") {
  check_lives<WideMap>(device, few_capacities, combining(Operator::min()), take_least<uint64_t>);
}

DEVICE_TEST("keys that share a home, or a few") {
  check_lives<SplitMap>(device, {37, 300}, {.hash = "0u"});
  check_lives<SplitMap>(device, {300}, {.hash = "(key & 3u) << 30"});
  check_lives<SplitMap>(device, {37, 300}, {.hash = "0xFFFFFFFFu"});  // The last slot, so that all searches wrap.
}
DEVICE_TEST("keys that share a home in packed slots") { check_lives<PackedMap>(device, {37, 300}, {.hash = "0u"}); }
DEVICE_TEST("64-bit keys that differ in the upper half only") {
  check_lives<WideMap>(device, {300}, {.hash = "key.x ^ (key.y & 15u)"});
}

DEVICE_TEST("tables are filled to the last slot and no further") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("full tables");
  for (const uint64_t capacity : {1, 255, 256, 3001}) {
    CheckedTable<uint32_t, uint32_t> table(device, stream, capacity, generator);
    const std::vector<uint32_t> keys = distinct_keys(capacity);
    table.insert(keys);
    CHECK_EQ(table.model().size(), capacity);
    table.insert({distinct_keys(capacity + 1).back()});
    CHECK_EQ(table.model().size(), capacity);
    table.insert({0xFFFFFFFFu, 0xFFFFFFFEu, 0xFFFFFFFFu});  // One or both have a slot of their own.
    table.find(keys);
    table.erase({keys[capacity / 2]});
    table.insert({7u});
    table.check();
  }
}

DEVICE_TEST("erased slots are used again for as long as you like") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("fill and erase");
  const HashTable shape(device, Element::of<uint32_t>(), 64, {.layout = HashLayout::split});
  const HashInsert insert(shape);
  const HashErase erase(shape);
  const GuardedBytes memory(device, stream, shape.bytes(), 0, generator);
  const Guarded<uint32_t> keys(device, stream, random_elements<uint32_t>(640, generator), generator);
  const Guarded<uint64_t> counts(device, stream, 5, generator, 8);
  const Region inserted = Region(counts).part(0, 24), erased = Region(counts).part(24, 16);
  shape.record_clear(stream, memory.region());
  const int rounds = computes_on_cpu(device) ? 300 : 10'000;
  for (int round = 0; round < rounds; ++round) {
    const Region some = Region(keys).part(uint64_t(round % 10) * 64 * 4, 64 * 4);
    insert.record(stream, {.table = memory.region(), .keys = some, .counts = inserted, .count = 64});
    erase.record(stream, {.table = memory.region(), .keys = some, .counts = erased, .count = 64});
    if (round % 50 == 0) check_same(counts.read(stream), {0, 64, 0, 0, 64}, "the numbers of results");
  }
  check_same(counts.read(stream), {0, 64, 0, 0, 64}, "the numbers of results");
}

DEVICE_TEST("a table at 85 % ages, and a rehash renews it") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("aging");
  CheckedTable<uint32_t, uint32_t> table(device, stream, 1000, generator);
  const std::vector<uint32_t> keys = distinct_keys(850 + 40 * 50);
  const auto slice = [&](size_t first, size_t number) {
    return std::vector<uint32_t>(keys.begin() + std::ptrdiff_t(first), keys.begin() + std::ptrdiff_t(first + number));
  };
  table.insert(slice(0, 850));
  for (size_t step = 0; step < 40; ++step) {
    table.erase(slice(step * 50, 50));
    table.insert(slice(850 + step * 50, 50));
    CHECK_EQ(table.model().size(), 850);
    if (step % 16 == 15) table.rehash(1000);
  }
  table.find(keys);
  table.check();
}

DEVICE_TEST("a table moves to another capacity") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("rehash");
  CheckedTable<uint32_t, uint32_t> table(device, stream, 500, generator, {.layout = HashLayout::split});
  table.insert(random_keys<uint32_t>(450, 1000, generator));
  table.erase(random_keys<uint32_t>(300, 1000, generator));
  for (const uint64_t capacity : {uint64_t(1200), uint64_t(table.model().size())}) {
    table.rehash(capacity);
    table.check();
    table.find(random_keys<uint32_t>(1000, 1000, generator));
  }
  table.insert(random_keys<uint32_t>(300, 1000, generator));
}

DEVICE_TEST("counts of keys, and the indices of their first occurrence") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("counts of keys");
  const std::vector<uint32_t> keys = random_keys<uint32_t>(5000, 40, generator);
  const Element word = Element::of<uint32_t>();
  const HashTable counts(device, word, word, 100, combining(Operator::sum()));
  const HashTable least(device, word, word, 100, combining(Operator::min()));
  const Guarded<uint32_t> key_memory(device, stream, keys, generator);
  std::map<uint32_t, uint32_t> number, first;
  for (uint32_t i = 0; i < keys.size(); ++i) {
    ++number[keys[i]];
    first.try_emplace(keys[i], i);
  }
  const auto check = [&](const HashTable& shape, const std::string& value, std::map<uint32_t, uint32_t>& expected) {
    const Guarded<uint32_t> found(device, stream, keys.size(), generator);
    const GuardedBytes memory(device, stream, shape.bytes(), 0, generator);
    const Buffer<uint64_t> count = device.buffer<uint64_t>(1);
    stream.upload(count, std::vector<uint64_t>{keys.size()});
    shape.record_clear(stream, memory.region());
    HashInsert(shape, {.value = value}).record(stream, {.table = memory.region(), .keys = key_memory, .count = count});
    HashFind(shape).record(stream, {.table = memory.region(), .keys = key_memory, .values = found, .count = count});
    std::vector<uint32_t> values;
    for (const uint32_t key : keys) values.push_back(expected[key]);
    check_same(found.read(stream), values, value);
  };
  check(counts, "1u", number);
  check(least, "i", first);
}
