#include "backends/cuda/api.h"

namespace weft::cuda {

namespace {

CUcontext own(cuda_hip::ContextHandle handle) { return reinterpret_cast<CUcontext>(handle); }
CUstream own(cuda_hip::StreamHandle handle) { return reinterpret_cast<CUstream>(handle); }
CUevent own(cuda_hip::EventHandle handle) { return reinterpret_cast<CUevent>(handle); }
CUmodule own(cuda_hip::ModuleHandle handle) { return reinterpret_cast<CUmodule>(handle); }
CUfunction own(cuda_hip::FunctionHandle handle) { return reinterpret_cast<CUfunction>(handle); }

}  // namespace

cuda_hip::ContextHandle Api::retain_context(int ordinal) const {
  CUcontext context = nullptr;
  check(cu_->cuDevicePrimaryCtxRetain(&context, ordinal), "opening a CUDA device's primary context");
  return reinterpret_cast<cuda_hip::ContextHandle>(context);
}

void Api::release_context(int ordinal) const noexcept { cu_->cuDevicePrimaryCtxRelease(ordinal); }

cuda_hip::ContextHandle Api::enter(cuda_hip::ContextHandle context) const {
  check(cu_->cuCtxPushCurrent(own(context)), "making a CUDA context current");
  return nullptr;  // the driver keeps a stack
}

void Api::leave(cuda_hip::ContextHandle) const noexcept {
  CUcontext left = nullptr;
  cu_->cuCtxPopCurrent(&left);
}

uint64_t Api::allocate(uint64_t bytes) const {
  CUdeviceptr address = 0;
  check(cu_->cuMemAlloc(&address, bytes), "allocating device memory");
  return address;
}

void Api::release(uint64_t address) const noexcept { cu_->cuMemFree(address); }

std::byte* Api::allocate_pinned(uint64_t bytes) const {
  void* memory = nullptr;
  check(cu_->cuMemHostAlloc(&memory, bytes, CU_MEMHOSTALLOC_PORTABLE), "allocating pinned host memory");
  return static_cast<std::byte*>(memory);
}

void Api::release_pinned(std::byte* memory) const noexcept { cu_->cuMemFreeHost(memory); }

uint64_t Api::free_memory_bytes() const {
  size_t free = 0, total = 0;
  check(cu_->cuMemGetInfo(&free, &total), "querying free device memory");
  return free;
}

cuda_hip::PointerInfo Api::pointer_info(uint64_t address) const {
  cuda_hip::PointerInfo info;
  const auto ask = [&](auto& value, CUpointer_attribute attribute) {
    return cu_->cuPointerGetAttribute(&value, attribute, CUdeviceptr(address)) == CUDA_SUCCESS;
  };
  unsigned int kind = 0;
  if (!ask(kind, CU_POINTER_ATTRIBUTE_MEMORY_TYPE) || kind != CU_MEMORYTYPE_DEVICE) return info;
  CUdeviceptr base = 0;
  size_t bytes = 0;
  ask(info.ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL);
  if (ask(base, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR)) info.base = base;
  if (ask(bytes, CU_POINTER_ATTRIBUTE_RANGE_SIZE)) info.bytes = bytes;
  return info;
}

void Api::copy_to_device(uint64_t to, const std::byte* from, uint64_t bytes, cuda_hip::StreamHandle stream) const {
  check(cu_->cuMemcpyHtoDAsync(to, from, bytes, own(stream)), "copying to the device");
}

void Api::copy_to_host(std::byte* to, uint64_t from, uint64_t bytes, cuda_hip::StreamHandle stream) const {
  check(cu_->cuMemcpyDtoHAsync(to, from, bytes, own(stream)), "copying to the host");
}

void Api::copy_on_device(uint64_t to, uint64_t from, uint64_t bytes, cuda_hip::StreamHandle stream) const {
  check(cu_->cuMemcpyDtoDAsync(to, from, bytes, own(stream)), "copying on the device");
}

void Api::fill(uint64_t to, uint32_t word, uint64_t words, cuda_hip::StreamHandle stream) const {
  check(cu_->cuMemsetD32Async(to, word, words, own(stream)), "filling device memory");
}

cuda_hip::StreamHandle Api::create_stream() const {
  CUstream stream = nullptr;
  check(cu_->cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), "creating a stream");
  return reinterpret_cast<cuda_hip::StreamHandle>(stream);
}

void Api::destroy(cuda_hip::StreamHandle stream) const noexcept { cu_->cuStreamDestroy(own(stream)); }

bool Api::done(cuda_hip::StreamHandle stream) const {
  const CUresult result = cu_->cuStreamQuery(own(stream));
  if (result == CUDA_ERROR_NOT_READY) return false;
  check(result, "querying a stream");
  return true;
}

void Api::wait(cuda_hip::StreamHandle stream, cuda_hip::EventHandle event) const {
  check(cu_->cuStreamWaitEvent(own(stream), own(event), CU_EVENT_WAIT_DEFAULT), "ordering a stream after an event");
}

cuda_hip::EventHandle Api::create_event(bool timed) const {
  CUevent event = nullptr;
  check(cu_->cuEventCreate(&event, timed ? CU_EVENT_DEFAULT : CU_EVENT_DISABLE_TIMING), "creating an event");
  return reinterpret_cast<cuda_hip::EventHandle>(event);
}

void Api::destroy(cuda_hip::EventHandle event) const noexcept { cu_->cuEventDestroy(own(event)); }

void Api::record(cuda_hip::EventHandle event, cuda_hip::StreamHandle stream) const {
  check(cu_->cuEventRecord(own(event), own(stream)), "recording an event");
}

bool Api::done(cuda_hip::EventHandle event) const {
  const CUresult result = cu_->cuEventQuery(own(event));
  if (result == CUDA_ERROR_NOT_READY) return false;
  check(result, "waiting for work on the device");
  return true;
}

double Api::seconds_between(cuda_hip::EventHandle start, cuda_hip::EventHandle end) const {
  float milliseconds = 0;
  check(cu_->cuEventElapsedTimeOfAll(&milliseconds, own(start), own(end)), "reading the time between two events");
  return milliseconds * 1e-3;
}

cuda_hip::ModuleHandle Api::load(std::span<const std::byte> code) const {
  CUmodule module = nullptr;
  check(cu_->cuModuleLoadData(&module, code.data()), "loading a compiled kernel");
  return reinterpret_cast<cuda_hip::ModuleHandle>(module);
}

void Api::unload(cuda_hip::ModuleHandle module) const noexcept { cu_->cuModuleUnload(own(module)); }

cuda_hip::FunctionHandle Api::function(cuda_hip::ModuleHandle module, const char* name) const {
  CUfunction function = nullptr;
  check(cu_->cuModuleGetFunction(&function, own(module), name), "finding a kernel in its code");
  return reinterpret_cast<cuda_hip::FunctionHandle>(function);
}

uint32_t Api::max_group_invocations(cuda_hip::FunctionHandle function) const {
  int most = 0;
  check(cu_->cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, own(function)),
        "querying a kernel's maximum workgroup size");
  return uint32_t(most);
}

void Api::allow_dynamic_memory(cuda_hip::FunctionHandle function, uint32_t bytes) const {
  check(cu_->cuFuncSetAttribute(own(function), CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, int(bytes)),
        "raising a kernel's limit of workgroup memory");
}

uint32_t Api::resident_groups(cuda_hip::FunctionHandle function, uint32_t invocations,
                              uint32_t dynamic_memory_bytes) const {
  int groups = 0;
  check(
      cu_->cuOccupancyMaxActiveBlocksPerMultiprocessor(&groups, own(function), int(invocations), dynamic_memory_bytes),
      "querying a kernel's occupancy");
  return uint32_t(groups);
}

void Api::launch(const cuda_hip::Launch& launch, cuda_hip::StreamHandle stream) const {
  // CUDA's programmatic dependent launch.
  CUlaunchAttribute dependent{};
  dependent.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
  dependent.value.programmaticStreamSerializationAllowed = 1;
  const CUlaunchConfig config{.gridDimX = launch.groups[0],
                              .gridDimY = launch.groups[1],
                              .gridDimZ = launch.groups[2],
                              .blockDimX = launch.group_size[0],
                              .blockDimY = launch.group_size[1],
                              .blockDimZ = launch.group_size[2],
                              .sharedMemBytes = launch.dynamic_memory_bytes,
                              .hStream = own(stream),
                              .attrs = &dependent,
                              .numAttrs = launch.may_start_early ? 1u : 0u};
  check(cu_->cuLaunchKernelEx(&config, own(launch.function), launch.parameters, nullptr), "launching a kernel");
}

}  // namespace weft::cuda
