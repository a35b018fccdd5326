// Subgroup operations on values of lanes. A uniform value stands for the same value in each lane.
template <class V>
struct weft_lane_of {
  typedef V type;
  static constexpr bool is_uniform = true;
  static WEFT_MEMBER const V& get(const V& value, uint32_t) { return value; }
};
template <class T>
struct weft_lane_of<weft_lanes<T>> {
  typedef T type;
  static constexpr bool is_uniform = false;
  static WEFT_MEMBER const T& get(const weft_lanes<T>& value, uint32_t lane) { return value.v[lane]; }
};
template <class V>
using weft_one = typename weft_lane_of<V>::type;
template <class V>
static inline const weft_one<V>& weft_at_lane(const V& value, uint32_t lane) {
  return weft_lane_of<V>::get(value, lane);
}

// One flow of control runs all lanes, so they see each other's writes.
static inline void weft_subgroup_barrier(const weft_context&, const weft_mask&, uint32_t) {}

static inline weft_lanes<bool> weft_elect(const weft_context&, const weft_mask& mask, uint32_t) {
  weft_lanes<bool> elected = false;
  elected.v[weft_first_lane(mask)] = true;
  return elected;
}
static inline weft_mask weft_ballot_mask(const weft_mask& mask, bool vote) { return vote ? mask : weft_mask{}; }
static inline weft_uvec4 weft_to_ballot(const weft_mask& mask) {
  weft_uvec4 ballot = {};
  for (uint32_t w = 0; w < weft_mask_words; ++w) ballot.v[w] = mask.bits[w];
  return ballot;
}
template <class V>
static inline weft_uvec4 weft_ballot(const weft_context&, const weft_mask& mask, const V& vote, uint32_t) {
  return weft_to_ballot(weft_ballot_mask(mask, vote));
}
template <class V>
static inline bool weft_vote_any(const weft_context&, const weft_mask& mask, const V& vote, uint32_t) {
  return weft_any(weft_ballot_mask(mask, vote));
}
template <class V>
static inline bool weft_vote_all(const weft_context&, const weft_mask& mask, const V& vote, uint32_t) {
  return !weft_any(weft_without(mask, weft_ballot_mask(mask, vote)));
}
template <class V>
static inline bool weft_vote_all_equal(const weft_context&, const weft_mask& mask, const V& value, uint32_t) {
  const auto& first = weft_at_lane(value, weft_first_lane(mask));
  bool same = true;
  for (uint32_t l = 0; l < WEFT_LANES; ++l) {
    if (weft_is_active(mask, l)) same = same && weft_same(first, weft_at_lane(value, l));
  }
  return same;
}
template <class V>
static inline weft_one<V> weft_broadcast_first(const weft_context&, const weft_mask& mask, const V& value, uint32_t) {
  return weft_at_lane(value, weft_first_lane(mask));
}

// The value of an inactive or nonexistent lane is undefined in SPIR-V. Here it is zero, as with fibers.
template <class V>
static inline weft_one<V> weft_from_lane(const weft_mask& mask, const V& value, uint32_t lane) {
  return lane < WEFT_LANES && weft_is_active(mask, lane) ? weft_at_lane(value, lane) : weft_one<V>{};
}
// Processors have an instruction for this where the values fill at most a vector.
#ifndef WEFT_VECTOR_BYTES
#define WEFT_VECTOR_BYTES 0
#endif
template <uint32_t Bytes>
struct weft_word_of {};
template <>
struct weft_word_of<1> {
  typedef uint8_t type;
};
template <>
struct weft_word_of<2> {
  typedef uint16_t type;
};
template <>
struct weft_word_of<4> {
  typedef uint32_t type;
};
template <>
struct weft_word_of<8> {
  typedef uint64_t type;
};
template <class T>
constexpr bool weft_fills_vector =
    sizeof(T) <= 8 && (sizeof(T) & (sizeof(T) - 1)) == 0 && WEFT_LANES <= 64 / sizeof(T) &&
    sizeof(T) * WEFT_LANES >= 16 && sizeof(T) * WEFT_LANES <= WEFT_VECTOR_BYTES;
// The value of lane `from[l]` for each lane `l`.
template <class V>
static inline weft_lanes<weft_one<V>> weft_permuted(const weft_mask& mask, const V& value,
                                                    const weft_lanes<uint32_t>& from) {
  typedef weft_one<V> T;
  weft_lanes<T> r;
  if constexpr (weft_fills_vector<T>) {
    typedef typename weft_word_of<sizeof(T)>::type word;
    typedef word vector __attribute__((vector_size(sizeof(T) * WEFT_LANES)));
    weft_lanes<T> active;
    weft_lanes<word> index, inside;
    for (uint32_t l = 0; l < WEFT_LANES; ++l) {
      active.v[l] = weft_is_active(mask, l) ? weft_at_lane(value, l) : T{};
      index.v[l] = word(from.v[l]);  // of which the lowest bits count
      inside.v[l] = from.v[l] < WEFT_LANES ? word(~word(0)) : word(0);
    }
    vector values, indices, kept;
    memcpy(&values, &active, sizeof(vector));
    memcpy(&indices, &index, sizeof(vector));
    memcpy(&kept, &inside, sizeof(vector));
    values = __builtin_shuffle(values, indices) & kept;
    memcpy(&r, &values, sizeof(vector));
  } else {
    for (uint32_t l = 0; l < WEFT_LANES; ++l) r.v[l] = weft_from_lane(mask, value, from.v[l]);
  }
  return r;
}
template <class V, class L>
static inline auto weft_shuffle(const weft_context&, const weft_mask& mask, const V& value, const L& lane, uint32_t) {
  if constexpr (weft_lane_of<L>::is_uniform) {
    return weft_from_lane(mask, value, uint32_t(lane));
  } else {
    weft_lanes<uint32_t> from;
    for (uint32_t l = 0; l < WEFT_LANES; ++l) from.v[l] = uint32_t(lane.v[l]);
    return weft_permuted(mask, value, from);
  }
}
// `source` is an expression of the lane `l` and the operand `x`.
#define WEFT_SHUFFLE(name, source)                                                                       \
  template <class V, class X>                                                                            \
  static inline weft_lanes<weft_one<V>> name(const weft_context&, const weft_mask& mask, const V& value, \
                                             const X& operand, uint32_t) {                               \
    weft_lanes<uint32_t> from;                                                                           \
    for (uint32_t l = 0; l < WEFT_LANES; ++l) {                                                          \
      const uint32_t x = uint32_t(weft_at_lane(operand, l));                                             \
      from.v[l] = source;                                                                                \
    }                                                                                                    \
    return weft_permuted(mask, value, from);                                                             \
  }
WEFT_SHUFFLE(weft_shuffle_xor, l ^ x)
WEFT_SHUFFLE(weft_shuffle_up, l - x)
WEFT_SHUFFLE(weft_shuffle_down, l + x)
WEFT_SHUFFLE(weft_quad_broadcast, (l & ~3u) + (x & 3u))
WEFT_SHUFFLE(weft_quad_swap, l ^ (x + 1u))  // direction 0 is horizontal, 1 vertical, 2 diagonal
template <class V, class D, class S>
static inline weft_lanes<weft_one<V>> weft_rotate(const weft_context&, const weft_mask& mask, const V& value,
                                                  const D& delta, S cluster, uint32_t) {
  const uint32_t size = uint32_t(cluster);
  weft_lanes<uint32_t> from;
  for (uint32_t l = 0; l < WEFT_LANES; ++l) {
    from.v[l] = ((l + uint32_t(weft_at_lane(delta, l))) & (size - 1u)) + (l & ~(size - 1u));
  }
  return weft_permuted(mask, value, from);
}

// Reductions and scans over the lanes of `among`, in lane order.
template <class Op, class V>
static inline weft_one<V> weft_fold(const V& value, const weft_mask& among, uint32_t begin, uint32_t end) {
  typedef weft_combiner<Op, weft_one<V>> combiner;
  bool any = false;
  weft_one<V> result = combiner::identity();
  for (uint32_t l = begin; l < end; ++l) {
    if (!((among.bits[l / 32] >> (l % 32)) & 1u)) continue;
    result = any ? combiner::combine(result, weft_at_lane(value, l)) : weft_at_lane(value, l);
    any = true;
  }
  return result;
}
template <class Op, class V>
static inline weft_one<V> weft_reduce(const weft_context&, const weft_mask& mask, const V& value, uint32_t) {
  if (!WEFT_ALL_LANES) return weft_fold<Op>(value, mask, 0, WEFT_LANES);
  weft_one<V> result = weft_at_lane(value, 0);
  for (uint32_t l = 1; l < WEFT_LANES; ++l) {
    result = weft_combiner<Op, weft_one<V>>::combine(result, weft_at_lane(value, l));
  }
  return result;
}
template <class Op, class V>
static inline weft_lanes<weft_one<V>> weft_inclusive_scan(const weft_context&, const weft_mask& mask, const V& value,
                                                          uint32_t) {
  typedef weft_combiner<Op, weft_one<V>> combiner;
  weft_lanes<weft_one<V>> r;
  bool any = false;
  weft_one<V> sum = combiner::identity();
  for (uint32_t l = 0; l < WEFT_LANES; ++l) {
    if (weft_is_active(mask, l)) {
      sum = any ? combiner::combine(sum, weft_at_lane(value, l)) : weft_at_lane(value, l);
      any = true;
    }
    r.v[l] = sum;
  }
  return r;
}
template <class Op, class V>
static inline weft_lanes<weft_one<V>> weft_exclusive_scan(const weft_context&, const weft_mask& mask, const V& value,
                                                          uint32_t) {
  typedef weft_combiner<Op, weft_one<V>> combiner;
  weft_lanes<weft_one<V>> r;
  bool any = false;
  weft_one<V> sum = combiner::identity();
  for (uint32_t l = 0; l < WEFT_LANES; ++l) {
    r.v[l] = sum;
    if (!weft_is_active(mask, l)) continue;
    sum = any ? combiner::combine(sum, weft_at_lane(value, l)) : weft_at_lane(value, l);
    any = true;
  }
  return r;
}
template <class Op, class V, class S>
static inline weft_lanes<weft_one<V>> weft_clustered_reduce(const weft_context&, const weft_mask& mask, const V& value,
                                                            S size, uint32_t) {
  const uint32_t n = uint32_t(size) < WEFT_LANES ? uint32_t(size) : WEFT_LANES;
  weft_lanes<weft_one<V>> r;
  for (uint32_t first = 0; first < WEFT_LANES; first += n) {
    const weft_one<V> result = weft_fold<Op>(value, mask, first, first + n);
    for (uint32_t l = first; l < first + n; ++l) r.v[l] = result;
  }
  return r;
}
static inline weft_mask weft_in_both(weft_mask a, const weft_uvec4& b) {
  for (uint32_t w = 0; w < weft_mask_words; ++w) a.bits[w] &= b.v[w];
  return a;
}
// `first` and `end` bound the lanes that lane `l` takes from its part.
#define WEFT_PARTITIONED(name, end)                                                                                  \
  template <class Op, class V, class P>                                                                              \
  static inline weft_lanes<weft_one<V>> name(const weft_context&, const weft_mask& mask, const V& value,             \
                                             const P& part, uint32_t) {                                              \
    weft_lanes<weft_one<V>> r;                                                                                       \
    for (uint32_t l = 0; l < WEFT_LANES; ++l) {                                                                      \
      if (weft_is_active(mask, l)) r.v[l] = weft_fold<Op>(value, weft_in_both(mask, weft_at_lane(part, l)), 0, end); \
    }                                                                                                                \
    return r;                                                                                                        \
  }
WEFT_PARTITIONED(weft_partitioned_reduce, WEFT_LANES)
WEFT_PARTITIONED(weft_partitioned_inclusive_scan, l + 1)
WEFT_PARTITIONED(weft_partitioned_exclusive_scan, l)
template <class V>
static inline weft_lanes<weft_uvec4> weft_partition(const weft_context&, const weft_mask& mask, const V& value,
                                                    uint32_t) {
  weft_lanes<weft_uvec4> parts;
  for (uint32_t l = 0; l < WEFT_LANES; ++l) {
    weft_mask same = {};
    for (uint32_t k = 0; k < WEFT_LANES; ++k) {
      weft_vote(same, k, weft_is_active(mask, k) && weft_same(weft_at_lane(value, k), weft_at_lane(value, l)));
    }
    parts.v[l] = weft_to_ballot(same);
  }
  return parts;
}
