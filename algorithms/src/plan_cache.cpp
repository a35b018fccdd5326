#include "algorithms/src/plan_cache.h"

#include <algorithm>
#include <bit>

namespace weft::algorithms {

uint64_t kept_plan_count(uint64_t count) {
  constexpr uint64_t least = uint64_t{1} << 16;
  return std::bit_ceil(std::max(count, least));
}

std::string plan_key(const char* primitive, const Element& element, const std::string& parameters, uint64_t max_count) {
  return std::string("weft::") + primitive + "\n" + element.name() + "\n" + parameters + "\n" +
         std::to_string(max_count);
}

std::string key_of(const Operator& op) {
  return op.name + "\n" + op.combine + "\n" + op.identity + "\n" + (op.commutative ? "commutative" : "ordered");
}

std::string key_of(const Selection& selection) {
  return selection.of_runs ? "runs\n" + selection.equality.same : "where\n" + selection.where;
}

}  // namespace weft::algorithms
