#pragma once

#include <CLI/CLI.hpp>

namespace weft::tools {

/// Help texts with their descriptions wrapped to the width of a terminal.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() {
    column_width(34);
    label("SUBCOMMAND", "VERB");
    label("Subcommands", "Verbs");
    label("REQUIRED", "");
  }

  std::string make_option_desc(const CLI::Option* option) const override { return wrap(option->get_description()); }

 private:
  std::string wrap(const std::string& text) const {
    const size_t width = 110 - get_column_width();
    std::string wrapped;
    size_t line = 0;
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find(' ', at), text.size());
      if (line > 0 && line + 1 + end - at > width) {
        wrapped += '\n';
        line = 0;
      }
      if (line > 0) {
        wrapped += ' ';
        ++line;
      }
      wrapped.append(text, at, end - at);
      line += end - at;
      at = end + 1;
    }
    return wrapped;
  }
};

}  // namespace weft::tools
