#include <array>

#include "tests/algorithms/base/tuned.h"
#include "tests/algorithms/sort/merge_check.h"

using namespace weft;
using namespace weft::test;

namespace {

template <typename T, typename V>
void check_merge_sort(const Device& device, const std::vector<uint64_t>& counts,
                      const std::optional<Tuning>& tuning = {}) {
  need_element<T>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("merge sort ") + TypeName<T>::value);
  const TestComparison<T> comparison = comparison_of<T>();
  const Element element = Elements<T>::element();
  const std::optional<Element> value = value_element<V>();
  const uint64_t align = std::max(element.align(), value ? value->align() : 1);
  const uint64_t most = std::max(counts.back(), few_counts(device).back());
  const MergeSort plan(device, element, comparison.on_device, most, {.values = value, .tuning = tuning});
  for (const uint64_t count : counts) {
    check_merge_sort<V>(stream, plan, comparison, random_elements<T>(count, generator), generator);
  }
  for (const uint64_t count : few_counts(device)) {
    check_merge_sort<V>(stream, plan, comparison, random_elements<T>(count, generator), generator,
                        {.input_misalignment = align, .in_place = true});
    check_merge_sort<V>(stream, plan, comparison, random_elements<T>(count + 100, generator), generator,
                        {.input_misalignment = generator() % 8 * align,
                         .output_misalignment = generator() % 8 * align,
                         .count_on_device = true,
                         .behind = 100});
  }
}

struct Distribution {
  const char* name;
  uint32_t (*at)(uint32_t i, uint32_t count, std::mt19937_64& generator);
};
constexpr Distribution orders_of_elements[] = {
    {"uniform", [](uint32_t, uint32_t, std::mt19937_64& g) { return random_word(g); }},
    {"sorted", [](uint32_t i, uint32_t, std::mt19937_64&) { return i / 3; }},
    {"reversed", [](uint32_t i, uint32_t count, std::mt19937_64&) { return (count - i) / 3; }},
    {"constant", [](uint32_t, uint32_t, std::mt19937_64&) { return 7u; }},
    {"few distinct", [](uint32_t, uint32_t, std::mt19937_64& g) { return random_word(g) % 4; }},
    {"skewed", [](uint32_t, uint32_t, std::mt19937_64& g) { return random_word(g) >> random_word(g) % 32; }},
    {"organ pipe", [](uint32_t i, uint32_t count, std::mt19937_64&) { return std::min(i, count - i); }},
    {"largest words", [](uint32_t i, uint32_t, std::mt19937_64&) { return i % 2 == 0 ? UINT32_MAX : UINT32_MAX - 1; }},
};

}  // namespace

DEVICE_TEST_OF_TYPES("merge sort is stable at every count", uint32_t, weft::test::Range) {
  check_merge_sort<T, void>(device, interesting_counts(device));
}
DEVICE_TEST_OF_TYPES("merge sort is stable", float, int64_t, double, weft::test::Matrix, WEFT_TEST_NARROW, Mixed,
                     Pixel) {
  check_merge_sort<T, void>(device, few_counts(device));
}
DEVICE_TEST_OF_TYPES("merge sort moves values", uint32_t, weft::test::Five) {
  check_merge_sort<T, uint32_t>(device, few_counts(device));
}
DEVICE_TEST_OF_TYPES("merge sort moves values of any size", uint8_t, weft::Half, weft::test::Five, Mixed, Pixel,
                     Texel) {
  need_element<T>(device);
  check_merge_sort<int32_t, T>(device, few_counts(device));
}

DEVICE_TEST("merge sort of floats puts -0 before +0 and NaNs at the ends") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("merge sort of special floats");
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  const std::array<float, 12> special{0.0f, -0.0f, infinity, -infinity, nan,   -nan,
                                      1.0f, -1.0f, 1e-40f,   -1e-40f,   3e38f, -3e38f};
  std::vector<float> data(10007);
  for (float& x : data) x = special[generator() % special.size()];
  const MergeSort ascending(device, Element::of<float>(), Comparison::ascending(), data.size());
  check_merge_sort<void>(stream, ascending, comparison_of<float>(), data, generator);
  const MergeSort descending(device, Element::of<float>(), Comparison::descending(), data.size());
  check_merge_sort<void>(
      stream, descending,
      {Comparison::descending(), [](const float& a, const float& b) { return order_bits(b) < order_bits(a); }}, data,
      generator);
}

DEVICE_TEST("merge sort takes every distribution of its input") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("merge sort distributions");
  const TestComparison<uint32_t> comparison{Comparison::ascending(),
                                            [](const uint32_t& a, const uint32_t& b) { return a < b; }};
  constexpr uint32_t count = 30011;
  const MergeSort plan(device, Element::of<uint32_t>(), comparison.on_device, count,
                       {.values = Element::of<uint32_t>()});
  for (const Distribution& distribution : orders_of_elements) {
    INFO("distribution: ", std::string(distribution.name));
    std::vector<uint32_t> data(count);
    for (uint32_t i = 0; i < count; ++i) data[i] = distribution.at(i, count, generator);
    check_merge_sort<uint32_t>(stream, plan, comparison, data, generator);
  }
}

DEVICE_TEST("merge sorts of many tiles") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("large merge sort");
  const uint64_t count = large_count(device) / 4;
  const TestComparison<uint32_t> comparison = comparison_of<uint32_t>();
  const MergeSort plan(device, Element::of<uint32_t>(), comparison.on_device, count);
  check_merge_sort<void>(stream, plan, comparison, random_elements<uint32_t>(count, generator), generator);
}

DEVICE_TEST("merge sorts of counts around tile boundaries") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("tiles of merge sorts");
  const TestComparison<uint32_t> comparison = comparison_of<uint32_t>();
  const MergeSort plan(device, Element::of<uint32_t>(), comparison.on_device, many);
  for (const uint64_t count : around_tiles(merge_tiling(device, algorithms::tuned_merge_sort).elements())) {
    check_merge_sort<void>(stream, plan, comparison, random_elements<uint32_t>(count, generator), generator);
  }
}

DEVICE_TEST("merge sorts of small tiles with and without splits of their own") {
  for (const uint32_t own_splits : {0u, 1u}) {
    INFO("own splits: ", own_splits);
    const algorithms::MergeTuning values{
        .tile = {.workgroup = 64, .bytes_per_invocation = 12}, .own_splits = own_splits, .run_workgroup = 64};
    const Tuning tuning(
        {tuned(algorithms::tuned_merge_sort, 4, values), tuned(algorithms::tuned_merge_sort_pairs, 20, values)});
    check_merge_sort<uint32_t, void>(device, few_counts(device), tuning);
    check_merge_sort<weft::test::Five, uint32_t>(device, few_counts(device), tuning);
  }
}

DEVICE_TEST_OF_TYPES("merge sorts by tiles of one invocation", uint32_t, float, uint8_t, int64_t, weft::test::Five,
                     Mixed, Pixel) {
  const uint32_t bytes = Elements<T>::element().bytes();
  check_merge_sort<T, void>(device, serial_counts(bytes), serial_tiles(algorithms::tuned_merge_sort, bytes));
}
DEVICE_TEST_OF_TYPES("merge sorts with values by tiles of one invocation", uint32_t, uint8_t, weft::test::Five, Texel) {
  need_element<T>(device);
  const Tuning tuning = serial_tiles(algorithms::tuned_merge_sort_pairs, 4);
  check_merge_sort<int32_t, T>(device, serial_counts(4), tuning);
}

DEVICE_TEST("merge sort as a function") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("merge sort function");
  for (const uint64_t count : few_counts(device)) {
    std::vector<int32_t> data = random_elements<int32_t>(count, generator);
    const Buffer<int32_t> elements = device.buffer<int32_t>(count);
    stream.upload(elements, data);
    merge_sort(stream, elements);
    std::sort(data.begin(), data.end());
    check_same(stream.download(elements), data);
    merge_sort(stream, elements, Comparison::by("abs(a / 2) > abs(b / 2)"));
    std::stable_sort(data.begin(), data.end(), [](int32_t a, int32_t b) { return std::abs(a / 2) > std::abs(b / 2); });
    check_same(stream.download(elements), data);
  }
}

DEVICE_TEST("merge sort says what is wrong with its arguments") {
  Stream stream = device.stream();
  const Element element = Element::of<uint32_t>();
  const MergeSort plan(device, element, Comparison::ascending(), 100);
  const MergeSort with_values(device, element, Comparison::ascending(), 100, {.values = element});
  const Buffer<uint32_t> memory = device.buffer<uint32_t>(400);
  const Buffer<std::byte> temporary = device.buffer<std::byte>(with_values.temporary_bytes());
  const Region input = memory.part(0, 100).region(), output = memory.part(100, 100).region();
  const auto invalid = [&](const std::vector<std::string>& words, const MergeSort& sort,
                           const MergeSort::Arguments& arguments) {
    check_error(ErrorCode::invalid_argument, words, [&] { sort.record(stream, arguments); });
  };
  invalid({"101", "100"}, plan, {memory, {}, memory, {}, 101, temporary});
  invalid({"input", "99"}, plan, {input.part(0, 396), {}, output, {}, 100, temporary});
  invalid({"output", "4"}, plan, {input, {}, memory.view().region().part(402, 404), {}, 100, temporary});
  invalid({"overlap"}, plan, {input, {}, memory.part(50, 100), {}, 100, temporary});
  invalid({"input_values"}, plan, {input, output, output, {}, 100, temporary});
  invalid({"input_values"}, with_values, {input, {}, output, {}, 100, temporary});
  invalid({"temporary"}, plan, {input, {}, output, {}, 100, temporary.part(0, 16)});
  check_error(ErrorCode::compile_failed, {"comparison", "a < c"},
              [&] { MergeSort(device, element, Comparison::by("a < c"), 100); });
}

DEVICE_TEST("scalar comparisons are refused for structs") {
  const Element element = Element::structure({{"float", "lo"}, {"float", "hi"}});
  for (const Comparison& comparison : {Comparison::ascending(), Comparison::descending()}) {
    const std::vector<std::string> words{comparison.before, "scalars", "Comparison::by()", "a.lo < b.lo"};
    check_error(ErrorCode::invalid_argument, words, [&] { MergeSort(device, element, comparison, 100); });
    check_error(ErrorCode::invalid_argument, words, [&] { Merge(device, element, comparison, 100); });
  }
  MergeSort(device, element, Comparison::by("weft_ascending(a.lo, b.lo)"), 100);
}

DEVICE_TEST("temporary storage of merges and merge sorts grows with the maximum") {
  uint64_t before[2] = {};
  for (uint64_t count = 0; count < uint64_t(1) << 33; count = count * 64 + 63) {
    const Element element = Element::of<uint32_t>();
    const uint64_t bytes[2] = {Merge(device, element, Comparison::ascending(), count).temporary_bytes(),
                               MergeSort(device, element, Comparison::ascending(), count).temporary_bytes()};
    for (int i = 0; i < 2; ++i) {
      INFO("primitive ", i, ", elements ", count);
      CHECK_EQ(bytes[i] % 16, 0);
      CHECK_GE(bytes[i], before[i]);
      before[i] = bytes[i];
    }
  }
}
