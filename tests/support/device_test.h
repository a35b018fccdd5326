#pragma once

#include <doctest/doctest.h>

#include <string>
#include <type_traits>
#include <vector>

#include <weft/weft.h>

/// Tests that run on every device: each expectation is written once and registered for each device of
/// WEFT_TEST_DEVICES.
///
///   DEVICE_TEST("fill sets every word") {
///     weft::Buffer<uint32_t> words = device.buffer<uint32_t>(100);
///     ...
///   }
///
/// WEFT_TEST_DEVICES is a list of open_device() selectors, separated by ';' or ','. The settings of a selector may hold
/// commas: "vulkan:0,host:subgroup=4,threads=2" is two. The run fails if a named device is missing or refused. Without
/// the variable, the tests run on every device, and fail if there is none.
namespace weft::test {

/// Ends the test as unsupported: this device can never do what it asks, for `reason`. It does not count as passed. For
/// failures that will be repaired, use ExpectedFailure.
[[noreturn]] void unsupported(const std::string& reason);

/// A known failure that will be repaired. On devices for which `applies` returns true the test must fail; a pass fails
/// the run.
struct ExpectedFailure {
  std::string reason;
  bool (*applies)(const DeviceInfo& device) = nullptr;
};

using DeviceTestBody = void (*)(const Device& device);

struct DeviceTest {
  std::string name;
  DeviceTestBody body = nullptr;
  const char* file = "";
  int line = 0;
  ExpectedFailure expected_failure;
  /// For one of several tests that differ in their type: why the device lacks the type; empty if it has it.
  std::string (*lacks_type)(const DeviceInfo& device) = nullptr;
  std::string type = {};  ///< the name of that type
};

bool add_device_test(DeviceTest test);

/// A device under test and the selector that names it.
struct TestedDevice {
  std::string selector;
  Device device;
};
/// Returns every device of this run, each opened once. For tests of several devices at once.
const std::vector<TestedDevice>& tested_devices();

/// Returns the selector of a tested device, for tests that open it again with other options. Ends the test as
/// unsupported on a wrapped device.
std::string selector_of(const Device& device);

/// Whether a CPU does the work: the device is a CPU, or its driver emulates a GPU (cuda_on_cpu). Work of milliseconds
/// on a GPU takes it minutes.
bool computes_on_cpu(const Device& device);
/// Whether the CPU runs each invocation by itself, which takes it longest.
bool runs_fibers(const Device& device);

/// Names the feature that a device lacks for elements of type T; empty if it lacks none. Of structs only the size
/// counts.
template <typename T>
std::string lacks_type(const DeviceInfo& device) {
  const DeviceFeatures& features = device.features;
  if (std::is_integral_v<T> && sizeof(T) == 8 && !features.int64) return "no 64-bit integers";
  if (std::is_same_v<T, double> && !features.float64) return "no 64-bit floating point";
  if (std::is_same_v<T, Half> && !features.float16) return "no 16-bit floating point";
  if (std::is_integral_v<T> && sizeof(T) == 2 && !features.int16) return "no 16-bit integers";
  if (std::is_integral_v<T> && sizeof(T) == 1 && !features.int8) return "no 8-bit integers";
  if (sizeof(T) == 2 && !features.storage16) return "no 16-bit members in buffers";
  if (sizeof(T) == 1 && !features.storage8) return "no 8-bit members in buffers";
  return "";
}

template <typename T>
struct TypeName;
template <>
struct TypeName<int32_t> {
  static constexpr const char* value = "int";
};
template <>
struct TypeName<uint32_t> {
  static constexpr const char* value = "uint";
};
template <>
struct TypeName<float> {
  static constexpr const char* value = "float";
};
template <>
struct TypeName<int64_t> {
  static constexpr const char* value = "int64_t";
};
template <>
struct TypeName<uint64_t> {
  static constexpr const char* value = "uint64_t";
};
template <>
struct TypeName<double> {
  static constexpr const char* value = "double";
};
template <>
struct TypeName<int8_t> {
  static constexpr const char* value = "int8_t";
};
template <>
struct TypeName<uint8_t> {
  static constexpr const char* value = "uint8_t";
};
template <>
struct TypeName<int16_t> {
  static constexpr const char* value = "int16_t";
};
template <>
struct TypeName<uint16_t> {
  static constexpr const char* value = "uint16_t";
};
template <>
struct TypeName<Half> {
  static constexpr const char* value = "float16_t";
};

}  // namespace weft::test

#define WEFT_TEST_CAT2(a, b) a##b
#define WEFT_TEST_CAT(a, b) WEFT_TEST_CAT2(a, b)

#define WEFT_DEVICE_TEST(function, name, ...)                                           \
  static void function(const weft::Device& device);                                     \
  [[maybe_unused]] static const bool WEFT_TEST_CAT(function, _added) =                  \
      weft::test::add_device_test({name, function, __FILE__, __LINE__, {__VA_ARGS__}}); \
  static void function([[maybe_unused]] const weft::Device& device)

/// DEVICE_TEST(name) { body } or DEVICE_TEST(name, expected-failure reason, predicate of DeviceInfo) { body }.
/// The body sees `const weft::Device& device`, which all tests of a run share.
#define DEVICE_TEST(...) WEFT_DEVICE_TEST(WEFT_TEST_CAT(device_test_, __COUNTER__), __VA_ARGS__)

#define WEFT_DEVICE_TEST_OF_TYPES(function, name, ...)                                                               \
  template <typename T>                                                                                              \
  static void function(const weft::Device& device);                                                                  \
  template <typename... Types>                                                                                       \
  static bool WEFT_TEST_CAT(function, _add)() {                                                                      \
    return (weft::test::add_device_test({std::string(name) + " of " + weft::test::TypeName<Types>::value,            \
                                         function<Types>,                                                            \
                                         __FILE__,                                                                   \
                                         __LINE__,                                                                   \
                                         {},                                                                         \
                                         weft::test::lacks_type<Types>,                                              \
                                         weft::test::TypeName<Types>::value}) &&                                     \
            ...);                                                                                                    \
  }                                                                                                                  \
  [[maybe_unused]] static const bool WEFT_TEST_CAT(function, _added) = WEFT_TEST_CAT(function, _add)<__VA_ARGS__>(); \
  template <typename T>                                                                                              \
  static void function([[maybe_unused]] const weft::Device& device)

/// DEVICE_TEST_OF_TYPES(name, types...) { body }: one test for each type, which the body knows as T. A type needs a
/// TypeName.
#define DEVICE_TEST_OF_TYPES(...) WEFT_DEVICE_TEST_OF_TYPES(WEFT_TEST_CAT(device_test_, __COUNTER__), __VA_ARGS__)
