#pragma once

#include <filesystem>
#include <string>

#include <weft/tuning.h>

namespace weft::core {

/// Tuning::read() of a file that nobody named: no entries if it does not exist, or if other users can change it, which
/// is reported once as a warning.
Tuning read_default_tuning(const std::filesystem::path& file);

/// Message about a wrong entry: its location, what is wrong, and the remedy.
std::string wrong_entry(const Tuning::Entry& entry, const std::string& what);
/// Message about a file that others can change.
std::string untrusted_tuning(const std::filesystem::path& file, const std::string& reason);

}  // namespace weft::core
