#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "backends/translate/names.h"

namespace weft::translate {

/// Where a statement is: in a loop over the lanes, before the open one, or outside of such loops. All statements of an
/// invocation are outside.
enum class Level { lanes, ahead, group };

/// The text of a function's body: variables at its top, statements, and loops over the lanes.
class Body {
 public:
  explicit Body(Names& names) : names_(names) {}

  void line(const std::string& text) { add({text, ""}); }
  /// A line that is kept only if something jumps to the label.
  void line_for(const std::string& label, const std::string& text) { add({text, label}); }
  void label(const std::string& name) { line_for(name, name + ": ;"); }
  /// Returns a jump to the label.
  std::string go_to(const std::string& label);
  /// A comment on the lines that follow. Replaces one that no line follows.
  void comment(const std::string& text);

  /// Declares a variable at the function's top.
  void declare(const std::string& type, const std::string& name) { top_.push_back(type + " " + name + ";"); }
  /// Declares a variable at the beginning of the open loop over the lanes.
  void declare_in_loop(const std::string& type, const std::string& name);
  /// A new name for a variable: "copy_3".
  std::string temporary(const std::string& what) { return what + "_" + std::to_string(temporaries_++); }
  /// Notes that `element` is the text for a lane's element of the variable `name`.
  void note_element(const std::string& element, const std::string& name, const std::string& type) {
    elements_[element] = {name, type};
  }
  bool is_loop_open() const { return loop_ != 0; }

  std::string variables() const;
  std::string statements() const;

  Level level = Level::group;  ///< Of the next line.

 private:
  struct Line {
    std::string text;
    std::string label;  ///< Kept only if something jumps there.
  };
  struct Element {
    std::string name, type;
  };
  void add(Line one);
  void keep_in_registers();

  Names& names_;
  std::vector<Line> lines_;
  std::vector<std::string> top_;
  std::unordered_set<std::string> used_labels_;
  std::unordered_map<std::string, Element> elements_;  // by text
  size_t loop_ = 0;                                    // the line that opens the loop over lanes; 0 for none
  uint32_t temporaries_ = 0;
};

}  // namespace weft::translate
