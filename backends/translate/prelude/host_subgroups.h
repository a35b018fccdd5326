// Subgroup operations on the host. Each is an exchange among the active lanes.
static inline bool weft_is_active(const weft_mask& mask, uint32_t lane) {
  return (mask.bits[lane / 64] >> (lane % 64)) & 1u;
}
static inline weft_mask weft_without(weft_mask a, const weft_mask& b) {
  a.bits[0] &= ~b.bits[0];
  a.bits[1] &= ~b.bits[1];
  return a;
}
// The existing lanes: the last subgroup of a workgroup may have fewer.
static inline weft_mask weft_all_lanes(const weft_context& c) {
  constexpr uint32_t invocations = WEFT_WORKGROUP_SIZE_X * WEFT_WORKGROUP_SIZE_Y * WEFT_WORKGROUP_SIZE_Z;
  const uint32_t size = weft_subgroup_size(c), first = weft_subgroup_id(c) * size;
  const uint32_t lanes = invocations - first < size ? invocations - first : size;
  weft_mask mask;
  for (uint32_t w = 0; w < 2; ++w) {
    mask.bits[w] = lanes >= 64 * (w + 1) ? ~uint64_t(0) : lanes <= 64 * w ? 0 : (uint64_t(1) << (lanes - 64 * w)) - 1;
  }
  return mask;
}
// The values of all lanes. Valid as long as `value`, until the lane's next exchange.
template <class T>
static inline const T* weft_gather(const weft_context& c, const weft_mask& mask, const T& value, uint32_t site) {
  if (weft_subgroup_size(c) == 1) return &value;  // no other lanes
  return reinterpret_cast<const T*>(
      c.invocation->runtime->exchange(c.invocation, mask, &value, uint32_t(sizeof(T)), site));
}
static inline void weft_subgroup_barrier(const weft_context& c, weft_mask mask, uint32_t site) {
  c.invocation->runtime->exchange(c.invocation, mask, nullptr, 0, site);
}
static inline weft_mask weft_ballot_mask(const weft_context& c, const weft_mask& mask, bool vote, uint32_t site) {
  const bool* votes = weft_gather(c, mask, vote, site);
  weft_mask result = {{0, 0}};
  for (uint32_t l = 0; l < weft_subgroup_size(c); ++l) {
    if (weft_is_active(mask, l) && votes[l]) result.bits[l / 64] |= uint64_t(1) << (l % 64);
  }
  return result;
}
static inline uint32_t weft_first_lane(const weft_mask& mask) {
  return mask.bits[0] ? uint32_t(__builtin_ctzll(mask.bits[0])) : 64u + uint32_t(__builtin_ctzll(mask.bits[1]));
}
static inline bool weft_elect(const weft_context& c, const weft_mask& mask, uint32_t) {
  return weft_lane(c) == weft_first_lane(mask);
}
static inline weft_uvec4 weft_to_ballot(const weft_mask& m) {
  return weft_uvec4{{uint32_t(m.bits[0]), uint32_t(m.bits[0] >> 32), uint32_t(m.bits[1]), uint32_t(m.bits[1] >> 32)}};
}
static inline weft_uvec4 weft_ballot(const weft_context& c, const weft_mask& mask, bool vote, uint32_t site) {
  return weft_to_ballot(weft_ballot_mask(c, mask, vote, site));
}
static inline bool weft_vote_any(const weft_context& c, const weft_mask& mask, bool vote, uint32_t site) {
  const weft_mask yes = weft_ballot_mask(c, mask, vote, site);
  return (yes.bits[0] | yes.bits[1]) != 0;
}
static inline bool weft_vote_all(const weft_context& c, const weft_mask& mask, bool vote, uint32_t site) {
  return !weft_vote_any(c, mask, !vote, site);
}
template <class T>
static inline bool weft_vote_all_equal(const weft_context& c, const weft_mask& mask, const T& value, uint32_t site) {
  const T* all = weft_gather(c, mask, value, site);
  const uint32_t first = weft_first_lane(mask);
  bool same = true;
  for (uint32_t l = 0; l < weft_subgroup_size(c); ++l) {
    if (weft_is_active(mask, l)) same = same && weft_same(all[first], all[l]);
  }
  return same;
}
template <class T>
static inline T weft_broadcast_first(const weft_context& c, const weft_mask& mask, const T& value, uint32_t site) {
  return weft_gather(c, mask, value, site)[weft_first_lane(mask)];
}

// The value of an inactive or nonexistent lane is undefined in SPIR-V. Here it is zero.
template <class T>
static inline T weft_from_lane(const weft_context& c, const weft_mask& mask, const T& value, uint32_t lane,
                               uint32_t site) {
  const T* all = weft_gather(c, mask, value, site);
  return lane < weft_subgroup_size(c) && weft_is_active(mask, lane) ? all[lane] : T{};
}
template <class T, class L>
static inline T weft_shuffle(const weft_context& c, const weft_mask& m, const T& value, L lane, uint32_t site) {
  return weft_from_lane(c, m, value, uint32_t(lane), site);
}
template <class T, class L>
static inline T weft_shuffle_xor(const weft_context& c, const weft_mask& m, const T& value, L lane, uint32_t site) {
  return weft_from_lane(c, m, value, weft_lane(c) ^ uint32_t(lane), site);
}
template <class T, class L>
static inline T weft_shuffle_up(const weft_context& c, const weft_mask& m, const T& value, L delta, uint32_t site) {
  return weft_from_lane(c, m, value, weft_lane(c) - uint32_t(delta), site);
}
template <class T, class L>
static inline T weft_shuffle_down(const weft_context& c, const weft_mask& m, const T& value, L delta, uint32_t site) {
  return weft_from_lane(c, m, value, weft_lane(c) + uint32_t(delta), site);
}
template <class T, class L>
static inline T weft_quad_broadcast(const weft_context& c, const weft_mask& m, const T& value, L lane, uint32_t site) {
  return weft_from_lane(c, m, value, (weft_lane(c) & ~3u) + (uint32_t(lane) & 3u), site);
}
// Direction 0 is horizontal, 1 vertical, 2 diagonal.
template <class T, class D>
static inline T weft_quad_swap(const weft_context& c, const weft_mask& m, const T& value, D direction, uint32_t site) {
  return weft_from_lane(c, m, value, weft_lane(c) ^ (uint32_t(direction) + 1u), site);
}
template <class T, class D, class S>
static inline T weft_rotate(const weft_context& c, const weft_mask& m, const T& value, D delta, S cluster,
                            uint32_t site) {
  const uint32_t size = uint32_t(cluster), lane = weft_lane(c);
  return weft_from_lane(c, m, value, ((lane + uint32_t(delta)) & (size - 1u)) + (lane & ~(size - 1u)), site);
}

// Reductions and scans over the lanes of `among`, in lane order.
template <class Op, class T>
static inline T weft_fold(const T* all, const weft_mask& among, uint32_t begin, uint32_t end) {
  bool any = false;
  T result = weft_combiner<Op, T>::identity();
  for (uint32_t l = begin; l < end; ++l) {
    if (!weft_is_active(among, l)) continue;
    result = any ? weft_combiner<Op, T>::combine(result, all[l]) : all[l];
    any = true;
  }
  return result;
}
template <class Op, class T>
static inline T weft_reduce(const weft_context& c, const weft_mask& m, const T& value, uint32_t site) {
  return weft_fold<Op>(weft_gather(c, m, value, site), m, 0, weft_subgroup_size(c));
}
template <class Op, class T>
static inline T weft_inclusive_scan(const weft_context& c, const weft_mask& m, const T& value, uint32_t site) {
  return weft_fold<Op>(weft_gather(c, m, value, site), m, 0, weft_lane(c) + 1);
}
template <class Op, class T>
static inline T weft_exclusive_scan(const weft_context& c, const weft_mask& m, const T& value, uint32_t site) {
  return weft_fold<Op>(weft_gather(c, m, value, site), m, 0, weft_lane(c));
}
template <class Op, class T, class S>
static inline T weft_clustered_reduce(const weft_context& c, const weft_mask& m, const T& value, S size,
                                      uint32_t site) {
  const uint32_t n = uint32_t(size), first = weft_lane(c) & ~(n - 1u), end = first + n;
  const uint32_t lanes = weft_subgroup_size(c);
  return weft_fold<Op>(weft_gather(c, m, value, site), m, first, end < lanes ? end : lanes);
}
static inline weft_mask weft_in_both(weft_mask a, const weft_uvec4& b) {
  a.bits[0] &= b.v[0] | (uint64_t(b.v[1]) << 32);
  a.bits[1] &= b.v[2] | (uint64_t(b.v[3]) << 32);
  return a;
}
template <class Op, class T>
static inline T weft_partitioned_reduce(const weft_context& c, const weft_mask& m, const T& value,
                                        const weft_uvec4& part, uint32_t site) {
  return weft_fold<Op>(weft_gather(c, m, value, site), weft_in_both(m, part), 0, weft_subgroup_size(c));
}
template <class Op, class T>
static inline T weft_partitioned_inclusive_scan(const weft_context& c, const weft_mask& m, const T& value,
                                                const weft_uvec4& part, uint32_t site) {
  return weft_fold<Op>(weft_gather(c, m, value, site), weft_in_both(m, part), 0, weft_lane(c) + 1);
}
template <class Op, class T>
static inline T weft_partitioned_exclusive_scan(const weft_context& c, const weft_mask& m, const T& value,
                                                const weft_uvec4& part, uint32_t site) {
  return weft_fold<Op>(weft_gather(c, m, value, site), weft_in_both(m, part), 0, weft_lane(c));
}
template <class T>
static inline weft_uvec4 weft_partition(const weft_context& c, const weft_mask& mask, const T& value, uint32_t site) {
  const T* all = weft_gather(c, mask, value, site);
  weft_mask same = {{0, 0}};
  for (uint32_t l = 0; l < weft_subgroup_size(c); ++l) {
    const bool is_same = weft_is_active(mask, l) && weft_same(all[l], all[weft_lane(c)]);
    if (is_same) same.bits[l / 64] |= uint64_t(1) << (l % 64);
  }
  return weft_to_ballot(same);
}
