#pragma once

#include <string>

/// What is written from the table of plans (algorithms/src/plans/all_plans.h).
namespace weft::test {

/// The text of c/include/weft/weft_plans_c.h.
std::string written_header();
/// The text of c/src/recorded_plans.h.
std::string written_definitions();

/// "sort" of Sort, "bvh_query" of BvhQuery.
std::string c_name(const std::string& plan);

}  // namespace weft::test
