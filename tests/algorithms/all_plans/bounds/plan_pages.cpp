#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "algorithms/src/base/argument_rules.h"

using namespace weft::algorithms;

/// Compares docs/primitives.md and the pages of docs/primitives/ with what plans say about themselves.

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

/// Compares each row of a family's table with the plan's rules, and returns the plans of these rows.
std::set<std::string> check_rows(const std::filesystem::path& page) {
  std::ifstream lines(page);
  REQUIRE_MESSAGE(lines, page);
  constexpr size_t in_place = 4;
  std::set<std::string> plans;
  bool in_table = false;
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> row = cells(line);
    if (row.size() > in_place && row[in_place] == "in place") in_table = true;
    if (row.empty()) in_table = false;
    if (!in_table || row[0].front() != '`') continue;
    const std::string plan = plan_of(row[0]);
    INFO(page.filename().string() << ": " << row[0]);
    CHECK_EQ(row[in_place], rules_of(plan).in_place());
    plans.insert(plan);
  }
  return plans;
}

const char* const docs = std::getenv("WEFT_TEST_DOCS");

}  // namespace

TEST_CASE("the pages on primitives say what runs in place" * doctest::skip(docs == nullptr)) {
  std::set<std::string> found;
  for (const auto& page : std::filesystem::directory_iterator(std::filesystem::path(docs) / "primitives")) {
    found.merge(check_rows(page.path()));
  }
  for (const PlanRules& rules : all_plan_rules()) {
    INFO(rules.plan);
    CHECK_MESSAGE(found.contains(std::string(rules.plan)), "no row of docs/primitives/ has this plan");
  }
}

TEST_CASE("the index of primitives has every plan" * doctest::skip(docs == nullptr)) {
  std::ifstream page(std::filesystem::path(docs) / "primitives.md");
  std::string table;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("|")) table += cells(line)[0] + "\n";
  }
  for (const PlanRules& rules : all_plan_rules()) {
    INFO(rules.plan);
    CHECK_MESSAGE(table.find("`" + std::string(rules.plan) + "`") != std::string::npos, "docs/primitives.md lacks it");
  }
}
