#include "core/src/platform/process.h"

#include <unistd.h>

namespace weft::core {

uint64_t process_number() { return static_cast<uint64_t>(getpid()); }

std::filesystem::path program_file() { return std::filesystem::read_symlink("/proc/self/exe"); }

}  // namespace weft::core
