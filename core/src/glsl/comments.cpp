#include "core/src/glsl/comments.h"

#include <algorithm>

namespace weft::core {

std::string without_line_comments(const std::string& glsl) {
  std::string kept;
  for (size_t at = 0; at < glsl.size();) {
    const bool is_line = glsl.compare(at, 2, "//") == 0, is_block = glsl.compare(at, 2, "/*") == 0;
    size_t end = at + 1;
    if (is_line) end = std::min(glsl.find('\n', at), glsl.size());
    if (is_block) {
      const size_t closed = glsl.find("*/", at + 2);
      end = closed == std::string::npos ? glsl.size() : closed + 2;
    }
    if (!is_line) kept.append(glsl, at, end - at);
    at = end;
  }
  return kept;
}

}  // namespace weft::core
