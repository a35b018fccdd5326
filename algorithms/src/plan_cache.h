#pragma once

#include <cstdint>
#include <string>

#include <weft/compact.h>
#include <weft/element.h>
#include <weft/operator.h>

namespace weft::algorithms {

/// The maximum count of the plan that a convenience function keeps for `count` elements: the next power of two, so that
/// a count that changes from call to call does not make a plan each time.
uint64_t kept_plan_count(uint64_t count);

/// Under what a stream keeps a plan: everything that the plan was made from.
std::string plan_key(const char* primitive, const Element& element, const std::string& parameters, uint64_t max_count);
/// An operator and a selection as plan_key() takes them.
std::string key_of(const Operator& op);
std::string key_of(const Selection& selection);

}  // namespace weft::algorithms
