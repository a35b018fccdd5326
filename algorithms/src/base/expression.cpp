#include "algorithms/src/base/expression.h"

#include "core/src/glsl/comments.h"

namespace weft::algorithms {
namespace {

char closing(char opening) { return opening == '(' ? ')' : ']'; }

// Without comments; one that does not end stays.
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
  if (code.find("/*") != std::string::npos) return "a comment in it does not end";
  std::string open;  // what is to close the brackets that are open
  for (const char c : code) {
    if (c == ';' || c == '{' || c == '}' || c == '#' || c == '\\') {
      return std::string("'") + c + "' belongs to no expression";
    }
    if (c == '\0') return "it holds a character 0";
    if (c == ',' && open.empty()) return "',' outside of parentheses makes two expressions of it";
    if (c == '(' || c == '[') open += closing(c);
    if (c != ')' && c != ']') continue;
    if (open.empty() || open.back() != c) return std::string("'") + c + "' closes nothing that it has opened";
    open.pop_back();
  }
  return open.empty() ? std::string() : std::string("a '") + open.back() + "' is missing";
}

}  // namespace weft::algorithms
