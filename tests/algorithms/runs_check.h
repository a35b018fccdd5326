#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "elements.h"
#include "sizes.h"

namespace weft::test {

/// How long the runs are that elements come in.
enum class Runs { one, single, short_ones, long_ones, skewed };
constexpr Runs all_runs[] = {Runs::one, Runs::single, Runs::short_ones, Runs::long_ones, Runs::skewed};

const char* name_of(Runs runs);

/// For each of `count` elements whether it starts a run, as the first one does.
std::vector<bool> random_heads(uint64_t count, Runs runs, std::mt19937_64& generator);

/// Elements whose runs start at `heads`, of few distinct ones: those of neighbouring runs differ.
template <typename T>
std::vector<T> elements_in_runs(const std::vector<bool>& heads, std::mt19937_64& generator) {
  constexpr size_t few = 5;
  std::vector<T> distinct;
  while (distinct.size() < few) {
    const T candidate = Elements<T>::random(generator);
    const auto same = [&](const T& x) { return std::memcmp(&x, &candidate, sizeof(T)) == 0; };
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

/// Where the runs of the first `count` elements start, and behind them `count`.
std::vector<uint64_t> run_starts(const std::vector<bool>& heads, uint64_t count);

}  // namespace weft::test
