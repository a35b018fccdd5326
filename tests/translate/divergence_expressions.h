#pragma once

#include <random>

#include "tests/translate/divergence_program.h"

namespace weft::test::divergence {

/// Random expressions of the values that a function has. Even ones are mostly the same in all lanes.
class RandomExpressions {
 protected:
  using E = Expression::Kind;

  explicit RandomExpressions(uint64_t seed) : random_(seed) {}

  uint32_t below(uint32_t n) { return uint32_t(random_() % n); }
  bool chance(uint32_t percent) { return below(100) < percent; }

  static Expression make(E kind, uint32_t number, std::vector<Expression> operands = {}) {
    return {kind, number, std::move(operands)};
  }

  // Mostly a counter of the loop being written.
  Expression counter() {
    const uint32_t back = chance(60) ? 0 : below(slots_ - Slot::counters);
    return make(E::variable, slots_ - 1 - back);
  }

  Expression leaf(bool even) {
    if (even) {
      if (slots_ > Slot::counters && chance(40)) return counter();
      switch (below(4)) {
        case 0:
          return make(E::uniform, below(uniforms));
        case 1:
          return make(E::subgroup, 0);
        default:
          return make(E::variable, Slot::even + below(Slot::even_count));
      }
    }
    switch (below(12)) {
      case 0:
        return make(E::lane, 0);
      case 1:
      case 2:
      case 3:
        return make(E::input, below(inputs_per_lane));
      case 4:
        return make(E::variable, Slot::globals + below(Slot::global_count));
      case 5:
        if (slots_ > Slot::counters) return counter();
        [[fallthrough]];
      case 6:
        if (function_ != 0) return make(E::variable, below(2));
        [[fallthrough]];
      default:
        return make(E::variable, Slot::plain + below(Slot::plain_count));
    }
  }

  Expression word(bool even) {
    const E kinds[] = {E::add, E::subtract, E::multiply, E::exclusive_or};
    switch (below(4)) {
      case 0:
        return make(E::constant, below(9));
      case 1:
        return leaf(even);
      default:
        return make(kinds[below(4)], 0, {leaf(even), chance(50) ? leaf(even) : make(E::constant, 1 + below(7))});
    }
  }

  // True for some lanes and false for others; the same in all lanes if even.
  Expression condition(bool even) {
    if (chance(12)) return make(chance(50) ? E::both : E::either, 0, {condition(even), condition(even)});
    const uint32_t n = 2 + below(5);
    switch (below(4)) {
      case 0:
        return make(E::bit, below(4), {leaf(even)});
      case 1:
        return make(E::equal, 0, {make(E::remainder, n, {leaf(even)}), make(E::constant, below(n))});
      case 2:
        return make(E::less, 0, {make(E::remainder, 8, {leaf(even)}), make(E::remainder, 8, {leaf(even)})});
      default:
        return make(E::less, 0, {make(E::remainder, n, {leaf(even)}), make(E::constant, 1 + below(n - 1))});
    }
  }

  uint32_t function_ = 0;  ///< The function being written; the entry has no parameters.
  uint32_t slots_ = 0;     ///< Number of its variables so far.

 private:
  std::mt19937_64 random_;
};

}  // namespace weft::test::divergence
