#include "algorithms/src/plans/plan_line.h"

#include <algorithm>
#include <optional>

#include "core/src/runtime/messages.h"

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

/// Reads the words of a line: the plan's name, then name=value.
class LineReader {
 public:
  explicit LineReader(const std::string& line) : line_(line) {}

  std::string word() {
    skip_blanks();
    const size_t begin = at_;
    while (at_ < line_.size() && !is_blank(line_[at_])) ++at_;
    return line_.substr(begin, at_ - begin);
  }
  std::optional<std::pair<std::string, std::string>> field() {
    skip_blanks();
    if (at_ == line_.size()) return std::nullopt;
    const size_t begin = at_, equals = line_.find_first_of("= \t", at_);
    if (equals == std::string::npos || line_[equals] != '=')
      core::invalid("'" + word() + "' is not of the form name=value");
    std::string name = line_.substr(begin, equals - begin);
    at_ = equals + 1;
    return std::pair(std::move(name), value());
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
  void skip_blanks() {
    while (at_ < line_.size() && is_blank(line_[at_])) ++at_;
  }
  std::string value() {
    if (at_ == line_.size() || line_[at_] != '"') return word();
    std::string text;
    for (++at_; at_ < line_.size() && line_[at_] != '"'; ++at_) {
      const bool escaped = line_[at_] == '\\' && at_ + 1 < line_.size();
      if (escaped) ++at_;
      text += escaped && line_[at_] == 'n' ? '\n' : line_[at_];
    }
    if (at_ == line_.size()) core::invalid("a value has no closing quote");
    ++at_;
    return text;
  }

  const std::string& line_;
  size_t at_ = 0;
};

}  // namespace

std::string joined_line(std::string_view plan, const FieldTexts& texts, const FieldTexts& defaults) {
  std::string line(plan);
  for (const auto& field : texts) {
    if (std::ranges::find(defaults, field) == defaults.end()) line += " " + field.first + "=" + quoted(field.second);
  }
  return line;
}

std::string plan_of(const std::string& line) { return LineReader(line).word(); }

FieldTexts fields_of(const std::string& line) {
  LineReader reader(line);
  reader.word();
  FieldTexts texts;
  while (auto field = reader.field()) texts.push_back(std::move(*field));
  return texts;
}

void refuse_fields(const std::string& plan, const Error& error) {
  core::invalid(plan + ": " + error.what() + (std::string_view(error.what()).ends_with(".") ? "" : "."));
}

void refuse_plan(const std::string& name, const std::vector<std::string>& known) {
  std::string names;
  for (const std::string& one : known) names += (names.empty() ? "" : ", ") + one;
  core::invalid("'" + name + "' is no plan; there are: " + names + ".");
}

}  // namespace weft::algorithms
