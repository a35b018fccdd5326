#include "algorithms/src/base/expression.h"

#include "core/src/glsl/comments.h"

namespace weft::algorithms {
namespace {

char closing(char opening) { return opening == '(' ? ')' : ']'; }

// What expressions have from C, C++ or Python.
struct Foreign {
  const char *word, *instead;
};
constexpr const char* infinity = "uintBitsToFloat(0x7F800000u), or packDouble2x32(uvec2(0u, 0x7FF00000u)) for doubles";
constexpr const char* not_a_number =
    "uintBitsToFloat(0x7FC00000u), or packDouble2x32(uvec2(0u, 0x7FF80000u)) for doubles";
constexpr Foreign foreign_words[] = {{"and", "&&"},
                                     {"or", "||"},
                                     {"not", "!"},
                                     {"INFINITY", infinity},
                                     {"Infinity", infinity},
                                     {"inf", infinity},
                                     {"NAN", not_a_number},
                                     {"NaN", not_a_number},
                                     {"nan", not_a_number},
                                     {"FLT_MAX", "3.402823466e38"},
                                     {"INT_MAX", "0x7FFFFFFF"},
                                     {"UINT_MAX", "0xFFFFFFFFu"},
                                     {"M_PI", "3.14159265"},
                                     {"fabs", "abs"},
                                     {"fmin", "min"},
                                     {"fmax", "max"},
                                     {"static_cast", "the type as a function: float(x)"},
                                     {"std", "the functions without it: min(x, y)"}};

bool in_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

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

std::string expression_hint(const std::string& text, const std::string& messages) {
  const std::string code = without_comments(text);
  for (size_t at = 0; at < code.size(); ++at) {
    size_t end = at;
    while (end < code.size() && in_word(code[end])) ++end;
    const std::string word = code.substr(at, end - at);
    for (const Foreign& foreign : foreign_words) {
      if (word == foreign.word) return "GLSL has no '" + word + "'; write " + foreign.instead + ".";
    }
    if (end > at) at = end;
  }
  if (code.find("**") != std::string::npos) return "GLSL has no '**'; write pow(x, y), or x * x.";
  if (messages.find("no matching overloaded function") != std::string::npos) {
    return "Of GLSL's functions, pow(), exp(), log(), sin() and their like take floats and no doubles.";
  }
  return {};
}

}  // namespace weft::algorithms
