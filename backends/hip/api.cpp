#include "backends/hip/api.h"

namespace weft::hip {

namespace {

// A context is represented by its device's ordinal plus one, so that null is free.
cuda_hip::ContextHandle context_of(int ordinal) {
  return reinterpret_cast<cuda_hip::ContextHandle>(uintptr_t(ordinal) + 1);
}
int own(cuda_hip::ContextHandle handle) { return int(reinterpret_cast<uintptr_t>(handle)) - 1; }
hipStream_t own(cuda_hip::StreamHandle handle) { return reinterpret_cast<hipStream_t>(handle); }
hipEvent_t own(cuda_hip::EventHandle handle) { return reinterpret_cast<hipEvent_t>(handle); }
hipModule_t own(cuda_hip::ModuleHandle handle) { return reinterpret_cast<hipModule_t>(handle); }
hipFunction_t own(cuda_hip::FunctionHandle handle) { return reinterpret_cast<hipFunction_t>(handle); }
hipDeviceptr_t pointer(uint64_t address) { return reinterpret_cast<hipDeviceptr_t>(address); }

}  // namespace

cuda_hip::ContextHandle Api::retain_context(int ordinal) const { return context_of(ordinal); }

void Api::release_context(int) const noexcept {}

cuda_hip::ContextHandle Api::enter(cuda_hip::ContextHandle context) const {
  int current = 0;
  check(hip_->hipGetDevice(&current), "querying the current HIP device");
  if (current != own(context)) check(hip_->hipSetDevice(own(context)), "making a HIP device current");
  return context_of(current);
}

void Api::leave(cuda_hip::ContextHandle previous) const noexcept {
  int current = 0;
  if (hip_->hipGetDevice(&current) == hipSuccess && current == own(previous)) return;
  (void)hip_->hipSetDevice(own(previous));
}

uint64_t Api::allocate(uint64_t bytes) const {
  void* memory = nullptr;
  check(hip_->hipMalloc(&memory, bytes), "allocating device memory");
  return reinterpret_cast<uint64_t>(memory);
}

void Api::release(uint64_t address) const noexcept { (void)hip_->hipFree(pointer(address)); }

std::byte* Api::allocate_pinned(uint64_t bytes) const {
  void* memory = nullptr;
  check(hip_->hipHostMalloc(&memory, bytes, hipHostMallocPortable), "allocating pinned host memory");
  return static_cast<std::byte*>(memory);
}

void Api::release_pinned(std::byte* memory) const noexcept { (void)hip_->hipHostFree(memory); }

uint64_t Api::free_memory_bytes() const {
  size_t free = 0, total = 0;
  check(hip_->hipMemGetInfo(&free, &total), "querying free device memory");
  return free;
}

cuda_hip::PointerInfo Api::pointer_info(uint64_t address) const {
  cuda_hip::PointerInfo info;
  PointerAttributes attributes{};
  const int device_memory = hip_->major() >= 6 ? 2 : 1;
  if (hip_->hipPointerGetAttributes(&attributes, pointer(address)) != hipSuccess) return info;
  if (attributes.type != device_memory) return info;
  info.ordinal = attributes.device;
  hipDeviceptr_t base = nullptr;
  size_t bytes = 0;
  if (hip_->hipMemGetAddressRange(&base, &bytes, pointer(address)) == hipSuccess) {
    info.base = reinterpret_cast<uint64_t>(base);
    info.bytes = bytes;
  }
  return info;
}

void Api::copy_to_device(uint64_t to, const std::byte* from, uint64_t bytes, cuda_hip::StreamHandle stream) const {
  check(hip_->hipMemcpyHtoDAsync(pointer(to), const_cast<std::byte*>(from), bytes, own(stream)),
        "copying to the device");
}

void Api::copy_to_host(std::byte* to, uint64_t from, uint64_t bytes, cuda_hip::StreamHandle stream) const {
  check(hip_->hipMemcpyDtoHAsync(to, pointer(from), bytes, own(stream)), "copying to the host");
}

void Api::copy_on_device(uint64_t to, uint64_t from, uint64_t bytes, cuda_hip::StreamHandle stream) const {
  check(hip_->hipMemcpyDtoDAsync(pointer(to), pointer(from), bytes, own(stream)), "copying on the device");
}

void Api::fill(uint64_t to, uint32_t word, uint64_t words, cuda_hip::StreamHandle stream) const {
  check(hip_->hipMemsetD32Async(pointer(to), int(word), words, own(stream)), "filling device memory");
}

cuda_hip::StreamHandle Api::create_stream() const {
  hipStream_t stream = nullptr;
  check(hip_->hipStreamCreateWithFlags(&stream, hipStreamNonBlocking), "creating a stream");
  return reinterpret_cast<cuda_hip::StreamHandle>(stream);
}

void Api::destroy(cuda_hip::StreamHandle stream) const noexcept { (void)hip_->hipStreamDestroy(own(stream)); }

bool Api::done(cuda_hip::StreamHandle stream) const {
  const hipError_t result = hip_->hipStreamQuery(own(stream));
  if (result == hipErrorNotReady) return false;
  check(result, "querying a stream");
  return true;
}

void Api::wait(cuda_hip::StreamHandle stream, cuda_hip::EventHandle event) const {
  check(hip_->hipStreamWaitEvent(own(stream), own(event), 0), "ordering a stream after an event");
}

cuda_hip::EventHandle Api::create_event(bool timed) const {
  hipEvent_t event = nullptr;
  check(hip_->hipEventCreateWithFlags(&event, timed ? hipEventDefault : hipEventDisableTiming), "creating an event");
  return reinterpret_cast<cuda_hip::EventHandle>(event);
}

void Api::destroy(cuda_hip::EventHandle event) const noexcept { (void)hip_->hipEventDestroy(own(event)); }

void Api::record(cuda_hip::EventHandle event, cuda_hip::StreamHandle stream) const {
  check(hip_->hipEventRecord(own(event), own(stream)), "recording an event");
}

bool Api::done(cuda_hip::EventHandle event) const {
  const hipError_t result = hip_->hipEventQuery(own(event));
  if (result == hipErrorNotReady) return false;
  check(result, "waiting for work on the device");
  return true;
}

double Api::seconds_between(cuda_hip::EventHandle start, cuda_hip::EventHandle end) const {
  float milliseconds = 0;
  check(hip_->hipEventElapsedTime(&milliseconds, own(start), own(end)), "reading the time between two events");
  return milliseconds * 1e-3;
}

cuda_hip::ModuleHandle Api::load(std::span<const std::byte> code) const {
  hipModule_t module = nullptr;
  check(hip_->hipModuleLoadData(&module, code.data()), "loading a compiled kernel");
  return reinterpret_cast<cuda_hip::ModuleHandle>(module);
}

void Api::unload(cuda_hip::ModuleHandle module) const noexcept { (void)hip_->hipModuleUnload(own(module)); }

cuda_hip::FunctionHandle Api::function(cuda_hip::ModuleHandle module, const char* name) const {
  hipFunction_t function = nullptr;
  check(hip_->hipModuleGetFunction(&function, own(module), name), "finding a kernel in its code");
  return reinterpret_cast<cuda_hip::FunctionHandle>(function);
}

uint32_t Api::max_group_invocations(cuda_hip::FunctionHandle function) const {
  int most = 0;
  check(hip_->hipFuncGetAttribute(&most, HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, own(function)),
        "querying a kernel's maximum workgroup size");
  return uint32_t(most);
}

// AMD's devices allow all their workgroup memory by default.
void Api::allow_dynamic_memory(cuda_hip::FunctionHandle, uint32_t) const {}

uint32_t Api::resident_groups(cuda_hip::FunctionHandle function, uint32_t invocations,
                              uint32_t dynamic_memory_bytes) const {
  int groups = 0;
  check(hip_->hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&groups, own(function), int(invocations),
                                                                 dynamic_memory_bytes),
        "querying a kernel's occupancy");
  return uint32_t(groups);
}

void Api::launch(const cuda_hip::Launch& launch, cuda_hip::StreamHandle stream) const {
  const auto& [x, y, z] = launch.groups;
  const auto& [width, height, depth] = launch.group_size;
  check(hip_->hipModuleLaunchKernel(own(launch.function), x, y, z, width, height, depth, launch.dynamic_memory_bytes,
                                    own(stream), launch.parameters, nullptr),
        "launching a kernel");
}

}  // namespace weft::hip
