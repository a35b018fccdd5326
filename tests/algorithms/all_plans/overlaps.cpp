#include <algorithm>
#include <set>

#include <weft/scan.h>

#include "algorithms/src/base/argument_rules.h"
#include "tests/algorithms/all_plans/overlap_memory.h"
#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;
using namespace weft::algorithms;

/// Checks the rules of which arguments of a plan may overlap, for every pair of every plan. Allowed pairs must give the
/// CPU's result; all others must be refused by name.

namespace {

/// Two arguments; the second starts `shift` bytes after the first.
struct Pair {
  std::string first, second;
  uint64_t shift;
};

uint64_t bytes_of(const OverlapCase& one, const std::string& name) {
  if (name == "temporary") return one.temporary_bytes;
  for (const OverlapArgument& argument : one.arguments) {
    if (argument.name == name) return 4 * argument.words;
  }
  return 0;  // not an argument of this variant
}

Layout layout(const OverlapCase& one, const Pair& pair) {
  Layout all;
  for (const OverlapArgument& argument : one.arguments) all.add(argument.name, 4 * argument.words);
  all.add("temporary", one.temporary_bytes);
  const uint64_t first = all.bytes, second = first + pair.shift;
  all.ranges[pair.first].offset = first;
  all.ranges[pair.second].offset = second;
  all.bytes += std::max(all.ranges[pair.first].bytes, all.ranges[pair.second].bytes + pair.shift);
  all.bytes = (all.bytes + step_bytes - 1) / step_bytes * step_bytes;
  return all;
}

/// Whether the rules let the second argument start `shift` bytes after the first.
bool allows(const PlanRules& rules, const Pair& pair) {
  const ArgumentRule &first = rules.arguments[rules.index_of(pair.first)],
                     &second = rules.arguments[rules.index_of(pair.second)];
  if (first.access == Access::read && second.access == Access::read) return true;
  for (const auto& [one, other] : {std::pair(first, second), std::pair(second, first)}) {
    if (one.may_share_with(other.name)) return one.sharing == Sharing::within || pair.shift == 0;
  }
  return false;
}

/// The ways in which two arguments overlap: starting at the same byte, or each a little after the other.
std::vector<Pair> overlapping(const OverlapCase& one, std::string_view first, std::string_view second) {
  const std::string a(first), b(second);
  std::vector<Pair> pairs;
  if (bytes_of(one, a) == 0 || bytes_of(one, b) == 0) return pairs;
  pairs.push_back({a, b, 0});
  if (bytes_of(one, a) > step_bytes) pairs.push_back({a, b, step_bytes});
  if (bytes_of(one, b) > step_bytes) pairs.push_back({b, a, step_bytes});
  return pairs;
}

void check_pair(Stream& stream, const OverlapCase& one, const PlanRules& rules, const Pair& pair,
                const Buffer<uint32_t>& memory, std::mt19937_64& generator) {
  INFO(one.plan, " ", one.variant, ": '", pair.second, "' starts ", pair.shift, " bytes behind '", pair.first, "'");
  const Layout at = layout(one, pair);
  REQUIRE_LE(at.bytes, memory.bytes());
  if (allows(rules, pair)) return check_case(stream, one, at, memory, generator);
  check_error(ErrorCode::invalid_argument, {"overlap", "'" + pair.first + "'", "'" + pair.second + "'"},
              [&] { one.record(stream, at.regions(memory)); });
}

}  // namespace

DEVICE_TEST("arguments of plans overlap as their rules allow") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("overlaps");
  const Buffer<uint32_t> memory = device.buffer<uint32_t>(1 << 19);
  std::set<std::string> missing;
  for (const PlanRules& rules : all_plan_rules()) {
    for (size_t i = 0; i < rules.arguments.size(); ++i) {
      for (size_t j = i + 1; j < rules.arguments.size(); ++j) {
        missing.insert(std::string(rules.plan) + ": " + std::string(rules.arguments[i].name) + ", " +
                       std::string(rules.arguments[j].name));
      }
    }
  }
  for (const OverlapCase& one : overlap_cases(device)) {
    const PlanRules& rules = rules_of(one.plan);
    for (const OverlapArgument& argument : one.arguments) {
      const bool reads = rules.arguments[rules.index_of(argument.name)].access == Access::read;
      CHECK_MESSAGE(reads == (argument.fill != Fill::nothing), one.plan, ", ", argument.name);
    }
    for (size_t i = 0; i < rules.arguments.size(); ++i) {
      for (size_t j = i + 1; j < rules.arguments.size(); ++j) {
        const std::string_view first = rules.arguments[i].name, second = rules.arguments[j].name;
        const std::vector<Pair> pairs = overlapping(one, first, second);
        for (const Pair& pair : pairs) check_pair(stream, one, rules, pair, memory, generator);
        if (!pairs.empty()) missing.erase(one.plan + ": " + std::string(first) + ", " + std::string(second));
      }
    }
  }
  missing.erase("SegmentedReduce: segments, segment_count");  // By flags and by offsets.
  missing.erase("Morton: bounds, temporary");                 // Given bounds and computed ones.
  for (const std::string& pair : missing) FAIL_CHECK("no case has " << pair);
}

DEVICE_TEST("a scan in place has elements of its input's size") {
  if (!device.info().features.int16 || !device.info().features.storage16) unsupported("no 16-bit integers in buffers");
  Stream stream = device.stream();
  const Scan plan(device, Element::of<uint32_t>(), Operator::sum(), 100,
                  {.transform = Transform::of(Element::of<uint16_t>(), "T(x)")});
  const Buffer<uint32_t> memory = device.buffer<uint32_t>(100);
  const Buffer<std::byte> temporary = device.buffer<std::byte>(plan.temporary_bytes());
  check_error(ErrorCode::invalid_argument, {"'input'", "'output'", "size"},
              [&] { plan.record(stream, {memory, memory, 100, temporary}); });
}
