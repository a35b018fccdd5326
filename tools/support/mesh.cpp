#include "mesh.h"

#include <weft/error.h>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>

#include "array_file.h"

namespace weft::tools {
namespace {

/// The lines of a file, word by word.
class ObjReader {
 public:
  ObjReader(std::string name, std::string_view text) : name_(std::move(name)), text_(text) {}

  Mesh read() {
    while (next_line()) {
      const std::string_view kind = next_word();
      if (kind == "v") add_vertex();
      if (kind == "f") add_face();
    }
    if (mesh_.triangles.empty()) throw Error(ErrorCode::invalid_argument, name_ + " has no faces ('f' lines)");
    return std::move(mesh_);
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw Error(ErrorCode::invalid_argument, name_ + ":" + std::to_string(line_number_) + ": " + problem);
  }

  bool next_line() {
    if (text_.empty()) return false;
    const size_t end = text_.find('\n');
    line_ = text_.substr(0, end);
    text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);
    ++line_number_;
    return true;
  }

  std::string_view next_word() {
    constexpr std::string_view blanks = " \t\r";
    line_.remove_prefix(std::min(line_.find_first_not_of(blanks), line_.size()));
    const std::string_view word = line_.substr(0, line_.find_first_of(blanks));
    line_.remove_prefix(word.size());
    return word;
  }

  void add_vertex() {
    std::array<float, 3> vertex;
    for (float& x : vertex) {
      const std::string_view word = next_word();
      double wide = 0;  // Numbers too small for a float are zero.
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), wide);
      x = float(wide);
      if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(x)) {
        fail("a vertex needs three finite numbers, not '" + std::string(word) + "'");
      }
    }
    mesh_.vertices.push_back(vertex);
  }

  // A corner is "V", "V/T", "V//N" or "V/T/N". V counts from 1, or backwards from the last vertex if it is negative.
  uint32_t vertex_of(std::string_view corner) const {
    const std::string_view word = corner.substr(0, corner.find('/'));
    int64_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc() || end != word.data() + word.size()) {
      fail("'" + std::string(corner) + "' is not the corner of a face");
    }
    const auto vertices = int64_t(mesh_.vertices.size());
    const int64_t index = number < 0 ? vertices + number : number - 1;
    if (index < 0 || index >= vertices) {
      fail("there is no vertex " + std::to_string(number) + "; " + std::to_string(vertices) + " come before this line");
    }
    return uint32_t(index);
  }

  void add_face() {
    std::array<uint32_t, 3> triangle{};
    uint64_t corners = 0;
    for (std::string_view word = next_word(); !word.empty() && word[0] != '#'; word = next_word()) {
      triangle[std::min<uint64_t>(corners++, 2)] = vertex_of(word);
      if (corners < 3) continue;
      mesh_.triangles.push_back(triangle);
      triangle[1] = triangle[2];
    }
    if (corners < 3) fail("a face needs three corners or more, not " + std::to_string(corners));
  }

  std::string name_;
  std::string_view text_, line_;
  uint64_t line_number_ = 0;
  Mesh mesh_;
};

}  // namespace

Mesh read_obj(const std::filesystem::path& path) {
  const std::vector<std::byte> bytes = read_bytes(path);
  return ObjReader(path.string(), {reinterpret_cast<const char*>(bytes.data()), bytes.size()}).read();
}

}  // namespace weft::tools
