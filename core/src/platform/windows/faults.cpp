#include "core/src/platform/faults.h"

#include <cstring>

#include "core/src/platform/windows/system.h"

namespace weft::core {
namespace {

void (*tell_of_fault)(bool is_null) = nullptr;

LONG CALLBACK on_exception(EXCEPTION_POINTERS* exception) {
  const EXCEPTION_RECORD& record = *exception->ExceptionRecord;
  constexpr ULONG_PTR page = 4096;
  switch (record.ExceptionCode) {
    case EXCEPTION_ACCESS_VIOLATION:
      tell_of_fault(record.NumberParameters > 1 && record.ExceptionInformation[1] < page);
      break;
    case EXCEPTION_IN_PAGE_ERROR:
    case EXCEPTION_STACK_OVERFLOW:
      tell_of_fault(false);
      break;
    default:
      break;
  }
  return EXCEPTION_CONTINUE_SEARCH;
}

}  // namespace

void watch_memory_faults(void (*tell)(bool is_null)) {
  tell_of_fault = tell;
  AddVectoredExceptionHandler(0, on_exception);
}

void prepare_thread_for_faults() {
  ULONG kept_bytes = 64 * 1024;  // of a full stack, for the handler
  SetThreadStackGuarantee(&kept_bytes);
}

void write_error(const char* text) {
  DWORD written = 0;
  WriteFile(GetStdHandle(STD_ERROR_HANDLE), text, static_cast<DWORD>(std::strlen(text)), &written, nullptr);
}

}  // namespace weft::core
