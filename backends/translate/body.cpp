#include "backends/translate/body.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace weft::translate {
namespace {

// Replaces `word` where it is not the end of a longer name.
void replace_words(std::string& text, const std::string& word, const std::string& by) {
  for (size_t at = 0; (at = text.find(word, at)) != std::string::npos;) {
    const char before = at == 0 ? ' ' : text[at - 1];
    const bool is_word =
        !std::isalnum(static_cast<unsigned char>(before)) && before != '_' && before != '.' && before != '>';
    if (is_word) text.replace(at, word.size(), by);
    at += is_word ? by.size() : word.size();
  }
}

}  // namespace

void Body::add(Line one) {
  if (level == Level::ahead && loop_ != 0) {
    lines_.insert(lines_.begin() + static_cast<std::ptrdiff_t>(loop_++ - 1), std::move(one));
    return;
  }
  if (level == Level::lanes && loop_ == 0) {
    lines_.push_back({"WEFT_EACH_LANE {", ""});
    loop_ = lines_.size();
  } else if (level == Level::group && loop_ != 0) {
    keep_in_registers();
    lines_.push_back({"}", ""});
    loop_ = 0;
  }
  lines_.push_back(std::move(one));
}

std::string Body::go_to(const std::string& label) {
  used_labels_.insert(label);
  return "goto " + label + ";";
}

void Body::comment(const std::string& text) {
  if (!lines_.empty() && lines_.back().text.starts_with("// ")) lines_.pop_back();
  lines_.push_back({"// " + text, ""});
}

void Body::declare_in_loop(const std::string& type, const std::string& name) {
  lines_.insert(lines_.begin() + static_cast<std::ptrdiff_t>(loop_), {type + " " + name + ";", ""});
}

// An element that the open loop sets under a condition is kept in a variable until the loop's end. Compilers make a
// store under a mask of a condition, which processors do not forward to the next load of the whole vector.
void Body::keep_in_registers() {
  const auto begin = lines_.begin() + static_cast<std::ptrdiff_t>(loop_);
  std::map<std::string, std::string> kept;  // by element
  int depth = 0;
  for (auto at = begin; at != lines_.end(); ++at) {
    if (at->text.starts_with("}")) --depth;
    const size_t end = at->text.find(" = ");
    const auto element =
        depth > 0 && end != std::string::npos ? elements_.find(at->text.substr(0, end)) : elements_.end();
    if (element != elements_.end()) kept[element->first] = names_.unique(element->second.name + "_now");
    if (at->text.ends_with("{")) ++depth;
  }
  std::vector<Line> reads;
  for (const auto& [element, name] : kept) {
    for (auto at = begin; at != lines_.end(); ++at) replace_words(at->text, element, name);
    reads.push_back({elements_.at(element).type + " " + name + " = " + element + ";", ""});
  }
  for (const auto& [element, name] : kept) lines_.push_back({element + " = " + name + ";", ""});
  lines_.insert(lines_.begin() + static_cast<std::ptrdiff_t>(loop_), reads.begin(), reads.end());
}

std::string Body::variables() const {
  std::string text;
  for (const std::string& declaration : top_) text += "  " + declaration + "\n";
  return text;
}

std::string Body::statements() const {
  constexpr size_t deepest = 40;  // limits indentation for deep nesting
  size_t depth = 1;
  std::string text;
  for (const Line& one : lines_) {
    if (!one.label.empty() && !used_labels_.contains(one.label)) continue;
    if (one.text.starts_with("}") && depth > 1) --depth;
    text += std::string(2 * std::min(depth, deepest), ' ') + one.text + "\n";
    if (one.text.ends_with("{")) ++depth;
  }
  return text;
}

}  // namespace weft::translate
