#include <weft/atomic_by_key.h>

#include "algorithms/src/runs/atomic_by_key_tuning.h"
#include "tests/algorithms/base/fields.h"
#include "tests/algorithms/base/tuned.h"
#include "tests/algorithms/runs/segments_check.h"

using namespace weft;
using namespace weft::test;

namespace {

struct Tally {
  uint32_t sum;
  int16_t largest;
  uint8_t count;
};

}  // namespace

namespace weft::test {
template <>
struct Elements<Tally> {
  static Element element() {
    return Element::structure<Tally>({{"sum", &Tally::sum}, {"largest", &Tally::largest}, {"count", &Tally::count}});
  }
  static Tally random(std::mt19937_64& g) { return {random_word(g), int16_t(g()), uint8_t(g())}; }
};
template <>
struct Bytes<Tally> : FieldBytes<Tally> {};
template <>
struct TypeName<Tally> {
  static constexpr const char* value = "tallies";
};
template <>
inline void need_element<Tally>(const Device& device) {
  if (!device.info().features.int16 || !device.info().features.int8) unsupported("no 8- or no 16-bit integers");
}
}  // namespace weft::test

namespace {

/// Runs of keys for a table of `cells`, some beyond it.
std::vector<uint32_t> keys_in_runs(uint64_t count, Runs runs, uint32_t cells, std::mt19937_64& generator) {
  const std::vector<bool> heads = random_heads(count, runs, generator);
  std::vector<uint32_t> keys(count);
  for (size_t i = 0; i < keys.size(); ++i) {
    const auto far = uint32_t(0xFFFFFFFF - generator() % 2);
    keys[i] = !heads[i] ? keys[i - 1] : generator() % 16 == 0 ? far : uint32_t(generator() % (cells + 1));
  }
  return keys;
}

template <typename T>
void check_table(Stream& stream, const AtomicReduceByKey& plan, const TestOperator<T>& op, Runs runs, uint64_t count,
                 uint32_t cells, std::mt19937_64& generator) {
  INFO("elements: ", count, ", cells: ", cells, ", ", std::string(name_of(runs)));
  const Device device = stream.device();
  const std::vector<uint32_t> key_data = keys_in_runs(count + 100, runs, cells, generator);
  const std::vector<T> data = random_elements<T>(key_data.size(), generator);
  std::vector<T> expected = random_elements<T>(cells, generator);
  const Guarded<uint32_t> keys(device, stream, key_data, generator, 4);
  const Guarded<T> values(device, stream, data, generator, 8), table(device, stream, expected, generator, sizeof(T));
  for (uint64_t i = 0; i < count; ++i) {
    if (key_data[i] < cells) expected[key_data[i]] = op.on_host(expected[key_data[i]], data[i]);
  }
  const DeviceCounts count_word(stream, std::vector{count}, generator);
  plan.record(stream, {.keys = keys, .values = values, .table = table, .count = count_word});
  check_same(table.read(stream), expected, "the table");
  check_same(values.read(stream), data, "the values afterwards");
  keys.check_guards(stream);
}

/// A sum and a maximum of fields in 8 bytes, one of which is padding.
TestOperator<Tally> tally() {
  return {Operator::custom("tally", "T(a.sum + b.sum, max(a.largest, b.largest), a.count + b.count)",
                           "T(0u, int16_t(-0x8000), uint8_t(0))", true),
          [](const Tally& a, const Tally& b) {
            return Tally{a.sum + b.sum, std::max(a.largest, b.largest), uint8_t(a.count + b.count)};
          },
          {0, INT16_MIN, 0}};
}

template <typename T>
void check_tables(const Device& device, const TestOperator<T>& op, const AtomicReduceByKey::Options& options = {}) {
  need_element<T>(device);
  need_int64_atomics(device, sizeof(T) == 8);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("atomic by key " + op.on_device.name + TypeName<T>::value);
  const AtomicReduceByKey plan(device, Elements<T>::element(), op.on_device, 30011, options);
  for (const Runs runs : all_runs) {
    for (const uint64_t count : few_counts(device)) {
      for (const uint32_t cells : {1u, 37u, 5000u}) check_table(stream, plan, op, runs, count, cells, generator);
    }
  }
}

}  // namespace

DEVICE_TEST("sums by key with atomics") { check_tables(device, sum_of<uint32_t>()); }
DEVICE_TEST("sums of floats by key with atomics") { check_tables(device, sum_of<float>()); }
DEVICE_TEST("maxima by key with atomics") { check_tables(device, max_of<int32_t>()); }
DEVICE_TEST("64-bit sums by key with atomics") { check_tables(device, sum_of<int64_t>()); }
DEVICE_TEST("sums of doubles by key with atomics") { check_tables(device, sum_of<double>()); }
DEVICE_TEST("structs of 8 bytes are reduced by key with atomics") { check_tables(device, tally()); }

DEVICE_TEST("scattered keys are summed with atomics") {
  check_tables(device, sum_of<uint32_t>(), {.scattered_keys = true});
}
DEVICE_TEST("structs of 8 bytes are reduced by scattered keys with atomics") {
  check_tables(device, tally(), {.scattered_keys = true});
}
DEVICE_TEST("all scattered keys of a subgroup are merged") {
  const auto entry = tuned(algorithms::tuned_atomic_by_key, 4,
                           algorithms::AtomicByKeyTuning{.tile = {.bytes_per_invocation = 16}, .misses = 128});
  check_tables(device, max_of<int32_t>(), {.scattered_keys = true, .tuning = Tuning({entry})});
}

DEVICE_TEST("a product with atomics is a product whatever its name") {
  const auto product = [](const uint32_t& a, const uint32_t& b) { return a * b; };
  check_tables<uint32_t>(device, {Operator::custom("sum", "a * b", "1u", true), product, 1});
}

DEVICE_TEST("a reduction with atomics explains what atomics cannot do") {
  const auto make = [&](const Element& element, const Operator& op) {
    return [&device, element, op] { AtomicReduceByKey(device, element, op, 10); };
  };
  const Operator left = Operator::custom("left", "a", "T(0)");
  check_error(ErrorCode::invalid_argument, {"left", "commutative"}, make(Element::of<uint32_t>(), left));
  check_error(ErrorCode::invalid_argument, {"12 bytes", "4 or 8"}, make(Elements<Range>::element(), Operator::sum()));
  if (has_int64_atomics(device)) return;
  check_error(ErrorCode::unsupported, {"64-bit atomics"}, make(Elements<AffineMap>::element(), Operator::sum()));
}
