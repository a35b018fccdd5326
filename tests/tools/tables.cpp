#include <map>
#include <random>

#include "tests/tools/verb.h"

using namespace weft;
using namespace weft::test;

/// The verbs of hash tables.

namespace {

template <typename T>
void need_keys(const Device& device) {
  const DeviceFeatures& features = device.info().features;
  if (sizeof(T) == 8 && !(features.int64 && features.buffer_int64_atomics)) unsupported("no 64-bit atomics on buffers");
}

template <typename T>
std::vector<T> read_numbers(const Folder& folder, const std::string& file) {
  return values_of<T>(parse_npy(folder.read(file)).data);
}

}  // namespace

DEVICE_TEST_OF_TYPES("count-keys counts the numbers of a file", uint32_t, float, int64_t) {
  need_keys<T>(device);
  const Folder folder;
  std::mt19937_64 generator = random_generator("count-keys");
  std::vector<T> numbers(5000);
  for (T& number : numbers) number = T(generator() % 300) - T(7);
  std::map<T, uint32_t> expected;
  for (const T number : numbers) ++expected[number];
  folder.write("in.npy", npy(numpy_type<T>, numbers));
  run(device, folder, {"count-keys", "in.npy", "-o", "keys.npy", "--counts", "counts.npy", "--verify"});
  const std::vector<T> keys = read_numbers<T>(folder, "keys.npy");
  const std::vector<uint32_t> counts = read_numbers<uint32_t>(folder, "counts.npy");
  REQUIRE_EQ(keys.size(), counts.size());
  std::map<T, uint32_t> found;
  for (size_t i = 0; i < keys.size(); ++i) found[keys[i]] = counts[i];
  CHECK(found == expected);
  CHECK_EQ(keys.size(), expected.size());

  run(device, folder, {"unique", "in.npy", "--any-order", "-o", "once.npy", "--verify"});
  std::vector<T> once = read_numbers<T>(folder, "once.npy"), different;
  for (const auto& [key, count] : expected) different.push_back(key);
  std::ranges::sort(once);
  CHECK(once == different);
}

DEVICE_TEST("count-keys, lookup and unique print results and take edge cases") {
  const Folder folder;
  folder.write("none.npy", npy("<u4", std::vector<uint32_t>{}));
  folder.write("same.npy", npy("<u4", std::vector<uint32_t>{4294967295, 4294967295, 4294967295}));
  CHECK(run(device, folder, {"count-keys", "none.npy", "--verify"}).out == "[]\n[]\n");
  CHECK(run(device, folder, {"count-keys", "same.npy", "--verify"}).out == "[4294967295]\n[3]\n");
  CHECK(run(device, folder, {"unique", "same.npy", "--any-order", "--verify"}).out == "[4294967295]\n");
  folder.write("floats.npy", npy("<f4", std::vector<float>{0, 0, 0}));
  CHECK(run(device, folder, {"count-keys", "floats.npy", "--verify"}).out == "[0]\n[3]\n");
}

DEVICE_TEST("lookup finds values by key") {
  const Folder folder;
  folder.write("keys.npy", npy("<i4", std::vector<int32_t>{5, -1, 0}));
  folder.write("values.npy", npy("<f4", std::vector<float>{0.5f, 2, -8}));
  folder.write("queries.npy", npy("<i4", std::vector<int32_t>{-1, 7, 5, 5, 0}));
  const std::vector<std::string> lookup{"lookup", "keys.npy", "values.npy", "queries.npy", "--verify"};
  CHECK(run(device, folder, lookup).out == "[2, 0, 0.5, 0.5, -8]\n");
  std::vector<std::string> missing = lookup;
  missing.insert(missing.end(), {"--missing", "-1.5", "-o", "out.npy"});
  CHECK(run(device, folder, missing).error.find("found 4 of 5") != std::string::npos);
  CHECK(read_numbers<float>(folder, "out.npy") == std::vector<float>{2, -1.5f, 0.5f, 0.5f, -8});

  const auto fails = [&](std::vector<std::string> arguments, const std::vector<std::string>& words) {
    arguments.insert(arguments.end(), {"--device", selector_of(device)});
    check_failure(folder.weft(arguments), 1, words);
  };
  folder.write("twice.npy", npy("<i4", std::vector<int32_t>{5, -1, 5}));
  fails({"lookup", "twice.npy", "values.npy", "queries.npy"}, {"twice.npy", "1 keys"});
  folder.write("short.npy", npy("<f4", std::vector<float>{1}));
  fails({"lookup", "keys.npy", "short.npy", "queries.npy"}, {"1 values", "3 keys"});
  fails({"lookup", "keys.npy", "values.npy", "short.npy"}, {"f32", "i32", "bits"});
  folder.write("bytes.npy", npy("|u1", std::vector<uint8_t>{1, 2}));
  const std::vector<std::string> words{"bytes.npy holds u8", "32 or 64 bits"};
  fails({"count-keys", "bytes.npy"}, words);
  fails({"unique", "bytes.npy", "--any-order"}, words);
  fails({"lookup", "bytes.npy", "bytes.npy", "bytes.npy"}, words);
  folder.write("two.npy", npy("<i4", std::vector<int32_t>{1, 2}));
  fails({"lookup", "two.npy", "bytes.npy", "two.npy"}, words);
  const std::string help = folder.weft({"lookup", "--help"}).out;
  CHECK(help.find("KEYS") == std::string::npos);
}
