#pragma once

// What <cuda.h> declares, under the names that drivers have it by: some are macros there, for the versions of functions
// that its toolkit is about.
#include <cuda.h>
#undef cuCtxCreate
#undef cuCtxDestroy
#undef cuCtxPopCurrent
#undef cuCtxPushCurrent
#undef cuDevicePrimaryCtxRelease
#undef cuDeviceTotalMem
#undef cuEventDestroy
#undef cuEventElapsedTime
#undef cuMemAlloc
#undef cuMemFree
#undef cuMemGetInfo
#undef cuMemcpyDtoDAsync
#undef cuMemcpyDtoHAsync
#undef cuMemcpyHtoDAsync
#undef cuStreamDestroy

// Drivers keep these, and CUDA 13's header does not declare them.
extern "C" CUresult cuCtxCreate_v2(CUcontext*, unsigned int, CUdevice);
extern "C" CUresult cuEventElapsedTime(float*, CUevent, CUevent);

#define CUDA_ON_CPU_CALL extern "C" __attribute__((visibility("default"))) CUresult
