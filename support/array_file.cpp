#include "support/array_file.h"

#include <string>
#include <string_view>
#include <utility>

#include "core/src/platform/utf8.h"
#include "support/input_file.h"
#include "support/npy.h"

namespace weft::support {

bool is_npy(const std::string& name) { return core::utf8_path(name).extension() == ".npy"; }

std::string refuse_archive(const std::string& name) {
  if (!name.ends_with(".npz")) return "";
  return "'" + name + "' is an archive of arrays; save a single array with numpy.save(), as .npy";
}

Contents read_contents(const std::string& name) {
  if (const std::string wrong = refuse_archive(name); !wrong.empty()) {
    throw Error(ErrorCode::invalid_argument, wrong);
  }
  InputFile file(name);
  if (is_npy(name) || file.starts_with(npy_magic)) return {true, read_npy(file)};
  return {false, {ScalarType::u8, {}, file.read_rest()}};
}

namespace {

Array with_raw_type(Contents contents, const std::string& name, ScalarType type) {
  Array array = std::move(contents.array);
  array.type = type;
  if (array.data.size() % bytes(type) != 0) {
    throw Error(ErrorCode::invalid_argument, name + " has " + std::to_string(array.data.size()) +
                                                 " bytes, which is not a whole number of " + to_string(type) +
                                                 " elements");
  }
  array.shape = {array.count()};
  return array;
}

}  // namespace

Array read_array(const std::string& name, std::optional<ScalarType> raw_type) {
  Contents contents = read_contents(name);
  if (!contents.is_npy && !raw_type) {
    throw Error(ErrorCode::invalid_argument,
                name +
                    " is not a .npy file, by its name and first bytes; if it holds raw numbers, give their type, e.g. "
                    "--type f32");
  }
  if (!contents.is_npy) return with_raw_type(std::move(contents), name, *raw_type);
  if (raw_type && *raw_type != contents.array.type) {
    throw Error(ErrorCode::invalid_argument, name + " holds " + to_string(contents.array.type) + ", not " +
                                                 to_string(*raw_type) + " as given by --type");
  }
  return std::move(contents.array);
}

Array read_array_like(const std::string& name, ScalarType raw_type) {
  Contents contents = read_contents(name);
  return contents.is_npy ? std::move(contents.array) : with_raw_type(std::move(contents), name, raw_type);
}

std::vector<std::byte> read_bytes(const std::string& name) { return InputFile(name).read_rest(); }

void write_array(ArrayFile& file, ScalarType type, std::span<const uint64_t> shape, std::span<const std::byte> data) {
  if (file.is_npy) {
    const std::string header = npy_header(type, shape);
    file.file.write(std::as_bytes(std::span(header)));
  }
  file.file.write(data);
}

bool write_results(std::initializer_list<Result> results) {
  bool any = false;
  for (const Result& result : results) {
    if (!result.file) continue;
    write_array(*result.file, result.type, result.shape, result.values);
    any = true;
  }
  for (const Result& result : results) {
    if (result.file) result.file->file.commit();
  }
  return any;
}

}  // namespace weft::support
