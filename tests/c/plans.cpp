#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "algorithms/src/base/argument_rules.h"
#include "algorithms/src/plans/all_plans.h"
#include "tests/c/written_plans.h"
#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

/// The C interface has all plans, with all of their arguments: both are written from one table.

namespace {

/// The folder c/.
const char* const folder = std::getenv("WEFT_TEST_C");

using Names = std::set<std::string>;

Names missing(const Names& from, const Names& in) {
  Names names;
  std::ranges::set_difference(in, from, std::inserter(names, names.end()));
  return names;
}

std::string listed(const Names& names) {
  std::string text;
  for (const std::string& name : names) text += " " + name;
  return text;
}

/// Names the arguments that a plan takes.
struct ArgumentNames {
  Names names{};

  Region region(const char* name) { return names.insert(name), Region{}; }
  Count count(const char* name) { return names.insert(name), Count(0); }
  CountOutput count_output(const char* name) { return names.insert(name), CountOutput(); }
  template <typename T>
  T number(const char*, T otherwise) {
    return otherwise;
  }
};

/// Compares a file with what it should be; writes it if that is asked for.
void compare(const std::string& name, const std::string& expected) {
  const std::filesystem::path path = std::filesystem::path(folder) / name;
  if (std::getenv("WEFT_TEST_WRITE_C_PLANS")) std::ofstream(path) << expected;
  std::ifstream stream(path);
  const std::string found{std::istreambuf_iterator<char>(stream), {}};
  const auto differ = std::ranges::mismatch(found, expected);
  const auto line_at = [](const std::string& text, std::string::const_iterator at) {
    const size_t end = size_t(at - text.begin());
    const size_t begin = end == 0 ? 0 : text.rfind('\n', end - 1) + 1;
    return text.substr(begin, text.find('\n', end) - begin);
  };
  const bool same = found == expected;
  CHECK_MESSAGE(same, "c/" << name << " has\n  " << line_at(found, differ.in1) << "\nin place of\n  "
                           << line_at(expected, differ.in2)
                           << "\nTo write it anew: WEFT_TEST_WRITE_C_PLANS=1 ctest --preset ci -R c_plans");
}

}  // namespace

TEST_CASE("the table of plans has all arguments of every plan") {
  algorithms::each_plan([](const auto& parameters) {
    const std::string plan = parameters.plan;
    ArgumentNames taken;
    static_cast<void>(std::remove_cvref_t<decltype(parameters)>::arguments(taken));
    Names rules;
    for (const auto& rule : algorithms::rules_of(plan).arguments) rules.emplace(rule.name);
    const Names lost = missing(taken.names, rules), unknown = missing(rules, taken.names);
    CHECK_MESSAGE(lost.empty(), plan << "Parameters::arguments() lacks:" << listed(lost));
    CHECK_MESSAGE(unknown.empty(), "argument_rules.cpp lacks arguments of " << plan << ":" << listed(unknown));
  });
}

TEST_CASE("the C header has every plan" * doctest::skip(folder == nullptr)) {
  compare("include/weft/weft_plans_c.h", written_header());
  compare("src/recorded_plans.h", written_definitions());
}
