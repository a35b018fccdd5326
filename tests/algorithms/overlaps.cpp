#include <weft/scan.h>
#include <algorithm>
#include <numeric>
#include <set>

#include "algorithms/src/base/argument_rules.h"
#include "overlap_cases.h"
#include "test.h"

using namespace weft;
using namespace weft::test;
using namespace weft::algorithms;

/// Checks the rules of which arguments of a plan may overlap, for every pair of every plan. Allowed pairs must give the
/// CPU's result; all others must be refused by name.

namespace {

constexpr uint64_t step_bytes = 16;  // Arguments start at multiples of this.

/// Offsets of a case's arguments in one buffer, in bytes.
struct Layout {
  struct Place {
    uint64_t offset, bytes;
  };
  std::map<std::string, Place> places;
  uint64_t bytes = 0;

  void add(const std::string& name, uint64_t size) {
    places[name] = {bytes, size};
    bytes += (size + 2 * step_bytes - 1) / step_bytes * step_bytes;
  }
};

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
  all.places[pair.first].offset = first;
  all.places[pair.second].offset = second;
  all.bytes += std::max(all.places[pair.first].bytes, all.places[pair.second].bytes + pair.shift);
  all.bytes = (all.bytes + step_bytes - 1) / step_bytes * step_bytes;
  return all;
}

Words filled(const OverlapArgument& argument, std::mt19937_64& generator) {
  Words words(argument.words);
  switch (argument.fill) {
    case Fill::nothing:
      break;
    case Fill::number:
      words[0] = argument.number;
      break;
    case Fill::any:
      for (uint32_t& x : words) x = uint32_t(generator() % 100);
      break;
    case Fill::few:
      for (uint32_t& x : words) x = uint32_t(generator() % 3);
      break;
    case Fill::distinct:
      std::iota(words.begin(), words.end(), 0);
      std::shuffle(words.begin(), words.end(), generator);
      break;
    case Fill::ordered:
      for (uint32_t i = 0; i < words.size(); ++i) words[i] = i / 8;
      break;
    case Fill::steps:
      for (uint32_t i = 0; i < words.size(); ++i) words[i] = i * argument.number;
      break;
  }
  return words;
}

/// The buffer before the plan runs: random, except what the plan reads.
Words memory_before(const OverlapCase& one, const Layout& at, std::mt19937_64& generator) {
  Words memory(at.bytes / 4);
  for (uint32_t& x : memory) x = uint32_t(generator());
  for (int fill = int(Fill::number); fill <= int(Fill::steps); ++fill) {
    for (const OverlapArgument& argument : one.arguments) {
      if (int(argument.fill) != fill) continue;
      const Words words = filled(argument, generator);
      std::copy(words.begin(), words.end(), memory.begin() + std::ptrdiff_t(at.places.at(argument.name).offset / 4));
    }
  }
  return memory;
}

Words part(const Words& memory, const Layout::Place& place) {
  const auto first = memory.begin() + std::ptrdiff_t(place.offset / 4);
  return {first, first + std::ptrdiff_t(place.bytes / 4)};
}

/// The buffer as the plan must leave it, except temporary storage.
Words memory_after(const OverlapCase& one, const Layout& at, const Words& memory) {
  Contents before;
  for (const auto& [name, place] : at.places) before[name] = part(memory, place);
  Contents after = before;
  one.compute(before, after);
  Words expected = memory;
  for (const OverlapArgument& argument : one.arguments) {
    if (argument.fill != Fill::nothing) continue;
    const Words& words = after.at(argument.name);
    std::copy(words.begin(), words.end(), expected.begin() + std::ptrdiff_t(at.places.at(argument.name).offset / 4));
  }
  return expected;
}

void sort_unordered(const OverlapCase& one, const Layout& at, Words& memory) {
  for (const OverlapCase::Unordered& unordered : one.unordered) {
    const uint32_t size = memory[at.places.at(unordered.number).offset / 4 + unordered.word];
    const Layout::Place& place = at.places.at(unordered.name);
    REQUIRE_LE(size, place.bytes / 4);
    const auto first = memory.begin() + std::ptrdiff_t(place.offset / 4);
    std::sort(first, first + size);
  }
}

void check_allowed(Stream& stream, const OverlapCase& one, const Layout& at, const Buffer<uint32_t>& memory,
                   const Regions& regions, std::mt19937_64& generator) {
  const Words before = memory_before(one, at, generator);
  stream.upload<uint32_t>(memory.part(0, before.size()), before);
  one.record(stream, regions);
  Words after = stream.download(memory.part(0, before.size())), expected = memory_after(one, at, before);
  sort_unordered(one, at, after);
  sort_unordered(one, at, expected);
  const Layout::Place& temporary = at.places.at("temporary");
  std::fill_n(after.begin() + std::ptrdiff_t(temporary.offset / 4), temporary.bytes / 4, 0);
  std::fill_n(expected.begin() + std::ptrdiff_t(temporary.offset / 4), temporary.bytes / 4, 0);
  check_same(after, expected, "memory");
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
  Regions regions;
  for (const auto& [name, place] : at.places) regions[name] = memory.view().region().part(place.offset, place.bytes);
  if (allows(rules, pair)) return check_allowed(stream, one, at, memory, regions, generator);
  check_error(ErrorCode::invalid_argument, {"overlap", "'" + pair.first + "'", "'" + pair.second + "'"},
              [&] { one.record(stream, regions); });
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
  for (const std::string& pair : missing) FAIL_CHECK("no case has " << pair);
}

DEVICE_TEST("a scan in place has elements of its input's size") {
  if (!device.info().features.int16 || !device.info().features.storage16) unsupported("no 16-bit integers in buffers");
  Stream stream = device.stream();
  const Scan plan(device, Element::of<uint32_t>(), Operator::sum(), 100,
                  {.transform = Transform::of(Element::of<uint16_t>(), "T(x)")});
  const Buffer<uint32_t> memory = device.buffer<uint32_t>(100);
  const Buffer<std::byte> temporary = device.buffer<std::byte>(plan.temporary_bytes());
  check_error(ErrorCode::invalid_argument, {"'input'", "'output'", "size"}, [&] {
    plan.record(stream, {memory, memory, 100, temporary});
  });
}
