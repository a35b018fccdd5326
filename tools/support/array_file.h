#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
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

/// Whether the name ends in .npy.
bool is_npy(const std::filesystem::path& path);
/// What is wrong with a name that ends in .npz, which is an archive; nothing with others.
std::string refuse_archive(const std::string& name);

/// Reads a .npy file (format 1.0 to 3.0), told by its name or its first bytes, or a raw file whose numbers are of type
/// `raw_type`.
///
/// Throws io_failed when the file cannot be read or is cut short; invalid_argument when it is no .npy file, is
/// big-endian, in Fortran order, or holds something other than numbers; when a raw file has no type or is no whole
/// number of elements; when `raw_type` contradicts a .npy file.
Array read_array(const std::filesystem::path& path, std::optional<ScalarType> raw_type);
/// As read_array(), but a .npy file has a type of its own.
Array read_array_like(const std::filesystem::path& path, ScalarType raw_type);

/// The numbers of a .npy file, or the bytes of another one.
struct Contents {
  bool is_npy = false;
  Array array;  ///< Of a raw file: bytes without a type and shape.
};
/// Throws as read_array() does.
Contents read_contents(const std::filesystem::path& path);

/// All bytes of a file. Throws io_failed.
std::vector<std::byte> read_bytes(const std::filesystem::path& path);

/// A file that numbers go to, as .npy or raw.
struct ArrayFile {
  explicit ArrayFile(const std::filesystem::path& path) : ArrayFile(path, tools::is_npy(path)) {}
  ArrayFile(const std::filesystem::path& path, bool as_npy) : file(path), is_npy(as_npy) {}

  OutputFile file;
  bool is_npy;
};

/// Writes `data`. Does not commit.
void write_array(ArrayFile& file, ScalarType type, std::span<const uint64_t> shape, std::span<const std::byte> data);

/// Numbers, and the file that they go to where there is one.
struct Result {
  std::optional<ArrayFile>& file;
  ScalarType type;
  std::span<const uint64_t> shape;
  std::span<const std::byte> values;
};
/// Writes the results that have a file, and commits once all are written. Returns whether any has one.
bool write_results(std::initializer_list<Result> results);

}  // namespace weft::tools
