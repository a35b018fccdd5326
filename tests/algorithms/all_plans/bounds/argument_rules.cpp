#include "algorithms/src/base/argument_rules.h"

#include "tests/support/test.h"

using namespace weft;
using namespace weft::algorithms;
using namespace weft::test;

TEST_CASE("a rule that is missing is Weft's mistake, not the caller's") {
  const PlanRules& rules = rules_of("Sort");
  CHECK_EQ(rules.arguments[rules.index_of("values")].name, "values");
  check_error(ErrorCode::unsupported, {"'keyz' of Sort", "mistake of Weft's own"}, [&] { rules.index_of("keyz"); });
  check_error(ErrorCode::unsupported, {"arguments of Sorted", "mistake of Weft's own"}, [] { rules_of("Sorted"); });
}
