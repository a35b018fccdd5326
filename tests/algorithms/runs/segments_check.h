#pragma once

#include <weft/segmented.h>

#include "tests/algorithms/runs/runs_check.h"
#include "tests/algorithms/scan/scan_check.h"

namespace weft::test {

/// The operator that tests use for a type: the sum of scalars, a struct's own operator.
template <typename T>
TestOperator<T> usual_operator() {
  if constexpr (std::is_arithmetic_v<T>) {
    return sum_of<T>();
  } else {
    return operator_of<T>();
  }
}

/// The total of each segment; segment s is [starts[s], starts[s + 1]).
template <typename T>
std::vector<T> segment_totals(const std::vector<T>& data, const std::vector<uint64_t>& starts,
                              const TestOperator<T>& op) {
  std::vector<T> totals;
  for (size_t s = 0; s + 1 < starts.size(); ++s) {
    T total = op.identity;
    for (uint64_t i = starts[s]; i < starts[s + 1]; ++i) total = op.on_host(total, data[i]);
    totals.push_back(total);
  }
  return totals;
}

/// The scan of the first `count` elements that restarts at each head.
template <typename T>
std::vector<T> segmented_scan_reference(const std::vector<T>& data, const std::vector<bool>& heads,
                                        const TestOperator<T>& op, ScanKind kind, uint64_t count) {
  std::vector<T> result(count);
  T total = op.identity;
  for (uint64_t i = 0; i < count; ++i) {
    if (heads[i]) total = op.identity;
    if (kind == ScanKind::exclusive) result[i] = total;
    total = op.on_host(total, data[i]);
    if (kind == ScanKind::inclusive) result[i] = total;
  }
  return result;
}

/// The segments of a case.
struct Segments {
  SegmentsBy by;
  std::vector<uint64_t> offsets;  ///< For flags, too: indices of the heads, then the number of elements.
  std::vector<bool> heads;        ///< For scans: whether each element is a head.
};

/// Segments of elements with these runs. For offsets, with up to `empty` empty segments before some of the others, and
/// with elements outside all segments.
inline Segments random_segments(SegmentsBy by, Runs runs, uint64_t count, uint64_t empty, std::mt19937_64& generator) {
  Segments segments{by, {}, random_heads(count, runs, generator)};
  segments.offsets = run_starts(segments.heads, count);
  if (by == SegmentsBy::flags) return segments;
  if (segments.offsets.size() > 4 && generator() % 2 == 0) {
    segments.offsets.erase(segments.offsets.begin());
    segments.offsets.pop_back();
  }
  std::vector<uint64_t> with_empty;
  for (const uint64_t offset : segments.offsets) {
    with_empty.push_back(offset);
    if (empty > 0 && generator() % 4 == 0) with_empty.insert(with_empty.end(), generator() % (empty + 1), offset);
  }
  segments.offsets = with_empty;
  return segments;
}

template <typename Word>
std::vector<Word> words_of(const Segments& segments) {
  std::vector<Word> words;
  if (segments.by == SegmentsBy::offsets) {
    for (const uint64_t offset : segments.offsets) words.push_back(Word(offset));
  } else {
    for (const bool head : segments.heads) words.push_back(head ? Word(0x100) : Word(0));
    if (!words.empty()) words[0] = 0;  // A segment starts there anyway.
  }
  return words;
}

/// The most empty segments in a row.
constexpr uint64_t most_empty = 100;

/// Layout of the arguments in memory.
struct SegmentsPlacement {
  uint64_t keys_misalignment = 0, values_misalignment = 0, output_misalignment = 0;
  bool in_place = false;  ///< Scans only.
  bool count_on_device = false;
  uint64_t behind = 0;  ///< Elements of the regions after `count`.

  std::string text() const {
    return "keys or heads misaligned by " + std::to_string(keys_misalignment) + ", values by " +
           std::to_string(values_misalignment) + ", output by " + std::to_string(output_misalignment) +
           (in_place ? ", in place" : "") + (count_on_device ? ", count on the device" : "");
  }
};

}  // namespace weft::test
