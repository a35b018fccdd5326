#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <weft/hash_table.h>

#include "algorithms/src/tables/hash_tuning.h"
#include "tests/algorithms/base/device_counts.h"
#include "tests/algorithms/base/elements.h"
#include "tests/algorithms/base/tuned.h"

/// A hash table on a device beside a map on the host.
namespace weft::test {

inline const Element word_element = Element::of<uint32_t>();

/// How the values of a map change when those of several keys arrive.
template <typename V>
std::optional<V> sum_up(const std::optional<V>& old, const std::vector<V>& values) {
  V sum = old.value_or(V(0));
  for (const V& value : values) sum += value;
  return sum;
}
template <typename V>
std::optional<V> take_any(const std::optional<V>&, const std::vector<V>&) {
  return std::nullopt;
}

template <>
struct Bytes<NoValue> {
  static bool same(const NoValue&, const NoValue&) { return true; }
};

template <typename V>
constexpr bool has_values = !std::is_same_v<V, NoValue>;

template <typename K, typename V>
HashTable make_table(const Device& device, uint64_t capacity, const HashTable::Options& options) {
  if constexpr (has_values<V>) {
    return HashTable(device, Elements<K>::element(), Elements<V>::element(), capacity, options);
  } else {
    return HashTable(device, Elements<K>::element(), capacity, options);
  }
}

template <typename K, typename V>
class CheckedTable {
 public:
  using Model = std::map<K, V>;
  /// The value of a key with these values, where the table had `old`; nothing if any of them will do.
  using Update = std::optional<V> (*)(const std::optional<V>& old, const std::vector<V>& values);

  CheckedTable(const Device& device, Stream& stream, uint64_t capacity, std::mt19937_64& generator,
               const HashTable::Options& options = {}, Update update = nullptr)
      : device_(device),
        stream_(stream),
        generator_(generator),
        shape_(make_table<K, V>(device, capacity, options)),
        memory_(device, stream, shape_.bytes(), 0, generator),
        insert_(shape_),
        find_(shape_),
        entries_(shape_),
        temporary_(device.buffer<std::byte>(insert_.temporary_bytes())),
        update_(update) {
    if (options.probing == Probing::linear) allow_erasing();
    clear();
  }

  const HashTable& shape() const { return shape_; }
  Region memory() const { return memory_.region(); }
  const Model& model() const { return model_; }
  std::vector<K> keys() const {
    std::vector<K> all;
    for (const auto& [key, value] : model_) all.push_back(key);
    return all;
  }

  void tune(const Tuning& tuning) { insert_ = HashInsert(shape_, {.tuning = tuning}); }
  /// Inserts up to `max_count` keys at a time by rebuilding the table, which is bidirectional, however few they are.
  void insert_sorted(uint64_t max_count) {
    algorithms::BidirectionalTuning values;
    values.slots_per_key = 1 << 20;
    const Tuning tuning({tuned(algorithms::tuned_hash_bidirectional, sizeof(K), values)});
    insert_ = HashInsert(shape_, {.max_count = max_count, .tuning = tuning});
    sorted_ = true;
    reserve(insert_.temporary_bytes());
  }
  void allow_erasing() {
    erase_.emplace(shape_);
    reserve(erase_->temporary_bytes());
  }
  void clear() {
    shape_.record_clear(stream_, memory());
    model_.clear();
  }

  /// Inserts keys with random values in one dispatch, and checks all results.
  void insert(const std::vector<K>& keys) {
    std::vector<V> values;
    if constexpr (has_values<V>) values = random_elements<V>(keys.size(), generator_);
    const Guarded<K> key_memory(device_, stream_, keys, generator_, sizeof(K));
    const Guarded<V> value_memory(device_, stream_, has_values<V> ? values : std::vector<V>(), generator_, sizeof(V));
    const Guarded<uint32_t> results(device_, stream_, keys.size(), generator_, 4);
    const DeviceCounts counts(stream_, 3, generator_);
    insert_.record(stream_, {.table = memory(),
                             .keys = key_memory,
                             .values = has_values<V> ? Region(value_memory) : Region(),
                             .results = results,
                             .counts = counts,
                             .count = keys.size(),
                             .temporary = temporary_});
    check_inserted(keys, values, results.read(stream_), counts.read(stream_));
    check_same(key_memory.read(stream_), keys, "the keys afterwards");
  }

  /// Looks keys up, and checks values and flags.
  void find(const std::vector<K>& keys) {
    const Guarded<K> key_memory(device_, stream_, keys, generator_, sizeof(K));
    const Guarded<V> values(device_, stream_, has_values<V> ? keys.size() : 0, generator_, sizeof(V));
    const Guarded<uint32_t> found(device_, stream_, keys.size(), generator_, 4);
    const DeviceCounts counts(stream_, 2, generator_);
    find_.record(stream_, {.table = memory(),
                           .keys = key_memory,
                           .values = has_values<V> ? Region(values) : Region(),
                           .found = found,
                           .counts = counts,
                           .count = keys.size()});
    std::vector<V> expected_values = values.poison();
    std::vector<uint32_t> expected(keys.size());
    std::vector<uint64_t> expected_counts(2);
    for (size_t i = 0; i < keys.size(); ++i) {
      const auto entry = model_.find(keys[i]);
      expected[i] = entry != model_.end();
      ++expected_counts[expected[i]];
      if (expected[i] && has_values<V>) expected_values[i] = entry->second;
    }
    check_same(found.read(stream_), expected, "which keys were found");
    check_same(counts.read(stream_), expected_counts, "the numbers of keys found");
    if (has_values<V>) check_same(values.read(stream_), expected_values, "the values found");
  }

  void erase(const std::vector<K>& keys) {
    const Guarded<K> key_memory(device_, stream_, keys, generator_, sizeof(K));
    const Guarded<uint32_t> erased(device_, stream_, keys.size(), generator_, 4);
    const DeviceCounts counts(stream_, 2, generator_);
    erase_.value().record(stream_, {.table = memory(),
                                    .keys = key_memory,
                                    .erased = erased,
                                    .counts = counts,
                                    .count = keys.size(),
                                    .temporary = temporary_});
    const std::vector<uint32_t> results = erased.read(stream_);
    std::map<K, uint32_t> times;
    for (size_t i = 0; i < keys.size(); ++i) {
      REQUIRE_LE(results[i], 1);
      times[keys[i]] += results[i];
    }
    uint64_t total = 0;
    bool once = true;
    for (const auto& [key, number] : times) {
      once = once && number == model_.erase(key);
      total += number;
    }
    CHECK_MESSAGE(once, "each key of the table is erased once");
    check_same(counts.read(stream_), {keys.size() - total, total}, "the numbers of keys erased");
  }

  /// Compares the entries with the host's map.
  void check() {
    std::vector<K> keys, found_keys;
    std::vector<V> values, found_values;
    for (const auto& [key, value] : model_) keys.push_back(key), values.push_back(value);
    for (const auto& [key, value] : list()) found_keys.push_back(key), found_values.push_back(value);
    check_same(found_keys, keys, "the keys of the entries");
    check_same(found_values, values, "the values of the entries");
  }

  /// Inserts all entries into a table of another capacity, which takes this one's place.
  void rehash(uint64_t capacity) {
    const HashTable other = make_table<K, V>(device_, capacity, shape_.options());
    GuardedBytes memory(device_, stream_, other.bytes(), 0, generator_);
    const DeviceCounts counts(stream_, 3, generator_);
    other.record_clear(stream_, memory.region());
    HashRehash(shape_, other).record(stream_, {.from = memory_.region(), .to = memory.region(), .counts = counts});
    check_same(counts.read(stream_), {0, model_.size(), 0}, "results of a rehash");
    shape_ = other;
    memory_ = std::move(memory);
    insert_ = HashInsert(shape_), find_ = HashFind(shape_), erase_.emplace(shape_), entries_ = HashEntries(shape_);
  }

  /// The entries in the order of their keys. Fails the test if a key is there twice.
  std::vector<std::pair<K, V>> list() {
    const uint64_t room = shape_.slots();
    const Guarded<K> keys(device_, stream_, room, generator_, sizeof(K));
    const Guarded<V> values(device_, stream_, has_values<V> ? room : 0, generator_, sizeof(V));
    const DeviceCounts number(stream_, 1, generator_);
    entries_.record(
        stream_,
        {.table = memory(), .keys = keys, .values = has_values<V> ? Region(values) : Region(), .entries = number});
    memory_.check_guards(stream_);
    const uint64_t entries = number.read(stream_)[0];
    REQUIRE_LE(entries, room);
    const std::vector<K> found = keys.read(stream_), poison = keys.poison();
    const std::vector<V> with = values.read(stream_);
    const auto end = std::ptrdiff_t(entries);
    check_same(std::vector<K>(found.begin() + end, found.end()), {poison.begin() + end, poison.end()},
               "memory after the entries");
    std::vector<std::pair<K, V>> all;
    for (uint64_t i = 0; i < entries; ++i) all.emplace_back(found[i], has_values<V> ? with[i] : V());
    std::ranges::sort(all, {}, &std::pair<K, V>::first);
    const auto twice = std::ranges::adjacent_find(all, {}, &std::pair<K, V>::first);
    CHECK_MESSAGE(twice == all.end(), "a key is in the table twice");
    return all;
  }

 private:
  // What happened to the keys of one dispatch that are equal.
  struct Outcome {
    std::vector<V> values;
    uint32_t number[3] = {};
  };

  void check_inserted(const std::vector<K>& keys, const std::vector<V>& values, const std::vector<uint32_t>& results,
                      const std::vector<uint64_t>& counts) {
    std::map<K, Outcome> outcomes;
    std::vector<uint64_t> numbers(3);
    for (size_t i = 0; i < keys.size(); ++i) {
      REQUIRE_LE(results[i], 2);
      Outcome& outcome = outcomes[keys[i]];
      CHECK_MESSAGE((!sorted_ || results[i] != 1 || outcome.values.empty()), "the first of equal keys is inserted");
      ++outcome.number[results[i]];
      ++numbers[results[i]];
      outcome.values.push_back(has_values<V> ? values[i] : V());
    }
    check_same(counts, numbers, "the numbers of results");
    const std::vector<std::pair<K, V>> entries = list();
    const Model after(entries.begin(), entries.end());
    bool once = true, kept = true, right = true;
    for (const auto& [key, outcome] : outcomes) {
      const auto before = model_.find(key);
      const bool had = before != model_.end(), full = outcome.number[2] > 0;
      once = once && outcome.number[1] == (had || full ? 0 : 1) && !(full && outcome.number[0] > 0);
      kept = kept && after.contains(key) == !full;
      if (!full && after.contains(key)) {
        right = right && is_right(had ? std::optional<V>(before->second) : std::nullopt, outcome.values, after.at(key));
      }
    }
    CHECK_MESSAGE(once, "of equal keys one is inserted, unless the table had them or is full");
    CHECK_MESSAGE(kept, "all keys but those that found the table full are in it");
    CHECK_MESSAGE(right, "values are those that the update asks for");
    if (numbers[2] > 0) CHECK_MESSAGE(is_full(after), "full means that no slot is left");
    CHECK_EQ(after.size(), model_.size() + numbers[1]);
    for (const auto& [key, value] : model_) {
      REQUIRE(after.contains(key));
      if (!outcomes.contains(key)) CHECK(Bytes<V>::same(after.at(key), value));
    }
    model_ = after;
  }

  bool is_right(const std::optional<V>& old, const std::vector<V>& values, const V& now) const {
    const auto is_now = [&](const V& one) { return Bytes<V>::same(one, now); };
    if (update_) {
      const std::optional<V> expected = update_(old, values);
      return expected ? is_now(*expected) : std::ranges::any_of(values, is_now);
    }
    if (old) return is_now(*old);
    return sorted_ ? is_now(values.front()) : std::ranges::any_of(values, is_now);
  }

  // Reserved keys have slots of their own.
  bool is_full(const Model& model) const {
    const uint64_t reserved = shape_.slots() - shape_.capacity();
    uint64_t others = 0;
    for (const auto& [key, value] : model) others += K(~key) >= reserved;
    return others == shape_.capacity();
  }

  void reserve(uint64_t bytes) {
    if (bytes > temporary_.bytes()) temporary_ = device_.buffer<std::byte>(bytes);
  }

  Device device_;
  Stream& stream_;
  std::mt19937_64& generator_;
  HashTable shape_;
  GuardedBytes memory_;
  HashInsert insert_;
  HashFind find_;
  std::optional<HashErase> erase_;
  HashEntries entries_;
  Buffer<std::byte> temporary_;
  bool sorted_ = false;
  Update update_;
  Model model_;
};

/// Keys that are all different, and whose hashes are spread out.
inline std::vector<uint32_t> distinct_keys(uint64_t count) {
  std::vector<uint32_t> keys(count);
  for (uint32_t i = 0; i < count; ++i) keys[i] = i * 2654435761u;  // an odd factor
  return keys;
}

/// Keys of a test: random, few different ones, or those that look like free slots and their neighbours.
template <typename K>
std::vector<K> random_keys(size_t count, uint64_t different, std::mt19937_64& generator) {
  std::vector<K> keys(count);
  for (K& key : keys) {
    const uint64_t draw = generator() % different;
    key = generator() % 8 == 0 ? K(~K(0) - K(generator() % 4)) : K(draw * 0x9E3779B97F4A7C15u);
  }
  return keys;
}

}  // namespace weft::test

template <>
struct weft::test::TypeName<weft::test::NoValue> {
  static constexpr const char* value = "no value";
};
