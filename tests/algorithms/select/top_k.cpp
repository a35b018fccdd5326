#include <weft/top_k.h>

#include <cmath>

#include "tests/algorithms/base/floats.h"
#include "tests/algorithms/sort/merge_check.h"

using namespace weft;
using namespace weft::test;

namespace {

template <typename T>
struct Keys {
  std::vector<T> data;
  const char* name;
};

/// Uniform, few distinct, all equal, and ascending.
template <typename T>
std::vector<Keys<T>> distributions(uint64_t count, std::mt19937_64& generator) {
  std::vector<T> uniform = random_elements<T>(count, generator), few = uniform, same = uniform, sorted = uniform;
  for (T& x : few) x = uniform[generator() % std::min<size_t>(count, 3)];
  for (T& x : same) x = uniform[0];
  std::sort(sorted.begin(), sorted.end());
  return {{uniform, "uniform"}, {few, "few"}, {same, "the same"}, {sorted, "sorted"}};
}

/// Indices as numbers, of either width.
std::vector<uint64_t> numbers_of(const std::vector<uint32_t>& words, uint32_t index_bytes) {
  const size_t step = index_bytes / 4;
  std::vector<uint64_t> found_at(words.size() / step);
  for (size_t i = 0; i < found_at.size(); ++i) {
    found_at[i] = words[step * i] | (step == 2 ? uint64_t(words[step * i + 1]) << 32 : 0);
  }
  return found_at;
}

template <typename T>
void check_top(Stream& stream, const TopK& plan, const TopK::Options& options, const std::vector<T>& data,
               uint64_t count, uint64_t k, std::mt19937_64& generator, bool on_device = false) {
  INFO("keys: ", count, ", k: ", k, ", smallest: ", options.smallest, ", count on device: ", on_device);
  const Device device = stream.device();
  const Guarded<T> input(device, stream, data, generator, generator() % 2 * sizeof(T));
  const Guarded<T> output(device, stream, k, generator, sizeof(T));
  const uint64_t index_words = options.indices ? k * plan.index_bytes() / 4 : 0;
  const Guarded<uint32_t> indices(device, stream, index_words, generator, plan.index_bytes());
  const DeviceCounts found(stream, 1, generator);
  const GuardedBytes temporary(device, stream, plan.temporary_bytes(), 7, generator);
  const DeviceCounts count_word(stream, std::vector{count}, generator);
  plan.record(stream, {.input = input,
                       .output = output,
                       .indices = options.indices ? Region(indices) : Region(),
                       .found = found,
                       .k = k,
                       .count = on_device ? Count(count_word) : Count(count),
                       .temporary = temporary.region()});
  std::vector<T> sorted(data.begin(), data.begin() + std::ptrdiff_t(count));
  std::sort(sorted.begin(), sorted.end(), [](const T& a, const T& b) {
    if constexpr (std::is_integral_v<T>) {
      return a < b;
    } else {
      return order_bits(a) < order_bits(b);
    }
  });
  if (!options.smallest) std::reverse(sorted.begin(), sorted.end());
  const uint64_t taken = std::min(k, count);
  std::vector<T> expected = output.poison();
  std::copy_n(sorted.begin(), taken, expected.begin());
  const std::vector<T> got = output.read(stream);
  check_same(got, expected, "the keys");
  check_same(found.read(stream), {taken}, "the number of keys");
  if (options.indices) {
    const std::vector<uint64_t> found_at = numbers_of(indices.read(stream), plan.index_bytes());
    std::vector<bool> used(count);
    for (uint64_t i = 0; i < taken; ++i) {
      REQUIRE(found_at[i] < count);
      CHECK_FALSE(used[found_at[i]]);
      used[found_at[i]] = true;
      CHECK(std::memcmp(&data[found_at[i]], &got[i], sizeof(T)) == 0);
    }
  }
  check_same(input.read(stream), data, "the input afterwards");
  temporary.check_guards(stream);
}

constexpr uint64_t wide_count = (uint64_t(1) << 32) + 5;

bool has_wide_plans(const Device& device) {
  return device.info().features.int64 && device.info().features.buffer_int64_atomics;
}

/// Tests a plan for up to `most` keys on all counts and distributions.
template <typename T>
void check_plan(const Device& device, uint64_t most) {
  need_element<T>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("top k ") + TypeName<T>::value + std::to_string(most));
  const TopK::Options options{.smallest = std::is_signed_v<T>, .indices = sizeof(T) <= 4};
  const TopK plan(device, Element::of<T>(), most, 5000, options);
  CHECK_EQ(plan.index_bytes(), most == wide_count ? 8 : 4);
  for (const uint64_t count : few_counts(device)) {
    if (count == 0) continue;
    for (const Keys<T>& keys : distributions<T>(count, generator)) {
      INFO("keys are ", std::string(keys.name));
      for (const uint64_t k : {uint64_t(0), uint64_t(1), uint64_t(100), count / 2, count}) {
        if (k <= 5000) check_top(stream, plan, options, keys.data, count, k, generator);
      }
    }
  }
  check_top(stream, plan, options, random_elements<T>(9000, generator), 7001, 4999, generator, true);
  check_top(stream, plan, options, random_elements<T>(100, generator), 17, 60, generator, true);
  check_top(stream, plan, options, random_elements<T>(100, generator), 0, 60, generator);
}

}  // namespace

DEVICE_TEST_OF_TYPES("the largest or smallest keys", uint32_t, float, int64_t, uint8_t, int16_t, weft::Half) {
  check_plan<T>(device, 30011);
}

DEVICE_TEST_OF_TYPES("the largest or smallest keys by plans for more than 2^32", uint32_t, int64_t, uint8_t) {
  if (!has_wide_plans(device)) unsupported("no 64-bit atomics on buffers");
  check_plan<T>(device, wide_count);
}

DEVICE_TEST("the largest floats are ordered as by a sort, NaNs included") {
  Stream stream = device.stream();
  const float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const TopK plan(device, Element::of<float>(), 7, 7);
  const Buffer<float> input = device.buffer<float>(7), output = device.buffer<float>(6);
  const Buffer<uint64_t> found = device.buffer<uint64_t>(1);
  const Buffer<std::byte> temporary = device.buffer<std::byte>(plan.temporary_bytes());
  stream.upload(input, std::vector<float>{-0.0f, 1, -infinity, 0.0f, nan, infinity, -2});
  plan.record(
      stream,
      {.input = input, .output = output, .indices = {}, .found = found, .k = 6, .count = 7, .temporary = temporary});
  std::vector<float> got = stream.download(output);
  CHECK(std::isnan(got[0]));
  got[0] = 0;
  check_same(got, {0, infinity, 1, 0.0f, -0.0f, -2});
}

DEVICE_TEST("the largest and smallest of many floats, with NaNs, infinities and fractions") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("top k of any floats");
  for (const bool smallest : {false, true}) {
    const TopK::Options options{.smallest = smallest, .indices = true};
    const TopK plan(device, Element::of<float>(), 30011, 5000, options);
    const std::vector<float> data = floats_of_any_bits(30011, generator);
    for (const uint64_t k : {100, 5000}) check_top(stream, plan, options, data, 30011, k, generator);
  }
}

DEVICE_TEST("top-k says what is wrong with its numbers and regions") {
  Stream stream = device.stream();
  const Element key = Element::of<uint32_t>();
  const uint64_t beyond = (uint64_t(1) << 38) + 1;
  check_error(ErrorCode::invalid_argument, {"TopK", "1 TiB"}, [&] { TopK(device, key, beyond, 10); });
  check_error(ErrorCode::invalid_argument, {"TopK", "1 TiB"}, [&] { TopK(device, key, 10, beyond); });
  // Indices take 4 bytes, so fewer of them can be addressed than of narrow keys.
  const std::vector<std::string> indices_words{"TopK", "indices of max_k", "1 TiB", "at most 274877906944"};
  check_error(ErrorCode::invalid_argument, indices_words,
              [&] { TopK(device, Element::of<uint8_t>(), 10, beyond, {.indices = true}); });
  if (!has_wide_plans(device)) {
    const std::vector<std::string> words{"TopK", "64-bit atomics", "4294967295"};
    check_error(ErrorCode::unsupported, words, [&] { TopK(device, key, wide_count, 10); });
  }
  check_error(ErrorCode::invalid_argument, {"numbers"},
              [&] { TopK(device, Element::structure({{"uint", "value"}}), 100, 10); });
  if (!device.info().features.storage8) {
    const std::vector<std::string> words{"TopK", "8-bit members"};
    check_error(ErrorCode::unsupported, words, [&] { TopK(device, Element::of<uint8_t>(), 100, 10); });
  }
  const TopK plan(device, key, 100, 10);
  const Buffer<uint32_t> input = device.buffer<uint32_t>(100), output = device.buffer<uint32_t>(10);
  const Buffer<uint64_t> word = device.buffer<uint64_t>(1);
  const Buffer<std::byte> t = device.buffer<std::byte>(plan.temporary_bytes());
  const auto fails = [&](const std::vector<std::string>& words, const TopK::Arguments& arguments) {
    check_error(ErrorCode::invalid_argument, words, [&] { plan.record(stream, arguments); });
  };
  fails({"k", "11", "10"}, {input, output, {}, word, 11, 100, t});
  fails({"count", "found"}, {input, output, {}, word, 5, View<const uint64_t>(word.view()), t});
  fails({"input", "output"}, {input, input.part(95, 5), {}, word, 5, 100, t});
  plan.record(stream, {input.part(5, 95), input.part(0, 5), {}, word, 5, 95, t});  // disjoint
  fails({"count", "101"}, {input, output, {}, word, 5, 101, t});
  fails({"output"}, {input, output.part(0, 4), {}, word, 5, 100, t});
  fails({"indices"}, {input, output, output, word, 5, 100, t});
  fails({"overlap"}, {input, input.part(0, 10), {}, word, 5, 100, t});
  fails({"found"}, {input, output, {}, {}, 5, 100, t});
  stream.synchronize();
}
