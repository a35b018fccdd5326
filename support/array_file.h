#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "support/output_file.h"
#include "support/scalar_type.h"

namespace weft::support {

/// Numbers of one type in C order, as stored in a file. An empty shape is a single number.
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

// Names of files are UTF-8.

/// Whether the name ends in .npy.
bool is_npy(const std::string& name);
/// Returns the reason to refuse a name that ends in .npz, an archive; nothing for other names.
std::string refuse_archive(const std::string& name);

/// Reads a .npy file (format 1.0 to 3.0), recognized by its name or first bytes, or a raw file of numbers of
/// `raw_type`.
///
/// Throws io_failed if the file cannot be read or is truncated. Throws invalid_argument if a .npy file is malformed,
/// big-endian, in Fortran order (unless that is C order too), not of numbers, or of another type than `raw_type`; or if
/// a raw file has no type, or its size is not a whole number of elements.
Array read_array(const std::string& name, std::optional<ScalarType> raw_type);
/// Like read_array(), but a .npy file may have any type.
Array read_array_like(const std::string& name, ScalarType raw_type);

/// The numbers of a .npy file, or the bytes of another file.
struct Contents {
  bool is_npy = false;
  Array array;  ///< For a raw file: bytes, without type and shape.
};
/// Reads a file. Throws as read_array() does.
Contents read_contents(const std::string& name);

/// Reads all bytes of a file. Throws io_failed.
std::vector<std::byte> read_bytes(const std::string& name);

/// A file to write numbers to, as .npy or raw.
struct ArrayFile {
  explicit ArrayFile(const std::string& name) : ArrayFile(name, support::is_npy(name)) {}
  ArrayFile(const std::string& name, bool as_npy) : file(name), is_npy(as_npy) {}

  OutputFile file;
  bool is_npy;
};

/// Writes `data`. Does not commit.
void write_array(ArrayFile& file, ScalarType type, std::span<const uint64_t> shape, std::span<const std::byte> data);

/// Numbers, and the file to write them to, if any.
struct Result {
  std::optional<ArrayFile>& file;
  ScalarType type;
  std::span<const uint64_t> shape;
  std::span<const std::byte> values;
};
/// Writes the results that have a file, and commits them once all are written. Returns whether any had a file.
bool write_results(std::initializer_list<Result> results);

}  // namespace weft::support
