#include "core/src/glsl/glsl_nesting.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace weft::core {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// The text inside one pair of brackets, or the whole source.
struct Level {
  bool commas_separate = false;  // arguments or initializers; otherwise a comma is an operator
  size_t operators = 0;          // in the current statement or argument
  size_t deepest = 0;            // depth of its brackets
  size_t most = 0;               // depth of earlier statements or arguments

  void end_part() {
    most = std::max(most, operators + deepest);
    operators = deepest = 0;
  }
};

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  size_t read() {
    while (at_ < text_.size()) next();
    while (levels_.size() > 1) close();
    levels_.back().end_part();
    return std::max(directives_, levels_.back().most);
  }

 private:
  void next() {
    const char c = text_[at_];
    if (c == '\n') line_begins_ = true;
    if (std::isspace(static_cast<unsigned char>(c))) {
      ++at_;
    } else if (skip_comment()) {
      return;
    } else if (c == '#' && line_begins_) {
      directive();
    } else {
      line_begins_ = false;
      is_word(c) ? word() : sign(c);
    }
  }

  bool skip_comment() {
    const std::string_view rest = text_.substr(at_);
    if (!rest.starts_with("//") && !rest.starts_with("/*")) return false;
    const bool is_line = rest[1] == '/';
    const size_t end = text_.find(is_line ? "\n" : "*/", at_ + 2);
    at_ = end == std::string_view::npos ? text_.size() : end + (is_line ? 0 : 2);
    return true;
  }

  // A preprocessor line, with lines that continue it after a backslash.
  void directive() {
    size_t end = at_;
    do {
      end = text_.find('\n', end + 1);
    } while (end != std::string_view::npos && text_[end - 1] == '\\');
    end = std::min(end, text_.size());
    directives_ = std::max(directives_, Reader(text_.substr(at_ + 1, end - at_ - 1)).read());
    at_ = end;
  }

  void word() {
    const bool is_number = std::isdigit(static_cast<unsigned char>(text_[at_]));
    const size_t first = at_;
    while (at_ < text_.size() && (is_word(text_[at_]) || (is_number && text_[at_] == '.'))) ++at_;
    const std::string_view word = text_.substr(first, at_ - first);
    if (ended_ && word != "else") levels_.back().end_part();
    ended_ = false;
    for (const std::string_view within : {"if", "else", "for", "while", "do", "switch"}) {
      if (word == within) ++levels_.back().operators;
    }
    before_ = 'a';
  }

  void sign(char c) {
    ++at_;
    if (ended_ && c != '}') levels_.back().end_part();
    ended_ = false;
    Level& level = levels_.back();
    if (c == '(' || c == '[' || c == '{') {
      Level inner;
      const bool follows_value = before_ == 'a' || before_ == ']';
      inner.commas_separate = c == '{' ? before_ == '=' || before_ == ',' || before_ == '{' : follows_value;
      levels_.push_back(inner);
    } else if (c == ')' || c == ']' || c == '}') {
      if (levels_.size() > 1) close();
      ended_ = c == '}';
    } else if (c == ';') {
      ended_ = true;  // unless an else follows
    } else if (c == ',' && level.commas_separate) {
      level.end_part();
    } else if (!ends_operator(c)) {
      ++level.operators;
    }
    before_ = c;
  }

  // The second character of an operator such as && or <=.
  bool ends_operator(char c) const {
    const bool follows = at_ >= 2 && text_[at_ - 2] == before_;
    const std::string_view doubled = "&|^<>=", assigned = "+-*/%&|^<>!=";
    return follows && ((c == before_ && doubled.find(c) != std::string_view::npos) ||
                       (c == '=' && assigned.find(before_) != std::string_view::npos));
  }

  void close() {
    levels_.back().end_part();
    const size_t depth = levels_.back().most + 1;
    levels_.pop_back();
    levels_.back().deepest = std::max(levels_.back().deepest, depth);
  }

  const std::string_view text_;
  size_t at_ = 0;
  bool line_begins_ = true;
  bool ended_ = false;  // whether a statement ended
  char before_ = ';';   // the previous character; 'a' for a word
  size_t directives_ = 0;
  std::vector<Level> levels_{Level{}};
};

}  // namespace

size_t glsl_nesting(std::string_view source) { return Reader(source).read(); }

}  // namespace weft::core
