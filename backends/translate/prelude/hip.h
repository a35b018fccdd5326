// HIP: atomics with scope and order, and wavefronts of 32 or 64 lanes.
typedef uint64_t weft_mask;

WEFT_FN void weft_unreachable(const weft_context&, uint32_t) { __builtin_trap(); }

template <weft_scope S>
WEFT_FN void weft_fence() {
  if (S == weft_system)
    __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "");
  else if (S == weft_device)
    __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "agent");
  else
    __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "workgroup");
}
WEFT_FN WEFT_GLOBAL weft_byte* weft_atomic_in_buffer(weft_byte* p) { return weft_in_buffer(p); }

// The compiler orders an atomic operation on workgroup memory only with accesses to that memory, not to buffers. So the
// operation is itself relaxed, and fences before and after give it its order. One on a buffer has its own order.
template <class P>
struct weft_own_order {
  static constexpr bool value = false;
};
template <>
struct weft_own_order<WEFT_GLOBAL weft_byte*> {
  static constexpr bool value = true;
};
template <class P, weft_scope S, weft_order O>
WEFT_FN void weft_before() {
  if (weft_own_order<P>::value || O == weft_relaxed || O == weft_acquire) return;
  if (S == weft_system)
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "");
  else if (S == weft_device)
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
  else
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
}
template <class P, weft_scope S, weft_order O>
WEFT_FN void weft_after() {
  if (weft_own_order<P>::value || O == weft_relaxed || O == weft_release) return;
  if (S == weft_system)
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "");
  else if (S == weft_device)
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
  else
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
#define WEFT_OWN_ORDER (weft_own_order<P>::value ? Asked : weft_relaxed)

// The compiler requires literal orders and scopes.
#define WEFT_WITH_ORDER(result, S, operation, ...)                                          \
  result(O == weft_relaxed   ? WEFT_WITH_SCOPE(S, operation, __VA_ARGS__, __ATOMIC_RELAXED) \
         : O == weft_acquire ? WEFT_WITH_SCOPE(S, operation, __VA_ARGS__, __ATOMIC_ACQUIRE) \
         : O == weft_release ? WEFT_WITH_SCOPE(S, operation, __VA_ARGS__, __ATOMIC_RELEASE) \
                             : WEFT_WITH_SCOPE(S, operation, __VA_ARGS__, __ATOMIC_ACQ_REL))
#define WEFT_WITH_SCOPE(S, operation, ...)                                \
  (S == weft_system   ? operation(__VA_ARGS__, __HIP_MEMORY_SCOPE_SYSTEM) \
   : S == weft_device ? operation(__VA_ARGS__, __HIP_MEMORY_SCOPE_AGENT)  \
                      : operation(__VA_ARGS__, __HIP_MEMORY_SCOPE_WORKGROUP))
template <class T, weft_scope S, weft_order Asked, class P>
WEFT_FN T weft_atomic_load(const weft_context&, P p, uint32_t) {
  const auto q = weft_units_at<T>(p);
  const T value = WEFT_OWN_ORDER == weft_relaxed ? WEFT_WITH_SCOPE(S, __hip_atomic_load, q, __ATOMIC_RELAXED)
                                                 : WEFT_WITH_SCOPE(S, __hip_atomic_load, q, __ATOMIC_ACQUIRE);
  weft_after<P, S, Asked>();
  return value;
}
template <class T, weft_scope S, weft_order Asked, class P>
WEFT_FN void weft_atomic_store(const weft_context&, P p, T value, uint32_t) {
  const auto q = weft_units_at<T>(p);
  weft_before<P, S, Asked>();
  if (WEFT_OWN_ORDER == weft_relaxed)
    WEFT_WITH_SCOPE(S, __hip_atomic_store, q, value, __ATOMIC_RELAXED);
  else
    WEFT_WITH_SCOPE(S, __hip_atomic_store, q, value, __ATOMIC_RELEASE);
}
#define WEFT_ATOMIC(name, bits, operation)                          \
  template <class T, weft_scope S, weft_order Asked, class P>       \
  WEFT_FN T name(const weft_context&, P p, T value, uint32_t) {     \
    typedef bits B;                                                 \
    constexpr weft_order O = WEFT_OWN_ORDER;                        \
    const auto q = weft_units_at<B>(p);                             \
    weft_before<P, S, Asked>();                                     \
    const T before = WEFT_WITH_ORDER(T, S, operation, q, B(value)); \
    weft_after<P, S, Asked>();                                      \
    return before;                                                  \
  }
WEFT_ATOMIC(weft_atomic_exchange, T, __hip_atomic_exchange)
WEFT_ATOMIC(weft_atomic_add, T, __hip_atomic_fetch_add)
WEFT_ATOMIC(weft_atomic_and, T, __hip_atomic_fetch_and)
WEFT_ATOMIC(weft_atomic_or, T, __hip_atomic_fetch_or)
WEFT_ATOMIC(weft_atomic_xor, T, __hip_atomic_fetch_xor)
WEFT_ATOMIC(weft_atomic_umin, T, __hip_atomic_fetch_min)
WEFT_ATOMIC(weft_atomic_umax, T, __hip_atomic_fetch_max)
WEFT_ATOMIC(weft_atomic_smin, weft_signed<T>, __hip_atomic_fetch_min)
WEFT_ATOMIC(weft_atomic_smax, weft_signed<T>, __hip_atomic_fetch_max)
WEFT_ATOMIC(weft_atomic_fadd, T, __hip_atomic_fetch_add)
template <class T, weft_scope S, weft_order O, class P>
WEFT_FN T weft_atomic_sub(const weft_context& c, P p, T value, uint32_t site) {
  return weft_atomic_add<T, S, O>(c, p, T(T(0) - value), site);
}
template <class T, weft_scope S, weft_order Asked, class P>
WEFT_FN T weft_atomic_compare_exchange(const weft_context&, P p, T expected, T value, uint32_t) {
  constexpr weft_order O = WEFT_OWN_ORDER;
  const auto q = weft_units_at<T>(p);
  weft_before<P, S, Asked>();
  // The order on failure must not be stronger than the order on success.
  if (S == weft_system && weft_own_order<P>::value) {
    __hip_atomic_compare_exchange_strong(q, &expected, value, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE,
                                         __HIP_MEMORY_SCOPE_SYSTEM);
  } else if (O == weft_relaxed) {
    __hip_atomic_compare_exchange_strong(q, &expected, value, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                         __HIP_MEMORY_SCOPE_AGENT);
  } else {
    __hip_atomic_compare_exchange_strong(q, &expected, value, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE,
                                         __HIP_MEMORY_SCOPE_AGENT);
  }
  weft_after<P, S, Asked>();
  return expected;
}
WEFT_FN bool weft_same_bits(float a, float b) { return weft_bitcast<uint32_t>(a) == weft_bitcast<uint32_t>(b); }
WEFT_FN bool weft_same_bits(double a, double b) { return weft_bitcast<uint64_t>(a) == weft_bitcast<uint64_t>(b); }
#define WEFT_ATOMIC_BY_EXCHANGE(name, combine)                                         \
  template <class T, weft_scope S, weft_order O, class P>                              \
  WEFT_FN T name(const weft_context& c, P p, T value, uint32_t site) {                 \
    T before = weft_atomic_load<T, S, weft_relaxed>(c, p, site);                       \
    while (true) {                                                                     \
      const T after = combine(before, value);                                          \
      const T seen = weft_atomic_compare_exchange<T, S, O>(c, p, before, after, site); \
      if (weft_same_bits(seen, before)) return before;                                 \
      before = seen;                                                                   \
    }                                                                                  \
  }
WEFT_ATOMIC_BY_EXCHANGE(weft_atomic_fmin, weft_nmin)
WEFT_ATOMIC_BY_EXCHANGE(weft_atomic_fmax, weft_nmax)

WEFT_FN weft_mask weft_all_lanes(const weft_context& c) {
  const uint32_t first = weft_subgroup_id(c) * WEFT_WARP, left = weft_invocations - first;
  const uint32_t lanes = left < WEFT_WARP ? left : WEFT_WARP;
  return lanes >= 64u ? ~0ull : (1ull << lanes) - 1ull;
}
WEFT_FN weft_mask weft_ballot_mask(const weft_context&, weft_mask mask, bool vote, uint32_t) {
  return WEFT_HIP_BALLOT(mask, vote) & mask;
}
WEFT_FN bool weft_vote_any(const weft_context& c, weft_mask mask, bool vote, uint32_t site) {
  return weft_ballot_mask(c, mask, vote, site) != 0;
}
WEFT_FN bool weft_vote_all(const weft_context& c, weft_mask mask, bool vote, uint32_t site) {
  return weft_ballot_mask(c, mask, !vote, site) == 0;
}
WEFT_FN void weft_subgroup_barrier(const weft_context&, weft_mask mask, uint32_t) {
  __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "workgroup");
  WEFT_HIP_MEET(mask);
}
WEFT_FN uint32_t weft_shuffle_word(weft_mask mask, uint32_t word, uint32_t lane) {
  return uint32_t(WEFT_HIP_SHUFFLE(mask, word, lane));
}
WEFT_FN uint32_t weft_shuffle_word_up(weft_mask mask, uint32_t word, uint32_t lane, uint32_t delta) {
  return weft_shuffle_word(mask, word, (lane - delta) % WEFT_WARP);
}
WEFT_FN uint32_t weft_shuffle_word_down(weft_mask mask, uint32_t word, uint32_t lane, uint32_t delta) {
  return weft_shuffle_word(mask, word, (lane + delta) % WEFT_WARP);
}
WEFT_FN uint32_t weft_shuffle_word_xor(weft_mask mask, uint32_t word, uint32_t lane, uint32_t bits) {
  return weft_shuffle_word(mask, word, (lane ^ bits) % WEFT_WARP);
}
WEFT_FN uint32_t weft_first_lane(weft_mask mask) {
  return uint32_t(__ffsll(static_cast<unsigned long long>(mask)) - 1);
}
WEFT_FN weft_uvec4 weft_to_ballot(weft_mask mask) { return weft_uvec4{{uint32_t(mask), uint32_t(mask >> 32), 0u, 0u}}; }
WEFT_FN weft_mask weft_from_ballot(const weft_uvec4& ballot) {
  return uint64_t(ballot.v[0]) | (uint64_t(ballot.v[1]) << 32);
}
