#pragma once

#include <cstdint>
#include <filesystem>

namespace weft::core {

/// Differs between a process and its children, also those that fork() makes.
uint64_t process_number();

/// The file of the program that this process runs.
std::filesystem::path program_file();

}  // namespace weft::core
