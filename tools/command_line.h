#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace weft::tools {

// The part of CLI11 that the verbs use. Only command_line.cpp includes CLI11's headers, which take longer to compile
// than a verb.

/// An option of a verb, to set its properties.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option required() const;
  /// Sets the placeholder for the value in the help.
  Option type_name(const std::string& name) const;
  /// Shows the variable's current value in the help, as the default.
  Option capture_default() const;
  /// Checks values: `wrong` returns the reason why a value is refused, or nothing if it is accepted.
  Option check(std::function<std::string(const std::string& value)> wrong) const;
  Option range(double first, double last) const;
  Option range(uint32_t first, uint32_t last) const;

 private:
  CLI::Option* option_;
};

/// A verb under construction. Variables set by options and flags must live until the verb has run.
class Verb {
 public:
  explicit Verb(CLI::App* app) : app_(app) {}

  /// `names` names an option ("-o,--output") or a positional argument ("IN").
  Option add_option(const std::string& names, std::string& value, const std::string& help) const;
  Option add_option(const std::string& names, uint32_t& value, const std::string& help) const;
  Option add_option(const std::string& names, uint64_t& value, const std::string& help) const;
  Option add_option(const std::string& names, double& value, const std::string& help) const;
  /// Takes any number of values.
  Option add_option(const std::string& names, std::vector<std::string>& values, const std::string& help) const;
  /// Takes one value, and may be repeated.
  Option add_repeated(const std::string& names, std::vector<std::string>& values, const std::string& help) const;
  void add_flag(const std::string& names, bool& value, const std::string& help) const;
  /// Adds a flag that stands alone, like --help: `action` runs instead of the verb.
  void add_flag_instead(const std::string& names, std::function<void()> action, const std::string& help) const;
  /// Sets the text at the end of the help.
  void footer(const std::string& text) const;
  /// Sets the verb's action, which throws on failure.
  void callback(std::function<void()> action) const;

 private:
  CLI::App* app_;
};

/// The `weft` command with its verbs.
class CommandLine {
 public:
  CommandLine(const std::string& description, const std::string& footer);
  ~CommandLine();

  Verb add_verb(const std::string& name, const std::string& help);
  /// Runs the verb that the arguments, after the program's name, give, or prints the help or version. Throws
  /// invalid_argument if the command line is wrong; the message suggests the name that was probably meant.
  void run(const std::vector<std::string>& arguments);

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace weft::tools
