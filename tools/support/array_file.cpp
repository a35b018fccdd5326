#include "array_file.h"

#include <string>

#include "input_file.h"
#include "npy.h"

namespace weft::tools {
bool is_npy(const std::filesystem::path& path) { return path.extension() == ".npy"; }

Array read_array(const std::filesystem::path& path, std::optional<ScalarType> raw_type) {
  InputFile file(path);
  const std::string& name = file.name();
  if (is_npy(path)) {
    Array array = read_npy(file);
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
  Array array{*raw_type, {}, file.read_rest()};
  if (array.data.size() % bytes(*raw_type) != 0) {
    throw Error(ErrorCode::invalid_argument, name + " has " + std::to_string(array.data.size()) +
                                                 " bytes, which is no whole number of " + to_string(*raw_type) +
                                                 " elements");
  }
  array.shape = {array.count()};
  return array;
}

std::vector<std::byte> read_bytes(const std::filesystem::path& path) { return InputFile(path).read_rest(); }

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
