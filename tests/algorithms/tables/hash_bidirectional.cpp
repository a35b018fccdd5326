#include "tests/algorithms/tables/bidirectional_check.h"

using namespace weft;
using namespace weft::test;

/// Hash tables by bidirectional linear probing: the order of their slots, beside what tables promise.

namespace {

template <typename K, typename V>
void check_fill(Stream& stream, CheckedTable<K, V>& table, uint64_t capacity, Hash hash, std::mt19937_64& generator) {
  table.find(random_keys<K>(10, 5, generator));
  for (int batch = 0; batch < 8; ++batch) {
    table.insert(random_keys<K>(capacity / 4 + 1, 2 * capacity, generator));
    check_order(stream, table, hash);
    table.find(random_keys<K>(capacity + 1, 2 * capacity, generator));
  }
  table.insert(random_keys<K>(capacity, 4 * capacity, generator));  // More than fit.
  check_order(stream, table, hash);
  table.find(random_keys<K>(capacity, 4 * capacity, generator));
  table.insert(random_keys<K>(100, 4 * capacity, generator));  // Into a full table.
  table.check();
}

template <typename K, typename V>
void check_fills(const Device& device, const std::vector<uint64_t>& capacities, const HashTable::Options& options,
                 typename CheckedTable<K, V>::Update update = nullptr, Hash hash = nullptr,
                 const std::optional<Tuning>& tuning = {}) {
  need_int64_atomics(device, options.layout == HashLayout::packed || sizeof(K) == 8);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("bidirectional " + options.hash);
  if (!hash) hash = sizeof(K) == 8 ? mixed_wide : mixed_word;
  for (const uint64_t capacity : capacities) {
    INFO("capacity: ", capacity, ", hash: ", options.hash);
    CheckedTable<K, V> table(device, stream, capacity, generator, options, update);
    if (tuning) table.tune(*tuning);
    check_fill(stream, table, capacity, hash, generator);
  }
}

/// Insertions try once, so that keys are left to the second and third dispatch.
Tuning one_try() {
  algorithms::BidirectionalTuning values{.tile = {.workgroup = 64, .bytes_per_invocation = 8}, .tries = 1};
  return Tuning({tuned(algorithms::tuned_hash_bidirectional, 4, values)});
}

}  // namespace

DEVICE_TEST("a bidirectional set") { check_fills<uint32_t, NoValue>(device, {1, 2, 37, 300, 1500}, in_packed_slots); }
DEVICE_TEST("a bidirectional set in split slots") {
  check_fills<uint32_t, NoValue>(device, {1, 2, 37, 300, 1500}, in_split_slots);
}
DEVICE_TEST("a bidirectional map") { check_fills<uint32_t, uint32_t>(device, {37, 1500}, in_packed_slots); }
DEVICE_TEST("a bidirectional map in split slots") {
  check_fills<uint32_t, uint32_t>(device, {37, 700}, in_split_slots);
}
DEVICE_TEST("a bidirectional map of 64-bit keys to floats") {
  check_fills<uint64_t, float>(device, {37, 700}, bidirectional_options);
}
DEVICE_TEST("a bidirectional map sums up") {
  check_fills<uint32_t, uint32_t>(device, {37, 700}, summing, sum_up<uint32_t>);
}
DEVICE_TEST("a bidirectional map of 64-bit keys sums up") {
  check_fills<uint64_t, uint64_t>(device, {37, 700}, summing, sum_up<uint64_t>);
}
DEVICE_TEST("a bidirectional map replaces values") {
  check_fills<uint32_t, uint32_t>(device, {37, 700}, replacing, take_any<uint32_t>);
}

DEVICE_TEST("bidirectional tables of keys that share a home") {
  const auto check = [&](const std::string& expression, Hash hash) {
    HashTable::Options options = in_split_slots;
    options.hash = expression;
    check_fills<uint32_t, uint32_t>(device, {150}, options, nullptr, hash);
  };
  check("0u", [](uint64_t) { return 0u; });
  check("0xFFFFFFFFu", [](uint64_t) { return 0xFFFFFFFFu; });
  check("0x80000000u", [](uint64_t) { return 0x80000000u; });
  check("(key & 3u) << 30", [](uint64_t key) { return uint32_t(key & 3) << 30; });
  check("key", [](uint64_t key) { return uint32_t(key); });
}

DEVICE_TEST("bidirectional insertions that give up are done one by one") {
  const auto check = [&](const HashTable::Options& options, Hash hash, auto update) {
    check_fills<uint32_t, uint32_t>(device, {300}, options, update, hash, one_try());
  };
  HashTable::Options crowded = summing;
  crowded.hash = "(key & 1u) << 31";
  check(summing, mixed_word, sum_up<uint32_t>);
  check(crowded, [](uint64_t key) { return uint32_t(key & 1) << 31; }, sum_up<uint32_t>);
}

DEVICE_TEST("bidirectional insertions of few keys, many times each, all count") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("few keys in a bidirectional table");
  CheckedTable<uint32_t, uint32_t> table(device, stream, 50, generator, summing, sum_up<uint32_t>);
  table.tune(one_try());
  table.insert(random_keys<uint32_t>(6000, 8, generator));
  check_order(stream, table, mixed_word);
  table.check();
}

DEVICE_TEST("bidirectional tables are filled to a load of 0.99 and to the last slot") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("full bidirectional tables");
  for (const uint64_t capacity : {100, 5000}) {
    CheckedTable<uint32_t, NoValue> table(device, stream, capacity, generator, in_split_slots);
    const std::vector<uint32_t> keys = distinct_keys(capacity);
    const auto some = std::ptrdiff_t(capacity / 100 * 99);
    table.insert({keys.begin(), keys.begin() + some});
    check_order(stream, table, mixed_word);
    table.find(keys);
    table.insert({keys.begin() + some, keys.end()});
    CHECK_EQ(table.model().size(), capacity);
    check_order(stream, table, mixed_word);
    table.insert({0xFFFFFFFFu, 0xFFFFFFFEu, 77u, 0xFFFFFFFFu});
    table.find(keys);
    table.find({0xFFFFFFFFu, 0xFFFFFFFEu, 77u});
  }
}

DEVICE_TEST("all values count that meet in a full bidirectional table") {
  need_int64_atomics(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("values in a full table");
  const HashTable::Options parity{.probing = Probing::bidirectional,
                                  .layout = HashLayout::packed,
                                  .update = HashUpdate::combine,
                                  .combine = Operator::custom("parity", "a ^ b", "0u", true)};
  CheckedTable<uint32_t, uint32_t> table(device, stream, 50, generator, parity,
                                         [](const std::optional<uint32_t>& old, const std::vector<uint32_t>& values) {
                                           uint32_t all = old.value_or(0);
                                           for (const uint32_t value : values) all ^= value;
                                           return std::optional<uint32_t>(all);
                                         });
  const std::vector<uint32_t> keys = distinct_keys(50);
  table.insert(keys);
  CHECK_EQ(table.model().size(), keys.size());
  for (int round = 0; round < 5; ++round) table.insert(std::vector<uint32_t>(2000, keys[size_t(round) * 9]));
}

DEVICE_TEST("bidirectional tables say what they cannot do") {
  const Element word = Element::of<uint32_t>();
  const HashTable table(device, word, 10, bidirectional_options);
  check_error(ErrorCode::unsupported, {"HashRehash", "bidirectional", "HashEntries"},
              [&] { HashRehash(table, table); });
  Stream stream = device.stream();
  const Buffer<std::byte> memory = device.buffer<std::byte>(table.bytes());
  const Buffer<uint32_t> keys = device.buffer<uint32_t>(10), results = device.buffer<uint32_t>(10);
  const HashInsert insert(table);
  check_error(ErrorCode::invalid_argument, {"results", "room for 0"},
              [&] { insert.record(stream, {.table = memory, .keys = keys, .count = 10}); });
  check_error(ErrorCode::invalid_argument, {"temporary"},
              [&] { insert.record(stream, {.table = memory, .keys = keys, .results = results, .count = 10}); });
}
