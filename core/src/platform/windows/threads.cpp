#include "core/src/platform/threads.h"

#include "core/src/platform/windows/system.h"

namespace weft::core {
namespace {

DWORD WINAPI run(void* work) {
  (*static_cast<std::function<void()>*>(work))();
  return 0;
}

}  // namespace

bool run_on_thread(size_t stack_bytes, std::function<void()> work) {
  const HANDLE thread = CreateThread(nullptr, stack_bytes, run, &work, STACK_SIZE_PARAM_IS_A_RESERVATION, nullptr);
  if (!thread) return false;
  WaitForSingleObject(thread, INFINITE);
  CloseHandle(thread);
  return true;
}

}  // namespace weft::core
