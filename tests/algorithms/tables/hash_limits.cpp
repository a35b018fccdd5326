#include "tests/algorithms/tables/table_check.h"

using namespace weft;
using namespace weft::test;

/// What hash tables refuse, and tables beyond 2^32 slots, of which only a few have memory.

namespace {

const Element wide_element = Element::of<uint64_t>();

/// A table of 2^33 slots, of which those around `first` have memory. A key's home is 2 * key.
template <typename V>
void check_far(const Device& device, HashLayout layout, uint64_t first) {
  INFO("first slot in memory: ", first);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("far slots");
  const HashTable shape = make_table<uint32_t, V>(device, 2 * index_limit, {.layout = layout, .hash = "key"});
  const uint64_t slot_bytes = shape.bytes() / shape.slots(), slots = 512;
  const Buffer<std::byte> memory = device.buffer<std::byte>(slots * slot_bytes);
  stream.fill(memory.view().template as<uint32_t>(), 0xFFFFFFFFu);
  const Region table{memory.view().region().buffer, 0 - first * slot_bytes, shape.bytes()};

  std::vector<uint32_t> keys(400), values = random_elements<uint32_t>(400, generator);
  for (uint32_t& key : keys) key = uint32_t(first / 2 + generator() % 100);  // They spill over 2 * 100 slots.
  const Guarded<uint32_t> key_memory(device, stream, keys, generator), value_memory(device, stream, values, generator),
      found_values(device, stream, keys.size(), generator), found(device, stream, keys.size(), generator);
  const DeviceCounts counts(stream, 3, generator);
  HashInsert(shape).record(stream, {.table = table,
                                    .keys = key_memory,
                                    .values = has_values<V> ? Region(value_memory) : Region(),
                                    .counts = counts,
                                    .count = keys.size()});
  const std::set<uint32_t> different(keys.begin(), keys.end());
  check_same(counts.read(stream), {keys.size() - different.size(), different.size(), 0}, "results of insertions");
  HashFind(shape).record(stream, {.table = table,
                                  .keys = key_memory,
                                  .values = has_values<V> ? Region(found_values) : Region(),
                                  .found = found,
                                  .count = keys.size()});
  check_same(found.read(stream), std::vector<uint32_t>(keys.size(), 1), "keys found");
  if (has_values<V>) {
    const std::vector<uint32_t> got = found_values.read(stream);
    bool right = true;
    for (size_t i = 0; i < keys.size(); ++i) {
      bool any = false;
      for (size_t k = 0; k < keys.size(); ++k) any = any || (keys[k] == keys[i] && values[k] == got[i]);
      right = right && any;
    }
    CHECK_MESSAGE(right, "each key has one of its values");
  }
  HashErase(shape).record(stream, {.table = table, .keys = key_memory, .counts = counts, .count = keys.size()});
  const std::vector<uint64_t> erased = counts.read(stream);
  CHECK_EQ(erased[1], different.size());
}

}  // namespace

DEVICE_TEST("tables have more than 2^32 slots") {
  for (const uint64_t first : {index_limit - 256, index_limit + 1024, 2 * index_limit - 512}) {
    check_far<NoValue>(device, HashLayout::split, first);
    check_far<uint32_t>(device, HashLayout::split, first);
  }
}
DEVICE_TEST("packed tables have more than 2^32 slots") {
  need_int64_atomics(device);
  for (const uint64_t first : {index_limit - 256, 2 * index_limit - 512})
    check_far<uint32_t>(device, HashLayout::packed, first);
}

DEVICE_TEST("hash tables say what is wrong with their shape") {
  const auto refuse = [&](ErrorCode code, const std::vector<std::string>& words, const Element& key,
                          const std::optional<Element>& value, uint64_t capacity, const HashTable::Options& options) {
    check_error(code, words, [&] {
      value ? HashTable(device, key, *value, capacity, options) : HashTable(device, key, capacity, options);
    });
  };
  const Element triple = Elements<Range>::element(), padded = Element::structure({{"uint", "a"}, {"uint16_t", "b"}});
  const ErrorCode invalid = ErrorCode::invalid_argument;
  refuse(invalid, {"capacity of 0", "at least 1"}, word_element, {}, 0, {});
  refuse(invalid, {"1 TiB"}, word_element, {}, uint64_t(1) << 40, {});
  refuse(invalid, {"keys", "12 bytes", "4 or 8", "in 8"}, triple, {}, 10, {});
  refuse(invalid, {"keys", "1 byte;", "Widen"}, Element::of<uint8_t>(), {}, 10, {});
  refuse(invalid, {"values", "12 bytes", "indices"}, word_element, triple, 10, {});
  refuse(invalid, {"padding"}, padded, {}, 10, {});
  refuse(invalid, {"packed", "4 bytes"}, wide_element, {}, 10, {.layout = HashLayout::packed});
  refuse(invalid, {"packed", "4 bytes"}, word_element, wide_element, 10, {.layout = HashLayout::packed});
  refuse(invalid, {"set", "values"}, word_element, {}, 10, {.update = HashUpdate::replace});
  refuse(invalid, {"'sum'", "not combined", "HashUpdate::combine"}, word_element, word_element, 10,
         {.combine = Operator::sum()});
  refuse(invalid, {"'combine'", "Operator::sum()"}, word_element, word_element, 10, {.update = HashUpdate::combine});
  const Operator left = Operator::custom("left", "a", "T(0)");
  refuse(invalid, {"left", "commutative"}, word_element, word_element, 10,
         {.update = HashUpdate::combine, .combine = left});
  check_error(ErrorCode::compile_failed, {"hash", "nonsense"},
              [&] { HashFind(HashTable(device, word_element, 10, {.hash = "nonsense + key"})); });
  check_error(invalid, {"Options::value", "set"},
              [&] { HashInsert(HashTable(device, word_element, 10), {.value = "i"}); });
  check_error(invalid, {"capacity"}, [&] {
    HashRehash(HashTable(device, word_element, 10), HashTable(device, word_element, word_element, 10));
  });
  const DeviceFeatures& features = device.info().features;
  if (features.int64 && features.buffer_int64_atomics) return;
  const ErrorCode unsupported = ErrorCode::unsupported;
  refuse(unsupported, {"packed", "64-bit atomics", device.info().name}, word_element, word_element, 10,
         {.layout = HashLayout::packed});
  refuse(unsupported, {"keys of 8 bytes", "64-bit atomics"}, wide_element, {}, 10, {});
  refuse(unsupported, {"values of 8 bytes", "64-bit atomics"}, word_element, Elements<AffineMap>::element(), 10,
         {.update = HashUpdate::replace});
}

DEVICE_TEST("hash tables say what is wrong with their arguments") {
  Stream stream = device.stream();
  const HashTable set(device, word_element, 100), map(device, word_element, word_element, 100);
  const Buffer<std::byte> memory = device.buffer<std::byte>(map.bytes() + 16);
  const Buffer<uint32_t> keys = device.buffer<uint32_t>(50), some = device.buffer<uint32_t>(49);
  const Region table = memory;
  const ErrorCode invalid = ErrorCode::invalid_argument;
  check_error(invalid, {"table", "bytes"}, [&] { map.record_clear(stream, table.part(0, 100)); });
  check_error(invalid, {"multiple of 16"}, [&] { map.record_clear(stream, table.part(8, map.bytes())); });
  check_error(invalid, {"multiple of 16"}, [&] { map.block(table.part(8, map.bytes())); });
  check_error(invalid, {"needs at least"}, [&] { map.block(table.part(0, 8)); });
  const HashInsert insert_map(map), insert_set(set);
  const HashFind find(set);
  check_error(invalid, {"values", "room for 0"},
              [&] { insert_map.record(stream, {.table = table, .keys = keys, .count = 50}); });
  check_error(invalid, {"values", "set"},
              [&] { insert_set.record(stream, {.table = table, .keys = keys, .values = keys, .count = 50}); });
  check_error(invalid, {"values", "set"},
              [&] { find.record(stream, {.table = table, .keys = keys, .values = some, .count = 50}); });
  check_error(invalid, {"results", "room for 49"},
              [&] { insert_set.record(stream, {.table = table, .keys = keys, .results = some, .count = 50}); });
  check_error(invalid, {"counts", "24"}, [&] {
    insert_set.record(stream, {.table = table, .keys = keys, .counts = Region(some.part(0, 4)), .count = 50});
  });
  check_error(invalid, {"counts", "12"}, [&] {
    insert_set.record(stream, {.table = table, .keys = keys, .counts = some.part(0, 2), .count = 50});
  });
  const HashTable far(device, word_element, uint64_t(1) << 32);
  const DeviceFeatures& features = device.info().features;
  if (features.int64 && features.buffer_int64_atomics) {
    check_error(invalid, {"HashEntries", "'entries'", "32 bits"}, [&] {
      HashEntries(far).record(stream, {.table = {table.buffer, table.offset, far.bytes()}, .entries = some.part(0, 1)});
    });
  }
  check_error(invalid, {"overlap"},
              [&] { find.record(stream, {.table = table, .keys = keys, .found = keys, .count = 9}); });
  insert_set.record(stream, {.table = table, .keys = keys, .count = 0});
}
