// The functions of libamdhip64 that Weft uses, over the CUDA driver. It claims AMD GPUs of the architecture gfx1030,
// whose wavefronts have 32 lanes like NVIDIA's warps.
//
//   WEFT_HIP_ON_CUDA_VERSION=5|6|7    the version of HIP to imitate; default: 6
//   WEFT_HIP_ON_CUDA_DEVICE=<name>    another architecture to claim
#define __HIP_PLATFORM_AMD__
#include <hip/hip_runtime_api.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <vector>

#include "tests/stand_ins/hip_on_cuda/cuda.h"

using namespace hip_on_cuda;

#define HIP extern "C" __attribute__((visibility("default")))

namespace {

thread_local int current = 0;

int version() {
  const char* given = std::getenv("WEFT_HIP_ON_CUDA_VERSION");
  return given && *given >= '5' && *given <= '7' ? *given - '0' : 6;
}

// HIP's error numbers are CUDA's, where HIP has the error.
hipError_t answer(int result) {
  switch (result) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
    case 100:
    case 101:
    case 200:
    case 201:
    case 209:
    case 214:
    case 301:
    case 302:
    case 303:
    case 304:
    case 400:
    case 401:
    case 500:
    case 600:
    case 700:
    case 701:
    case 702:
    case 709:
    case 710:
    case 719:
    case 801:
      return hipError_t(result);
    case 714:
    case 715:
    case 716:
    case 717:
    case 718:  // several kinds of traps
      return hipError_t(719);
    default:
      return hipErrorUnknown;
  }
}

Stream* cuda(hipStream_t stream) { return reinterpret_cast<Stream*>(stream); }
Event* cuda(hipEvent_t event) { return reinterpret_cast<Event*>(event); }
Module* cuda(hipModule_t module) { return reinterpret_cast<Module*>(module); }
Function* cuda(hipFunction_t function) { return reinterpret_cast<Function*>(function); }
Address cuda(const void* pointer) { return reinterpret_cast<Address>(pointer); }

// Returns the primary context of a device, which stays retained.
Context* context_of(int ordinal) {
  static std::mutex mutex;
  static std::vector<Context*> contexts;
  const std::lock_guard lock(mutex);
  if (contexts.size() <= size_t(ordinal)) contexts.resize(size_t(ordinal) + 1);
  Context*& context = contexts[size_t(ordinal)];
  int device = 0;
  if (!context && Driver::get()->device(&device, ordinal) == cuda_success) {
    Driver::get()->retain_context(&context, device);
  }
  return context;
}

// Runs `work` with the current device's context.
template <class Work>
hipError_t on_device(Work&& work) {
  const Driver* const driver = Driver::get();
  if (!driver) return hipErrorNoDevice;
  if (const int result = driver->push_context(context_of(current)); result != cuda_success) return answer(result);
  const int result = work(*driver);
  Context* popped = nullptr;
  driver->pop_context(&popped);
  return answer(result);
}

// On AMD's devices a launch may use all workgroup memory; on CUDA's the kernel must opt in first.
constexpr unsigned undeclared_dynamic_bytes = 48 * 1024;
constexpr int max_dynamic_bytes_attribute = 8;
int allow_dynamic_memory(const Driver& driver, hipFunction_t function, size_t bytes) {
  if (bytes <= undeclared_dynamic_bytes) return cuda_success;
  return driver.set_function_attribute(cuda(function), max_dynamic_bytes_attribute, int(bytes));
}

// Returns the CUdevice_attribute for a hipDeviceAttribute_t.
int attribute_of(hipDeviceAttribute_t attribute) {
  switch (attribute) {
    case hipDeviceAttributeMaxThreadsPerBlock:
      return 1;
    case hipDeviceAttributeMaxBlockDimX:
      return 2;
    case hipDeviceAttributeMaxBlockDimY:
      return 3;
    case hipDeviceAttributeMaxBlockDimZ:
      return 4;
    case hipDeviceAttributeMaxGridDimX:
      return 5;
    case hipDeviceAttributeMaxGridDimY:
      return 6;
    case hipDeviceAttributeMaxGridDimZ:
      return 7;
    case hipDeviceAttributeMaxSharedMemoryPerMultiprocessor:
      return 81;
    case hipDeviceAttributeMaxSharedMemoryPerBlock:
      return 97;  // the limit with opting in, as allow_dynamic_memory() does
    case hipDeviceAttributeWarpSize:
      return 10;
    case hipDeviceAttributeMultiprocessorCount:
      return 16;
    case hipDeviceAttributeIntegrated:
      return 18;
    default:
      return 0;
  }
}

// Fills hipDeviceProp_t in the layout of the version; fields that Weft does not use hold garbage.
template <size_t bytes, size_t architecture>
hipError_t write_properties(void* properties, int ordinal) {
  int count = 0;
  if (hipGetDeviceCount(&count) != hipSuccess || ordinal >= count) return hipErrorInvalidDevice;
  std::memset(properties, 0xab, bytes);
  const char* given = std::getenv("WEFT_HIP_ON_CUDA_DEVICE");
  std::snprintf(static_cast<char*>(properties) + architecture, 256, "%s", given ? given : "gfx1030");
  return hipSuccess;
}

}  // namespace

int hip_on_cuda::current_device() { return current; }

HIP hipError_t hipInit(unsigned) { return Driver::get() ? hipSuccess : hipErrorInvalidDevice; }
HIP hipError_t hipRuntimeGetVersion(int* result) {
  *result = version() * 10'000'000;
  return hipSuccess;
}
HIP hipError_t hipGetDeviceCount(int* count) {
  *count = 0;
  if (!Driver::get()) return hipErrorNoDevice;
  const int result = Driver::get()->device_count(count);
  return result != cuda_success ? answer(result) : *count == 0 ? hipErrorNoDevice : hipSuccess;
}
HIP hipError_t hipGetDevice(int* ordinal) {
  *ordinal = current;
  return hipSuccess;
}
HIP hipError_t hipSetDevice(int ordinal) {
  int count = 0;
  if (hipGetDeviceCount(&count) != hipSuccess || ordinal < 0 || ordinal >= count) return hipErrorInvalidDevice;
  current = ordinal;
  return hipSuccess;
}
HIP hipError_t hipDeviceGetName(char* name, int length, hipDevice_t ordinal) {
  return answer(Driver::get()->device_name(name, length, ordinal));
}
HIP hipError_t hipDeviceGetAttribute(int* value, hipDeviceAttribute_t attribute, int ordinal) {
  const int number = attribute_of(attribute);
  return number == 0 ? hipErrorInvalidValue : answer(Driver::get()->device_attribute(value, number, ordinal));
}
HIP hipError_t hipDeviceTotalMem(size_t* bytes, hipDevice_t ordinal) {
  return answer(Driver::get()->device_memory(bytes, ordinal));
}
HIP hipError_t hipGetDeviceProperties(hipDeviceProp_t* properties, int ordinal) {
  return write_properties<792, 396>(properties, ordinal);
}
HIP hipError_t hipGetDevicePropertiesR0600(void* properties, int ordinal) {
  return write_properties<1472, 1160>(properties, ordinal);
}

HIP hipError_t hipMalloc(void** memory, size_t bytes) {
  return on_device([&](const Driver& d) { return d.allocate(reinterpret_cast<Address*>(memory), bytes); });
}
HIP hipError_t hipFree(void* memory) {
  return on_device([&](const Driver& d) { return d.release(cuda(memory)); });
}
HIP hipError_t hipHostMalloc(void** memory, size_t bytes, unsigned) {
  return on_device([&](const Driver& d) { return d.allocate_host(memory, bytes, 0); });
}
HIP hipError_t hipHostFree(void* memory) {
  return on_device([&](const Driver& d) { return d.release_host(memory); });
}
HIP hipError_t hipMemGetInfo(size_t* free, size_t* total) {
  return on_device([&](const Driver& d) { return d.memory_info(free, total); });
}
HIP hipError_t hipPointerGetAttributes(hipPointerAttribute_t* attributes, const void* pointer) {
  constexpr int memory_type = 2, device_ordinal = 9, cuda_host = 1;
  *attributes = {};
  return on_device([&](const Driver& d) {
    unsigned type = 0;
    int device = 0;
    const int result = d.pointer_attribute(&type, memory_type, cuda(pointer));
    // Memory unknown to the driver: an error in version 5, a separate type in later versions.
    if (result != cuda_success) return version() >= 6 && result == cuda_invalid_value ? cuda_success : result;
    d.pointer_attribute(&device, device_ordinal, cuda(pointer));
    attributes->device = device;
    const int host = version() >= 6 ? 1 : 0;
    std::memset(attributes, 0, sizeof(int));
    const int value = type == cuda_host ? host : host + 1;
    std::memcpy(attributes, &value, sizeof value);
    return cuda_success;
  });
}
HIP hipError_t hipMemGetAddressRange(hipDeviceptr_t* base, size_t* bytes, hipDeviceptr_t pointer) {
  constexpr int range_start = 11, range_size = 12;
  return on_device([&](const Driver& d) {
    const int result = d.pointer_attribute(base, range_start, cuda(pointer));
    return result != cuda_success ? result : d.pointer_attribute(bytes, range_size, cuda(pointer));
  });
}
HIP hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t to, void* from, size_t bytes, hipStream_t stream) {
  return on_device([&](const Driver& d) { return d.copy_to_device(cuda(to), from, bytes, cuda(stream)); });
}
HIP hipError_t hipMemcpyDtoHAsync(void* to, hipDeviceptr_t from, size_t bytes, hipStream_t stream) {
  return on_device([&](const Driver& d) { return d.copy_to_host(to, cuda(from), bytes, cuda(stream)); });
}
HIP hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t to, hipDeviceptr_t from, size_t bytes, hipStream_t stream) {
  return on_device([&](const Driver& d) { return d.copy_on_device(cuda(to), cuda(from), bytes, cuda(stream)); });
}
HIP hipError_t hipMemsetD32Async(hipDeviceptr_t to, int word, size_t words, hipStream_t stream) {
  return on_device([&](const Driver& d) { return d.fill(cuda(to), unsigned(word), words, cuda(stream)); });
}

// The flags of streams and events that Weft uses have CUDA's values.
HIP hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned flags) {
  return on_device([&](const Driver& d) { return d.create_stream(reinterpret_cast<Stream**>(stream), flags); });
}
HIP hipError_t hipStreamDestroy(hipStream_t stream) {
  return on_device([&](const Driver& d) { return d.destroy_stream(cuda(stream)); });
}
HIP hipError_t hipStreamQuery(hipStream_t stream) {
  return on_device([&](const Driver& d) { return d.query_stream(cuda(stream)); });
}
HIP hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned flags) {
  return on_device([&](const Driver& d) { return d.wait_event(cuda(stream), cuda(event), flags); });
}
HIP hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned flags) {
  return on_device([&](const Driver& d) { return d.create_event(reinterpret_cast<Event**>(event), flags); });
}
HIP hipError_t hipEventDestroy(hipEvent_t event) {
  return on_device([&](const Driver& d) { return d.destroy_event(cuda(event)); });
}
HIP hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
  return on_device([&](const Driver& d) { return d.record_event(cuda(event), cuda(stream)); });
}
HIP hipError_t hipEventQuery(hipEvent_t event) {
  return on_device([&](const Driver& d) { return d.query_event(cuda(event)); });
}
HIP hipError_t hipEventElapsedTime(float* milliseconds, hipEvent_t start, hipEvent_t end) {
  return on_device([&](const Driver& d) { return d.elapsed(milliseconds, cuda(start), cuda(end)); });
}

HIP hipError_t hipModuleLoadData(hipModule_t* module, const void* code) {
  return on_device([&](const Driver& d) { return d.load_module(reinterpret_cast<Module**>(module), code); });
}
HIP hipError_t hipModuleUnload(hipModule_t module) {
  return on_device([&](const Driver& d) { return d.unload_module(cuda(module)); });
}
HIP hipError_t hipModuleGetFunction(hipFunction_t* function, hipModule_t module, const char* name) {
  return on_device(
      [&](const Driver& d) { return d.get_function(reinterpret_cast<Function**>(function), cuda(module), name); });
}
// The attributes have CUDA's numbers.
HIP hipError_t hipFuncGetAttribute(int* value, hipFunction_attribute attribute, hipFunction_t function) {
  return on_device([&](const Driver& d) { return d.function_attribute(value, int(attribute), cuda(function)); });
}
HIP hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, hipFunction_t function, int threads,
                                                                  size_t dynamic_bytes) {
  return on_device([&](const Driver& d) {
    const int result = allow_dynamic_memory(d, function, dynamic_bytes);
    return result != cuda_success ? result : d.resident_blocks(blocks, cuda(function), threads, dynamic_bytes);
  });
}
HIP hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned x, unsigned y, unsigned z, unsigned size_x,
                                     unsigned size_y, unsigned size_z, unsigned dynamic_bytes, hipStream_t stream,
                                     void** parameters, void** extra) {
  return on_device([&](const Driver& d) {
    const int result = allow_dynamic_memory(d, function, dynamic_bytes);
    if (result != cuda_success) return result;
    return d.launch(cuda(function), x, y, z, size_x, size_y, size_z, dynamic_bytes, cuda(stream), parameters, extra);
  });
}

HIP const char* hipGetErrorName(hipError_t error) {
  switch (int(error)) {
    case 1:
      return "hipErrorInvalidValue";
    case 2:
      return "hipErrorOutOfMemory";
    case 100:
      return "hipErrorNoDevice";
    case 101:
      return "hipErrorInvalidDevice";
    case 600:
      return "hipErrorNotReady";
    case 700:
      return "hipErrorIllegalAddress";
    case 719:
      return "hipErrorLaunchFailure";
    default:
      return "hipError";
  }
}
HIP const char* hipGetErrorString(hipError_t error) {
  const char* text = nullptr;
  if (Driver::get()) Driver::get()->error_string(int(error), &text);
  return text ? text : "";
}
