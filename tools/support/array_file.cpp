#include "array_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>

#include "npy.h"

namespace weft::tools {
namespace {

std::ifstream open_input(const std::filesystem::path& path) {
  std::error_code unreachable;  // which opening it tells
  if (std::filesystem::is_directory(path, unreachable)) {
    throw Error(ErrorCode::io_failed, "cannot read " + path.string() + ": it is a folder");
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(ErrorCode::io_failed, "cannot read " + path.string() + ": " + std::strerror(errno));
  return file;
}

std::vector<std::byte> read_rest(std::ifstream& file) {
  std::vector<std::byte> data;
  constexpr size_t chunk = size_t(16) << 20;
  for (size_t used = 0;;) {
    data.resize(used + chunk);
    file.read(reinterpret_cast<char*>(data.data() + used), chunk);
    used += size_t(file.gcount());
    if (size_t(file.gcount()) == 0 || !file) {
      data.resize(used);
      return data;
    }
  }
}

}  // namespace

bool is_npy(const std::filesystem::path& path) { return path.extension() == ".npy"; }

Array read_array(const std::filesystem::path& path, std::optional<ScalarType> raw_type) {
  const std::string name = path.string();
  std::ifstream file = open_input(path);
  if (is_npy(path)) {
    Array array = read_npy(file, name);
    if (raw_type && *raw_type != array.type) {
      throw Error(ErrorCode::invalid_argument,
                  name + " holds " + to_string(array.type) + ", not " + to_string(*raw_type) + " as --type says");
    }
    return array;
  }
  if (!raw_type) {
    throw Error(ErrorCode::invalid_argument, name +
                                                 " is taken as raw numbers because its name does not end in .npy; say "
                                                 "their type with --type, e.g. --type f32");
  }
  Array array{*raw_type, {}, read_rest(file)};
  if (array.data.size() % bytes(*raw_type) != 0) {
    throw Error(ErrorCode::invalid_argument, name + " has " + std::to_string(array.data.size()) +
                                                 " bytes, which is no whole number of " + to_string(*raw_type) +
                                                 " elements");
  }
  array.shape = {array.count()};
  return array;
}

std::vector<std::byte> read_bytes(const std::filesystem::path& path) {
  std::ifstream file = open_input(path);
  return read_rest(file);
}

void write_array(OutputFile& file, ScalarType type, std::span<const uint64_t> shape, std::span<const std::byte> data) {
  if (is_npy(file.target())) {
    const std::string header = npy_header(type, shape);
    file.write(std::as_bytes(std::span(header)));
  }
  file.write(data);
}

bool write_results(std::initializer_list<Result> results) {
  bool any = false;
  for (const Result& result : results) {
    if (!result.file) continue;
    write_array(*result.file, result.type, result.shape, result.values);
    any = true;
  }
  for (const Result& result : results) {
    if (result.file) result.file->commit();
  }
  return any;
}

}  // namespace weft::tools
