#include "algorithms/src/pairs/pair_statistics.h"

namespace weft::algorithms {
std::string corner_of_bits(const std::string& bits) {
  return "uintBitsToFloat(" + bits + " ^ mix(uvec3(0xFFFFFFFFu), uvec3(0x80000000u), greaterThanEqual(" + bits +
         ", uvec3(0x80000000u))))";
}

Reduce reduce_to_statistics(const Device& device, uint64_t max_count, const std::optional<Tuning>& tuning) {
  const std::string low = corner_of_bits("x.low"), high = corner_of_bits("x.high");
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
  const Transform transform = Transform::of(box_bits(), is_near + " ? " + of_box + " : " + none);
  return Reduce(device, pair_statistics(), sums, max_count,
                {.transform = transform, .fixed_order = true, .tuning = tuning});
}

}  // namespace weft::algorithms
