#include "npy.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>

#include "text.h"

namespace weft::tools {
namespace {

struct Header {
  std::string descr;
  bool fortran_order = false;
  std::vector<uint64_t> shape;
};

[[noreturn]] void throw_truncated(const std::string& name, const std::string& detail) {
  throw Error(ErrorCode::io_failed, name + " is truncated: " + detail);
}

[[noreturn]] void throw_bad(const std::string& name, const std::string& detail) {
  throw Error(ErrorCode::invalid_argument, name + " " + detail);
}

// Returns the text after a key in a Python literal such as {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }.
// Python allows single and double quotes.
std::string_view value_of(std::string_view text, const std::string& key) {
  size_t at = text.find("'" + key + "'");
  if (at == std::string_view::npos) at = text.find('"' + key + '"');
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + key.size() + 2);
  text.remove_prefix(std::min(text.find_first_not_of(": "), text.size()));
  return text;
}

// Returns the text between `opening`, with which `text` starts, and the next `closing`; nothing if either is missing.
std::optional<std::string_view> enclosed(std::string_view text, char opening, char closing) {
  const size_t end = text.find(closing, 1);
  if (!text.starts_with(opening) || end == std::string_view::npos) return std::nullopt;
  return text.substr(1, end - 1);
}

Header parse_header(const std::string& text, const std::string& name) {
  if (value_of(text, "descr").starts_with('[')) {
    throw_bad(name, "holds records with several fields; save each field as a separate array");
  }
  auto descr = enclosed(value_of(text, "descr"), '\'', '\'');
  if (!descr) descr = enclosed(value_of(text, "descr"), '"', '"');
  const auto shape = enclosed(value_of(text, "shape"), '(', ')');
  const std::string_view order = value_of(text, "fortran_order");
  const bool has_order = order.starts_with("True") || order.starts_with("False");
  if (!descr || !shape || !has_order) throw_bad(name, "has a damaged .npy header");
  Header header{std::string(*descr), order.starts_with("True"), {}};
  for (std::string extent : split(*shape, ',')) {
    std::erase(extent, ' ');
    if (extent.empty()) continue;  // after the last comma
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(extent.data(), extent.data() + extent.size(), value);
    if (error == std::errc::result_out_of_range) throw_bad(name, "has a shape that is too large");
    if (error != std::errc{} || end != extent.data() + extent.size()) throw_bad(name, "has a damaged .npy header");
    header.shape.push_back(value);
  }
  return header;
}

ScalarType type_of(const std::string& descr, const std::string& name) {
  if (descr.find('O') != std::string::npos) {
    throw_bad(name, "holds pickled Python objects (dtype '" + descr + "'), not numbers; save it with a numeric dtype");
  }
  const std::string plain = !descr.empty() && std::strchr("<>|=", descr[0]) ? descr.substr(1) : descr;
  if (descr.starts_with('>') && plain.size() == 2 && plain[1] != '1') {
    throw_bad(name, "is big-endian (dtype '" + descr + "'); save array.astype('<" + plain + "') instead");
  }
  if (plain == "b1") return ScalarType::u8;
  for (int t = 0; t <= int(ScalarType::f64); ++t) {
    if (numpy_name(ScalarType(t)).substr(1) == plain) return ScalarType(t);
  }
  throw_bad(name, "has dtype '" + descr +
                      "', which is not supported; the types are b1, u1, i1, u2, i2, f2, u4, i4, f4, u8, i8 and f8");
}

// Returns fewer bytes only at the end of the file.
std::string read_text(InputFile& file, size_t bytes) {
  std::string data(bytes, '\0');
  data.resize(file.read(std::as_writable_bytes(std::span(data))));
  return data;
}

std::string read_exactly(InputFile& file, size_t bytes) {
  std::string data = read_text(file, bytes);
  if (data.size() != bytes) throw_truncated(file.name(), "it ends within the .npy header");
  return data;
}

uint32_t little_endian(std::string_view bytes) {
  uint32_t value = 0;
  for (size_t i = 0; i < bytes.size(); ++i) value |= uint32_t(uint8_t(bytes[i])) << (8 * i);
  return value;
}

Header read_header(InputFile& file) {
  const std::string& name = file.name();
  if (read_text(file, npy_magic.size()) != npy_magic) throw_bad(name, "is not a .npy file: its first bytes differ");
  const uint8_t version = uint8_t(read_exactly(file, 2)[0]);
  if (version < 1 || version > 3) {
    throw_bad(name, "has .npy format version " + std::to_string(version) + "; 1, 2 and 3 are supported");
  }
  const uint32_t length = little_endian(read_exactly(file, version == 1 ? 2 : 4));
  if (length > 4096)
    throw_bad(name, "has a damaged .npy header, or one of records: it is longer than plain numbers need");
  return parse_header(read_exactly(file, length), name);
}

}  // namespace

Array read_npy(InputFile& file) {
  const std::string& name = file.name();
  const Header header = read_header(file);
  Array array{type_of(header.descr, name), header.shape, {}};
  if (header.fortran_order && header.shape.size() > 1) {
    throw_bad(name, "is in Fortran (column-major) order; save numpy.ascontiguousarray(array) instead");
  }
  uint64_t total = bytes(array.type);
  for (const uint64_t extent : header.shape) {
    if (__builtin_mul_overflow(total, extent, &total)) throw_bad(name, "has a shape that is too large");
  }
  // Memory grows with the data actually read, so a damaged header cannot claim all of it.
  constexpr uint64_t chunk = uint64_t(64) << 20;
  while (array.data.size() < total) {
    const size_t used = array.data.size();
    const size_t wanted = size_t(std::min(chunk, total - used));
    array.data.resize(used + wanted);
    const size_t got = file.read(std::span(array.data).subspan(used));
    if (got != wanted) {
      throw_truncated(name, "its header announces " + std::to_string(total) + " bytes of data, but it holds " +
                                std::to_string(used + got));
    }
  }
  return array;
}

std::string npy_header(ScalarType type, std::span<const uint64_t> shape) {
  std::string dictionary = "{'descr': '" + numpy_name(type) + "', 'fortran_order': False, 'shape': (";
  for (size_t i = 0; i < shape.size(); ++i) dictionary += (i ? ", " : "") + std::to_string(shape[i]);
  dictionary += shape.size() == 1 ? ",), }" : "), }";
  // The data starts at a multiple of 64 bytes, and a newline ends the header.
  const size_t before = npy_magic.size() + 4;
  dictionary.resize((before + dictionary.size() + 1 + 63) / 64 * 64 - before - 1, ' ');
  dictionary += '\n';
  std::string header(npy_magic);
  header += {'\x01', '\x00', char(dictionary.size() & 255), char(dictionary.size() >> 8)};
  return header + dictionary;
}

}  // namespace weft::tools
