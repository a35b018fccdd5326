#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/src/base/tuning.h"

namespace weft::algorithms {

/// What was measured to be best for plans of up to a count, which is a power of two; what is given for the largest
/// count also holds above it. A file has one on each line, words of the form name=value, the device's name last; lines
/// that start with # are remarks:
///
///     primitive=scan element_bytes=4 count=1048576 workgroup=256 bytes_per_invocation=96 backend=cuda device=NVIDIA
///     H200
///
/// Values of Tuning that a line leaves out are those of a Tuning{}.
struct TuningEntry {
  std::string backend, device;  ///< As DeviceInfo has them; a name is one device model.
  std::string primitive;
  uint32_t element_bytes = 0;
  uint64_t count = 0;
  Tuning tuning;
};

/// The user's file: $WEFT_TUNING (set but empty: none), else `tuning` in the folder of the kernel cache where there is
/// such a file that no other user can change; nullopt when there is none. Reads the environment at each call.
std::optional<std::filesystem::path> tuning_file();
/// Where `weft tune` stores: as tuning_file(), whether the file exists or not.
std::optional<std::filesystem::path> tuning_file_to_write();

/// How files spell one of Tuning's values.
const char* tuning_value_name(uint32_t Tuning::*value);

/// Throws io_failed when the file cannot be read or others can change it, invalid_argument naming the line that is
/// wrong.
std::vector<TuningEntry> read_tuning(const std::filesystem::path& file);
/// What read_tuning() reads.
std::string to_text(const std::vector<TuningEntry>& entries);

}  // namespace weft::algorithms
