#include "support/mesh.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string_view>

#include <weft/error.h>

#include "support/array_file.h"
#include "support/text.h"

namespace weft::support {
namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

// First words of the format that are neither vertices nor faces: attributes, groups, materials, points, lines, curves
// and surfaces.
constexpr std::string_view other_kinds[] = {
    "vt",     "vn",    "vp",    "g",          "o",         "s",    "mg",     "usemtl", "mtllib",   "usemap",
    "maplib", "l",     "p",     "curv",       "curv2",     "surf", "cstype", "deg",    "bmat",     "step",
    "parm",   "trim",  "hole",  "scrv",       "sp",        "end",  "con",    "bevel",  "c_interp", "d_interp",
    "lod",    "ctech", "stech", "shadow_obj", "trace_obj", "call", "csh"};

std::optional<double> number_of(std::string_view word) {
  if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (word.empty() || end != word.data() + word.size() || error == std::errc::invalid_argument) return std::nullopt;
  // from_chars() does not say on which side a number is out of range.
  return error == std::errc() ? number : std::strtod(std::string(word).c_str(), nullptr);
}

std::optional<int64_t> integer_of(std::string_view word) {
  if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
  int64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (word.empty() || end != word.data() + word.size() || error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc()) return number;
  return word.starts_with('-') ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
}

std::string quoted(std::string_view word) {
  constexpr size_t most = 32;
  return "'" + printable(word.substr(0, most)) + (word.size() > most ? "...'" : "'");
}

/// The lines of a file, word by word.
class ObjReader {
 public:
  ObjReader(std::string name, std::string_view text) : name_(std::move(name)), text_(text) {}

  Mesh read() {
    if (text_.starts_with("\xff\xfe") || text_.starts_with("\xfe\xff")) {
      throw Error(ErrorCode::invalid_argument, name_ + " is UTF-16 text; save it as UTF-8");
    }
    if (text_.starts_with(byte_order_mark)) text_.remove_prefix(byte_order_mark.size());
    while (next_line()) {
      const std::string_view kind = next_word();
      if (kind == "v") {
        add_vertex();
      } else if (kind == "f") {
        add_face();
      } else if (!kind.empty() && std::ranges::find(other_kinds, kind) == std::end(other_kinds)) {
        ignore(kind);
      }
    }
    finish();
    return std::move(mesh_);
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const { fail_at(line_number_, problem); }
  [[noreturn]] void fail_at(uint64_t line, const std::string& problem) const {
    throw Error(ErrorCode::invalid_argument, name_ + ":" + std::to_string(line) + ": " + problem);
  }

  // The text up to the next line feed, carriage return or both.
  std::string_view next_part() {
    const size_t end = std::min(text_.find_first_of("\r\n"), text_.size());
    const std::string_view part = text_.substr(0, end);
    text_.remove_prefix(end);
    text_.remove_prefix(text_.starts_with("\r\n") ? 2 : text_.empty() ? 0 : 1);
    ++parts_;
    return part;
  }

  // A line without its comment. One that ends with a backslash goes on in the next; comments do not.
  bool next_line() {
    if (text_.empty()) return false;
    line_number_ = parts_ + 1;
    line_ = next_part();
    if (!goes_on(line_)) return true;
    joined_.clear();
    std::string_view part = line_;
    for (bool more = true; more;) {
      part.remove_suffix(1);
      joined_.append(part).append(" ");
      part = next_part();
      more = goes_on(part);
    }
    joined_ += part;
    line_ = joined_;
    return true;
  }

  // Cuts a part of a line before its comment, or behind a backslash at its end, which it then returns true for.
  static bool goes_on(std::string_view& part) {
    const size_t comment = part.find('#');
    part = part.substr(0, comment);
    if (comment != std::string_view::npos) return false;
    part = part.substr(0, part.find_last_not_of(blanks) + 1);
    return part.ends_with('\\');
  }

  std::string_view next_word() {
    line_.remove_prefix(std::min(line_.find_first_not_of(blanks), line_.size()));
    const std::string_view word = line_.substr(0, line_.find_first_of(blanks));
    line_.remove_prefix(word.size());
    return word;
  }

  void add_vertex() {
    std::array<float, 3> vertex;
    for (float& x : vertex) {
      const std::string_view word = next_word();
      // Numbers too small for a float are zero.
      const std::optional<double> number = number_of(word);
      x = number ? float(*number) : 0;
      if (!number || !std::isfinite(x)) fail("a vertex needs three finite numbers, not " + quoted(word));
    }
    // A weight or a colour.
    for (std::string_view word = next_word(); !word.empty(); word = next_word()) {
      if (!number_of(word)) fail(quoted(word) + " after a vertex is not a number");
    }
    mesh_.vertices.push_back(vertex);
  }

  // A corner is "V", "V/T", "V//N" or "V/T/N". V counts from 1, or backwards from the last vertex if it is negative.
  uint32_t vertex_of(std::string_view corner) {
    const std::vector<std::string> words = split(corner, '/');
    const std::optional<int64_t> number = integer_of(words[0]);
    bool is_corner = number && words.size() <= 3;
    for (size_t k = 1; k < words.size(); ++k) is_corner = is_corner && (words[k].empty() || integer_of(words[k]));
    if (!is_corner) fail(quoted(corner) + " is not the corner of a face");
    const uint64_t vertices = mesh_.vertices.size();
    if (*number < 0) {
      if (uint64_t(-(*number + 1)) >= vertices) {
        fail("there is no vertex " + std::to_string(*number) + "; " + std::to_string(vertices) +
             " come before this line");
      }
      return uint32_t(vertices - uint64_t(-*number));
    }
    if (*number == 0) fail("there is no vertex 0; the first is 1");
    if (uint64_t(*number) > highest_) {
      highest_ = uint64_t(*number);
      highest_line_ = line_number_;
    }
    return uint32_t(*number - 1);
  }

  void add_face() {
    std::array<uint32_t, 3> triangle{};
    uint64_t corners = 0;
    for (std::string_view word = next_word(); !word.empty(); word = next_word()) {
      triangle[std::min<uint64_t>(corners++, 2)] = vertex_of(word);
      if (corners < 3) continue;
      mesh_.triangles.push_back(triangle);
      triangle[1] = triangle[2];
    }
    if (corners < 3) fail("a face needs three corners or more, not " + std::to_string(corners));
  }

  void ignore(std::string_view kind) {
    if (ignored_++ > 0) return;
    first_ignored_ = quoted(kind) + " in line " + std::to_string(line_number_);
  }

  // Faces may come before their vertices.
  void finish() {
    if (highest_ > mesh_.vertices.size()) {
      fail_at(highest_line_, "there is no vertex " + std::to_string(highest_) + "; the file has " +
                                 std::to_string(mesh_.vertices.size()));
    }
    if (ignored_ > 0) {
      mesh_.ignored = std::to_string(ignored_) + (ignored_ == 1 ? " line begins" : " lines begin") +
                      " with an unknown word: first " + first_ignored_;
    }
    if (mesh_.triangles.empty()) {
      throw Error(ErrorCode::invalid_argument,
                  name_ + " has no faces ('f' lines)" + (ignored_ > 0 ? "; " + mesh_.ignored : ""));
    }
  }

  static constexpr std::string_view blanks = " \t\v\f";

  std::string name_;
  std::string_view text_, line_;
  std::string joined_;  ///< A line of several parts.
  uint64_t parts_ = 0, line_number_ = 0, highest_ = 0, highest_line_ = 0, ignored_ = 0;
  std::string first_ignored_;
  Mesh mesh_;
};

}  // namespace

Mesh read_obj(const std::string& name) {
  const std::vector<std::byte> bytes = read_bytes(name);
  return ObjReader(name, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}).read();
}

}  // namespace weft::support
