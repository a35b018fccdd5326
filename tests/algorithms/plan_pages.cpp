#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "algorithms/src/base/argument_rules.h"

using namespace weft::algorithms;

/// docs/primitives.md says of each plan what it says of itself.

namespace {

/// The cells of a row of a table.
std::vector<std::string> cells(const std::string& row) {
  std::vector<std::string> all;
  for (size_t begin = 1, end; (end = row.find('|', begin)) != std::string::npos; begin = end + 1) {
    const std::string cell = row.substr(begin, end - begin);
    const size_t first = cell.find_first_not_of(' ');
    all.push_back(first == std::string::npos ? "" : cell.substr(first, cell.find_last_not_of(' ') + 1 - first));
  }
  return all;
}

/// "Scan" of "`Scan`, look_back".
std::string plan_of(const std::string& cell) { return cell.substr(1, cell.find('`', 1) - 1); }

const char* const page = std::getenv("WEFT_TEST_PRIMITIVES_PAGE");

}  // namespace

TEST_CASE("the page on primitives says what runs in place" * doctest::skip(page == nullptr)) {
  std::ifstream lines(page);
  REQUIRE_MESSAGE(lines, page);
  constexpr size_t in_place = 4;
  std::set<std::string> missing;
  for (const PlanRules& rules : all_plan_rules()) missing.insert(std::string(rules.plan));
  bool in_table = false;
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> row = cells(line);
    if (row.size() > in_place && row[in_place] == "in place") in_table = true;
    if (row.empty()) in_table = false;
    if (!in_table || row[0].front() != '`') continue;
    const std::string plan = plan_of(row[0]);
    INFO(row[0]);
    CHECK_EQ(row[in_place], rules_of(plan).in_place());
    missing.erase(plan);
  }
  for (const std::string& plan : missing) FAIL_CHECK("no row has " << plan);
}
