#include "tests/stand_ins/hip_on_cuda/cuda.h"

#include <cstdlib>
#include <map>
#include <mutex>
#include <string>

#include <weft/error.h>

#include "backends/cuda/nvrtc_names.h"

namespace hip_on_cuda {

namespace {

std::string named_by(const char* variable) {
  const char* file = std::getenv(variable);
  return file ? file : "";
}

}  // namespace

Driver::Driver()
    : library_({"the CUDA driver",
                "WEFT_CUDA_DRIVER",
                named_by("WEFT_CUDA_DRIVER"),
                {"libcuda.so.1"},
                "install NVIDIA's driver"}) {
  library_.load(init, "cuInit");
  library_.load(device_count, "cuDeviceGetCount");
  library_.load(device, "cuDeviceGet");
  library_.load(device_name, "cuDeviceGetName");
  library_.load(device_attribute, "cuDeviceGetAttribute");
  library_.load(device_memory, "cuDeviceTotalMem_v2");
  library_.load(retain_context, "cuDevicePrimaryCtxRetain");
  library_.load(push_context, "cuCtxPushCurrent_v2");
  library_.load(pop_context, "cuCtxPopCurrent_v2");
  library_.load(allocate, "cuMemAlloc_v2");
  library_.load(release, "cuMemFree_v2");
  library_.load(allocate_host, "cuMemHostAlloc");
  library_.load(release_host, "cuMemFreeHost");
  library_.load(memory_info, "cuMemGetInfo_v2");
  library_.load(copy_to_device, "cuMemcpyHtoDAsync_v2");
  library_.load(copy_to_host, "cuMemcpyDtoHAsync_v2");
  library_.load(copy_on_device, "cuMemcpyDtoDAsync_v2");
  library_.load(fill, "cuMemsetD32Async");
  library_.load(pointer_attribute, "cuPointerGetAttribute");
  library_.load(create_stream, "cuStreamCreate");
  library_.load(destroy_stream, "cuStreamDestroy_v2");
  library_.load(query_stream, "cuStreamQuery");
  library_.load(wait_event, "cuStreamWaitEvent");
  library_.load(create_event, "cuEventCreate");
  library_.load(destroy_event, "cuEventDestroy_v2");
  library_.load(record_event, "cuEventRecord");
  library_.load(query_event, "cuEventQuery");
  library_.load(elapsed, "cuEventElapsedTime");
  library_.load(load_module, "cuModuleLoadData");
  library_.load(unload_module, "cuModuleUnload");
  library_.load(get_function, "cuModuleGetFunction");
  library_.load(set_function_attribute, "cuFuncSetAttribute");
  library_.load(function_attribute, "cuFuncGetAttribute");
  library_.load(resident_blocks, "cuOccupancyMaxActiveBlocksPerMultiprocessor");
  library_.load(launch, "cuLaunchKernel");
  library_.load(error_string, "cuGetErrorString");
}

const Driver* Driver::get() {
  static const Driver* const driver = []() -> const Driver* {
    try {
      auto* const found = new Driver;
      return found->init(0) == cuda_success ? found : nullptr;
    } catch (const weft::Error&) {
      return nullptr;
    }
  }();
  return driver;
}

Nvrtc::Nvrtc()
    : library_(
          {"NVRTC", "WEFT_NVRTC", named_by("WEFT_NVRTC"), weft::cuda::nvrtc_names(), "install NVIDIA's CUDA toolkit"}) {
  library_.load(version, "nvrtcVersion");
  library_.load(create, "nvrtcCreateProgram");
  library_.load(compile, "nvrtcCompileProgram");
  library_.load(destroy, "nvrtcDestroyProgram");
  library_.load(log_size, "nvrtcGetProgramLogSize");
  library_.load(log, "nvrtcGetProgramLog");
  library_.load(code_size, "nvrtcGetCUBINSize");
  library_.load(code, "nvrtcGetCUBIN");
}

const Nvrtc* Nvrtc::get() {
  static const Nvrtc* const nvrtc = []() -> const Nvrtc* {
    try {
      return new Nvrtc;
    } catch (const weft::Error&) {
      return nullptr;
    }
  }();
  return nvrtc;
}

const char* architecture() {
  if (const char* given = std::getenv("WEFT_HIP_ON_CUDA_ARCHITECTURE")) return given;
  const Driver* const cuda = Driver::get();
  constexpr int major_attribute = 75, minor_attribute = 76;
  int device = 0, major = 0, minor = 0;
  if (!cuda || cuda->device(&device, current_device()) != cuda_success) return nullptr;
  cuda->device_attribute(&major, major_attribute, device);
  cuda->device_attribute(&minor, minor_attribute, device);
  static std::mutex mutex;
  static std::map<int, std::string> names;
  const std::lock_guard lock(mutex);
  return (names[device] = "sm_" + std::to_string(major) + std::to_string(minor)).c_str();
}

}  // namespace hip_on_cuda
