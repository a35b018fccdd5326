#pragma once

#include <bit>
#include <numeric>

#include <weft/sort.h>

#include "tests/algorithms/scan/scan_check.h"

namespace weft::test {

/// Keys are handled as bits, so that NaNs and zeros of both signs stay distinct.
template <typename K>
using KeyBits = std::conditional_t<
    sizeof(K) == 8, uint64_t,
    std::conditional_t<sizeof(K) == 4, uint32_t, std::conditional_t<sizeof(K) == 2, uint16_t, uint8_t>>>;

template <typename K>
inline constexpr bool is_float_key = std::is_floating_point_v<K> || std::is_same_v<K, Half>;

/// The unsigned integer that K's order compares.
template <typename K>
KeyBits<K> order_bits(KeyBits<K> key) {
  constexpr auto sign = KeyBits<K>(KeyBits<K>(1) << (8 * sizeof(K) - 1));
  if constexpr (is_float_key<K>) return KeyBits<K>(key & sign ? ~key : key ^ sign);
  return std::is_signed_v<K> ? KeyBits<K>(key ^ sign) : key;
}

/// The bits of order_bits() that the sort compares.
template <typename K>
KeyBits<K> ranged_bits(KeyBits<K> key, const SortOrder& order) {
  const uint32_t end = std::min<uint32_t>(order.end_bit, 8 * sizeof(K)), width = end - order.begin_bit;
  if (width == 0) return 0;
  const auto mask = KeyBits<K>(KeyBits<K>(~KeyBits<K>(0)) >> (8 * sizeof(K) - width));
  return KeyBits<K>(order_bits<K>(key) >> order.begin_bit) & mask;
}

/// Which of the first `count` keys comes first, second, ...
template <typename K>
std::vector<size_t> sorted_order(const std::vector<KeyBits<K>>& keys, size_t count, const SortOrder& order) {
  std::vector<size_t> indices(count);
  std::iota(indices.begin(), indices.end(), size_t(0));
  std::ranges::stable_sort(indices, [&](size_t a, size_t b) {
    const auto x = ranged_bits<K>(keys[a], order), y = ranged_bits<K>(keys[b], order);
    return order.descending ? x > y : x < y;
  });
  return indices;
}

enum class KeyDistribution { uniform, sorted, reversed, constant, few, skewed, organ_pipe, special };
inline constexpr std::pair<KeyDistribution, const char*> key_distributions[] = {
    {KeyDistribution::uniform, "uniform"},       {KeyDistribution::sorted, "sorted"},
    {KeyDistribution::reversed, "reversed"},     {KeyDistribution::constant, "constant"},
    {KeyDistribution::few, "few distinct"},      {KeyDistribution::skewed, "skewed"},
    {KeyDistribution::organ_pipe, "organ pipe"}, {KeyDistribution::special, "special values"}};

/// A special floating-point number: zeros, infinities, NaNs, the smallest and the largest, of both signs.
template <typename K>
KeyBits<K> special_key(std::mt19937_64& generator) {
  constexpr uint32_t fraction_bits = sizeof(K) == 8 ? 52 : sizeof(K) == 4 ? 23 : 10;
  constexpr uint64_t bits = 8 * sizeof(K), one = 1;
  constexpr uint64_t infinity = (one << (bits - 1)) - (one << fraction_bits), quiet = one << (fraction_bits - 1);
  const uint64_t values[] = {0, 1, infinity, infinity - 1, infinity | 1, infinity | quiet, infinity | quiet | 5};
  return KeyBits<K>(values[generator() % std::size(values)] | generator() % 2 << (bits - 1));
}

template <typename K>
std::vector<KeyBits<K>> keys_of(KeyDistribution distribution, size_t count, std::mt19937_64& generator) {
  using Bits = KeyBits<K>;
  std::vector<Bits> keys(count);
  for (Bits& key : keys) key = Bits(generator());
  const auto by_order = [](Bits a, Bits b) { return order_bits<K>(a) < order_bits<K>(b); };
  const Bits first = count > 0 ? keys[0] : Bits(0);
  switch (distribution) {
    case KeyDistribution::uniform:
      break;
    case KeyDistribution::sorted:
      std::ranges::sort(keys, by_order);
      break;
    case KeyDistribution::reversed:
      std::ranges::sort(keys, [&](Bits a, Bits b) { return by_order(b, a); });
      break;
    case KeyDistribution::constant:
      std::ranges::fill(keys, first);
      break;
    case KeyDistribution::few:
      for (Bits& key : keys) key = Bits(first + key % 3 * 0x01010101u);
      break;
    case KeyDistribution::skewed:
      for (Bits& key : keys) key = generator() % 100 < 97 ? first : key;
      break;
    case KeyDistribution::organ_pipe:
      for (size_t i = 0; i < count; ++i) keys[i] = Bits(std::min(i, count - 1 - i));
      break;
    case KeyDistribution::special:
      if constexpr (is_float_key<K>) std::ranges::generate(keys, [&] { return special_key<K>(generator); });
      break;
  }
  return keys;
}

template <typename K>
std::vector<KeyBits<K>> uniform(size_t count, std::mt19937_64& generator) {
  return keys_of<K>(KeyDistribution::uniform, count, generator);
}

template <typename V>
Element sort_value() {
  if constexpr (std::is_same_v<V, NoValue>) {
    return Element::of<uint32_t>();
  } else {
    return Elements<V>::element();
  }
}

/// A plan with values of type V, or without values for NoValue.
template <typename K, typename V>
Sort sort_plan(const Device& device, uint64_t max_count, const Sort::Options& options) {
  if (std::is_same_v<V, NoValue>) return Sort(device, Element::of<K>(), max_count, options);
  return Sort(device, Element::of<K>(), sort_value<V>(), max_count, options);
}

/// Declares the running test unsupported if the device cannot move scalars of those sizes.
template <typename... Moved>
void need_memory_of(const Device& device) {
  const DeviceFeatures& features = device.info().features;
  if (((sizeof(Moved) % 2 == 1) || ...) && !features.storage8) unsupported("no 8-bit members in buffers");
  if (((sizeof(Moved) % 4 == 2) || ...) && !features.storage16) unsupported("no 16-bit members in buffers");
}

/// Layout in memory of the arguments of a sort.
struct SortPlacement {
  uint64_t keys_misalignment = 0, values_misalignment = 0;
  bool in_place = false;
  bool count_on_device = false;
  uint64_t behind = 0;  ///< Keys and values after `count`, which must not change.
};

/// Compares a sort of `keys`, with random values unless V is NoValue, with std::stable_sort, in guarded memory full of
/// random bytes.
template <typename K, typename V = NoValue>
void check_sort(Stream& stream, const Sort& plan, const SortOrder& order, const std::vector<KeyBits<K>>& keys,
                std::mt19937_64& generator, const SortPlacement& placement = {}) {
  constexpr bool pairs = !std::is_same_v<V, NoValue>;
  using Value = std::conditional_t<pairs, V, uint32_t>;
  const uint64_t count = keys.size() - placement.behind;
  INFO("path: ", std::string(name_of(plan.path())), ", keys: ", count, ", descending: ", order.descending, ", bits ",
       order.begin_bit, " to ", order.end_bit, ", keys misaligned by ", placement.keys_misalignment, ", values by ",
       placement.values_misalignment, ", in place: ", placement.in_place,
       ", count on device: ", placement.count_on_device);
  const Device device = stream.device();
  const auto values = random_elements<Value>(pairs ? keys.size() : 0, generator);
  const Guarded<KeyBits<K>> keys_in(device, stream, keys, generator, placement.keys_misalignment);
  const Guarded<KeyBits<K>> keys_apart(device, stream, keys.size(), generator, placement.keys_misalignment);
  const Guarded<Value> values_in(device, stream, values, generator, placement.values_misalignment);
  const Guarded<Value> values_apart(device, stream, values.size(), generator, placement.values_misalignment);
  const auto& keys_out = placement.in_place ? keys_in : keys_apart;
  const auto& values_out = placement.in_place ? values_in : values_apart;
  const GuardedBytes temporary(device, stream, plan.temporary_bytes(), 7, generator);
  const DeviceCounts count_word(stream, std::vector{count}, generator);

  std::vector<KeyBits<K>> expected_keys = placement.in_place ? keys : keys_out.poison();
  std::vector<Value> expected_values = placement.in_place ? values : values_out.poison();
  const std::vector<size_t> sorted = sorted_order<K>(keys, count, order);
  for (size_t i = 0; i < count; ++i) {
    expected_keys[i] = keys[sorted[i]];
    if (pairs) expected_values[i] = values[sorted[i]];
  }
  plan.record(stream, {.keys = keys_in,
                       .values = values_in,
                       .keys_out = keys_out,
                       .values_out = values_out,
                       .count = placement.count_on_device ? Count(count_word) : Count(count),
                       .temporary = temporary.region()});
  check_same(keys_out.read(stream), expected_keys, "the keys");
  check_same(values_out.read(stream), expected_values, "the values");
  if (!placement.in_place) {
    check_same(keys_in.read(stream), keys, "the keys that were given");
    check_same(values_in.read(stream), values, "the values that were given");
  }
  temporary.check_guards(stream);
}

}  // namespace weft::test
