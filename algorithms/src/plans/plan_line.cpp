#include "algorithms/src/plans/plan_line.h"

#include <algorithm>

namespace weft::algorithms {
namespace {

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_+-.*/<>=()[]{},:;!&|^~%?'").find(c) != std::string_view::npos;
}

std::string quoted(const std::string& text) {
  if (!text.empty() && std::ranges::all_of(text, is_plain)) return text;
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return result + "\"";
}

}  // namespace

std::string joined_line(std::string_view plan, const FieldTexts& texts, const FieldTexts& defaults) {
  std::string line(plan);
  for (const auto& field : texts) {
    if (std::ranges::find(defaults, field) == defaults.end()) line += " " + field.first + "=" + quoted(field.second);
  }
  return line;
}

}  // namespace weft::algorithms
