#include "tests/algorithms/all_plans/overlap_memory.h"

#include <algorithm>

#include "tests/support/test.h"

namespace weft::test {
namespace {

const OverlapArgument& argument_of(const OverlapCase& one, const std::string& name) {
  return *std::ranges::find(one.arguments, name, &OverlapArgument::name);
}

/// The buffer before the plan runs: random, except what the plan reads.
Words memory_before(const OverlapCase& one, const Layout& at, std::mt19937_64& generator) {
  Words memory(at.bytes / 4);
  for (uint32_t& x : memory) x = uint32_t(generator());
  for (int fill = int(Fill::number); fill <= int(Fill::nans); ++fill) {
    for (const OverlapArgument& argument : one.arguments) {
      if (int(argument.fill) != fill) continue;
      const Words words = filled(argument, generator);
      std::copy(words.begin(), words.end(), memory.begin() + std::ptrdiff_t(at.ranges.at(argument.name).offset / 4));
    }
  }
  return memory;
}

Words part(const Words& memory, const Layout::Range& range) {
  const auto first = memory.begin() + std::ptrdiff_t(range.offset / 4);
  return {first, first + std::ptrdiff_t(range.bytes / 4)};
}

/// The buffer as the plan must leave it, except temporary storage.
Words memory_after(const OverlapCase& one, const Layout& at, const Words& memory) {
  Contents before;
  for (const auto& [name, range] : at.ranges) before[name] = part(memory, range);
  Contents after = before;
  one.compute(before, after);
  Words expected = memory;
  for (const OverlapArgument& argument : one.arguments) {
    if (argument.fill != Fill::nothing) continue;
    const Words& words = after.at(argument.name);
    std::copy(words.begin(), words.end(), expected.begin() + std::ptrdiff_t(at.ranges.at(argument.name).offset / 4));
  }
  return expected;
}

void sort_unordered(const OverlapCase& one, const Layout& at, Words& memory) {
  for (const OverlapCase::Unordered& unordered : one.unordered) {
    const uint64_t word = unordered.index * argument_of(one, unordered.number).words_of_count();
    const uint32_t size = memory[at.ranges.at(unordered.number).offset / 4 + word];
    const Layout::Range& range = at.ranges.at(unordered.name);
    REQUIRE_LE(size, range.bytes / 4);
    const auto first = memory.begin() + std::ptrdiff_t(range.offset / 4);
    std::sort(first, first + size);
  }
}

}  // namespace

void check_case(Stream& stream, const OverlapCase& one, const Layout& at, const Buffer<uint32_t>& memory,
                std::mt19937_64& generator, const RunWork& run) {
  const Words before = memory_before(one, at, generator);
  stream.upload<uint32_t>(memory.part(0, before.size()), before);
  const auto record = [&](Recorder& recorder) { one.record(recorder, at.regions(memory)); };
  run ? run(record) : record(stream);
  Words after = stream.download(memory.part(0, before.size())), expected = memory_after(one, at, before);
  sort_unordered(one, at, after);
  sort_unordered(one, at, expected);
  const Layout::Range& temporary = at.ranges.at("temporary");
  std::fill_n(after.begin() + std::ptrdiff_t(temporary.offset / 4), temporary.bytes / 4, 0);
  std::fill_n(expected.begin() + std::ptrdiff_t(temporary.offset / 4), temporary.bytes / 4, 0);
  check_same(after, expected, "memory");
}

}  // namespace weft::test
