#include "core/src/platform/process.h"

#include "core/src/platform/windows/system.h"

namespace weft::core {

uint64_t process_number() { return GetCurrentProcessId(); }

}  // namespace weft::core
