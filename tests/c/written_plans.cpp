#include "tests/c/written_plans.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

#include "algorithms/src/base/argument_rules.h"
#include "algorithms/src/plans/all_plans.h"

/// In this namespace, so that fields() of values are found.
namespace weft::algorithms {

/// Visits the fields of a line, also those that are optional.
struct FieldNames {
  static constexpr bool reads = false;
  std::vector<std::string> names{};

  template <typename T>
  void operator()(const std::string& name, T&) {
    names.push_back(name);
  }
  template <typename E>
  void choice(const std::string& name, E&, std::initializer_list<Choice<E>> choices) {
    std::string values;
    for (const Choice<E>& one : choices) values += (values.empty() ? "" : "|") + std::string(one.name);
    names.push_back(name + "=" + values);
  }
  bool has(const std::string&, bool) const { return true; }
};

}  // namespace weft::algorithms

namespace weft::test {
namespace {

using namespace algorithms;

constexpr const char* introduction = R"(#pragma once

/* Records plans: a struct of arguments and a function for each. Part of weft_c.h.
 *
 * Written from the table of plans by tests/c. To write it anew: WEFT_TEST_WRITE_C_PLANS=1 ctest --preset ci -R c_plans
 *
 * What a member means, and how many bytes a region needs, is said for the struct Arguments of the C++ class of the same
 * name, in weft/NAME.h; regions for what a plan was not asked for stay empty. The fields of a plan's line for
 * weft_create_plan() are the parameters of its constructor and its Options. Those under a name with a dot are optional
 * together. Properties are for weft_get_plan_property().
 *
 * Recording takes one thread at a time for the recorder. It waits for nothing and allocates no device memory. */

#include <weft/weft_c.h>

/* clang-format off */

WEFT_C_BEGIN
)";

constexpr const char* end = R"(
WEFT_C_END
)";

struct PropertyNames {
  std::vector<std::string> names{};

  template <typename Function>
  void operator()(const char* name, Function) {
    names.emplace_back(name);
  }
};

/// Writes the members of a plan's struct of arguments.
class MemberWriter {
 public:
  explicit MemberWriter(const PlanRules& rules) : rules_(rules) {}

  Region region(const char* name) {
    add("weft_region", name, described(name));
    return {};
  }
  Count count(const char* name) {
    add("weft_count", name, "");
    return 0;
  }
  CountOutput count_output(const char* name) {
    add("weft_count_output", name, described(name));
    return {};
  }
  template <typename T>
  T number(const char* name, T otherwise) {
    constexpr bool real = std::is_floating_point_v<T>;
    bool is_infinite = false;
    if constexpr (real) is_infinite = std::isinf(otherwise);
    add(real ? "double" : "uint64_t", name, is_infinite ? "INFINITY for no limit" : "");
    return otherwise;
  }

  std::string text;

 private:
  void add(const std::string& type, const std::string& name, const std::string& comment) {
    text += "  " + type + " " + name + ";" + (comment.empty() ? "" : " /* " + comment + " */") + "\n";
  }
  std::string described(const std::string& name) const {
    if (name == "temporary") return "weft_get_temporary_bytes() bytes";
    const ArgumentRule& rule = rules_.arguments[rules_.index_of(name)];
    if (rule.access == Access::updated) return "read and written";
    if (rule.access == Access::read) return "read";
    if (rule.sharing == Sharing::none) return "written";
    const std::string more = rule.with[1].empty() ? "" : " or " + std::string(rule.with[1]);
    return "written; may be " + std::string(rule.sharing == Sharing::within ? "anywhere in " : "") +
           std::string(rule.with[0]) + more;
  }

  const PlanRules& rules_;
};

/// Words after a title, in lines of a comment.
std::string listed(const std::string& title, const std::vector<std::string>& words) {
  constexpr size_t columns = 118;
  std::string text, line = " * " + title;
  for (const std::string& word : words) {
    if (line.size() + 1 + word.size() > columns) {
      text += line + "\n";
      line = " *  ";
    }
    line += " " + word;
  }
  return words.empty() ? "" : text + line + "\n";
}

std::string declared(const std::string& function, const std::string& name) {
  return "weft_result weft_record_" + function + "(weft_recorder* recorder, const weft_plan* plan,\n" +
         "    const weft_" + name + "_arguments* arguments);\n";
}

template <typename Parameters>
constexpr bool has_refit = requires { &Parameters::refit; };

}  // namespace

std::string c_name(const std::string& plan) {
  std::string name;
  for (const char c : plan) {
    const bool is_capital = c >= 'A' && c <= 'Z';
    if (is_capital && !name.empty()) name += '_';
    name += is_capital ? char(c - 'A' + 'a') : c;
  }
  return name;
}

std::string written_header() {
  std::string text = introduction;
  each_plan([&](auto parameters) {
    using Parameters = decltype(parameters);
    const std::string plan = parameters.plan, name = c_name(plan);
    FieldNames fields;
    parameters.each(fields);
    PropertyNames properties;
    if constexpr (requires { Parameters::properties(properties); }) Parameters::properties(properties);
    MemberWriter members(rules_of(plan));
    static_cast<void>(Parameters::arguments(members));
    text += "\n/* " + plan + "\n" + listed("Fields:", fields.names) + listed("Properties:", properties.names) +
            " */\n" + "typedef struct weft_" + name + "_arguments {\n  size_t size;\n" + members.text + "} weft_" +
            name + "_arguments;\n" + declared(name, name);
    if (has_refit<Parameters>) text += declared(name + "_refit", name);
  });
  return text + end;
}

std::string written_definitions() {
  std::string text =
      "// The functions of weft_plans_c.h: (name, plan). Written by tests/c, as that header is.\n"
      "// clang-format off\n";
  each_plan([&](auto parameters) {
    const std::string plan = parameters.plan, arguments = "(" + c_name(plan) + ", " + plan + ")\n";
    text += "WEFT_RECORD" + arguments;
    if (has_refit<decltype(parameters)>) text += "WEFT_REFIT" + arguments;
  });
  return text;
}

}  // namespace weft::test
