#include "core/src/platform/machine.h"

#include "core/src/platform/variables.h"
#include "core/src/platform/windows/system.h"

namespace weft::core {

std::string processor_name() { return environment_variable("PROCESSOR_IDENTIFIER").value_or("host processor"); }

uint64_t memory_bytes() {
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof(status);
  return GlobalMemoryStatusEx(&status) ? status.ullTotalPhys : uint64_t{1} << 30;
}

}  // namespace weft::core
