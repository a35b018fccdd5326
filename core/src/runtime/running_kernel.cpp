#include "core/src/runtime/running_kernel.h"

#include <atomic>
#include <mutex>

#include <weft/faults.h>

#include "core/src/platform/faults.h"

namespace weft {
namespace {

std::atomic<bool> installed = false;
std::atomic_flag told;

struct Running {
  const char* name = nullptr;
  bool checked = false;
};
// Thread-local memory may be allocated on first use, which a handler of faults cannot do; threads that run kernels have
// written it before.
thread_local Running running;

void tell(bool is_null) {
  if (!running.name || told.test_and_set()) return;
  core::write_error("weft: kernel '");
  core::write_error(running.name);
  if (running.checked) {
    core::write_error(
        "' accessed unmapped memory in spite of the checks: an array among its own variables, or its stack\n");
    return;
  }
  core::write_error(
      is_null ? "' accessed memory by a null pointer: a buffer reference in its push constants or in memory is null"
              : "' accessed unmapped memory, most likely out of bounds");
  core::write_error("; run it on a device with check=on, such as host:check=on, to find the access\n");
}

}  // namespace

namespace core {

RunningKernel::RunningKernel(const char* name, bool checked) {
  if (installed) prepare_thread_for_faults();
  running = {name, checked};
}

RunningKernel::~RunningKernel() { running = {}; }

}  // namespace core

void explain_kernel_faults() {
  static std::once_flag once;
  std::call_once(once, [] {
    core::watch_memory_faults(tell);
    installed = true;
  });
}

}  // namespace weft
