#include "algorithms/src/pairs/pair_statistics.h"

namespace weft::algorithms {
std::string unordered(const std::string& corner) {
  return "uintBitsToFloat(" + corner + " ^ mix(uvec3(0xFFFFFFFFu), uvec3(0x80000000u), greaterThanEqual(" + corner +
         ", uvec3(0x80000000u))))";
}

Reduce reduce_to_statistics(const Device& device, uint64_t max_count, const std::optional<Tuning>& tuning) {
  const std::string low = unordered("x.low"), high = unordered("x.high");
  const std::string center = "(0.5 * " + low + " + 0.5 * " + high + ")";
  const std::string is_near =
      "all(lessThan(abs(" + low + "), vec3(1e18))) && all(lessThan(abs(" + high + "), vec3(1e18)))";
  const std::string edges = "(" + high + " - " + low + ")";
  const std::string longest = "max(max(" + edges + ".x, " + edges + ".y), " + edges + ".z)";
  const std::string of_box =
      "T(" + center + ", " + center + " * " + center + ", 1.0, " + longest + ", sqrt(" + longest + "))";
  const std::string none = "T(vec3(0.0), vec3(0.0), 0.0, 0.0, 0.0)";
  const Operator sums = Operator::custom(
      "sums of boxes",
      "T(a.sum + b.sum, a.squares + b.squares, a.number + b.number, a.edges + b.edges, a.roots + b.roots)", none, true);
  const Transform transform = Transform::of(ordered_box(), is_near + " ? " + of_box + " : " + none);
  return Reduce(device, pair_statistics(), sums, max_count,
                {.transform = transform, .fixed_order = true, .tuning = tuning});
}

}  // namespace weft::algorithms
