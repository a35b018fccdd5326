#include <cstdio>
#include <string>

#include "tests/stand_ins/cuda_on_cpu/driver.h"

namespace weft::test::cuda_on_cpu {
namespace {

thread_local std::vector<CUcontext> current;

auto is_of(const std::shared_ptr<Context>& context) {
  return [context](const auto& object) { return object.context() == context; };
}

// Reports objects that were created in a working context and never released.
void report_leaks(const std::shared_ptr<Context>& context) {
  const size_t memory = driver().memory.count(*context), streams = driver().streams.all(is_of(context)).size(),
               events = driver().events.all(is_of(context)).size(),
               modules = driver().modules.all(is_of(context)).size(),
               imports = driver().external_memory.all(is_of(context)).size() +
                         driver().external_semaphores.all(is_of(context)).size();
  if (memory + streams + events + modules + imports == 0 || context->error() != CUDA_SUCCESS) return;
  report_misuse(("a context ends with " + std::to_string(memory) + " allocations, " + std::to_string(streams) +
                 " streams, " + std::to_string(events) + " events, " + std::to_string(modules) + " modules and " +
                 std::to_string(imports) + " imports")
                    .c_str());
}

CUcontext create(int ordinal) {
  const auto context = std::make_shared<Context>(ordinal);
  return context->handle = driver().contexts.add(context);
}

// Waits for the work first, as the driver does.
void destroy(CUcontext handle) {
  const std::shared_ptr<Context> context = driver().contexts.find(handle);
  for (const auto& stream : driver().streams.all(is_of(context))) stream->drain();
  report_leaks(context);
  driver().contexts.remove(handle);
  driver().functions.remove_all(is_of(context));
  driver().modules.remove_all(is_of(context));
  driver().events.remove_all(is_of(context));
  driver().external_memory.remove_all(is_of(context));
  driver().external_semaphores.remove_all(is_of(context));
  driver().streams.remove_all(is_of(context));
}

}  // namespace

Context::~Context() { driver().memory.release_all(*this); }

void Context::fail(CUresult error, const std::string& why) {
  CUresult none = CUDA_SUCCESS;
  if (error_.compare_exchange_strong(none, error)) std::fprintf(stderr, "cuda on cpu: stopped: %s\n", why.c_str());
}

CUresult find_current(std::shared_ptr<Context>& context) {
  if (!driver().started) return CUDA_ERROR_NOT_INITIALIZED;
  if (current.empty() || !current.back()) {
    report_misuse("no context is current on the thread");
    return CUDA_ERROR_INVALID_CONTEXT;
  }
  context = driver().contexts.find(current.back());
  return context ? context->error() : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

}  // namespace weft::test::cuda_on_cpu

using namespace weft::test::cuda_on_cpu;

CUDA_ON_CPU_CALL cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice ordinal) {
  if (!driver().started) return CUDA_ERROR_NOT_INITIALIZED;
  if (ordinal < 0 || size_t(ordinal) >= driver().device_count()) return CUDA_ERROR_INVALID_DEVICE;
  Device& device = driver().device(ordinal);
  std::lock_guard lock(device.mutex);
  if (device.retained++ == 0) device.primary = create(ordinal);
  *context = device.primary;
  return CUDA_SUCCESS;
}

CUDA_ON_CPU_CALL cuDevicePrimaryCtxRelease_v2(CUdevice ordinal) {
  if (ordinal < 0 || size_t(ordinal) >= driver().device_count()) return CUDA_ERROR_INVALID_DEVICE;
  Device& device = driver().device(ordinal);
  std::lock_guard lock(device.mutex);
  if (device.retained == 0) {
    report_misuse("a primary context is released more often than retained");
    return CUDA_ERROR_INVALID_CONTEXT;
  }
  if (--device.retained == 0) destroy(device.primary);
  return CUDA_SUCCESS;
}

CUDA_ON_CPU_CALL cuCtxCreate_v2(CUcontext* context, unsigned int, CUdevice ordinal) {
  if (!driver().started) return CUDA_ERROR_NOT_INITIALIZED;
  if (ordinal < 0 || size_t(ordinal) >= driver().device_count()) return CUDA_ERROR_INVALID_DEVICE;
  *context = create(ordinal);
  current.push_back(*context);
  return CUDA_SUCCESS;
}

CUDA_ON_CPU_CALL cuCtxDestroy_v2(CUcontext context) {
  if (!driver().contexts.find(context)) return CUDA_ERROR_INVALID_CONTEXT;
  destroy(context);
  if (!current.empty() && current.back() == context) current.pop_back();
  return CUDA_SUCCESS;
}

CUDA_ON_CPU_CALL cuCtxPushCurrent_v2(CUcontext context) {
  if (!driver().started) return CUDA_ERROR_NOT_INITIALIZED;
  if (!driver().contexts.find(context)) return CUDA_ERROR_INVALID_CONTEXT;
  current.push_back(context);
  return CUDA_SUCCESS;
}

CUDA_ON_CPU_CALL cuCtxPopCurrent_v2(CUcontext* context) {
  if (current.empty()) {
    report_misuse("a context is popped from an empty stack");
    return CUDA_ERROR_INVALID_CONTEXT;
  }
  if (context) *context = current.back();
  current.pop_back();
  return CUDA_SUCCESS;
}

CUDA_ON_CPU_CALL cuCtxGetCurrent(CUcontext* context) {
  *context = current.empty() ? nullptr : current.back();
  return CUDA_SUCCESS;
}

CUDA_ON_CPU_CALL cuCtxGetDevice(CUdevice* device) {
  return in_context([&](const std::shared_ptr<Context>& context) {
    *device = context->ordinal();
    return CUDA_SUCCESS;
  });
}
