#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include <weft/half.h>

#include "tests/support/test.h"
#include "tests/tools/command.h"

/// Shared by the tests of the primitives' verbs.
namespace weft::test {

/// NumPy's name of the type in a file's header.
template <typename T>
inline const char* const numpy_type = nullptr;
template <>
inline const char* const numpy_type<uint8_t> = "|u1";
template <>
inline const char* const numpy_type<int16_t> = "<i2";
template <>
inline const char* const numpy_type<uint16_t> = "<u2";
template <>
inline const char* const numpy_type<Half> = "<f2";
template <>
inline const char* const numpy_type<uint32_t> = "<u4";
template <>
inline const char* const numpy_type<int32_t> = "<i4";
template <>
inline const char* const numpy_type<float> = "<f4";
template <>
inline const char* const numpy_type<uint64_t> = "<u8";
template <>
inline const char* const numpy_type<int64_t> = "<i8";
template <>
inline const char* const numpy_type<double> = "<f8";

/// Runs a verb of the command on that device. Fails the test unless it succeeds.
inline Outcome run(const Device& device, const Folder& folder, std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--device", selector_of(device)});
  const Outcome outcome = folder.weft(arguments);
  check_success(outcome);
  return outcome;
}

/// Whether the device supports elements of that type.
template <typename T>
bool has_type(const DeviceInfo& device) {
  const DeviceFeatures& features = device.features;
  if constexpr (sizeof(T) == 4) return true;
  if constexpr (sizeof(T) == 1) return features.int8 && features.storage8;
  if constexpr (std::is_same_v<T, Half>) return features.float16 && features.storage16;
  if constexpr (sizeof(T) == 2) return features.int16 && features.storage16;
  return std::is_floating_point_v<T> ? device.features.float64 : device.features.int64;
}

}  // namespace weft::test
