#include <algorithm>
#include <numeric>

#include "command.h"
#include "test.h"

using namespace weft;
using namespace weft::test;

namespace {

template <typename T>
const char* const numpy_type = nullptr;
template <>
const char* const numpy_type<uint32_t> = "<u4";
template <>
const char* const numpy_type<int32_t> = "<i4";
template <>
const char* const numpy_type<float> = "<f4";
template <>
const char* const numpy_type<uint64_t> = "<u8";
template <>
const char* const numpy_type<int64_t> = "<i8";
template <>
const char* const numpy_type<double> = "<f8";

template <typename T>
T wrapping_sum(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) return a + b;
  return T(uint64_t(a) + uint64_t(b));
}

Outcome run(const Device& device, const Folder& folder, std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--device", selector_of(device)});
  const Outcome outcome = folder.weft(arguments);
  check_success(outcome);
  return outcome;
}

template <typename T>
bool has_type(const DeviceInfo& device) {
  if constexpr (sizeof(T) == 4) return true;
  return std::is_floating_point_v<T> ? device.features.float64 : device.features.int64;
}

}  // namespace

DEVICE_TEST_OF_TYPES("reduce, scan and compact of a file agree with the CPU", uint32_t, int32_t, float, uint64_t,
                     int64_t, double) {
  std::mt19937_64 generator = random_generator("command primitives");
  const Folder folder;
  for (const size_t count : {size_t(0), size_t(1), size_t(1000), size_t(20011)}) {
    const std::vector<T> values = random_values<T>(count, generator);
    folder.write("in.npy", npy(numpy_type<T>, values));
    if (!has_type<T>(device.info())) {
      check_failure(folder.weft({"reduce", "in.npy", "--device", selector_of(device)}), 2, {device.info().selector});
      unsupported("the device has no such type, and the command says so");
    }
    run(device, folder, {"reduce", "in.npy", "-o", "sum.npy", "--verify"});
    const NpyContent sum = parse_npy(folder.read("sum.npy"));
    CHECK(sum.dictionary.find("'shape': ()") != std::string::npos);
    CHECK(values_of<T>(sum.data) ==
          std::vector<T>{std::accumulate(values.begin(), values.end(), T(0), wrapping_sum<T>)});
    if (count > 0) {
      run(device, folder, {"reduce", "in.npy", "--op", "max", "-o", "max.bin", "--verify"});
      CHECK(values_of<T>(folder.read("max.bin")) == std::vector<T>{*std::max_element(values.begin(), values.end())});
    }
    std::vector<T> wanted(count);
    std::exclusive_scan(values.begin(), values.end(), wanted.begin(), T(0), wrapping_sum<T>);
    run(device, folder, {"scan", "in.npy", "-o", "out.npy", "--verify"});
    CHECK(values_of<T>(parse_npy(folder.read("out.npy")).data) == wanted);
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
  }
}

DEVICE_TEST("results are printed, with nothing else on standard output") {
  const Folder folder;
  folder.write("in.npy", npy("<f4", std::vector<float>{0.5f, -2.25f, 8}));
  CHECK(run(device, folder, {"reduce", "in.npy"}).out == "6.25\n");
  CHECK(run(device, folder, {"reduce", "in.npy", "--op", "min"}).out == "-2.25\n");
  CHECK(run(device, folder, {"scan", "in.npy", "--inclusive"}).out == "[0.5, -1.75, 6.25]\n");
  CHECK(run(device, folder, {"compact", "in.npy", "--where", "x > 0.0"}).out == "[0.5, 8]\n");
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
}

DEVICE_TEST("an expression that does not compile is told with the compiler's message") {
  const Folder folder;
  folder.write("in.npy", npy("<f4", std::vector<float>{1, 2, 3}));
  folder.write("out.npy", "precious");
  check_failure(
      folder.weft({"compact", "in.npy", "--where", "y > 1", "-o", "out.npy", "--device", selector_of(device)}), 1,
      {"y"});
  CHECK(folder.read("out.npy") == "precious");
}

DEVICE_TEST("--verify finds a difference, and the old output stays") {
  // The expression depends on how the work is cut, so the primitive and the plain evaluation cannot agree.
  const Folder folder;
  folder.write("in.npy", npy("<u4", std::vector<uint32_t>(5000, 1)));
  folder.write("out.npy", "precious");
  const Outcome outcome = folder.weft({"compact", "in.npy", "--where", "gl_LocalInvocationID.x < 7u", "-o", "out.npy",
                                       "--verify", "--device", selector_of(device)});
  check_failure(outcome, 1, {"verification failed", "expected"});
  CHECK(folder.read("out.npy") == "precious");
  CHECK(folder.names() == std::vector<std::string>{"in.npy", "out.npy"});
}

DEVICE_TEST("min and max of NaN cannot be verified, and that is said") {
  const Folder folder;
  folder.write("in.npy", npy("<f4", std::vector<float>{1, std::nanf(""), 3}));
  check_failure(folder.weft({"reduce", "in.npy", "--op", "max", "--verify", "--device", selector_of(device)}), 1,
                {"NaN"});
}
