#include "support/npy.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>

#include "support/text.h"

namespace weft::support {
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

/// Reads a Python literal such as {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }.
class HeaderReader {
 public:
  HeaderReader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  Header read() {
    std::optional<std::string_view> descr, order, shape;
    expect('{');
    while (!accept('}')) {
      const std::string_view key = content_of(value());
      expect(':');
      skip_blanks();
      if (key == "descr" && text_.starts_with('[')) {
        throw_bad(name_, "holds records with several fields; save each field as a separate array");
      }
      (key == "descr" ? descr : key == "fortran_order" ? order : key == "shape" ? shape : other_) = value();
      if (accept(',')) continue;
      expect('}');
      break;
    }
    skip_blanks();
    if (!text_.empty() || !descr || !shape || (order != "True" && order != "False")) throw_damaged();
    return {std::string(content_of(*descr)), order == "True", extents_of(*shape)};
  }

 private:
  [[noreturn]] void throw_damaged() const { throw_bad(name_, "has a damaged .npy header"); }

  void skip_blanks() { text_.remove_prefix(std::min(text_.find_first_not_of(blanks), text_.size())); }
  bool accept(char wanted) {
    skip_blanks();
    if (!text_.starts_with(wanted)) return false;
    text_.remove_prefix(1);
    return true;
  }
  void expect(char wanted) {
    if (!accept(wanted)) throw_damaged();
  }

  // The bytes of a string that starts there, with its quotes.
  size_t string_length(size_t at) const {
    const char quote = text_[at];
    for (size_t end = at + 1; end < text_.size(); ++end) {
      if (text_[end] == '\\') {
        ++end;
      } else if (text_[end] == quote) {
        return end + 1 - at;
      }
    }
    throw_damaged();
  }

  // Up to a comma, a colon or the end of the dictionary that belongs to neither brackets nor a string.
  std::string_view value() {
    skip_blanks();
    size_t end = 0, depth = 0;
    while (end < text_.size()) {
      const char c = text_[end];
      if (c == '\'' || c == '"') {
        end += string_length(end);
        continue;
      }
      if (depth == 0 && (c == ',' || c == ':' || c == '}')) break;
      if (c == '(' || c == '[' || c == '{') ++depth;
      if (c == ')' || c == ']' || c == '}') {
        if (depth-- == 0) throw_damaged();
      }
      ++end;
    }
    std::string_view found = text_.substr(0, end);
    text_.remove_prefix(end);
    return found.substr(0, found.find_last_not_of(blanks) + 1);
  }

  // Python 2 may put a letter before a string.
  std::string_view content_of(std::string_view text) const {
    if (text.starts_with('u') || text.starts_with('b')) text.remove_prefix(1);
    const bool is_quoted = text.size() >= 2 && (text[0] == '\'' || text[0] == '"') && text.back() == text[0];
    if (!is_quoted) throw_damaged();
    return text.substr(1, text.size() - 2);
  }

  std::vector<uint64_t> extents_of(std::string_view text) const {
    if (text.size() < 2 || text[0] != '(' || text.back() != ')') throw_damaged();
    std::vector<uint64_t> shape;
    const std::vector<std::string> extents = split(text.substr(1, text.size() - 2), ',');
    for (size_t i = 0; i < extents.size(); ++i) {
      std::string_view extent = extents[i];
      extent.remove_prefix(std::min(extent.find_first_not_of(blanks), extent.size()));
      extent = extent.substr(0, extent.find_last_not_of(blanks) + 1);
      if (extent.empty() && i + 1 == extents.size()) break;  // After the last comma.
      if (extent.ends_with('L')) extent.remove_suffix(1);    // Python 2 writes large numbers so.
      uint64_t number = 0;
      const auto [end, error] = std::from_chars(extent.data(), extent.data() + extent.size(), number);
      if (error == std::errc::result_out_of_range) throw_bad(name_, "has a shape that is too large");
      if (error != std::errc{} || end != extent.data() + extent.size()) throw_damaged();
      shape.push_back(number);
    }
    return shape;
  }

  static constexpr std::string_view blanks = " \t\r\n\f\v";

  std::string_view text_;
  const std::string& name_;
  std::optional<std::string_view> other_;
};

ScalarType type_of(const std::string& descr, const std::string& name) {
  if (descr.find('O') != std::string::npos) {
    throw_bad(name, "holds pickled Python objects (dtype '" + descr + "'), not numbers; save it with a numeric dtype");
  }
  if (descr == "<V2" || descr == "|V2") {
    throw_bad(name, "has dtype '" + descr +
                        "', bytes without a meaning; if they are bfloat16, save "
                        "array.astype('<f4') instead");
  }
  const std::string plain = !descr.empty() && std::strchr("<>|=", descr[0]) ? descr.substr(1) : descr;
  if (descr.starts_with('>') && plain.size() == 2 && plain[1] != '1') {
    throw_bad(name, "is big-endian (dtype '" + descr + "'); save array.astype('<" + plain + "') instead");
  }
  if (plain == "b1") return ScalarType::u8;
  for (int t = 0; t <= int(ScalarType::f64); ++t) {
    if (numpy_name(ScalarType(t)).substr(1) == plain) return ScalarType(t);
  }
  constexpr size_t most = 40;
  throw_bad(name, "has dtype '" + descr.substr(0, most) + (descr.size() > most ? "..." : "") +
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
  if (length > (1u << 20)) throw_bad(name, "has a damaged .npy header: it claims to be longer than 1 MiB");
  const std::string text = read_exactly(file, length);
  return HeaderReader(text, name).read();
}

}  // namespace

Array read_npy(InputFile& file) {
  const std::string& name = file.name();
  const Header header = read_header(file);
  Array array{type_of(header.descr, name), header.shape, {}};
  // With one extent above 1, or no numbers, both orders are the same.
  if (header.fortran_order && std::ranges::count_if(header.shape, [](uint64_t n) { return n > 1; }) > 1 &&
      std::ranges::count(header.shape, 0u) == 0) {
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

}  // namespace weft::support
