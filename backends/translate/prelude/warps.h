// Subgroup operations by shuffles among the lanes of a warp or wavefront. All active lanes execute the same steps.
WEFT_FN weft_mask weft_without(weft_mask a, weft_mask b) { return a & ~b; }
WEFT_FN bool weft_is_active(weft_mask mask, uint32_t lane) { return (mask >> lane) & 1u; }
WEFT_FN bool weft_elect(const weft_context& c, weft_mask mask, uint32_t) {
  return weft_lane(c) == weft_first_lane(mask);
}
WEFT_FN weft_uvec4 weft_ballot(const weft_context& c, weft_mask mask, bool vote, uint32_t site) {
  return weft_to_ballot(weft_ballot_mask(c, mask, vote, site));
}

// Moves a value word by word.
template <class T, class M>
WEFT_FN T weft_by_words(const T& value, const M& move) {
  constexpr uint32_t count = (sizeof(T) + 3) / 4;
  struct words {
    uint32_t w[count];
  } moved = {};
  WEFT_COPY(&moved, &value, sizeof(T));
  WEFT_UNROLL for (uint32_t k = 0; k < count; ++k) moved.w[k] = move(moved.w[k]);
  T result;
  WEFT_COPY(&result, &moved, sizeof(T));
  return result;
}
// The value of another lane; for a nonexistent lane, that of some lane.
template <class T>
WEFT_FN T weft_of_lane(weft_mask mask, const T& value, uint32_t lane) {
  return weft_by_words(value, [&](uint32_t word) { return weft_shuffle_word(mask, word, lane % WEFT_WARP); });
}
template <class T>
WEFT_FN T weft_of_lane_below(const weft_context& c, weft_mask mask, const T& value, uint32_t delta) {
  return weft_by_words(value, [&](uint32_t word) { return weft_shuffle_word_up(mask, word, weft_lane(c), delta); });
}
template <class T>
WEFT_FN T weft_of_lane_above(const weft_context& c, weft_mask mask, const T& value, uint32_t delta) {
  return weft_by_words(value, [&](uint32_t word) { return weft_shuffle_word_down(mask, word, weft_lane(c), delta); });
}
template <class T>
WEFT_FN T weft_of_lane_across(const weft_context& c, weft_mask mask, const T& value, uint32_t bits) {
  return weft_by_words(value, [&](uint32_t word) { return weft_shuffle_word_xor(mask, word, weft_lane(c), bits); });
}
template <class T, class L>
WEFT_FN T weft_shuffle(const weft_context&, weft_mask m, const T& value, L lane, uint32_t) {
  return weft_of_lane(m, value, uint32_t(lane));
}
template <class T>
WEFT_FN T weft_broadcast_first(const weft_context&, weft_mask m, const T& value, uint32_t) {
  return weft_of_lane(m, value, weft_first_lane(m));
}
template <class T, class L>
WEFT_FN T weft_shuffle_xor(const weft_context& c, weft_mask m, const T& value, L lane, uint32_t) {
  return weft_of_lane_across(c, m, value, uint32_t(lane));
}
template <class T, class L>
WEFT_FN T weft_shuffle_up(const weft_context& c, weft_mask m, const T& value, L delta, uint32_t) {
  return weft_of_lane_below(c, m, value, uint32_t(delta));
}
template <class T, class L>
WEFT_FN T weft_shuffle_down(const weft_context& c, weft_mask m, const T& value, L delta, uint32_t) {
  return weft_of_lane_above(c, m, value, uint32_t(delta));
}
template <class T, class L>
WEFT_FN T weft_quad_broadcast(const weft_context& c, weft_mask m, const T& value, L lane, uint32_t) {
  return weft_of_lane(m, value, (weft_lane(c) & ~3u) + (uint32_t(lane) & 3u));
}
template <class T, class D>
WEFT_FN T weft_quad_swap(const weft_context& c, weft_mask m, const T& value, D direction, uint32_t) {
  return weft_of_lane(m, value, weft_lane(c) ^ (uint32_t(direction) + 1u));
}
template <class T, class D, class S>
WEFT_FN T weft_rotate(const weft_context& c, weft_mask m, const T& value, D delta, S cluster, uint32_t) {
  const uint32_t size = uint32_t(cluster), lane = weft_lane(c);
  return weft_of_lane(m, value, ((lane + uint32_t(delta)) & (size - 1u)) + (lane & ~(size - 1u)));
}
template <class T>
WEFT_FN bool weft_vote_all_equal(const weft_context& c, weft_mask m, const T& value, uint32_t site) {
  return weft_vote_all(c, m, weft_same(value, weft_broadcast_first(c, m, value, site)), site);
}

#define WEFT_FULL(mask) ((mask) == weft_mask(WEFT_WARP == 32u ? 0xffffffffull : ~0ull))

template <class Op, class T>
WEFT_FN bool weft_hardware_reduce(Op, weft_mask, T&) {
  return false;
}

// Over `count` lanes of `among` from `first` on, in lane order.
template <class Op, class T>
WEFT_FN T weft_fold(weft_mask m, weft_mask among, const T& value, uint32_t first, uint32_t count, uint32_t last) {
  bool any = false;
  T result = weft_combiner<Op, T>::identity();
  for (uint32_t k = 0; k < count; ++k) {
    const T other = weft_of_lane(m, value, first + k);
    if (!weft_is_active(among, (first + k) % WEFT_WARP) || first + k > last) continue;
    result = any ? weft_combiner<Op, T>::combine(result, other) : other;
    any = true;
  }
  return result;
}
template <class Op, class T>
WEFT_FN T weft_butterfly(const weft_context& c, weft_mask m, T value, uint32_t size) {
  WEFT_UNROLL for (uint32_t step = 1; step < WEFT_WARP; step *= 2) {
    if (step >= size) break;
    const T other = weft_of_lane_across(c, m, value, step);
    value =
        weft_lane(c) & step ? weft_combiner<Op, T>::combine(other, value) : weft_combiner<Op, T>::combine(value, other);
  }
  return value;
}
template <class Op, class T>
WEFT_FN T weft_reduce(const weft_context& c, weft_mask m, T value, uint32_t) {
  if (weft_hardware_reduce(Op(), m, value)) return value;
  if (WEFT_FULL(m)) return weft_butterfly<Op>(c, m, value, WEFT_WARP);
  return weft_fold<Op>(m, m, value, 0, WEFT_WARP, WEFT_WARP);
}
template <class Op, class T>
WEFT_FN T weft_inclusive_scan(const weft_context& c, weft_mask m, T value, uint32_t) {
  if (!WEFT_FULL(m)) return weft_fold<Op>(m, m, value, 0, WEFT_WARP, weft_lane(c));
  WEFT_UNROLL for (uint32_t step = 1; step < WEFT_WARP; step *= 2) {
    const T other = weft_of_lane_below(c, m, value, step);
    if (weft_lane(c) >= step) value = weft_combiner<Op, T>::combine(other, value);
  }
  return value;
}
template <class Op, class T>
WEFT_FN T weft_exclusive_scan(const weft_context& c, weft_mask m, const T& value, uint32_t site) {
  if (WEFT_FULL(m)) {
    const T before = weft_of_lane_below(c, m, weft_inclusive_scan<Op>(c, m, value, site), 1u);
    return weft_lane(c) == 0u ? weft_combiner<Op, T>::identity() : before;
  }
  const weft_mask below = m & ((weft_mask(1) << weft_lane(c)) - 1u);
  return weft_fold<Op>(m, below, value, 0, WEFT_WARP, WEFT_WARP);
}
template <class Op, class T, class S>
WEFT_FN T weft_clustered_reduce(const weft_context& c, weft_mask m, const T& value, S size, uint32_t) {
  const uint32_t n = uint32_t(size) < WEFT_WARP ? uint32_t(size) : WEFT_WARP;
  if (WEFT_FULL(m)) return weft_butterfly<Op>(c, m, value, n);
  return weft_fold<Op>(m, m, value, weft_lane(c) & ~(n - 1u), n, WEFT_WARP);
}
template <class Op, class T>
WEFT_FN T weft_partitioned_reduce(const weft_context&, weft_mask m, const T& value, const weft_uvec4& part, uint32_t) {
  return weft_fold<Op>(m, m & weft_from_ballot(part), value, 0, WEFT_WARP, WEFT_WARP);
}
template <class Op, class T>
WEFT_FN T weft_partitioned_inclusive_scan(const weft_context& c, weft_mask m, const T& value, const weft_uvec4& part,
                                          uint32_t) {
  return weft_fold<Op>(m, m & weft_from_ballot(part), value, 0, WEFT_WARP, weft_lane(c));
}
template <class Op, class T>
WEFT_FN T weft_partitioned_exclusive_scan(const weft_context& c, weft_mask m, const T& value, const weft_uvec4& part,
                                          uint32_t) {
  const weft_mask below = m & ((weft_mask(1) << weft_lane(c)) - 1u);
  return weft_fold<Op>(m, below & weft_from_ballot(part), value, 0, WEFT_WARP, WEFT_WARP);
}
template <class T>
WEFT_FN weft_uvec4 weft_partition(const weft_context& c, weft_mask m, const T& value, uint32_t) {
  weft_mask same = 0;
  for (uint32_t l = 0; l < WEFT_WARP; ++l) {
    const T other = weft_of_lane(m, value, l);
    if (weft_is_active(m, l) && weft_same(other, value)) same |= weft_mask(1) << l;
  }
  return weft_to_ballot(same);
}
