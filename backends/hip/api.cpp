#include "backends/hip/api.h"

namespace weft::hip {

namespace {

// A context is its device's number, moved by one so that there is a null.
driver::ContextHandle context_of(int ordinal) {
  return reinterpret_cast<driver::ContextHandle>(uintptr_t(ordinal) + 1);
}
int own(driver::ContextHandle handle) { return int(reinterpret_cast<uintptr_t>(handle)) - 1; }
hipStream_t own(driver::StreamHandle handle) { return reinterpret_cast<hipStream_t>(handle); }
hipEvent_t own(driver::EventHandle handle) { return reinterpret_cast<hipEvent_t>(handle); }
hipModule_t own(driver::ModuleHandle handle) { return reinterpret_cast<hipModule_t>(handle); }
hipFunction_t own(driver::FunctionHandle handle) { return reinterpret_cast<hipFunction_t>(handle); }
hipDeviceptr_t pointer(uint64_t address) { return reinterpret_cast<hipDeviceptr_t>(address); }

}  // namespace

driver::ContextHandle Api::retain_context(int ordinal) const { return context_of(ordinal); }

void Api::release_context(int) const noexcept {}

driver::ContextHandle Api::enter(driver::ContextHandle context) const {
  int current = 0;
  check(hip_->hipGetDevice(&current), "asking for the current HIP device");
  if (current != own(context)) check(hip_->hipSetDevice(own(context)), "making a HIP device current");
  return context_of(current);
}

void Api::leave(driver::ContextHandle previous) const noexcept {
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
  check(hip_->hipMemGetInfo(&free, &total), "asking for free device memory");
  return free;
}

driver::PointerInfo Api::pointer_info(uint64_t address) const {
  driver::PointerInfo info;
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

void Api::copy_to_device(uint64_t to, const std::byte* from, uint64_t bytes, driver::StreamHandle stream) const {
  check(hip_->hipMemcpyHtoDAsync(pointer(to), const_cast<std::byte*>(from), bytes, own(stream)),
        "copying to the device");
}

void Api::copy_to_host(std::byte* to, uint64_t from, uint64_t bytes, driver::StreamHandle stream) const {
  check(hip_->hipMemcpyDtoHAsync(to, pointer(from), bytes, own(stream)), "copying to the host");
}

void Api::copy_on_device(uint64_t to, uint64_t from, uint64_t bytes, driver::StreamHandle stream) const {
  check(hip_->hipMemcpyDtoDAsync(pointer(to), pointer(from), bytes, own(stream)), "copying on the device");
}

void Api::fill(uint64_t to, uint32_t word, uint64_t words, driver::StreamHandle stream) const {
  check(hip_->hipMemsetD32Async(pointer(to), int(word), words, own(stream)), "filling device memory");
}

driver::StreamHandle Api::create_stream() const {
  hipStream_t stream = nullptr;
  check(hip_->hipStreamCreateWithFlags(&stream, hipStreamNonBlocking), "creating a stream");
  return reinterpret_cast<driver::StreamHandle>(stream);
}

void Api::destroy(driver::StreamHandle stream) const noexcept { (void)hip_->hipStreamDestroy(own(stream)); }

bool Api::done(driver::StreamHandle stream) const {
  const hipError_t result = hip_->hipStreamQuery(own(stream));
  if (result == hipErrorNotReady) return false;
  check(result, "asking whether a stream's work is done");
  return true;
}

void Api::wait(driver::StreamHandle stream, driver::EventHandle event) const {
  check(hip_->hipStreamWaitEvent(own(stream), own(event), 0), "ordering a stream after an event");
}

driver::EventHandle Api::create_event(bool timed) const {
  hipEvent_t event = nullptr;
  check(hip_->hipEventCreateWithFlags(&event, timed ? hipEventDefault : hipEventDisableTiming), "creating an event");
  return reinterpret_cast<driver::EventHandle>(event);
}

void Api::destroy(driver::EventHandle event) const noexcept { (void)hip_->hipEventDestroy(own(event)); }

void Api::record(driver::EventHandle event, driver::StreamHandle stream) const {
  check(hip_->hipEventRecord(own(event), own(stream)), "recording an event");
}

bool Api::done(driver::EventHandle event) const {
  const hipError_t result = hip_->hipEventQuery(own(event));
  if (result == hipErrorNotReady) return false;
  check(result, "waiting for work on the device");
  return true;
}

double Api::seconds_between(driver::EventHandle start, driver::EventHandle end) const {
  float milliseconds = 0;
  check(hip_->hipEventElapsedTime(&milliseconds, own(start), own(end)), "reading the time between two events");
  return milliseconds * 1e-3;
}

driver::ModuleHandle Api::load(std::span<const std::byte> code) const {
  hipModule_t module = nullptr;
  check(hip_->hipModuleLoadData(&module, code.data()), "loading a compiled kernel");
  return reinterpret_cast<driver::ModuleHandle>(module);
}

void Api::unload(driver::ModuleHandle module) const noexcept { (void)hip_->hipModuleUnload(own(module)); }

driver::FunctionHandle Api::function(driver::ModuleHandle module, const char* name) const {
  hipFunction_t function = nullptr;
  check(hip_->hipModuleGetFunction(&function, own(module), name), "finding a kernel in its code");
  return reinterpret_cast<driver::FunctionHandle>(function);
}

uint32_t Api::max_group_invocations(driver::FunctionHandle function) const {
  int most = 0;
  check(hip_->hipFuncGetAttribute(&most, HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, own(function)),
        "asking how large a kernel's workgroups may be");
  return uint32_t(most);
}

// AMD's devices give a launch as much as they have without being told before.
void Api::allow_dynamic_memory(driver::FunctionHandle, uint32_t) const {}

uint32_t Api::resident_groups(driver::FunctionHandle function, uint32_t invocations,
                              uint32_t dynamic_memory_bytes) const {
  int groups = 0;
  check(hip_->hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&groups, own(function), int(invocations),
                                                                 dynamic_memory_bytes),
        "asking how many workgroups run at once");
  return uint32_t(groups);
}

void Api::launch(const driver::Launch& launch, driver::StreamHandle stream) const {
  const auto& [x, y, z] = launch.groups;
  const auto& [width, height, depth] = launch.group_size;
  check(hip_->hipModuleLaunchKernel(own(launch.function), x, y, z, width, height, depth, launch.dynamic_memory_bytes,
                                    own(stream), launch.parameters, nullptr),
        "launching a kernel");
}

}  // namespace weft::hip
