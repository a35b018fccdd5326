#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

#include "output_file.h"
#include "scalar_type.h"

namespace weft::tools {

/// Numbers of one type in C order, as a file holds them. No shape is one number.
struct Array {
  ScalarType type = ScalarType::u32;
  std::vector<uint64_t> shape;
  std::vector<std::byte> data;

  uint64_t count() const { return data.size() / bytes(type); }
  template <typename T>
  std::span<const T> as() const {
    return {reinterpret_cast<const T*>(data.data()), data.size() / sizeof(T)};
  }
};

/// Whether the name ends in .npy; every other file is raw numbers without a header.
bool is_npy(const std::filesystem::path& path);

/// Reads a .npy file (format 1.0 to 3.0), or a raw file whose numbers are of type `raw_type`.
///
/// Throws io_failed when the file cannot be read or is cut short; invalid_argument when it is no .npy file, is
/// big-endian, in Fortran order, or holds something other than numbers; when a raw file has no type or is no whole
/// number of elements; when `raw_type` contradicts a .npy file.
Array read_array(const std::filesystem::path& path, std::optional<ScalarType> raw_type = {});

/// All bytes of a file. Throws io_failed.
std::vector<std::byte> read_bytes(const std::filesystem::path& path);

/// Writes `data` as .npy or raw, by the name of `file`. Does not commit.
void write_array(OutputFile& file, ScalarType type, std::span<const uint64_t> shape, std::span<const std::byte> data);

/// Numbers, and the file that they go to where there is one.
struct Result {
  std::optional<OutputFile>& file;
  ScalarType type;
  std::span<const uint64_t> shape;
  std::span<const std::byte> values;
};
/// Writes the results that have a file, and commits once all are written. Returns whether any has one.
bool write_results(std::initializer_list<Result> results);

}  // namespace weft::tools
