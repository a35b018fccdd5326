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

// CLI11, as much of it as the verbs use. Its headers take longer to compile than a verb, so that command_line.cpp alone
// includes them.

/// An option that a verb has, for what else is to be said of it.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option required() const;
  /// What stands for the value in the help.
  Option type_name(const std::string& name) const;
  /// The help shows the variable's present value, which is the default.
  Option capture_default() const;
  /// Refuses a value of which `wrong` says what is wrong with it; of others it says nothing.
  Option check(std::function<std::string(const std::string& value)> wrong) const;
  Option range(double first, double last) const;
  Option range(uint32_t first, uint32_t last) const;

 private:
  CLI::Option* option_;
};

/// A verb under construction. Variables that options and flags set have to live until the verb has run.
class Verb {
 public:
  explicit Verb(CLI::App* app) : app_(app) {}

  /// `names` are those of an option, "-o,--output", or that of an argument, "IN".
  Option add_option(const std::string& names, std::string& value, const std::string& help) const;
  Option add_option(const std::string& names, uint32_t& value, const std::string& help) const;
  Option add_option(const std::string& names, uint64_t& value, const std::string& help) const;
  Option add_option(const std::string& names, double& value, const std::string& help) const;
  /// Takes as many values as there are.
  Option add_option(const std::string& names, std::vector<std::string>& values, const std::string& help) const;
  /// Takes one value each time, and may be repeated.
  Option add_repeated(const std::string& names, std::vector<std::string>& values, const std::string& help) const;
  void add_flag(const std::string& names, bool& value, const std::string& help) const;
  /// A flag that is asked for alone, as --help is: `action` runs in the verb's place.
  void add_flag_instead(const std::string& names, std::function<void()> action, const std::string& help) const;
  /// What the help ends with.
  void footer(const std::string& text) const;
  /// What the verb does; it throws on failure.
  void callback(std::function<void()> action) const;

 private:
  CLI::App* app_;
};

/// The command `weft` with its verbs.
class CommandLine {
 public:
  CommandLine(const std::string& description, const std::string& footer);
  ~CommandLine();

  Verb add_verb(const std::string& name, const std::string& help);
  /// Runs the verb, or prints what --help or --version asks for. Throws invalid_argument where the command line is
  /// wrong, with the name that was probably meant.
  void run(int argc, char** argv);

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace weft::tools
