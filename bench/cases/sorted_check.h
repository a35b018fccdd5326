#pragma once

#include <bit>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bench/sets.h"

namespace weft::bench {

/// Checks, piece by piece, that an output is sorted and holds `count` random elements from `first` on, each as often as
/// it should, by an order-independent sum over them.
template <typename T>
class SortedCheck {
 public:
  SortedCheck(const RandomSource& source, uint64_t first, uint64_t count) {
    for (uint64_t i = first; i < first + count; ++i) missing_ += hash(random_element<T>(source, i));
  }

  std::optional<std::string> check(uint64_t first, std::span<const T> got) {
    for (size_t i = 0; i < got.size(); ++i) {
      if (first + i > 0 && got[i] < last_)
        return "element " + std::to_string(first + i) + " is less than the one before";
      last_ = got[i];
      missing_ -= hash(last_);
    }
    return std::nullopt;
  }
  std::optional<std::string> end() const {
    if (missing_ == 0) return std::nullopt;
    return "the output is sorted, but its elements differ from the input's";
  }

 private:
  static uint64_t hash(T x) {
    uint64_t bits = 0;
    std::memcpy(&bits, &x, sizeof(T));
    return std::rotl((bits + 1) * 0x9e3779b97f4a7c15ull, 29) * 0xbf58476d1ce4e5b9ull;
  }

  T last_{};
  uint64_t missing_ = 0;
};

/// Says what is wrong with the sorted output of the problem's random elements, or returns nothing.
inline std::optional<std::string> check_sorted(Stream& stream, const Problem& problem, const Region& output) {
  return support::visit_element_type(problem.type, [&](auto t) {
    using T = typename decltype(t)::type;
    SortedCheck<T> check(problem.seed, 0, problem.count);
    auto wrong = check_in_chunks<T>(stream, output,
                                    [&](uint64_t first, std::span<const T> got) { return check.check(first, got); });
    return wrong ? wrong : check.end();
  });
}

/// The same for a stable sort whose elements carry their 32-bit indices. Pairs must ascend by element, then by index,
/// and each index must match its element. Then no index can occur twice, so all are present.
inline std::optional<std::string> check_sorted_pairs(Stream& stream, const Problem& problem, const Region& output,
                                                     const Region& indices) {
  return support::visit_element_type(problem.type, [&](auto t) -> std::optional<std::string> {
    using T = typename decltype(t)::type;
    const std::vector<T> keys = stream.download(View<T>(output));
    const std::vector<uint32_t> values = stream.download(View<uint32_t>(indices));
    for (size_t i = 0; i < keys.size(); ++i) {
      if (values[i] >= keys.size() || keys[i] != random_element<T>(problem.seed, values[i])) {
        return "at index " + std::to_string(i) + " the value does not match the key";
      }
      if (i > 0 && std::pair(keys[i - 1], values[i - 1]) >= std::pair(keys[i], values[i])) {
        return "at index " + std::to_string(i) + " the keys are out of order, or equal keys were reordered";
      }
    }
    return std::nullopt;
  });
}

}  // namespace weft::bench
