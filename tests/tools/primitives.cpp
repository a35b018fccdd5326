#include <algorithm>
#include <limits>
#include <numeric>

#include "tests/tools/verb.h"

using namespace weft;
using namespace weft::test;

namespace {

template <typename T>
T wrapping_sum(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) return a + b;
  return T(uint64_t(a) + uint64_t(b));
}

/// The type of sums of T without --type, as in NumPy.
template <typename T>
using SumOf =
    std::conditional_t<std::is_floating_point_v<T>, T, std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>;

/// Checks the sum and running sums, of type S, of in.npy, which holds `values`.
template <typename S, typename T>
void check_sums(const Device& device, const Folder& folder, const std::vector<T>& values,
                const std::vector<std::string>& type) {
  const auto run_with = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), type.begin(), type.end());
    run(device, folder, arguments);
  };
  run_with({"reduce", "in.npy", "-o", "sum.npy", "--verify"});
  const NpyContent sum = parse_npy(folder.read("sum.npy"));
  CHECK(sum.dictionary.find("'shape': ()") != std::string::npos);
  CHECK(sum.dictionary.find(numpy_type<S>) != std::string::npos);
  CHECK(values_of<S>(sum.data) == std::vector<S>{std::accumulate(values.begin(), values.end(), S(0), wrapping_sum<S>)});
  std::vector<S> wanted(values.size());
  std::exclusive_scan(values.begin(), values.end(), wanted.begin(), S(0), wrapping_sum<S>);
  run_with({"scan", "in.npy", "-o", "out.npy", "--verify"});
  CHECK(folder.read("out.npy") == npy(numpy_type<S>, wanted));
}

}  // namespace

DEVICE_TEST_OF_TYPES("reduce, scan and compact of a file agree with the CPU", uint32_t, int32_t, float, uint64_t,
                     int64_t, double, uint8_t, int16_t) {
  std::mt19937_64 generator = random_generator("command primitives");
  const Folder folder;
  for (const size_t count : {size_t(0), size_t(1), size_t(1000), size_t(20011)}) {
    const std::vector<T> values = random_values<T>(count, generator);
    folder.write("in.npy", npy(numpy_type<T>, values));
    if (!has_type<T>(device.info())) {
      check_failure(folder.weft({"reduce", "in.npy", "--device", selector_of(device)}), 2, {device.info().selector});
      unsupported("the device has no such type, and the command says so");
    }
    const std::string kind = std::is_floating_point_v<T> ? "f" : std::is_signed_v<T> ? "i" : "u";
    check_sums<T>(device, folder, values, {"--type", kind + std::to_string(8 * sizeof(T))});
    if (has_type<SumOf<T>>(device.info())) {
      check_sums<SumOf<T>>(device, folder, values, {});
    } else {
      check_failure(folder.weft({"reduce", "in.npy", "--device", selector_of(device)}), 2, {"64 bits", "--type"});
    }
    if (count > 0) {
      run(device, folder, {"reduce", "in.npy", "--op", "max", "-o", "max.bin", "--verify"});
      CHECK(values_of<T>(folder.read("max.bin")) == std::vector<T>{*std::max_element(values.begin(), values.end())});
    }
    std::vector<T> wanted(count);
    std::inclusive_scan(values.begin(), values.end(), wanted.begin(), [](T a, T b) { return std::min(a, b); });
    run(device, folder, {"scan", "in.npy", "-o", "out.npy", "--op", "min", "--inclusive", "--verify"});
    CHECK(values_of<T>(parse_npy(folder.read("out.npy")).data) == wanted);

    wanted.clear();
    for (size_t i = 0; i < count; ++i) {
      if (values[i] > T(2) && i % 3 != 0) wanted.push_back(values[i]);
    }
    run(device, folder, {"compact", "in.npy", "--where", "x > T(2) && i % 3u != 0u", "-o", "out.npy", "--verify"});
    const NpyContent kept = parse_npy(folder.read("out.npy"));
    CHECK(kept.dictionary.find("'shape': (" + std::to_string(wanted.size()) + ",)") != std::string::npos);
    CHECK(values_of<T>(kept.data) == wanted);

    run(device, folder,
        {"partition", "in.npy", "--where", "x > T(2) && i % 3u != 0u", "-o", "out.npy", "--others", "others.npy",
         "--verify"});
    CHECK(values_of<T>(parse_npy(folder.read("out.npy")).data) == wanted);
    std::vector<T> others;
    for (size_t i = 0; i < count; ++i) {
      if (!(values[i] > T(2) && i % 3 != 0)) others.push_back(values[i]);
    }
    CHECK(values_of<T>(parse_npy(folder.read("others.npy")).data) == others);
  }
}

DEVICE_TEST("reductions, scans and orders of half floats are verified") {
  if (!has_type<Half>(device.info())) unsupported("the device has no such type");
  std::mt19937_64 generator = random_generator("command halves");
  const Folder folder;
  std::vector<Half> values;
  for (const float x : random_values<float>(3001, generator)) values.push_back(Half(x / 4));
  folder.write("in.npy", npy("<f2", values));
  run(device, folder, {"reduce", "in.npy", "--verify"});
  run(device, folder, {"scan", "in.npy", "--inclusive", "-o", "out.npy", "--verify"});
  CHECK(parse_npy(folder.read("out.npy")).dictionary.find("<f2") != std::string::npos);
  run(device, folder, {"scan", "in.npy", "--op", "max", "--init", "-1.5", "-o", "out.npy", "--verify"});
  CHECK(float(values_of<Half>(parse_npy(folder.read("out.npy")).data)[0]) == -1.5f);
  run(device, folder, {"sort", "in.npy", "-o", "out.npy", "--verify"});
  run(device, folder, {"topk", "in.npy", "-k", "9", "--verify"});
  run(device, folder, {"merge", "out.npy", "out.npy", "-o", "twice.npy", "--verify"});
  folder.write("few.npy", npy("<f2", std::vector<Half>{Half(0.5f), Half(-2.25f), Half(8)}));
  CHECK(run(device, folder, {"scan", "few.npy", "--inclusive"}).out == "[0.5, -1.75, 6.25]\n");
}

DEVICE_TEST("a transform computes the elements to reduce and scan, with --as of another type") {
  std::mt19937_64 generator = random_generator("command transform");
  const Folder folder;
  folder.write("few.npy", npy("<i4", std::vector<int32_t>{3, -4, 5}));
  CHECK(run(device, folder, {"reduce", "few.npy", "--transform", "x * x", "--verify"}).out == "50\n");
  CHECK(run(device, folder, {"reduce", "few.npy", "--transform", "T(x) / 2", "--as", "f32", "--verify"}).out == "2\n");
  CHECK(run(device, folder, {"scan", "few.npy", "--transform", "abs(x) + int(i)", "--inclusive", "--verify"}).out ==
        "[3, 8, 15]\n");
  const std::vector<uint32_t> values = random_values<uint32_t>(20011, generator);
  folder.write("in.npy", npy("<u4", values));
  run(device, folder,
      {"scan", "in.npy", "--transform", "T(x >> 5) - T(i)", "--as", "i32", "-o", "out.npy", "--verify"});
  std::vector<int32_t> wanted;
  uint32_t sum = 0;
  for (uint32_t i = 0; i < values.size(); sum += (values[i] >> 5) - i, ++i) wanted.push_back(int32_t(sum));
  CHECK(folder.read("out.npy") == npy("<i4", wanted));
  const auto fails = [&](std::vector<std::string> arguments, const std::vector<std::string>& words) {
    arguments.insert(arguments.end(), {"--device", selector_of(device)});
    check_failure(folder.weft(arguments), 1, words);
  };
  fails({"reduce", "in.npy", "--transform", "no_such_name"}, {"transform", "no_such_name"});
  fails({"reduce", "in.npy", "--as", "number"}, {"'number' is not a type"});
  // The expression depends on the partition of the work, so the primitive and the plain evaluation cannot agree.
  fails({"reduce", "in.npy", "--transform", "gl_LocalInvocationID.x", "--verify"}, {"verification failed"});
  if (!has_type<uint8_t>(device.info())) return;
  folder.write("bytes.npy", npy("|u1", std::vector<uint8_t>{200, 100, 255, 7}));
  CHECK(run(device, folder, {"reduce", "bytes.npy", "--as", "u32", "--verify"}).out == "562\n");
  CHECK(run(device, folder, {"reduce", "bytes.npy", "--type", "u8", "--verify"}).out == "50\n");
  if (!device.info().features.int64) return;
  CHECK(run(device, folder, {"reduce", "bytes.npy", "--verify"}).out == "562\n");
  CHECK(run(device, folder, {"scan", "bytes.npy", "--init", "1000", "--verify"}).out == "[1000, 1200, 1300, 1555]\n");
}

DEVICE_TEST_OF_TYPES("histogram of a file agrees with the CPU", uint8_t, int16_t, uint32_t, int32_t, float, uint64_t,
                     int64_t) {
  std::mt19937_64 generator = random_generator("command histogram");
  const Folder folder;
  folder.write("edges.npy", npy(numpy_type<T>, std::vector<T>{T(1), T(3), T(100)}));
  for (const size_t count : {size_t(0), size_t(1), size_t(20011)}) {
    std::vector<T> values = random_values<T>(count, generator);
    for (T& x : values) x = generator() % 4 == 0 ? x : T(generator() % 110);
    folder.write("in.npy", npy(numpy_type<T>, values));
    if (!has_type<T>(device.info())) {
      check_failure(
          folder.weft({"histogram", "in.npy", "--bins", "9", "--range", "0,90", "--device", selector_of(device)}), 2,
          {device.info().selector});
      unsupported("the device has no such type, and the command says so");
    }
    run(device, folder, {"histogram", "in.npy", "--bins", "9", "--range", "0,90", "-o", "counts.npy", "--verify"});
    std::vector<uint64_t> wanted(9);
    for (const T x : values) {
      if (x >= T(0) && x < T(90)) ++wanted[size_t(x) / 10];
    }
    if (!std::is_floating_point_v<T>) CHECK(values_of<uint64_t>(parse_npy(folder.read("counts.npy")).data) == wanted);
    run(device, folder, {"histogram", "in.npy", "--edges", "edges.npy", "-o", "counts.bin", "--verify"});
    const auto within = [&](T low, T high) {
      return uint64_t(std::count_if(values.begin(), values.end(), [&](T x) { return x >= low && x < high; }));
    };
    CHECK(values_of<uint64_t>(folder.read("counts.bin")) == std::vector<uint64_t>{within(1, 3), within(3, 100)});
  }
}

DEVICE_TEST("histograms of 64-bit integers are exact where doubles are not") {
  if (!device.info().features.int64) unsupported("the device has no such type");
  const Folder folder;
  constexpr int64_t large = int64_t(1) << 60;
  folder.write("in.npy", npy("<i8", std::vector<int64_t>{large - 1, large, large + 1, large + 2, -large}));
  folder.write("edges.npy", npy("<i8", std::vector<int64_t>{-large, large, large + 1, large + 2}));
  CHECK(run(device, folder, {"histogram", "in.npy", "--edges", "edges.npy", "--verify"}).out == "[2, 1, 1]\n");
  CHECK(run(device, folder,
            {"histogram", "in.npy", "--bins", "4", "--range=-1152921504606846976,1152921504606846976", "--verify"})
            .out == "[1, 0, 0, 1]\n");
  folder.write("in.npy", npy("<f8", std::vector<double>{1}));
  check_failure(folder.weft({"histogram", "in.npy", "--bins", "1", "--range", "0,2"}), 1, {"f64", "32 bits"});
}

DEVICE_TEST("results are printed, with nothing else on standard output") {
  const Folder folder;
  folder.write("in.npy", npy("<f4", std::vector<float>{0.5f, -2.25f, 8}));
  CHECK(run(device, folder, {"reduce", "in.npy"}).out == "6.25\n");
  CHECK(run(device, folder, {"reduce", "in.npy", "--op", "min"}).out == "-2.25\n");
  CHECK(run(device, folder, {"scan", "in.npy", "--inclusive"}).out == "[0.5, -1.75, 6.25]\n");
  CHECK(run(device, folder, {"scan", "in.npy", "--init", "100", "--verify"}).out == "[100, 100.5, 98.25]\n");
  check_failure(folder.weft({"scan", "in.npy", "--init", "many"}), 1, {"--init: 'many' is not a f32"});
  CHECK(run(device, folder, {"compact", "in.npy", "--where", "x > 0.0"}).out == "[0.5, 8]\n");
  CHECK(run(device, folder, {"partition", "in.npy", "--where", "x < 1.0"}).out == "[0.5, -2.25, 8]\n");
  CHECK(run(device, folder, {"histogram", "in.npy", "--bins", "2", "--range=-4,4"}).out == "[1, 1]\n");
}

DEVICE_TEST("unique, rle, reduce-by-key and segmented-reduce of files") {
  const Folder folder;
  const std::vector<int32_t> keys{7, 7, -1, -1, -1, 7, 3, 3};
  folder.write("keys.npy", npy("<i4", keys));
  folder.write("in.npy", npy("<f4", std::vector<float>{1, 2, 4, 8, 16, 32, 64, -128}));
  folder.write("offsets.npy", npy("<i8", std::vector<int64_t>{0, 3, 3, 7}));
  CHECK(run(device, folder, {"unique", "keys.npy", "--verify"}).out == "[7, -1, 7, 3]\n");
  const float nan = std::numeric_limits<float>::quiet_NaN();
  folder.write("floats.npy", npy("<f4", std::vector<float>{0, -0.0f, nan, nan, 1, 1}));
  CHECK(run(device, folder, {"unique", "floats.npy", "--verify"}).out == "[0, nan, nan, 1]\n");
  CHECK(run(device, folder, {"rle", "keys.npy", "--verify"}).out == "[7, -1, 7, 3]\n[2, 3, 1, 2]\n");
  run(device, folder, {"rle", "keys.npy", "-o", "out.npy", "--lengths", "lengths.npy"});
  CHECK(values_of<int32_t>(parse_npy(folder.read("out.npy")).data) == std::vector<int32_t>{7, -1, 7, 3});
  CHECK(values_of<uint32_t>(parse_npy(folder.read("lengths.npy")).data) == std::vector<uint32_t>{2, 3, 1, 2});
  CHECK(run(device, folder, {"rle", "out.npy", "--decode", "--lengths", "lengths.npy", "--verify"}).out ==
        "[7, 7, -1, -1, -1, 7, 3, 3]\n");
  CHECK(run(device, folder, {"reduce-by-key", "in.npy", "--keys", "keys.npy", "--verify"}).out ==
        "[7, -1, 7, 3]\n[3, 28, 32, -64]\n");
  run(device, folder,
      {"reduce-by-key", "in.npy", "--keys", "keys.npy", "--op", "max", "-o", "out.npy", "--keys-out", "k.npy"});
  CHECK(values_of<float>(parse_npy(folder.read("out.npy")).data) == std::vector<float>{2, 16, 32, 64});
  CHECK(values_of<int32_t>(parse_npy(folder.read("k.npy")).data) == std::vector<int32_t>{7, -1, 7, 3});
  // Results without a file are printed, whatever else has a file.
  CHECK(run(device, folder, {"reduce-by-key", "in.npy", "--keys", "keys.npy", "--keys-out", "k.npy"}).out ==
        "[3, 28, 32, -64]\n");
  CHECK(run(device, folder, {"reduce-by-key", "in.npy", "--keys", "keys.npy", "-o", "out.npy"}).out.empty());
  CHECK(run(device, folder, {"rle", "keys.npy", "--lengths", "lengths.npy"}).out == "[7, -1, 7, 3]\n");
  CHECK(run(device, folder, {"rle", "keys.npy", "-o", "out.npy"}).out.empty());
  CHECK(run(device, folder, {"segmented-reduce", "in.npy", "--offsets", "offsets.npy", "--verify"}).out ==
        "[7, 0, 120]\n");
  folder.write("wrong.npy", npy("<u4", std::vector<uint32_t>{0, 5, 4}));
  check_failure(folder.weft({"segmented-reduce", "in.npy", "--offsets", "wrong.npy", "--device", selector_of(device)}),
                1, {"offset 2", "8 numbers"});
  folder.write("short.npy", npy("<u4", std::vector<uint32_t>{1, 2}));
  check_failure(folder.weft({"reduce-by-key", "in.npy", "--keys", "short.npy", "--device", selector_of(device)}), 1,
                {"2 keys", "8 numbers"});
}

DEVICE_TEST("--type is for raw files, and a file that accompanies IN may be .npy of another type") {
  const Folder folder;
  const std::vector<float> numbers{4, 3, 2, 1};
  const std::vector<uint32_t> words{7, 7, 9, 9};
  folder.write("in.bin", bytes_of(numbers));
  folder.write("in.npy", npy("<f4", numbers));
  folder.write("words.npy", npy("<u4", words));
  folder.write("keys.bin", bytes_of(std::vector<float>{7, 7, 9, 9}));
  folder.write("offsets.npy", npy("<u4", std::vector<uint32_t>{0, 2, 4}));
  const auto values_beside = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(),
                     {"--values", "words.npy", "--values-out", "moved.npy", "-o", "out.bin", "--verify"});
    run(device, folder, arguments);
    return values_of<uint32_t>(parse_npy(folder.read("moved.npy")).data);
  };
  const std::string keys = "words.npy";
  CHECK(run(device, folder, {"reduce-by-key", "in.bin", "--type", "f32", "--keys", keys}).out == "[7, 9]\n[7, 3]\n");
  CHECK(run(device, folder, {"scan-by-key", "in.bin", "--type", "f32", "--keys", keys}).out == "[0, 4, 0, 2]\n");
  CHECK(values_beside({"sort", "in.bin", "--type", "f32"}) == std::vector<uint32_t>{9, 9, 7, 7});
  CHECK(values_beside({"segmented-sort", "in.bin", "--type", "f32", "--offsets", "offsets.npy"}) == words);
  // Raw files have IN's type.
  CHECK(run(device, folder, {"reduce-by-key", "in.npy", "--keys", "keys.bin"}).out == "[7, 9]\n[7, 3]\n");
  check_failure(folder.weft({"merge", "keys.bin", keys, "--type", "f32", "--device", selector_of(device)}), 1,
                {"f32", "u32", "same type"});
}

DEVICE_TEST("scan-by-key and segmented-scan of files") {
  const Folder folder;
  folder.write("keys.npy", npy("<i4", std::vector<int32_t>{7, 7, -1, -1, -1, 7, 3, 3}));
  folder.write("in.npy", npy("<f4", std::vector<float>{1, 2, 4, 8, 16, 32, 64, -128}, "(2, 4)"));
  folder.write("offsets.npy", npy("<i8", std::vector<int64_t>{1, 3, 3, 7}));
  const auto by_key = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"scan-by-key", "in.npy", "--keys", "keys.npy", "--verify"});
    return run(device, folder, more).out;
  };
  CHECK(by_key({}) == "[0, 1, 0, 4, 12, 0, 0, 64]\n");
  CHECK(by_key({"--inclusive"}) == "[1, 3, 4, 12, 28, 32, 64, -64]\n");
  CHECK(by_key({"--init", "100", "--op", "min"}) == "[100, 1, 100, 4, 4, 100, 100, 64]\n");
  CHECK(by_key({"--init", "100", "-o", "out.npy"}).empty());
  const NpyContent written = parse_npy(folder.read("out.npy"));
  CHECK(written.dictionary.find("(2, 4)") != std::string::npos);
  CHECK(values_of<float>(written.data) == std::vector<float>{100, 101, 100, 104, 112, 100, 100, 164});
  const auto segmented = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"segmented-scan", "in.npy", "--offsets", "offsets.npy", "--verify"});
    return run(device, folder, more).out;
  };
  CHECK(segmented({}) == "[0, 0, 2, 0, 8, 24, 56, 0]\n");
  CHECK(segmented({"--inclusive", "--init", "1000"}) == "[1001, 1002, 1006, 1008, 1024, 1056, 1120, 872]\n");
  folder.write("wrong.npy", npy("<i4", std::vector<int32_t>{0, -5}));
  const std::string selector = selector_of(device);
  check_failure(folder.weft({"segmented-scan", "in.npy", "--offsets", "wrong.npy", "--device", selector}), 1,
                {"number 1 is negative", "offsets"});
  check_failure(folder.weft({"scan-by-key", "in.npy", "--keys", "offsets.npy", "--device", selector}), 1,
                {"4 keys", "8 numbers"});
}

DEVICE_TEST_OF_TYPES("rle --decode reverses rle", uint32_t, uint16_t) {
  if (!has_type<T>(device.info())) unsupported("the device has no such type");
  std::mt19937_64 generator = random_generator("command rle");
  const Folder folder;
  std::vector<T> values(20011);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = i == 0 || generator() % 9 == 0 ? T(generator()) : values[i - 1];
  folder.write("in.npy", npy(numpy_type<T>, values));
  run(device, folder, {"rle", "in.npy", "-o", "runs.npy", "--lengths", "lengths.npy", "--verify"});
  run(device, folder, {"rle", "--decode", "runs.npy", "--lengths", "lengths.npy", "-o", "out.npy", "--verify"});
  CHECK(folder.read("out.npy") == folder.read("in.npy"));
  const auto fails = [&](const std::vector<std::string>& more, const std::vector<std::string>& words) {
    std::vector<std::string> arguments{"rle", "--decode", "runs.npy", "--device", selector_of(device)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    check_failure(folder.weft(arguments), 1, words);
  };
  fails({}, {"--lengths"});
  folder.write("short.npy", npy("<u4", std::vector<uint32_t>{1, 2}));
  fails({"--lengths", "short.npy"}, {"2 lengths"});
  folder.write("runs.npy", npy(numpy_type<T>, std::vector<T>{1, 2}));
  folder.write("long.npy", npy("<u8", std::vector<uint64_t>{1, ~uint64_t(0)}));
  fails({"--lengths", "long.npy"}, {"2^40"});
}

DEVICE_TEST("compact writes indices") {
  const Folder folder;
  folder.write("in.npy", npy("<i4", std::vector<int32_t>{0, 7, 0, -1, 5}));
  CHECK(run(device, folder, {"compact", "in.npy", "--where", "x != 0", "--indices", "--verify"}).out == "[1, 3, 4]\n");
  folder.write("flags.npy", npy("|b1", std::vector<uint8_t>{1, 0, 0, 1, 0}));
  CHECK(run(device, folder, {"compact", "in.npy", "--flags", "flags.npy", "--indices", "--verify"}).out == "[0, 3]\n");
}

DEVICE_TEST("compact takes flags of any integer type, one for each number") {
  const Folder folder;
  folder.write("in.npy", npy("<i4", std::vector<int32_t>{10, 11, 12, 13, 14}));
  folder.write("wide.npy", npy("<i8", std::vector<int64_t>{0, int64_t(1) << 40, 0, -1, 1}));
  folder.write("narrow.npy", npy("|b1", std::vector<uint8_t>{0, 1, 0, 1, 1}));
  for (const char* flags : {"wide.npy", "narrow.npy"}) {
    CHECK(run(device, folder, {"compact", "in.npy", "--flags", flags, "--verify"}).out == "[11, 13, 14]\n");
  }
  folder.write("short.npy", npy("|b1", std::vector<uint8_t>{0, 1}));
  check_failure(folder.weft({"compact", "in.npy", "--flags", "short.npy", "--device", selector_of(device)}), 1,
                {"2 flags", "5 numbers"});
  check_failure(folder.weft({"compact", "in.npy", "--device", selector_of(device)}), 1, {"--where", "--flags"});
  check_failure(folder.weft({"compact", "in.npy", "--where", "x > 0", "--flags", "wide.npy"}), 1,
                {"--where and --flags", "one of them"});
}

DEVICE_TEST("an expression that does not compile is reported with the compiler's message, once") {
  const Folder folder;
  folder.write("in.npy", npy("<f4", std::vector<float>{1, 2, 3}));
  folder.write("out.npy", "precious");
  const Outcome outcome =
      folder.weft({"compact", "in.npy", "--where", "y > 1", "-o", "out.npy", "--device", selector_of(device)});
  check_failure(outcome, 1, {"\"y > 1\"", "does not compile", ": 'y' : undeclared identifier"});
  CHECK(std::ranges::count(outcome.error, '\n') == 1);
  CHECK(outcome.error.find(".glsl") == std::string::npos);
  CHECK(folder.read("out.npy") == "precious");
}

DEVICE_TEST("an expression that ends its own function is refused") {
  const Folder folder;
  folder.write("in.npy", npy("<u4", std::vector<uint32_t>{1, 2, 3}));
  check_failure(folder.weft({"compact", "in.npy", "--where", "true; } void injected() { ", "-o", "out.npy", "--device",
                             selector_of(device)}),
                1, {"selection", "not one GLSL expression", "';'"});
  CHECK(!folder.has("out.npy"));
}

DEVICE_TEST("--verify finds a difference, and the old output stays") {
  // The expression depends on the partition of the work, so the primitive and the plain evaluation cannot agree.
  const Folder folder;
  folder.write("in.npy", npy("<u4", std::vector<uint32_t>(5000, 1)));
  folder.write("out.npy", "precious");
  const Outcome outcome = folder.weft({"compact", "in.npy", "--where", "gl_LocalInvocationID.x < 7u", "-o", "out.npy",
                                       "--verify", "--device", selector_of(device)});
  check_failure(outcome, 1, {"verification failed", "expected"});
  CHECK(folder.read("out.npy") == "precious");
  CHECK(folder.names() == std::vector<std::string>{"in.npy", "out.npy"});
}

DEVICE_TEST("min and max skip NaNs, of either order and in every verb, and are verified") {
  const Folder folder;
  const float nan = std::nanf(""), inf = std::numeric_limits<float>::infinity();
  folder.write("in.npy", npy("<f4", std::vector<float>{3, nan, 1, 2}));
  folder.write("first.npy", npy("<f4", std::vector<float>{nan, -1}));
  folder.write("nans.npy", npy("<f4", std::vector<float>{nan, nan}));
  folder.write("zeros.npy", npy("<f4", std::vector<float>{0.0f, -0.0f, 0.0f}));
  folder.write("none.npy", npy("<f4", std::vector<float>{}));
  const auto both = [&](const char* file) {
    return run(device, folder, {"reduce", file, "--op", "min", "--verify"}).out +
           run(device, folder, {"reduce", file, "--op", "max", "--verify"}).out;
  };
  CHECK(both("in.npy") == "1\n3\n");
  CHECK(both("first.npy") == "-1\n-1\n");
  CHECK(both("nans.npy") == "nan\nnan\n");
  CHECK(both("zeros.npy") == "-0\n0\n");
  CHECK(both("none.npy") == "inf\n-inf\n");
  folder.write("scanned.npy", npy("<f4", std::vector<float>{nan, nan, inf, -2, nan}));
  CHECK(run(device, folder, {"scan", "scanned.npy", "--op", "min", "--verify"}).out == "[inf, nan, nan, inf, -2]\n");
  CHECK(run(device, folder, {"scan", "scanned.npy", "--op", "max", "--inclusive", "--verify"}).out ==
        "[nan, nan, inf, inf, inf]\n");
}
