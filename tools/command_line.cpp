#include "tools/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <iomanip>
#include <limits>
#include <optional>
#include <sstream>
#include <type_traits>

#include <weft/error.h>
#include <weft/version.h>

#include "support/text.h"

namespace weft::tools {

using namespace support;

namespace {

// Wraps descriptions to the width of a terminal.
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

std::string suggestion(const std::string& word, const std::vector<std::string>& candidates) {
  const auto near = nearest(word, candidates);
  return near ? "; did you mean " + *near + "?" : "";
}

std::vector<std::string> verb_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(verb->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// Says what is wrong with the command line, and suggests the name that was probably meant.
std::string usage_message(const CLI::App& app, const CLI::ParseError& error) {
  const auto verbs = app.get_subcommands();
  const CLI::App& used = verbs.empty() ? app : *verbs.front();
  const std::string command = verbs.empty() ? "weft" : "weft " + used.get_name();
  const std::string hint = " (" + command + " --help shows the usage)";
  const auto unexpected = used.remaining();
  if (unexpected.empty()) return error.what() + hint;
  const std::string& word = unexpected.front();
  if (word.starts_with('-')) {
    const std::string name = word.substr(0, word.find('='));
    return command + " has no option " + name + suggestion(name, option_names(used)) + hint;
  }
  if (verbs.empty()) return "weft has no verb '" + word + "'" + suggestion(word, verb_names(app)) + hint;
  return command + " does not expect '" + word + "'" + hint;
}

// CLI11 would convert "-1" to an unsigned number, and accept "nan" in every range.
template <typename T>
std::optional<T> number(const std::string& text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if constexpr (std::is_floating_point_v<T>) {
    if (!std::isfinite(value)) return std::nullopt;
  }
  return value;
}

template <typename T>
Option in_range(CLI::Option* option, T first, T last) {
  const auto check = [first, last](const std::string& text) {
    const auto value = number<T>(text);
    if (value && *value >= first && *value <= last) return std::string();
    std::ostringstream message;
    message << "'" << text << "' is not a number from " << std::setprecision(17) << first << " to " << last;
    return message.str();
  };
  // Put before the existing checks, so that the message gives the narrowest range.
  return Option(option->transform(CLI::Validator(check, "")));
}

template <typename T>
Option add_number(CLI::App* app, const std::string& names, T& value, const std::string& help) {
  return in_range(app->add_option(names, value, help), std::numeric_limits<T>::lowest(), std::numeric_limits<T>::max());
}

}  // namespace

Option Option::required() const { return Option(option_->required()); }

Option Option::type_name(const std::string& name) const { return Option(option_->type_name(name)); }

Option Option::capture_default() const { return Option(option_->capture_default_str()); }

Option Option::check(std::function<std::string(const std::string&)> wrong) const {
  return Option(option_->check(std::move(wrong)));
}

Option Option::range(double first, double last) const { return in_range(option_, first, last); }

Option Option::range(uint32_t first, uint32_t last) const { return in_range(option_, first, last); }

Option Verb::add_option(const std::string& names, std::string& value, const std::string& help) const {
  return Option(app_->add_option(names, value, help));
}

Option Verb::add_option(const std::string& names, uint32_t& value, const std::string& help) const {
  return add_number(app_, names, value, help);
}

Option Verb::add_option(const std::string& names, uint64_t& value, const std::string& help) const {
  return add_number(app_, names, value, help);
}

Option Verb::add_option(const std::string& names, double& value, const std::string& help) const {
  return add_number(app_, names, value, help);
}

Option Verb::add_option(const std::string& names, std::vector<std::string>& values, const std::string& help) const {
  return Option(app_->add_option(names, values, help));
}

Option Verb::add_repeated(const std::string& names, std::vector<std::string>& values, const std::string& help) const {
  return Option(app_->add_option(names, values, help)->allow_extra_args(false));
}

void Verb::add_flag(const std::string& names, bool& value, const std::string& help) const {
  app_->add_flag(names, value, help);
}

void Verb::add_flag_instead(const std::string& names, std::function<void()> action, const std::string& help) const {
  const auto act_and_end = [action = std::move(action)] {
    action();
    throw CLI::Success();
  };
  app_->add_flag_callback(names, act_and_end, help);
}

void Verb::footer(const std::string& text) const { app_->footer(text); }

void Verb::callback(std::function<void()> action) const { app_->callback(std::move(action)); }

CommandLine::CommandLine(const std::string& description, const std::string& footer)
    : app_(std::make_unique<CLI::App>(description, "weft")) {
  app_->set_version_flag("--version", "weft " WEFT_VERSION);
  app_->formatter(std::make_shared<HelpFormatter>());
  app_->require_subcommand(0, 1);
  app_->allow_windows_style_options(false);  // "/dev/stdin" is a name on every system
  app_->footer(footer);
}

CommandLine::~CommandLine() = default;

Verb CommandLine::add_verb(const std::string& name, const std::string& help) {
  return Verb(app_->add_subcommand(name, help));
}

void CommandLine::run(const std::vector<std::string>& arguments) {
  std::vector<std::string> last_first(arguments.rbegin(), arguments.rend());
  if (!last_first.empty()) last_first.pop_back();  // the program's name
  try {
    app_->parse(std::move(last_first));
  } catch (const CLI::Success& request) {
    app_->exit(request);  // prints
    return;
  } catch (const CLI::ParseError& error) {
    throw Error(ErrorCode::invalid_argument, usage_message(*app_, error));
  }
  if (!app_->get_subcommands().empty()) return;
  std::string verbs;
  for (const std::string& name : verb_names(*app_)) verbs += (verbs.empty() ? "" : ", ") + name;
  throw Error(ErrorCode::invalid_argument, "weft needs a verb: " + verbs + " (weft --help shows the usage)");
}

}  // namespace weft::tools
