#include "backends/host/worker.h"

// The functions that kernels call.
namespace weft::host {
namespace {

void runtime_barrier(weft_host_invocation* invocation, uint32_t site) {
  Fiber& fiber = fiber_of(invocation);
  fiber.worker->barrier(fiber, site);
}

const unsigned char* runtime_exchange(weft_host_invocation* invocation, weft_host_mask active, const void* value,
                                      uint32_t bytes, uint32_t site) {
  Fiber& fiber = fiber_of(invocation);
  return fiber.worker->exchange(fiber, active, value, bytes, site);
}

void runtime_yield(weft_host_invocation* invocation) {
  Fiber& fiber = fiber_of(invocation);
  fiber.worker->yield(fiber);
}

void runtime_fail(weft_host_invocation* invocation, const char* message, uint32_t site) {
  Fiber& fiber = fiber_of(invocation);
  fiber.worker->fail(fiber, message, site);
}

void runtime_access(weft_host_invocation* invocation, const void* address, uint32_t bytes, uint32_t alignment,
                    uint32_t kind, const weft_host_binding* binding, uint32_t site) {
  Fiber& fiber = fiber_of(invocation);
  fiber.worker->access(
      fiber, {fiber.number, static_cast<const unsigned char*>(address), bytes, alignment, kind, binding, site});
}

}  // namespace

const weft_host_runtime host_runtime = {runtime_barrier, runtime_exchange, runtime_yield, runtime_fail, runtime_access};

}  // namespace weft::host
