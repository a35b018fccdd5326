#pragma once

#include <cstdint>

namespace weft::core {

/// Differs between a process and its children, also those that fork() makes.
uint64_t process_number();

}  // namespace weft::core
