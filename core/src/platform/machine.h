#pragma once

#include <cstdint>
#include <string>

namespace weft::core {

/// The processor's model name.
std::string processor_name();

/// The machine's memory; 1 GiB if the system does not say.
uint64_t memory_bytes();

}  // namespace weft::core
