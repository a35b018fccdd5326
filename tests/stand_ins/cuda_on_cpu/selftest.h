#pragma once

#include <dlfcn.h>

#include <cstdlib>

#include "tests/stand_ins/cuda_on_cpu/api.h"
#include "tests/support/test.h"

/// The driver's and NVRTC's functions, called as a program calls them.
namespace weft::test::cuda_calls {

inline void* library(const char* variable) {
  const char* name = std::getenv(variable);
  REQUIRE_MESSAGE(name != nullptr, variable, " must name the library");
  void* const opened = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  REQUIRE_MESSAGE(opened != nullptr, dlerror());
  return opened;
}

template <class Function>
Function* symbol(const char* variable, const char* name) {
  void* const found = dlsym(library(variable), name);
  REQUIRE_MESSAGE(found != nullptr, name);
  return reinterpret_cast<Function*>(found);
}
#define CU(name) symbol<decltype(name)>("WEFT_CUDA_DRIVER", #name)
#define NVRTC(name) symbol<decltype(name)>("WEFT_NVRTC", #name)

/// Makes a device's primary context current for the object's lifetime.
class Primary {
 public:
  explicit Primary(int ordinal) : ordinal_(ordinal) {
    REQUIRE_EQ(CU(cuInit)(0), CUDA_SUCCESS);
    REQUIRE_EQ(CU(cuDevicePrimaryCtxRetain)(&context, ordinal), CUDA_SUCCESS);
    REQUIRE_EQ(CU(cuCtxPushCurrent_v2)(context), CUDA_SUCCESS);
  }
  ~Primary() {
    CU(cuCtxPopCurrent_v2)(nullptr);
    CHECK_EQ(CU(cuDevicePrimaryCtxRelease_v2)(ordinal_), CUDA_SUCCESS);
  }
  Primary(const Primary&) = delete;

  CUcontext context = nullptr;

 private:
  int ordinal_;
};

struct Stream {
  Stream() { REQUIRE_EQ(CU(cuStreamCreate)(&handle, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS); }
  ~Stream() { CU(cuStreamDestroy_v2)(handle); }
  CUstream handle = nullptr;
};

struct Event {
  explicit Event(unsigned flags = CU_EVENT_DEFAULT) { REQUIRE_EQ(CU(cuEventCreate)(&handle, flags), CUDA_SUCCESS); }
  ~Event() { CU(cuEventDestroy_v2)(handle); }
  CUevent handle = nullptr;
};

struct Words {
  explicit Words(size_t count) { REQUIRE_EQ(CU(cuMemAlloc_v2)(&address, count * 4), CUDA_SUCCESS); }
  ~Words() { CU(cuMemFree_v2)(address); }
  CUdeviceptr address = 0;
};

inline void wait_for(const Stream& stream) { REQUIRE_EQ(CU(cuStreamSynchronize)(stream.handle), CUDA_SUCCESS); }

}  // namespace weft::test::cuda_calls
