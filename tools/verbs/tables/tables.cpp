#include "tools/verbs/tables/tables.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>

#include <weft/hash_table.h>

#include "support/text.h"
#include "tools/verbs.h"

namespace weft::tools {

using namespace support;

namespace {

const char* const count_keys_footer =
    R"(Writes each different number of IN once, and with --counts how often it occurs, as u32 (u64 from 2^32 numbers on).
They come in no particular order, which is the same in both files. Numbers are compared as bits: -0 and 0 differ, and a
NaN equals itself. Numbers have 32 or 64 bits; 64 bits need a device with 64-bit atomics.

Examples:
  weft count-keys words.npy -o words_once.npy --counts counts.npy --verify)";

const char* const lookup_footer =
    R"(IN has keys, which all differ. Writes for each number of QUERIES the value that belongs to the same number in IN.
Numbers are compared as bits, so QUERIES and IN have one type. All numbers have 32 or 64 bits; keys of 64 bits need a
device with 64-bit atomics.

Examples:
  weft lookup ids.npy prices.npy orders.npy -o order_prices.npy --missing -1 --verify)";

/// The bits of number `index`.
uint64_t bits_at(ScalarType type, std::span<const std::byte> data, uint64_t index) {
  uint64_t bits = 0;  // The host is little-endian.
  std::memcpy(&bits, &data[index * bytes(type)], bytes(type));
  return bits;
}

void require_words(const std::string& file, ScalarType type, const std::string& what) {
  if (bytes(type) >= 4) return;
  throw Error(ErrorCode::invalid_argument,
              file + " holds " + to_string(type) + "; " + what + " have 32 or 64 bits, so convert the file first");
}

/// Loads of at most two thirds.
uint64_t capacity_for(uint64_t keys) { return keys + keys / 2 + 1; }

void require_all_inserted(const std::vector<uint64_t>& counts) {
  if (counts[size_t(HashResult::full)] == 0) return;
  throw std::runtime_error("the device reports a full table with room for all keys");
}

/// Entries of a table that was filled from `input`.
struct Entries {
  std::vector<std::byte> keys, values;
  std::string times;
  Device device;

  uint64_t count(ScalarType key) const { return keys.size() / bytes(key); }
};

Entries fill_and_list(const PrimitiveOptions& options, const Array& input, const Device& device, const HashTable& table,
                      const HashInsert& insert) {
  const HashEntries list(table);
  Stream stream = device.stream();
  const uint64_t value_bytes = table.value() ? table.value()->bytes() : 0;
  const auto data = upload(stream, input.data);
  const auto memory = device.buffer<std::byte>(table.bytes());
  const auto keys = device.buffer<std::byte>(input.data.size());
  const auto values = device.buffer<std::byte>(input.count() * value_bytes);
  const auto counts = device.buffer<uint64_t>(3), entries = device.buffer<uint64_t>(1);
  const auto record = [&](Recorder& recorder) {
    table.record_clear(recorder, memory);
    insert.record(recorder, {.table = memory, .keys = data, .counts = counts, .count = input.count()});
    list.record(recorder, {.table = memory, .keys = keys, .values = values, .entries = entries});
  };
  const RunTimes times = timed_run(stream, options.repeat, {keys, values, counts, entries}, record);
  require_all_inserted(stream.download(counts));
  const uint64_t found = stream.download(entries).front();
  if (found > input.count()) throw std::runtime_error("the device reports " + format_count(found) + " numbers");
  return {stream.download(keys.part(0, found * bytes(input.type))),
          stream.download(values.part(0, found * value_bytes)), times.text(), device};
}

/// How often each number occurs.
std::map<uint64_t, uint64_t> count_on_cpu(const Array& input) {
  std::map<uint64_t, uint64_t> counts;
  for (uint64_t i = 0; i < input.count(); ++i) ++counts[bits_at(input.type, input.data, i)];
  return counts;
}

/// Compares numbers, and their counts if there are any.
std::optional<std::string> check_counts(const Array& input, const Entries& entries,
                                        const std::optional<ScalarType>& count_type) {
  std::map<uint64_t, uint64_t> expected = count_on_cpu(input);
  for (uint64_t i = 0; i < entries.count(input.type); ++i) {
    const std::string number = format_value(input.type, &entries.keys[i * bytes(input.type)]);
    const auto entry = expected.find(bits_at(input.type, entries.keys, i));
    if (entry == expected.end()) return "got " + number + " twice, or it is not in the input";
    const uint64_t count = count_type ? bits_at(*count_type, entries.values, i) : entry->second;
    if (count != entry->second) {
      return number + " occurs " + format_count(entry->second) + " times; got " + format_count(count);
    }
    expected.erase(entry);
  }
  if (expected.empty()) return std::nullopt;
  return format_count(expected.size()) + " numbers are missing, one of them " +
         format_value(input.type, &expected.begin()->first);
}

struct CountOptions : PrimitiveOptions {
  std::string counts;
};

void run_count_keys(const CountOptions& options) {
  const Array input = read_elements(options);
  require_words(options.input, input.type, "numbers to count");
  std::optional<ArrayFile> file = open_output(options, options.output),
                           counts_file = open_output(options, options.counts);
  const Device device = options.open_device();
  const ScalarType count_type = input.count() > UINT32_MAX ? ScalarType::u64 : ScalarType::u32;
  const HashTable table(device, element_of(input.type), element_of(count_type), capacity_for(input.count()),
                        {.update = HashUpdate::combine, .combine = Operator::sum()});
  const Entries entries = fill_and_list(options, input, device, table, HashInsert(table, {.value = "T(1)"}));
  note(format_count(entries.count(input.type)) + " different numbers of " + format_count(input.count()) + " " +
       to_string(input.type) + " on " + describe(device) + ": " + entries.times);
  if (options.verify) require_verified(check_counts(input, entries, count_type), "a map on the CPU");
  const std::array shape{entries.count(input.type)};
  const bool written =
      write_results({{file, input.type, shape, entries.keys}, {counts_file, count_type, shape, entries.values}});
  if (!file) print_values(input.type, entries.keys);
  if (!written) print_values(count_type, entries.values);
}

struct LookupOptions : PrimitiveOptions {
  std::string values, queries, missing = "0";
};

std::optional<std::string> check_lookup(const Array& keys, const Array& values, const Array& queries,
                                        std::span<const std::byte> missing, std::span<const std::byte> result) {
  std::map<uint64_t, uint64_t> indices;
  for (uint64_t i = 0; i < keys.count(); ++i) indices[bits_at(keys.type, keys.data, i)] = i;
  const size_t width = bytes(values.type);
  for (uint64_t i = 0; i < queries.count(); ++i) {
    const auto key = indices.find(bits_at(keys.type, queries.data, i));
    const std::byte* expected = key == indices.end() ? missing.data() : &values.data[key->second * width];
    if (std::memcmp(&result[i * width], expected, width) == 0) continue;
    return "query " + std::to_string(i) + ": got " + format_value(values.type, &result[i * width]) + ", expected " +
           format_value(values.type, expected);
  }
  return std::nullopt;
}

Array read_of_size(const Array& keys, const std::string& file, const char* what) {
  Array array = read_beside(keys, file);
  if (array.count() == keys.count()) return array;
  throw Error(ErrorCode::invalid_argument, file + " holds " + format_count(array.count()) + " " + what + " for " +
                                               format_count(keys.count()) + " keys");
}

Array read_queries(const LookupOptions& options, const Array& keys) {
  Array queries = read_beside(keys, options.queries);
  if (queries.type == keys.type) return queries;
  throw Error(ErrorCode::invalid_argument, options.queries + " holds " + to_string(queries.type) +
                                               ", but the keys are " + to_string(keys.type) +
                                               "; numbers are compared as bits");
}

void run_lookup(const LookupOptions& options) {
  const Array keys = read_elements(options), values = read_of_size(keys, options.values, "values");
  const Array queries = read_queries(options, keys);
  require_words(options.input, keys.type, "keys");
  require_words(options.values, values.type, "values of keys");
  const uint64_t missing_bits = parse_value(values.type, options.missing, "--missing");
  const auto missing = std::as_bytes(std::span(&missing_bits, 1)).first(bytes(values.type));
  std::optional<ArrayFile> file = open_output(options, options.output);

  const Device device = options.open_device();
  const HashTable table(device, element_of(keys.type), element_of(values.type), capacity_for(keys.count()));
  const HashInsert insert(table);
  const HashFind find(table);
  Stream stream = device.stream();
  const auto key_data = upload(stream, keys.data), value_data = upload(stream, values.data);
  const auto query_data = upload(stream, queries.data);
  const auto memory = device.buffer<std::byte>(table.bytes());
  const auto inserted = device.buffer<uint64_t>(3), found = device.buffer<uint64_t>(2);
  std::vector<std::byte> result;
  for (uint64_t i = 0; i < queries.count(); ++i) result.insert(result.end(), missing.begin(), missing.end());
  const auto output = upload(stream, result);
  const auto record = [&](Recorder& recorder) {
    table.record_clear(recorder, memory);
    insert.record(recorder,
                  {.table = memory, .keys = key_data, .values = value_data, .counts = inserted, .count = keys.count()});
    find.record(recorder,
                {.table = memory, .keys = query_data, .values = output, .counts = found, .count = queries.count()});
  };
  const RunTimes times = timed_run(stream, options.repeat, {inserted, found}, record);
  const std::vector<uint64_t> results = stream.download(inserted);
  require_all_inserted(results);
  if (const uint64_t again = results[size_t(HashResult::found)]; again > 0) {
    throw Error(ErrorCode::invalid_argument,
                options.input + ": " + format_count(again) + " keys occur earlier in the file; each key has one value");
  }
  result = stream.download(output);
  note("found " + format_count(stream.download(found)[1]) + " of " + format_count(queries.count()) + " queries among " +
       format_count(keys.count()) + " " + to_string(keys.type) + " on " + describe(device) + ": " + times.text());
  if (options.verify) require_verified(check_lookup(keys, values, queries, missing, result), "a map on the CPU");
  write_or_print(file, values.type, std::array{queries.count()}, result);
}

}  // namespace

std::vector<std::byte> distinct_numbers(const PrimitiveOptions& options, const Array& input) {
  require_words(options.input, input.type, "numbers to keep once in any order");
  const Device device = options.open_device();
  const HashTable table(device, element_of(input.type), capacity_for(input.count()));
  Entries entries = fill_and_list(options, input, device, table, HashInsert(table));
  note("kept " + format_count(entries.count(input.type)) + " of " + format_count(input.count()) + " " +
       to_string(input.type) + " on " + describe(device) + ": " + entries.times);
  if (options.verify) require_verified(check_counts(input, entries, std::nullopt), "a set on the CPU");
  return std::move(entries.keys);
}

void add_count_keys(CommandLine& command_line) {
  auto options = std::make_shared<CountOptions>();
  Verb verb = command_line.add_verb("count-keys", "Count how often each number of a file occurs");
  add_primitive_options(verb, *options);
  add_array_option(verb, "--counts", options->counts, "Write how often each number occurs to this file");
  verb.footer(count_keys_footer);
  verb.callback([options] { run_count_keys(*options); });
}

void add_lookup(CommandLine& command_line) {
  auto options = std::make_shared<LookupOptions>();
  Verb verb = command_line.add_verb("lookup", "Look numbers up in a table of keys, IN, and their values");
  add_primitive_options(verb, *options);
  verb.add_option("VALUES", options->values, "A .npy file of a value for each key (raw: of the keys' type)")
      .required()
      .type_name("FILE");
  verb.add_option("QUERIES", options->queries, "A .npy file of the keys to look up").required().type_name("FILE");
  verb.add_option("--missing", options->missing, "The value of queries that are no key")
      .type_name("VALUE")
      .capture_default();
  verb.footer(lookup_footer);
  verb.callback([options] { run_lookup(*options); });
}

}  // namespace weft::tools
