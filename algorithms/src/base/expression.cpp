#include "algorithms/src/base/expression.h"

#include "core/src/glsl/comments.h"

namespace weft::algorithms {
namespace {

char closing(char opening) { return opening == '(' ? ')' : ']'; }

// Removes comments, except one that does not end.
std::string without_comments(const std::string& text) {
  std::string kept = core::without_line_comments(text);
  for (size_t at = 0; (at = kept.find("/*", at)) != std::string::npos;) {
    const size_t end = kept.find("*/", at + 2);
    if (end == std::string::npos) break;
    kept.replace(at, end + 2 - at, " ");
  }
  return kept;
}

}  // namespace

std::string expression_problem(const std::string& text) {
  const std::string code = without_comments(text);
  if (code.find("/*") != std::string::npos) return "it contains a comment that does not end";
  std::string open;  // the closing brackets still to come
  for (const char c : code) {
    if (c == ';' || c == '{' || c == '}' || c == '#' || c == '\\') {
      return std::string("'") + c + "' cannot be part of an expression";
    }
    if (c == '\0') return "it contains a null character";
    if (c == ',' && open.empty()) return "a ',' outside parentheses separates two expressions";
    if (c == '(' || c == '[') open += closing(c);
    if (c != ')' && c != ']') continue;
    if (open.empty() || open.back() != c) return std::string("'") + c + "' has no matching opening bracket";
    open.pop_back();
  }
  return open.empty() ? std::string() : std::string("a '") + open.back() + "' is missing";
}

}  // namespace weft::algorithms
