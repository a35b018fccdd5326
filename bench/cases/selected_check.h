#pragma once

#include <optional>
#include <span>
#include <string>

#include "bench/sets.h"

namespace weft::bench {

/// Checks an output that should hold exactly the problem's random elements for which `belongs(x, index)` is true, in
/// order or in reverse. Says what is wrong, or returns nothing. `what` names one element.
template <typename T, typename Belongs>
std::optional<std::string> check_selected(Stream& stream, const Problem& problem, const Region& output,
                                          const std::string& what, const Belongs& belongs, bool backwards = false) {
  uint64_t looked_at = 0;
  const auto next = [&] {
    while (looked_at < problem.count) {
      const uint64_t index = backwards ? problem.count - 1 - looked_at : looked_at;
      ++looked_at;
      const T x = random_element<T>(problem.seed, index);
      if (belongs(x, index)) return std::optional(x);
    }
    return std::optional<T>();
  };
  return check_in_chunks<T>(stream, output, [&](uint64_t first, std::span<const T> got) -> std::optional<std::string> {
    for (size_t i = 0; i < got.size(); ++i) {
      if (next() != got[i]) return what + " " + std::to_string(first + i) + " is wrong";
    }
    return std::nullopt;
  });
}

}  // namespace weft::bench
