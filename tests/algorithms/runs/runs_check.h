#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <weft/count.h>

#include "tests/algorithms/base/device_counts.h"
#include "tests/algorithms/base/elements.h"
#include "tests/algorithms/base/sizes.h"
#include "tests/algorithms/base/tuned.h"

namespace weft::test {

/// Lengths of the runs of elements.
enum class Runs { one, single, short_ones, long_ones, skewed };
constexpr Runs all_runs[] = {Runs::one, Runs::single, Runs::short_ones, Runs::long_ones, Runs::skewed};

const char* name_of(Runs runs);

/// Whether each of `count` elements is the head of a run; the first always is.
std::vector<bool> random_heads(uint64_t count, Runs runs, std::mt19937_64& generator);

/// Few distinct elements, in runs that start at `heads`. Neighbouring runs differ.
template <typename T>
std::vector<T> elements_in_runs(const std::vector<bool>& heads, std::mt19937_64& generator) {
  constexpr size_t few = 5;
  std::vector<T> distinct;
  while (distinct.size() < few) {
    const T candidate = Elements<T>::random(generator);
    const auto same = [&](const T& x) { return Bytes<T>::same(x, candidate); };
    if (std::ranges::none_of(distinct, same)) distinct.push_back(candidate);
  }
  std::vector<T> elements(heads.size());
  size_t current = 0;
  for (size_t i = 0; i < heads.size(); ++i) {
    if (heads[i]) current = (current + 1 + generator() % (few - 1)) % few;
    elements[i] = distinct[current];
  }
  return elements;
}

/// Indices of the heads of the first `count` elements, then `count`.
std::vector<uint64_t> run_starts(const std::vector<bool>& heads, uint64_t count);

/// Layout of a plan's arguments in memory.
struct RunPlacement {
  Runs runs = Runs::short_ones;
  uint64_t input_misalignment = 0, output_misalignment = 0;
  bool count_on_device = false;
  uint64_t behind = 0;  ///< Elements of the input and the output after `count`.

  std::string text() const;
};

/// Random elements in runs, and guarded memory for a plan's results for `count` of them.
template <typename T>
struct RunMemory {
  RunMemory(Stream& stream, uint64_t temporary_bytes, uint64_t count, std::mt19937_64& generator,
            const RunPlacement& placement)
      : heads(random_heads(count + placement.behind, placement.runs, generator)),
        data(elements_in_runs<T>(heads, generator)),
        starts(run_starts(heads, count)),
        input(stream.device(), stream, data, generator, placement.input_misalignment),
        output(stream.device(), stream, data.size(), generator, placement.output_misalignment),
        number(stream, 1, generator),
        temporary(stream.device(), stream, temporary_bytes, 7, generator),
        count_word(stream, std::vector{count}, generator),
        counted(placement.count_on_device ? Count(count_word) : Count(count)) {}

  uint64_t runs() const { return starts.size() - 1; }

  /// Checks that the output holds the first element of each run and is otherwise as it was.
  void check(Stream& stream) const {
    std::vector<T> expected = output.poison();
    for (uint64_t run = 0; run < runs(); ++run) expected[run] = data[starts[run]];
    check_same(number.read(stream), {runs()}, "the number of runs");
    check_same(output.read(stream), expected, "the output");
    check_same(input.read(stream), data, "the input afterwards");
    temporary.check_guards(stream);
  }

  std::vector<bool> heads;
  std::vector<T> data;
  std::vector<uint64_t> starts;  ///< Indices of the heads, then the count.
  Guarded<T> input, output;
  DeviceCounts number;
  GuardedBytes temporary;
  DeviceCounts count_word;
  Count counted;
};

/// Calls `check(count, placement)` for runs of all kinds, all counts and placements.
template <typename Check>
void for_all_runs(const Device& device, const Element& element, std::mt19937_64& generator, const Check& check) {
  for (const uint64_t count : interesting_counts(device)) check(count, RunPlacement{});
  for (const Runs runs : all_runs) {
    for (const uint64_t count : few_counts(device)) {
      check(count, RunPlacement{.runs = runs,
                                .input_misalignment = generator() % 8 * element.align(),
                                .output_misalignment = generator() % 8 * element.align(),
                                .count_on_device = true,
                                .behind = 100});
    }
  }
}

/// The same for tiles of one invocation: serial_tiles().
template <typename Check>
void for_serial_runs(const Element& element, const Check& check) {
  const std::vector<uint64_t> counts = serial_counts(element.bytes());
  for (const uint64_t count : counts) check(count, RunPlacement{});
  for (const Runs runs : all_runs) {
    check(counts.back(), RunPlacement{.runs = runs});
    check(counts.back() / 2, RunPlacement{.runs = runs,
                                          .input_misalignment = element.align(),
                                          .output_misalignment = 3 * element.align(),
                                          .count_on_device = true,
                                          .behind = 100});
  }
}

}  // namespace weft::test
