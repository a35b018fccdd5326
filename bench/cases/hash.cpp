#include <algorithm>
#include <cmath>
#include <vector>

#include <weft/hash_table.h>

#include "bench/benchmark.h"
#include "bench/sets.h"
#include "support/text.h"

namespace weft::bench {
namespace {

// Distinct keys: the finalizer of MurmurHash3 for 32 bits, SplitMix64 for 64, both bijections.
template <typename K>
K key_of(uint64_t seed, uint64_t index) {
  if constexpr (sizeof(K) == 8) return random_bits(seed, index);
  auto key = uint32_t(index) ^ uint32_t(seed);
  key = (key ^ (key >> 16)) * 0x85EBCA6B;
  key = (key ^ (key >> 13)) * 0xC2B2AE35;
  return K(key ^ (key >> 16));
}
uint32_t value_of(uint64_t index) { return uint32_t(index) * 3 + 1; }

template <typename Function>
decltype(auto) with_key_type(support::ScalarType type, Function&& function) {
  if (support::bytes(type) == 8) return function(uint64_t());
  return function(uint32_t());
}

Element key_element(support::ScalarType type) {
  return Element::scalar(support::bytes(type) == 8 ? "uint64_t" : "uint");
}

// A table and the keys that fill it.
class HashCase : public Case {
 public:
  // A bidirectional table is rebuilt with the keys, or they are inserted one by one under locks.
  HashCase(const Problem& problem, Probing probing, const char* operation, bool locks = false)
      : problem_(problem),
        different_(std::max<uint64_t>(1, problem.count / problem.table.multiplicity)),
        shape_(problem.device, key_element(problem.type), Element::of<uint32_t>(),
               uint64_t(std::ceil(double(different_) / problem.table.load)), {.probing = probing}),
        insert_(shape_,
                {.max_count = probing == Probing::linear || locks ? 0 : problem.count, .tuning = problem.tuning}),
        operation_(operation),
        locks_(locks),
        tables_(problem.device, shape_.bytes(), problem.sets),
        counts_(problem.device, 3 * sizeof(uint64_t), problem.sets),
        results_(problem.device, problem.count * sizeof(uint32_t), 1),
        temporary_(problem.device, insert_.temporary_bytes(), 1) {}

  std::string variant() const override {
    const bool linear = shape_.options().probing == Probing::linear;
    return operation_ + (linear ? "" : "-bidirectional") + (locks_ ? "-locks" : "") +
           support::format("@%g", problem_.table.load);
  }

 protected:
  static constexpr uint64_t sector_bytes = 32;
  uint64_t key_bytes() const { return support::bytes(problem_.type); }

  void record_insertion(Recorder& recorder, uint32_t set, const Region& keys, const Region& values,
                        uint64_t count) const {
    shape_.record_clear(recorder, tables_[set]);
    insert_.record(recorder, {.table = tables_[set],
                              .keys = keys,
                              .values = values,
                              .results = locks_ ? results_[0] : Region{},
                              .counts = counts_[set],
                              .count = count,
                              .temporary = temporary_[0]});
  }

  // Arrays of `count` elements: function(i) in each set.
  template <typename T, typename Function>
  Sets filled(uint64_t count, uint32_t sets, Function&& function) const {
    Sets arrays(problem_.device, count * sizeof(T), sets);
    std::vector<T> data(count);
    for (uint64_t i = 0; i < count; ++i) data[i] = function(i);
    Stream stream = problem_.device.stream();
    upload_to_sets(stream, arrays, data);
    return arrays;
  }
  // Keys with these indices.
  template <typename Index>
  Sets keys_at(uint64_t count, uint32_t sets, Index&& index) const {
    return with_key_type(problem_.type, [&](auto k) {
      using K = decltype(k);
      return filled<K>(count, sets, [&](uint64_t i) { return key_of<K>(problem_.seed, index(i)); });
    });
  }

  Problem problem_;
  uint64_t different_;
  HashTable shape_;
  HashInsert insert_;
  std::string operation_;
  bool locks_;
  Sets tables_, counts_, results_, temporary_;
};

// Inserts keys, each `multiplicity` times, into a table that is cleared first.
class InsertCase : public HashCase {
 public:
  InsertCase(const Problem& problem, Probing probing, bool locks = false)
      : HashCase(problem, probing, "insert", locks),
        keys_(keys_at(problem.count, problem.sets, [&](uint64_t i) { return i % different_; })),
        values_(filled<uint32_t>(problem.count, problem.sets, [&](uint64_t i) { return value_of(i % different_); })) {}

  uint64_t bytes_moved() const override { return problem_.count * (key_bytes() + 4 + 2 * sector_bytes); }
  void poison(Stream& stream) const override { poison_region(stream, counts_.all()); }
  void record(Recorder& recorder, uint32_t set) const override {
    record_insertion(recorder, set, keys_[set], values_[set], problem_.count);
  }
  std::optional<PeerWork> peer_work() const override {
    const std::string type = key_bytes() == 8 ? "u64" : "u32";
    return PeerWork{.row = "hash_insert",
                    .inputs = {{type, keys_[0]}, {"u32", values_[0]}},
                    .outputs = {{"u64", counts_[0].part(8, 8)}}};
  }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    const uint64_t inserted = stream.download(View<uint64_t>(counts_[set]))[1];
    if (inserted != different_) {
      return support::format_count(inserted) + " keys inserted of " + support::format_count(different_);
    }
    const Buffer<uint32_t> found = problem_.device.buffer<uint32_t>(problem_.count);
    HashFind(shape_).record(stream,
                            {.table = tables_[set], .keys = keys_[set], .values = found, .count = problem_.count});
    return check_in_chunks<uint32_t>(stream, found,
                                     [&](uint64_t first, std::span<const uint32_t> got) -> std::optional<std::string> {
                                       for (size_t i = 0; i < got.size(); ++i) {
                                         if (got[i] != value_of((first + i) % different_)) {
                                           return "key " + std::to_string(first + i) + " is not in the table";
                                         }
                                       }
                                       return std::nullopt;
                                     });
  }

 private:
  Sets keys_, values_;
};

// Queries, `matching` of which are keys of the table.
class QueryCase : public HashCase {
 public:
  QueryCase(const Problem& problem, Probing probing, const char* operation)
      : HashCase(problem, probing, operation),
        keys_(keys_at(different_, 1, [](uint64_t i) { return i; })),
        values_(filled<uint32_t>(different_, 1, value_of)),
        queries_(keys_at(problem.count, problem.sets, [&](uint64_t i) { return index_of(i); })) {
    Stream stream = problem.device.stream();
    for (uint32_t set = 0; set < problem.sets; ++set) {
      record_insertion(stream, set, keys_[0], values_[0], different_);
      stream.synchronize();  // CPUs take long.
    }
  }

 protected:
  // Of a query; keys that are not in the table have indices from different_ on.
  uint64_t index_of(uint64_t query) const {
    const uint64_t draw = random_bits(problem_.seed + 1, query);
    const bool matches = double(draw >> 40) * 0x1p-24 < problem_.table.matching;
    return draw % different_ + (matches ? 0 : different_);
  }
  bool is_key(uint64_t query) const { return index_of(query) < different_; }

  Sets keys_, values_, queries_;
};

class FindCase : public QueryCase {
 public:
  FindCase(const Problem& problem, Probing probing)
      : QueryCase(problem, probing, "find"),
        find_(shape_, {problem.tuning}),
        found_(problem.device, problem.count * sizeof(uint32_t), problem.sets) {}

  uint64_t bytes_moved() const override { return problem_.count * (key_bytes() + 4 + sector_bytes); }
  void poison(Stream& stream) const override {
    poison_region(stream, found_.all());
    poison_region(stream, counts_.all());
  }
  void record(Recorder& recorder, uint32_t set) const override {
    find_.record(recorder, {.table = tables_[set],
                            .keys = queries_[set],
                            .values = found_[set],
                            .counts = counts_[set],
                            .count = problem_.count});
  }
  std::optional<PeerWork> peer_work() const override {
    const std::string type = key_bytes() == 8 ? "u64" : "u32";
    return PeerWork{.row = "hash_find",
                    .inputs = {{type, keys_[0]}, {"u32", values_[0]}, {type, queries_[0]}},
                    .outputs = {{"u32", found_[0]}, {"u64", counts_[0].part(8, 8)}}};
  }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    uint64_t matches = 0;
    const auto wrong = check_in_chunks<uint32_t>(
        stream, found_[set], [&](uint64_t first, std::span<const uint32_t> got) -> std::optional<std::string> {
          for (size_t i = 0; i < got.size(); ++i) {
            if (!is_key(first + i)) continue;
            ++matches;
            if (got[i] != value_of(index_of(first + i))) return "query " + std::to_string(first + i) + " is wrong";
          }
          return std::nullopt;
        });
    const uint64_t found = stream.download(View<uint64_t>(counts_[set]))[1];
    if (wrong || found == matches) return wrong;
    return support::format_count(found) + " queries found of " + support::format_count(matches);
  }

 private:
  HashFind find_;
  Sets found_;
};

// Erases from a table that is copied first.
class EraseCase : public QueryCase {
 public:
  EraseCase(const Problem& problem, Probing probing)
      : QueryCase(problem, probing, "erase"),
        erase_(shape_, {problem.tuning}),
        copies_(problem.device, shape_.bytes(), problem.sets),
        storage_(problem.device, erase_.temporary_bytes(), 1) {}

  uint64_t bytes_moved() const override { return problem_.count * (key_bytes() + 2 * sector_bytes); }
  void poison(Stream& stream) const override { poison_region(stream, counts_.all()); }
  void record(Recorder& recorder, uint32_t set) const override {
    recorder.copy_region(tables_[set], copies_[set]);
    erase_.record(recorder, {.table = copies_[set],
                             .keys = queries_[set],
                             .counts = counts_[set],
                             .count = problem_.count,
                             .temporary = storage_[0]});
  }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    std::vector<bool> erased(different_);
    for (uint64_t i = 0; i < problem_.count; ++i) {
      if (is_key(i)) erased[index_of(i)] = true;
    }
    const auto wanted = uint64_t(std::ranges::count(erased, true));
    const uint64_t got = stream.download(View<uint64_t>(counts_[set]))[1];
    if (got != wanted) return support::format_count(got) + " keys erased of " + support::format_count(wanted);
    const Buffer<uint64_t> entries = problem_.device.buffer<uint64_t>(1);
    HashEntries(shape_).record(stream, {.table = copies_[set], .entries = entries});
    const uint64_t left = stream.download(entries).front();
    if (left == different_ - wanted) return std::nullopt;
    return support::format_count(left) + " keys left of " + support::format_count(different_ - wanted);
  }

 private:
  HashErase erase_;
  Sets copies_, storage_;
};

// A table at a load of 0.5 in slots of 8 or 16 bytes, keys, values, results.
uint64_t table_and_keys(uint32_t key_bytes, uint64_t count) { return (2 * 2 * key_bytes + key_bytes + 8) * count; }
uint64_t two_tables_and_keys(uint32_t key_bytes, uint64_t count) { return 2 * table_and_keys(key_bytes, count); }

}  // namespace

std::span<const Benchmark> benchmarks_of_hash() {
  static constexpr Benchmark rows[] = {
      {"hash", "insert", true, "keys and 32-bit values into a hash table", table_and_keys,
       prepare<InsertCase, Probing::linear>, Takes::table_use},
      {"hash", "find", true, "values by key", table_and_keys, prepare<FindCase, Probing::linear>, Takes::table_use},
      {"hash", "erase", true, "keys from a copy of a table", two_tables_and_keys, prepare<EraseCase, Probing::linear>,
       Takes::table_use},
      {"hash", "insert-bidirectional", false, "by bidirectional probing: the table is rebuilt", table_and_keys,
       prepare<InsertCase, Probing::bidirectional>, Takes::table_use},
      {"hash", "insert-bidirectional-locks", false, "the same keys one by one", table_and_keys,
       prepare<InsertCase, Probing::bidirectional, true>, Takes::table_use},
      {"hash", "find-bidirectional", false, "by bidirectional probing", table_and_keys,
       prepare<FindCase, Probing::bidirectional>, Takes::table_use},
      {"hash", "erase-bidirectional", false, "the table is rebuilt", two_tables_and_keys,
       prepare<EraseCase, Probing::bidirectional>, Takes::table_use},
  };
  return rows;
}

}  // namespace weft::bench
