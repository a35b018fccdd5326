#pragma once

#include <cstdint>
#include <vector>

#include "bench/benchmark.h"
#include "bench/sets.h"

namespace weft::bench {

constexpr uint64_t mean_run_length = 8;

/// Generates elements in runs of random length, `mean_run_length` on average. They depend only on the problem's seed,
/// so that data of any size can be checked without being stored.
template <typename T>
class RunElements {
 public:
  explicit RunElements(const Problem& problem) : seed_(problem.seed), count_(problem.count) { take(); }

  /// Returns the next element; only while there is one.
  T next() {
    const T x = ahead_;
    ++index_;
    take();
    return x;
  }
  /// Whether there is a next element and it equals `x`.
  bool goes_on(T x) const { return index_ < count_ && ahead_ == x; }
  bool done() const { return index_ >= count_; }

 private:
  void take() {
    constexpr uint64_t heads = 0x5851f42d4c957f2d;
    if (index_ == 0 || random_element<uint32_t>(seed_ ^ heads, index_) % mean_run_length == 0) {
      ahead_ = random_element<T>(seed_, index_);
    }
  }

  uint64_t seed_, count_, index_ = 0;
  T ahead_{};
};

/// A run of the problem's elements: its element and length.
template <typename T>
struct Run {
  T element;
  uint64_t length;
};

template <typename T>
Run<T> next_run(RunElements<T>& elements) {
  Run<T> run{elements.next(), 1};
  for (; elements.goes_on(run.element); ++run.length) elements.next();
  return run;
}

/// Returns elements in runs, in each set.
Sets run_inputs(const Problem& problem);
uint64_t count_runs(const Problem& problem);

}  // namespace weft::bench
