#include "tests/algorithms/tables/bidirectional_check.h"

using namespace weft;
using namespace weft::test;

/// Bidirectional hash tables that are rebuilt: by insertions of many keys, and by erasures.

namespace {

template <typename K>
std::vector<K> some_of(std::vector<K> keys, size_t number, std::mt19937_64& generator) {
  std::ranges::shuffle(keys, generator);
  keys.resize(std::min(number, keys.size()));
  return keys;
}

template <typename K, typename V>
void check_life(Stream& stream, CheckedTable<K, V>& table, uint64_t capacity, Hash hash, std::mt19937_64& generator) {
  const auto check = [&] {
    check_order(stream, table, hash);
    table.find(random_keys<K>(capacity + 1, 2 * capacity, generator));
  };
  table.erase(random_keys<K>(10, 5, generator));
  table.insert({});
  check();
  for (int batch = 0; batch < 3; ++batch) {
    table.insert(random_keys<K>(capacity / 2 + 1, 2 * capacity, generator));
    check();
    table.erase(random_keys<K>(capacity / 2 + 1, 2 * capacity, generator));
    check();
  }
  table.insert(random_keys<K>(2 * capacity, 4 * capacity, generator));  // More than fit.
  check();
  table.insert(random_keys<K>(100, 4 * capacity, generator));  // Into a full table.
  check();
  table.erase(some_of(table.keys(), capacity / 8 + 1, generator));
  check();
  table.insert(std::vector<K>(3, K(~K(0))));
  table.erase({K(~K(0)), K(~K(0)), K(~K(1))});
  table.check();
  table.erase(table.keys());
  check();
}

template <typename K, typename V>
void check_lives(const Device& device, const std::vector<uint64_t>& capacities, const HashTable::Options& options,
                 typename CheckedTable<K, V>::Update update = nullptr, Hash hash = nullptr) {
  need_int64_atomics(device, options.layout == HashLayout::packed || sizeof(K) == 8);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("rebuilt " + options.hash);
  if (!hash) hash = sizeof(K) == 8 ? mixed_wide : mixed_word;
  for (const uint64_t capacity : capacities) {
    INFO("capacity: ", capacity, ", hash: ", options.hash);
    CheckedTable<K, V> table(device, stream, capacity, generator, options, update);
    table.insert_sorted(2 * capacity + 200);
    table.allow_erasing();
    check_life(stream, table, capacity, hash, generator);
  }
}

}  // namespace

DEVICE_TEST("a rebuilt set") { check_lives<uint32_t, NoValue>(device, {1, 2, 37, 1500}, in_packed_slots); }
DEVICE_TEST("a rebuilt set in split slots") { check_lives<uint32_t, NoValue>(device, {1, 300}, in_split_slots); }
DEVICE_TEST("a rebuilt map") { check_lives<uint32_t, uint32_t>(device, {1, 2, 37, 1500}, in_packed_slots); }
DEVICE_TEST("a rebuilt map in split slots") { check_lives<uint32_t, uint32_t>(device, {37, 700}, in_split_slots); }
DEVICE_TEST("a rebuilt map of 64-bit keys to floats") {
  check_lives<uint64_t, float>(device, {1, 700}, bidirectional_options);
}
DEVICE_TEST("a rebuilt map sums up") { check_lives<uint32_t, uint32_t>(device, {700}, summing, sum_up<uint32_t>); }
DEVICE_TEST("a rebuilt map of 64-bit keys sums up") {
  check_lives<uint64_t, uint64_t>(device, {300}, summing, sum_up<uint64_t>);
}
DEVICE_TEST("a rebuilt map replaces values") {
  check_lives<uint32_t, uint32_t>(device, {300}, replacing, take_any<uint32_t>);
}

DEVICE_TEST("rebuilt tables of keys that share a home") {
  const auto check = [&](const std::string& expression, Hash hash) {
    HashTable::Options options = in_split_slots;
    options.hash = expression;
    check_lives<uint32_t, uint32_t>(device, {150}, options, nullptr, hash);
  };
  check("0u", [](uint64_t) { return 0u; });
  check("0xFFFFFFFFu", [](uint64_t) { return 0xFFFFFFFFu; });
  check("(key & 3u) << 30", [](uint64_t key) { return uint32_t(key & 3) << 30; });
}
DEVICE_TEST("rebuilt tables of 64-bit keys of few hashes") {
  HashTable::Options options = bidirectional_options;
  options.hash = "(key.x & 7u) << 29";
  check_lives<uint64_t, NoValue>(device, {200}, options, nullptr, [](uint64_t key) { return uint32_t(key & 7) << 29; });
}

DEVICE_TEST("entries of rebuilt tables are on both sides of their homes, and near") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("distances");
  constexpr uint64_t capacity = 20'000;
  CheckedTable<uint32_t, NoValue> table(device, stream, capacity, generator, in_split_slots);
  table.insert_sorted(capacity);
  std::vector<uint32_t> keys = some_of(distinct_keys(2 * capacity), capacity / 10 * 9, generator);
  table.insert(keys);
  check_order(stream, table, mixed_word);
  const std::vector<uint32_t> slots = stream.download(View<uint32_t>(table.memory()));
  int64_t distance = 0, direction = 0;
  for (uint64_t slot = 0; slot < capacity; ++slot) {
    if (slots[slot] == 0xFFFFFFFF) continue;
    const auto from_home = int64_t(slot) - int64_t(uint64_t(mixed(slots[slot])) * capacity >> 32);
    distance += std::abs(from_home);
    direction += from_home;
  }
  // Insertions one by one give 1.8 slots for random keys, those into slots above the homes alone 4.5.
  const double mean = double(distance) / double(keys.size()), drift = double(direction) / double(keys.size());
  INFO("mean distance: ", mean, ", drift: ", drift);
  CHECK_LT(mean, 3);
  CHECK_LT(std::abs(drift), 1);
}

DEVICE_TEST("sorted insertions: few keys many times, their first values, a count on the device") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("sorted insertions");
  const std::vector<uint32_t> keys = random_keys<uint32_t>(3000, 40, generator);
  const Element word = Element::of<uint32_t>();
  const HashTable shape(device, word, word, 100, bidirectional_options);
  const HashInsert insert(shape, {.value = "i", .max_count = keys.size()});
  const Guarded<uint32_t> key_memory(device, stream, keys, generator, 4), found(device, stream, keys.size(), generator);
  const GuardedBytes memory(device, stream, shape.bytes(), 0, generator);
  const GuardedBytes temporary(device, stream, insert.temporary_bytes(), 4, generator);
  const Buffer<uint32_t> count = device.buffer<uint32_t>(1);
  const Guarded<uint32_t> counts(device, stream, 3, generator, 4);
  const uint32_t number = 2777;
  stream.upload(count, std::vector<uint32_t>{number});
  shape.record_clear(stream, memory.region());
  insert.record(stream, {.table = memory.region(),
                         .keys = key_memory,
                         .counts = View<uint32_t>(Region(counts)),
                         .count = count,
                         .temporary = temporary.region()});
  HashFind(shape).record(stream, {.table = memory.region(), .keys = key_memory, .values = found, .count = keys.size()});
  std::map<uint32_t, uint32_t> first;
  for (uint32_t i = 0; i < number; ++i) first.try_emplace(keys[i], i);
  std::vector<uint32_t> values = found.poison();
  for (uint32_t i = 0; i < keys.size(); ++i) {
    if (first.contains(keys[i])) values[i] = first[keys[i]];
  }
  check_same(found.read(stream), values, "the index of each key's first occurrence");
  check_same(counts.read(stream), {number - uint32_t(first.size()), uint32_t(first.size()), 0}, "numbers of results");
  memory.check_guards(stream);
  temporary.check_guards(stream);
}

DEVICE_TEST("few keys for a large bidirectional table are inserted one by one, beside many that are sorted") {
  Stream stream = device.stream();
  const HashTable shape(device, Element::of<uint32_t>(), 800, bidirectional_options);
  algorithms::BidirectionalTuning values;
  values.slots_per_key = 8;
  const Tuning tuning({tuned(algorithms::tuned_hash_bidirectional, 4, values)});
  const HashInsert insert(shape, {.max_count = 800, .tuning = tuning});
  const Buffer<uint32_t> keys = device.buffer<uint32_t>(800), results = device.buffer<uint32_t>(800);
  const Buffer<std::byte> memory = device.buffer<std::byte>(shape.bytes());
  const Buffer<std::byte> temporary = device.buffer<std::byte>(insert.temporary_bytes());
  stream.upload(keys, distinct_keys(800));
  shape.record_clear(stream, memory);
  const std::vector<std::byte> pattern(temporary.bytes(), std::byte{0xA5});
  // Insertions one by one use the first words of the temporary storage alone.
  const auto rebuilds = [&](uint64_t count, const Region& with) {
    stream.upload(temporary, pattern);
    insert.record(stream, {.table = memory, .keys = keys, .results = with, .count = count, .temporary = temporary});
    const std::vector<std::byte> after = stream.download(temporary);
    return std::ranges::any_of(after.begin() + 1100, after.end(), [](std::byte b) { return b != std::byte{0xA5}; });
  };
  CHECK_FALSE(rebuilds(99, results));
  CHECK(rebuilds(99, {}));
  CHECK(rebuilds(100, results));
  CHECK(rebuilds(800, {}));
  const Buffer<uint64_t> entries = device.buffer<uint64_t>(1);
  HashEntries(shape).record(stream, {.table = memory, .entries = entries});
  CHECK_EQ(stream.download(entries)[0], 800);
}

DEVICE_TEST("rebuilding plans say what they cannot do") {
  const Element word = Element::of<uint32_t>();
  const HashTable linear(device, word, 100, {}), table(device, word, 100, bidirectional_options);
  check_error(ErrorCode::invalid_argument, {"max_count", "bidirectional"},
              [&] { HashInsert(linear, {.max_count = 10}); });
  check_error(ErrorCode::invalid_argument, {"max_count", "4294967296", "2^32 - 1"},
              [&] { HashInsert(table, {.max_count = uint64_t{1} << 32}); });
  const HashTable huge(device, word, UINT32_MAX, bidirectional_options);
  check_error(ErrorCode::unsupported, {"HashErase", "rebuilt", "429496729"}, [&] { HashErase erase(huge); });
  check_error(ErrorCode::unsupported, {"HashInsert", "rebuilt"}, [&] { HashInsert(huge, {.max_count = 10}); });
  CHECK_EQ(HashErase(linear).temporary_bytes(), 0);
  Stream stream = device.stream();
  const Buffer<std::byte> memory = device.buffer<std::byte>(table.bytes());
  const Buffer<uint32_t> keys = device.buffer<uint32_t>(100);
  const HashInsert insert(table, {.max_count = 60});
  const HashErase erase(table);
  check_error(ErrorCode::invalid_argument, {"temporary"},
              [&] { insert.record(stream, {.table = memory, .keys = keys, .count = 60}); });
  check_error(ErrorCode::invalid_argument, {"count", "61", "60"},
              [&] { insert.record(stream, {.table = memory, .keys = keys, .count = 61}); });
  check_error(ErrorCode::invalid_argument, {"temporary"},
              [&] { erase.record(stream, {.table = memory, .keys = keys, .count = 1}); });
}
