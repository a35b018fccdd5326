#pragma once

#include <bit>
#include <cstring>
#include <optional>
#include <span>
#include <string>

#include "bench/sets.h"

namespace weft::bench {

/// Checks piece by piece that an output is sorted and holds the problem's random elements, each as often as it should,
/// by a sum over them that does not depend on their order.
template <typename T>
class SortedCheck {
 public:
  explicit SortedCheck(const Problem& problem) {
    for (uint64_t i = 0; i < problem.count; ++i) missing_ += hash(random_element<T>(problem.seed, i));
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
    return "the output is sorted, but its elements are not those of the input";
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

/// What is wrong with the output of a sort of the problem's random elements.
inline std::optional<std::string> check_sorted(Stream& stream, const Problem& problem, const Region& output) {
  return tools::visit_element_type(problem.type, [&](auto t) {
    using T = typename decltype(t)::type;
    SortedCheck<T> check(problem);
    auto wrong = check_in_chunks<T>(stream, output,
                                    [&](uint64_t first, std::span<const T> got) { return check.check(first, got); });
    return wrong ? wrong : check.end();
  });
}

}  // namespace weft::bench
