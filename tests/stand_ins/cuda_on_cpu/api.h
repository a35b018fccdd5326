#pragma once

// Declares <cuda.h>'s functions under the names that drivers export. Some are macros there, for the versions that the
// toolkit uses.
#include <cuda.h>
#undef cuCtxCreate
#undef cuCtxDestroy
#undef cuCtxPopCurrent
#undef cuCtxPushCurrent
#undef cuDevicePrimaryCtxRelease
#undef cuDeviceGetUuid
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

// Drivers still export these, but CUDA 13's header does not declare them.
extern "C" CUresult cuCtxCreate_v2(CUcontext*, unsigned int, CUdevice);
extern "C" CUresult cuDeviceGetUuid(CUuuid*, CUdevice);
extern "C" CUresult cuEventElapsedTime(float*, CUevent, CUevent);

#define CUDA_ON_CPU_CALL extern "C" __attribute__((visibility("default"))) CUresult
