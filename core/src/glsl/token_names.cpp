#include "core/src/glsl/token_names.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

namespace weft::core {
namespace {

constexpr std::pair<std::string_view, std::string_view> punctuation[] = {
    {"LEFT_PAREN", "("},    {"RIGHT_PAREN", ")"},    {"LEFT_BRACKET", "["}, {"RIGHT_BRACKET", "]"},
    {"LEFT_BRACE", "{"},    {"RIGHT_BRACE", "}"},    {"SEMICOLON", ";"},    {"COMMA", ","},
    {"DOT", "."},           {"COLON", ":"},          {"QUESTION", "?"},     {"EQUAL", "="},
    {"STAR", "*"},          {"SLASH", "/"},          {"PERCENT", "%"},      {"PLUS", "+"},
    {"DASH", "-"},          {"BANG", "!"},           {"TILDE", "~"},        {"CARET", "^"},
    {"AMPERSAND", "&"},     {"VERTICAL_BAR", "|"},   {"LEFT_ANGLE", "<"},   {"RIGHT_ANGLE", ">"},
    {"LEFT_OP", "<<"},      {"RIGHT_OP", ">>"},      {"INC_OP", "++"},      {"DEC_OP", "--"},
    {"LE_OP", "<="},        {"GE_OP", ">="},         {"EQ_OP", "=="},       {"NE_OP", "!="},
    {"AND_OP", "&&"},       {"OR_OP", "||"},         {"XOR_OP", "^^"},      {"MUL_ASSIGN", "*="},
    {"DIV_ASSIGN", "/="},   {"MOD_ASSIGN", "%="},    {"ADD_ASSIGN", "+="},  {"SUB_ASSIGN", "-="},
    {"LEFT_ASSIGN", "<<="}, {"RIGHT_ASSIGN", ">>="}, {"AND_ASSIGN", "&="},  {"XOR_ASSIGN", "^="},
    {"OR_ASSIGN", "|="}};

bool in_name(char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

std::string as_written(const std::string& token) {
  if (token == "IDENTIFIER") return "a name";
  if (token == "TYPE_NAME") return "a type";
  if (token.ends_with("CONSTANT")) return "a constant";
  for (const auto& [name, written] : punctuation) {
    if (token == name) return "'" + std::string(written) + "'";
  }
  std::string keyword = token;
  std::ranges::transform(keyword, keyword.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return "'" + keyword + "'";
}

}  // namespace

std::string with_tokens_as_written(const std::string& message) {
  const size_t syntax = message.find("syntax error, ");
  if (syntax == std::string::npos) return message;
  std::string text = message.substr(0, syntax);
  for (size_t at = syntax; at < message.size();) {
    size_t end = at;
    while (end < message.size() && in_name(message[end])) ++end;
    if (end == at) {
      text += message[at++];
    } else {
      text += as_written(message.substr(at, end - at));
      at = end;
    }
  }
  return text;
}

}  // namespace weft::core
