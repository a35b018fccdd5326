#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>

#include "tests/tools/verb.h"

// The verbs that order numbers: sort, segmented-sort, topk and merge.
using namespace weft;
using namespace weft::test;

DEVICE_TEST_OF_TYPES("sort moves values with the keys of a file", uint32_t, float, int64_t) {
  if (!has_type<T>(device.info())) unsupported("the device has no such type");
  std::mt19937_64 generator = random_generator("command sort");
  const Folder folder;
  std::vector<T> keys = random_values<T>(20011, generator);
  std::vector<uint32_t> values(keys.size());
  for (uint32_t i = 0; i < values.size(); ++i) values[i] = i;
  folder.write("keys.npy", npy(numpy_type<T>, keys));
  folder.write("values.npy", npy("<u4", values));
  std::ranges::stable_sort(values, [&](uint32_t a, uint32_t b) { return keys[a] > keys[b]; });
  run(device, folder,
      {"sort", "keys.npy", "--descending", "--values", "values.npy", "--values-out", "moved.npy", "-o", "out.npy",
       "--verify"});
  std::ranges::sort(keys, std::greater());
  CHECK(folder.read("out.npy") == npy(numpy_type<T>, keys));
  CHECK(folder.read("moved.npy") == npy("<u4", values));
  run(device, folder, {"sort", "keys.npy", "--bits", "3:11", "-o", "out.npy", "--verify"});
  check_failure(folder.weft({"sort", "keys.npy", "--bits", "3"}), 1, {"'3'", "FIRST:END"});
  check_failure(folder.weft({"sort", "keys.npy", "--values", "values.npy"}), 1, {"--values-out"});
}

DEVICE_TEST_OF_TYPES("segmented-sort moves values with the keys of each segment", uint32_t, float, int64_t, uint8_t) {
  if (!has_type<T>(device.info())) unsupported("the device has no such type");
  std::mt19937_64 generator = random_generator("command segmented sort");
  const Folder folder;
  std::vector<T> keys = random_values<T>(20011, generator);
  std::vector<uint32_t> values(keys.size());
  for (uint32_t i = 0; i < values.size(); ++i) values[i] = i;
  // An empty segment, one that is longer than a tile, and numbers before and after all segments.
  const std::vector<int64_t> offsets{3, 17, 17, 9001, 20000};
  folder.write("keys.npy", npy(numpy_type<T>, keys));
  folder.write("values.npy", npy("<u4", values));
  folder.write("offsets.npy", npy("<i8", offsets));
  for (const int64_t first : {0, 3, 17, 9001, 20000}) {
    const auto next = std::ranges::upper_bound(offsets, first);
    const auto end = next == offsets.end() ? values.end() : values.begin() + *next;
    std::stable_sort(values.begin() + first, end, [&](uint32_t a, uint32_t b) { return keys[a] > keys[b]; });
  }
  run(device, folder,
      {"segmented-sort", "keys.npy", "--offsets", "offsets.npy", "--descending", "--values", "values.npy",
       "--values-out", "moved.npy", "-o", "out.npy", "--verify"});
  std::vector<T> sorted(keys.size());
  std::ranges::transform(values, sorted.begin(), [&](uint32_t i) { return keys[i]; });
  CHECK(folder.read("out.npy") == npy(numpy_type<T>, sorted));
  CHECK(folder.read("moved.npy") == npy("<u4", values));
}

DEVICE_TEST("segmented-sort prints in the shape of its input, and says what is wrong with offsets and values") {
  const Folder folder;
  folder.write("in.npy", npy("<f4", std::vector<float>{3, 2, -0.0f, 0, -7, 5, 4, 1}, "(2, 4)"));
  folder.write("offsets.npy", npy("<u4", std::vector<uint32_t>{0, 3, 7}));
  CHECK(run(device, folder, {"segmented-sort", "in.npy", "--offsets", "offsets.npy", "--verify"}).out ==
        "[-0, 2, 3, -7, 0, 4, 5, 1]\n");
  run(device, folder, {"segmented-sort", "in.npy", "--offsets", "offsets.npy", "-o", "out.npy"});
  CHECK(parse_npy(folder.read("out.npy")).dictionary.find("(2, 4)") != std::string::npos);
  const auto fails = [&](std::vector<std::string> more, const std::vector<std::string>& words) {
    more.insert(more.begin(), {"segmented-sort", "in.npy", "--device", selector_of(device)});
    check_failure(folder.weft(more), 1, words);
  };
  fails({}, {"--offsets"});
  folder.write("wrong.npy", npy("<u4", std::vector<uint32_t>{0, 9}));
  fails({"--offsets", "wrong.npy"}, {"offset 1", "8 numbers"});
  fails({"--offsets", "offsets.npy", "--values", "offsets.npy"}, {"--values-out"});
  fails({"--offsets", "offsets.npy", "--values", "offsets.npy", "--values-out", "out.npy"}, {"3 values", "8 keys"});
}

DEVICE_TEST_OF_TYPES("topk of a file agrees with the CPU", uint32_t, int64_t, float, uint8_t) {
  std::mt19937_64 generator = random_generator("command topk");
  const Folder folder;
  for (const size_t count : {size_t(1), size_t(20011)}) {
    std::vector<T> values = random_values<T>(count, generator);
    folder.write("in.npy", npy(numpy_type<T>, values));
    if (!has_type<T>(device.info())) unsupported("the device has no such type");
    run(device, folder, {"topk", "in.npy", "-k", "100", "-o", "top.npy", "--indices", "at.npy", "--verify"});
    std::sort(values.begin(), values.end());
    run(device, folder, {"topk", "in.npy", "-k", "3", "--smallest", "-o", "top.bin", "--verify"});
    values.resize(std::min(count, size_t(3)));
    CHECK(values_of<T>(folder.read("top.bin")) == values);
  }
}

DEVICE_TEST_OF_TYPES("merge takes sorted files of the same type", uint32_t, float, int64_t, uint8_t, int16_t, Half) {
  const Folder folder;
  std::vector<T> first{T(0), T(3), T(3), T(7)}, second{T(1), T(3), T(9), T(11), T(200)}, all;
  folder.write("a.npy", npy(numpy_type<T>, first));
  folder.write("b.npy", npy(numpy_type<T>, second));
  if (!has_type<T>(device.info())) {
    check_failure(folder.weft({"merge", "a.npy", "b.npy", "--device", selector_of(device)}), 2,
                  {device.info().selector});
    unsupported("the device has no such type, and the command says so");
  }
  std::merge(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(all));
  run(device, folder, {"merge", "a.npy", "b.npy", "-o", "out.npy", "--verify"});
  CHECK(values_of<T>(parse_npy(folder.read("out.npy")).data) == all);
  for (std::vector<T>* numbers : {&first, &second, &all}) std::reverse(numbers->begin(), numbers->end());
  folder.write("a.npy", npy(numpy_type<T>, first));
  folder.write("b.npy", npy(numpy_type<T>, second));
  run(device, folder, {"merge", "a.npy", "b.npy", "--descending", "-o", "out.npy", "--verify"});
  CHECK(values_of<T>(parse_npy(folder.read("out.npy")).data) == all);
  check_failure(folder.weft({"merge", "a.npy", "b.npy"}), 1, {"a.npy is not sorted", "number 1"});
}

DEVICE_TEST_OF_TYPES("merge of files of many tiles agrees with the CPU", int32_t, double, uint8_t, Half) {
  if (!has_type<T>(device.info())) unsupported("the device has no such type");
  std::mt19937_64 generator = random_generator(std::string("command merge ") + TypeName<T>::value);
  const Folder folder;
  const auto sorted = [&](size_t count) {
    std::vector<T> numbers(count);
    for (T& x : numbers) x = T(float(generator() % 250));
    std::sort(numbers.begin(), numbers.end());
    return numbers;
  };
  for (const size_t count : {size_t(0), size_t(1), size_t(40009)}) {
    const std::vector<T> first = sorted(count), second = sorted(20011);
    folder.write("a.npy", npy(numpy_type<T>, first));
    folder.write("b.npy", npy(numpy_type<T>, second));
    std::vector<T> all;
    std::merge(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(all));
    run(device, folder, {"merge", "a.npy", "b.npy", "-o", "out.npy", "--verify"});
    CHECK(folder.read("out.npy") == npy(numpy_type<T>, all));
  }
}

DEVICE_TEST("orders of zeros, infinities and NaN are the same for sort, topk and merge") {
  const Folder folder;
  const float inf = std::numeric_limits<float>::infinity(), nan = std::nanf("");
  const std::string order = "[-nan, -inf, -1, -0, 0, 2, inf, nan]\n";
  folder.write("mixed.npy", npy("<f4", std::vector<float>{0.0f, inf, -1, nan, -0.0f, -nan, 2, -inf}));
  CHECK(run(device, folder, {"sort", "mixed.npy", "--verify"}).out == order);
  CHECK(run(device, folder, {"topk", "mixed.npy", "-k", "8", "--smallest", "--verify"}).out == order);
  folder.write("a.npy", npy("<f4", std::vector<float>{-nan, -1, 0.0f, inf}));
  folder.write("b.npy", npy("<f4", std::vector<float>{-inf, -0.0f, 2, nan}));
  CHECK(run(device, folder, {"merge", "a.npy", "b.npy", "--verify"}).out == order);
  folder.write("c.npy", npy("<f4", std::vector<float>{0.0f, -0.0f}));
  check_failure(folder.weft({"merge", "a.npy", "c.npy", "--device", selector_of(device)}), 1, {"c.npy is not sorted"});
}
