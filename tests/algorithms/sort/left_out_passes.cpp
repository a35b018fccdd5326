#include "algorithms/src/sort/radix_tuning.h"
#include "tests/algorithms/base/tuned.h"
#include "tests/algorithms/sort/sort_check.h"

using namespace weft;
using namespace weft::test;

/// Radix sorts leave out passes that would move no key, because all keys share their digit.

namespace {

constexpr uint64_t most_keys = 20011;

/// Values under which plans look for such passes whatever their count.
template <typename Values>
Tuning eager(const Device& device, const algorithms::TunedPrimitive<Values>& primitive, uint32_t bytes) {
  Values values = algorithms::default_values(primitive, {device.info(), bytes, most_keys});
  values.leaves_out_from = 0;
  return Tuning({tuned(primitive, bytes, values)});
}

/// Random keys that differ only in the bits of `mask`.
template <typename K>
std::vector<KeyBits<K>> keys_within(KeyBits<K> mask, uint64_t count, std::mt19937_64& generator) {
  const auto others = KeyBits<K>(generator() & ~mask);
  std::vector<KeyBits<K>> keys(count);
  for (KeyBits<K>& key : keys) key = KeyBits<K>((generator() & mask) | others);
  return keys;
}

template <typename K, typename V>
void check_masks(const Device& device, const Sort& plan, const SortOrder& order) {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("left out ") + TypeName<K>::value);
  for (const uint64_t mask : {0x00000000000000FFull, 0xFF00FF00FF00FF00ull, 0xFFFF0000FF0000FFull,
                              0x00000000FFFFFFFFull, 0ull, 0xFF00000000000000ull, ~0ull}) {
    INFO("keys differ in ", mask);
    for (const bool in_place : {false, true}) {
      const auto keys = keys_within<K>(KeyBits<K>(mask), generator() % 2 == 0 ? most_keys : 4097, generator);
      check_sort<K, V>(stream, plan, order, keys, generator,
                       {.in_place = in_place, .count_on_device = generator() % 2 == 0});
    }
  }
}

}  // namespace

DEVICE_TEST_OF_TYPES("keys that share digits are sorted", uint32_t, float, int64_t) {
  need_element<T>(device);
  need_path(device, TilePath::look_back);
  const SortOrder order{.descending = std::is_signed_v<T>};
  const Tuning tuning = eager(device, algorithms::tuned_sort, sizeof(T));
  check_masks<T, NoValue>(device, Sort(device, Element::of<T>(), most_keys, {order, TilePath::look_back, tuning}),
                          order);
}

DEVICE_TEST_OF_TYPES("keys that share digits are sorted with values", uint32_t, Five) {
  need_path(device, TilePath::look_back);
  const Tuning tuning = eager(device, algorithms::tuned_sort_pairs, 8);  // larger values are sorted as indices
  check_masks<uint32_t, T>(
      device,
      Sort(device, Element::of<uint32_t>(), Elements<T>::element(), most_keys, {{}, TilePath::look_back, tuning}), {});
}

DEVICE_TEST("of a sort whose last passes move no key, the second to last is left out") {
  need_path(device, TilePath::look_back);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("left out passes");
  const auto keys = keys_within<uint32_t>(0xFF00, most_keys, generator);
  const Buffer<uint32_t> input = device.buffer<uint32_t>(most_keys), output = device.buffer<uint32_t>(most_keys);
  stream.upload(input, keys);
  for (const uint32_t from : {0u, 40u}) {
    algorithms::RadixTuning values = algorithms::default_values(algorithms::tuned_sort, {device.info(), 4, most_keys});
    values.leaves_out_from = from;
    const Sort plan(device, Element::of<uint32_t>(), most_keys,
                    {.path = TilePath::look_back, .tuning = Tuning({tuned(algorithms::tuned_sort, 4, values)})});
    const Buffer<std::byte> temporary = device.buffer<std::byte>(plan.temporary_bytes());
    plan.record(stream, {input, {}, output, {}, most_keys, temporary});
    CHECK(std::ranges::is_sorted(stream.download(output)));
    // The second to last pass writes sorted keys there.
    const View<const uint32_t> written(temporary.view().region().part(0, 4 * most_keys));
    CHECK_EQ(std::ranges::is_sorted(stream.download(written)), from == 40);
  }
}
