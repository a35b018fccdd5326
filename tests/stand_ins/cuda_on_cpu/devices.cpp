#include <cstdio>
#include <cstdlib>

#include "tests/stand_ins/cuda_on_cpu/driver.h"
#include "tests/stand_ins/cuda_on_cpu/limits.h"

namespace weft::test::cuda_on_cpu {
namespace {

uint64_t number(const char* variable, uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text && *text ? std::strtoull(text, nullptr, 10) : otherwise;
}

CUuuid uuid_of(uint64_t ordinal) {
  CUuuid uuid{};
  std::snprintf(uuid.bytes, sizeof(uuid.bytes), "CUDA on CPU %d", int(ordinal));
  const char* const text = std::getenv("WEFT_CUDA_ON_CPU_UUID");
  if (ordinal > 0 || !text) return uuid;
  for (size_t i = 0; i < sizeof(uuid.bytes); ++i) {
    uuid.bytes[i] = char(std::stoi(std::string(text).substr(2 * i, 2), nullptr, 16));
  }
  return uuid;
}

// As in CUDA's documentation.
uint32_t block_memory_bytes(uint64_t capability) {
  switch (capability) {
    case 75:
      return 64 * 1024;
    case 80:
    case 87:
      return 163 * 1024;
    case 86:
    case 89:
      return 99 * 1024;
    default:
      return capability < 120 ? 227 * 1024 : 99 * 1024;
  }
}

CUresult attribute(const Device& device, CUdevice_attribute which, int& value) {
  switch (which) {
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X:
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y:
      return value = 1024, CUDA_SUCCESS;
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z:
      return value = 64, CUDA_SUCCESS;
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X:
      return value = int(most_blocks_x), CUDA_SUCCESS;
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y:
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z:
      return value = int(most_blocks_yz), CUDA_SUCCESS;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK:
      return value = int(declared_memory_bytes), CUDA_SUCCESS;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
      return value = int(device.block_memory_bytes), CUDA_SUCCESS;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR:
      return value = int(device.block_memory_bytes + reserved_block_memory_bytes), CUDA_SUCCESS;
    case CU_DEVICE_ATTRIBUTE_WARP_SIZE:
      return value = 32, CUDA_SUCCESS;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
      return value = int(multiprocessors), CUDA_SUCCESS;
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR:
      return value = int(most_resident_blocks), CUDA_SUCCESS;
    case CU_DEVICE_ATTRIBUTE_INTEGRATED:
      return value = 0, CUDA_SUCCESS;
    case CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING:
      return value = 1, CUDA_SUCCESS;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
      return value = device.major, CUDA_SUCCESS;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
      return value = device.minor, CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

// Runs a call about the device with that number.
template <class Body>
CUresult of_device(int ordinal, Body&& body) {
  if (!driver().started) return CUDA_ERROR_NOT_INITIALIZED;
  if (ordinal < 0 || size_t(ordinal) >= driver().device_count()) return CUDA_ERROR_INVALID_DEVICE;
  return body(driver().device(ordinal));
}

}  // namespace

// The second device has an older architecture, so code for the first does not run on it.
Driver::Driver() : version_(int(number("WEFT_CUDA_ON_CPU_VERSION", 12090))) {
  const uint64_t count = number("WEFT_CUDA_ON_CPU_DEVICES", 2);
  for (uint64_t i = 0; i < count; ++i) {
    Device& device = *devices_.emplace_back(std::make_unique<Device>());
    device.name = "CUDA on CPU " + std::to_string(i);
    device.uuid = uuid_of(i);
    const uint64_t capability = i % 2 == 0 ? number("WEFT_CUDA_ON_CPU_CAPABILITY", 90) : 75;
    device.major = int(capability / 10);
    device.minor = int(capability % 10);
    device.block_memory_bytes = block_memory_bytes(capability);
    device.total_bytes = number("WEFT_CUDA_ON_CPU_MEMORY", uint64_t(3) << 30);
  }
}

Driver& driver() {
  static auto* const instance = new Driver;
  return *instance;
}

}  // namespace weft::test::cuda_on_cpu

using namespace weft::test::cuda_on_cpu;

CUDA_ON_CPU_CALL cuInit(unsigned int flags) {
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  if (driver().device_count() == 0) return CUDA_ERROR_NO_DEVICE;
  driver().started = true;
  return CUDA_SUCCESS;
}

CUDA_ON_CPU_CALL cuDriverGetVersion(int* version) {
  *version = driver().version();
  return CUDA_SUCCESS;
}

CUDA_ON_CPU_CALL cuDeviceGetCount(int* count) {
  if (!driver().started) return CUDA_ERROR_NOT_INITIALIZED;
  *count = int(driver().device_count());
  return CUDA_SUCCESS;
}

CUDA_ON_CPU_CALL cuDeviceGet(CUdevice* device, int ordinal) {
  return of_device(ordinal, [&](Device&) { return *device = ordinal, CUDA_SUCCESS; });
}

CUDA_ON_CPU_CALL cuDeviceGetName(char* name, int length, CUdevice ordinal) {
  return of_device(ordinal, [&](Device& device) {
    std::snprintf(name, size_t(length), "%s", device.name.c_str());
    return CUDA_SUCCESS;
  });
}

// The two differ on parts of a GPU alone.
CUDA_ON_CPU_CALL cuDeviceGetUuid(CUuuid* uuid, CUdevice ordinal) {
  return of_device(ordinal, [&](Device& device) { return *uuid = device.uuid, CUDA_SUCCESS; });
}
CUDA_ON_CPU_CALL cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice ordinal) { return cuDeviceGetUuid(uuid, ordinal); }

CUDA_ON_CPU_CALL cuDeviceGetAttribute(int* value, CUdevice_attribute which, CUdevice ordinal) {
  return of_device(ordinal, [&](Device& device) { return attribute(device, which, *value); });
}

CUDA_ON_CPU_CALL cuDeviceTotalMem_v2(size_t* bytes, CUdevice ordinal) {
  return of_device(ordinal, [&](Device& device) { return *bytes = device.total_bytes, CUDA_SUCCESS; });
}
