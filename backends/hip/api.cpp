#include "backends/hip/api.h"

#include <weft/error.h>

#include "backends/hip/errors.h"
#include "core/src/messages.h"

namespace weft::hip {

using driver::ContextHandle;
using driver::EventHandle;
using driver::FunctionHandle;
using driver::ModuleHandle;
using driver::StreamHandle;

namespace {

// A context is its device's number, moved by one so that there is a null.
ContextHandle context_of(int ordinal) { return reinterpret_cast<ContextHandle>(uintptr_t(ordinal) + 1); }
int ordinal_of(ContextHandle context) { return int(reinterpret_cast<uintptr_t>(context)) - 1; }

hipStream_t hip(StreamHandle stream) { return reinterpret_cast<hipStream_t>(stream); }
hipEvent_t hip(EventHandle event) { return reinterpret_cast<hipEvent_t>(event); }
hipModule_t hip(ModuleHandle module) { return reinterpret_cast<hipModule_t>(module); }
hipFunction_t hip(FunctionHandle function) { return reinterpret_cast<hipFunction_t>(function); }
hipDeviceptr_t pointer(uint64_t address) { return reinterpret_cast<hipDeviceptr_t>(address); }

// Whether a query says that all is done.
bool done(const Functions& hip, hipError_t result, const char* what) {
  if (result == hipErrorNotReady) return false;
  check(hip, result, what);
  return true;
}

}  // namespace

ContextHandle Api::retain_context(int ordinal) const { return context_of(ordinal); }
void Api::release_context(int) const noexcept {}

ContextHandle Api::enter(ContextHandle context) const {
  int current = 0;
  check(*hip_, hip_->hipGetDevice(&current), "asking for the current device");
  const int wanted = ordinal_of(context);
  if (current != wanted) check(*hip_, hip_->hipSetDevice(wanted), "making the device current");
  return context_of(current);
}
void Api::leave(ContextHandle previous) const noexcept {
  int current = 0;
  if (hip_->hipGetDevice(&current) != hipSuccess || current == ordinal_of(previous)) return;
  (void)hip_->hipSetDevice(ordinal_of(previous));
}

uint64_t Api::allocate(uint64_t bytes) const {
  void* memory = nullptr;
  check(*hip_, hip_->hipMalloc(&memory, bytes), "allocating " + core::gibibytes(bytes));
  return reinterpret_cast<uint64_t>(memory);
}
void Api::release(uint64_t address) const noexcept { (void)hip_->hipFree(pointer(address)); }

std::byte* Api::allocate_pinned(uint64_t bytes) const {
  void* memory = nullptr;
  check(*hip_, hip_->hipHostMalloc(&memory, bytes, hipHostMallocDefault),
        "allocating " + core::gibibytes(bytes) + " of pinned memory");
  return static_cast<std::byte*>(memory);
}
void Api::release_pinned(std::byte* memory) const noexcept { (void)hip_->hipHostFree(memory); }

uint64_t Api::free_memory_bytes() const {
  size_t free = 0, total = 0;
  check(*hip_, hip_->hipMemGetInfo(&free, &total), "asking for free memory");
  return free;
}

driver::PointerInfo Api::pointer_info(uint64_t address) const {
  Functions::PointerAttributes attributes{};
  const hipError_t result = hip_->hipPointerGetAttributes(&attributes, pointer(address));
  if (result == hipErrorInvalidValue) return {};  // memory that HIP does not know
  check(*hip_, result, "asking for a pointer's device");
  if (!hip_->is_device_memory(attributes.type)) return {};
  hipDeviceptr_t base = nullptr;
  size_t bytes = 0;
  check(*hip_, hip_->hipMemGetAddressRange(&base, &bytes, pointer(address)), "asking for a pointer's allocation");
  return {attributes.device, reinterpret_cast<uint64_t>(base), bytes};
}

void Api::copy_to_device(uint64_t to, const std::byte* from, uint64_t bytes, StreamHandle stream) const {
  check(*hip_, hip_->hipMemcpyHtoDAsync(pointer(to), const_cast<std::byte*>(from), bytes, hip(stream)),
        "copying to the device");
}
void Api::copy_to_host(std::byte* to, uint64_t from, uint64_t bytes, StreamHandle stream) const {
  check(*hip_, hip_->hipMemcpyDtoHAsync(to, pointer(from), bytes, hip(stream)), "copying to the host");
}
void Api::copy_on_device(uint64_t to, uint64_t from, uint64_t bytes, StreamHandle stream) const {
  check(*hip_, hip_->hipMemcpyDtoDAsync(pointer(to), pointer(from), bytes, hip(stream)), "copying on the device");
}
void Api::fill(uint64_t to, uint32_t word, uint64_t words, StreamHandle stream) const {
  check(*hip_, hip_->hipMemsetD32Async(pointer(to), int(word), words, hip(stream)), "filling memory");
}

StreamHandle Api::create_stream() const {
  hipStream_t stream = nullptr;
  check(*hip_, hip_->hipStreamCreateWithFlags(&stream, hipStreamNonBlocking), "making a stream");
  return reinterpret_cast<StreamHandle>(stream);
}
void Api::destroy(StreamHandle stream) const noexcept { (void)hip_->hipStreamDestroy(hip(stream)); }
bool Api::done(StreamHandle stream) const {
  return hip::done(*hip_, hip_->hipStreamQuery(hip(stream)), "asking whether a stream is done");
}
void Api::wait(StreamHandle stream, EventHandle event) const {
  check(*hip_, hip_->hipStreamWaitEvent(hip(stream), hip(event), 0), "letting a stream wait");
}

EventHandle Api::create_event(bool timed) const {
  hipEvent_t event = nullptr;
  check(*hip_, hip_->hipEventCreateWithFlags(&event, timed ? hipEventDefault : hipEventDisableTiming),
        "making an event");
  return reinterpret_cast<EventHandle>(event);
}
void Api::destroy(EventHandle event) const noexcept { (void)hip_->hipEventDestroy(hip(event)); }
void Api::record(EventHandle event, StreamHandle stream) const {
  check(*hip_, hip_->hipEventRecord(hip(event), hip(stream)), "recording an event");
}
bool Api::done(EventHandle event) const {
  return hip::done(*hip_, hip_->hipEventQuery(hip(event)), "asking whether work is done");
}
double Api::seconds_between(EventHandle start, EventHandle end) const {
  float milliseconds = 0;
  check(*hip_, hip_->hipEventElapsedTime(&milliseconds, hip(start), hip(end)), "reading timestamps");
  return milliseconds * 1e-3;
}

ModuleHandle Api::load(std::span<const std::byte> code) const {
  hipModule_t module = nullptr;
  check(*hip_, hip_->hipModuleLoadData(&module, code.data()), "loading a kernel");
  return reinterpret_cast<ModuleHandle>(module);
}
void Api::unload(ModuleHandle module) const noexcept { (void)hip_->hipModuleUnload(hip(module)); }

FunctionHandle Api::function(ModuleHandle module, const char* name) const {
  hipFunction_t function = nullptr;
  check(*hip_, hip_->hipModuleGetFunction(&function, hip(module), name), std::string("looking for ") + name);
  return reinterpret_cast<FunctionHandle>(function);
}
uint32_t Api::max_group_invocations(FunctionHandle function) const {
  int most = 0;
  check(*hip_, hip_->hipFuncGetAttribute(&most, HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, hip(function)),
        "asking for the largest workgroup");
  return uint32_t(most);
}
// AMD's devices give a launch as much as they have without being told before.
void Api::allow_dynamic_memory(FunctionHandle, uint32_t) const {}

uint32_t Api::resident_groups(FunctionHandle function, uint32_t invocations, uint32_t dynamic_memory_bytes) const {
  int groups = 0;
  check(*hip_,
        hip_->hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&groups, hip(function), int(invocations),
                                                                 dynamic_memory_bytes),
        "asking for resident workgroups");
  return uint32_t(groups);
}

void Api::launch(const driver::Launch& launch, StreamHandle stream) const {
  const auto& [x, y, z] = launch.groups;
  const auto& [size_x, size_y, size_z] = launch.group_size;
  check(*hip_,
        hip_->hipModuleLaunchKernel(hip(launch.function), x, y, z, size_x, size_y, size_z, launch.dynamic_memory_bytes,
                                    hip(stream), launch.parameters, nullptr),
        "launching a kernel");
}

}  // namespace weft::hip
