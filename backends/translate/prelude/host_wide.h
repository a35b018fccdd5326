// Values of all lanes in vectors of the processor, for functions whose statements are vector operations instead of
// loops over the lanes. Elements are 32 bits wide; a bool is 0 or -1.
#ifndef WEFT_VECTOR_BYTES
#define WEFT_VECTOR_BYTES 0
#endif
constexpr uint32_t weft_part_lanes = WEFT_VECTOR_BYTES / 4 > WEFT_LANES ? WEFT_LANES
                                     : WEFT_VECTOR_BYTES >= 16          ? WEFT_VECTOR_BYTES / 4
                                                                        : 4;
constexpr uint32_t weft_parts = WEFT_LANES / weft_part_lanes;
#define WEFT_EACH_PART WEFT_UNROLL for (uint32_t p = 0; p < weft_parts; ++p)

template <class T>
struct weft_stored_as {
  typedef T type;
};
template <>
struct weft_stored_as<bool> {
  typedef int32_t type;
};
template <class T>
WEFT_FN T weft_to_stored(T x) {
  return x;
}
WEFT_FN int32_t weft_to_stored(bool x) { return -int32_t(x); }

template <class T>
struct weft_wide {
  typedef typename weft_stored_as<T>::type element;
  typedef element part __attribute__((vector_size(4 * weft_part_lanes)));
  part v[weft_parts];
  weft_wide() = default;
  // Elements beside one another.
  static WEFT_MEMBER weft_wide read(const void* from) {
    weft_wide r;
    WEFT_EACH_PART memcpy(&r.v[p], static_cast<const char*>(from) + p * sizeof(part), sizeof(part));
    return r;
  }
  WEFT_MEMBER void write(void* to) const {
    WEFT_EACH_PART memcpy(static_cast<char*>(to) + p * sizeof(part), &v[p], sizeof(part));
  }
  WEFT_MEMBER weft_wide(T x) {  // x - 0 is x, -0 too
    WEFT_EACH_PART v[p] = weft_to_stored(x) - part{};
  }
  WEFT_MEMBER T get(uint32_t lane) const { return T(v[lane / weft_part_lanes][lane % weft_part_lanes]); }
  WEFT_MEMBER void set(uint32_t lane, T x) { v[lane / weft_part_lanes][lane % weft_part_lanes] = weft_to_stored(x); }

#define WEFT_WIDE_OPERATOR(op)                                                       \
  friend WEFT_MEMBER weft_wide operator op(const weft_wide& a, const weft_wide& b) { \
    weft_wide r;                                                                     \
    WEFT_EACH_PART r.v[p] = a.v[p] op b.v[p];                                        \
    return r;                                                                        \
  }
  WEFT_WIDE_OPERATOR(+)
  WEFT_WIDE_OPERATOR(-)
  WEFT_WIDE_OPERATOR(*)
  WEFT_WIDE_OPERATOR(/)
  WEFT_WIDE_OPERATOR(%)
  WEFT_WIDE_OPERATOR(&)
  WEFT_WIDE_OPERATOR(|)
  WEFT_WIDE_OPERATOR(^)
  WEFT_WIDE_OPERATOR(<<)
  WEFT_WIDE_OPERATOR(>>)
#define WEFT_WIDE_COMPARISON(op)                                                             \
  friend WEFT_MEMBER weft_wide<bool> operator op(const weft_wide & a, const weft_wide & b) { \
    weft_wide<bool> r;                                                                       \
    WEFT_EACH_PART r.v[p] = a.v[p] op b.v[p];                                                \
    return r;                                                                                \
  }
  WEFT_WIDE_COMPARISON(==)
  WEFT_WIDE_COMPARISON(!=)
  WEFT_WIDE_COMPARISON(<)
  WEFT_WIDE_COMPARISON(>)
  WEFT_WIDE_COMPARISON(<=)
  WEFT_WIDE_COMPARISON(>=)
  friend WEFT_MEMBER weft_wide operator&&(const weft_wide& a, const weft_wide& b) { return a & b; }
  friend WEFT_MEMBER weft_wide operator||(const weft_wide& a, const weft_wide& b) { return a | b; }
  friend WEFT_MEMBER weft_wide operator-(const weft_wide& a) {
    weft_wide r;
    WEFT_EACH_PART r.v[p] = -a.v[p];
    return r;
  }
  friend WEFT_MEMBER weft_wide operator~(const weft_wide& a) {
    weft_wide r;
    WEFT_EACH_PART r.v[p] = ~a.v[p];
    return r;
  }
  friend WEFT_MEMBER weft_wide operator!(const weft_wide& a) { return ~a; }
};
typedef weft_wide<bool> weft_wide_bool;

// A value in all lanes.
template <class T>
WEFT_FN weft_wide<T> weft_spread(T x) {
  return weft_wide<T>(x);
}
template <class T>
WEFT_FN const weft_wide<T>& weft_spread(const weft_wide<T>& x) {
  return x;
}
template <class T, uint32_t N>
WEFT_FN weft_vec<weft_wide<T>, N> weft_spread(const weft_vec<T, N>& x) {
  weft_vec<weft_wide<T>, N> r;
  WEFT_UNROLL for (uint32_t i = 0; i < N; ++i) r.v[i] = weft_wide<T>(x.v[i]);
  return r;
}
template <class T, uint32_t C, uint32_t R>
WEFT_FN weft_mat<weft_wide<T>, C, R> weft_spread(const weft_mat<T, C, R>& x) {
  weft_mat<weft_wide<T>, C, R> r;
  WEFT_UNROLL for (uint32_t i = 0; i < C; ++i) r.v[i] = weft_spread(x.v[i]);
  return r;
}

template <class T, uint64_t N>
WEFT_FN auto weft_spread(const weft_array<T, N>& x) {
  weft_array<decltype(weft_spread(x.v[0])), N> r;
  WEFT_UNROLL for (uint64_t i = 0; i < N; ++i) r.v[i] = weft_spread(x.v[i]);
  return r;
}

// The lanes' numbers.
WEFT_FN weft_wide<uint32_t> weft_lane_numbers() {
  weft_wide<uint32_t> r;
  for (uint32_t l = 0; l < WEFT_LANES; ++l) r.set(l, l);
  return r;
}

// The bits of a mask as bools.
WEFT_FN weft_wide_bool weft_to_bools(const weft_mask& mask) {
  weft_wide_bool r;
  WEFT_EACH_PART {
    const uint32_t first = p * weft_part_lanes, word = mask.bits[first / 32] >> (first % 32);
    weft_wide_bool::part bit;
    for (uint32_t l = 0; l < weft_part_lanes; ++l) bit[l] = int32_t(1u << l);
    r.v[p] = ((int32_t(word) - weft_wide_bool::part{}) & bit) != 0;
  }
  return r;
}
template <class P>
WEFT_FN uint32_t weft_sign_bits(const P& part) {
#if WEFT_VECTOR_BYTES >= 64  // with the instructions of x86-64-v4; __AVX512DQ__ does not follow #pragma GCC target
  if constexpr (sizeof(part) == 64)
    return uint16_t(__builtin_ia32_cvtd2mask512((int __attribute__((vector_size(64))))part));
#endif
#if WEFT_VECTOR_BYTES >= 32
  if constexpr (sizeof(part) == 32)
    return uint32_t(__builtin_ia32_movmskps256((float __attribute__((vector_size(32))))part));
#endif
#ifdef __SSE2__
  if constexpr (sizeof(part) == 16)
    return uint32_t(__builtin_ia32_movmskps((float __attribute__((vector_size(16))))part));
#endif
  uint32_t bits = 0;
  for (uint32_t l = 0; l < weft_part_lanes; ++l) bits |= uint32_t(part[l] & 1) << l;
  return bits;
}
// Such bools are also the masks of active lanes.
WEFT_FN weft_mask weft_to_mask(const weft_wide_bool& mask) {
  weft_mask result = {};
  WEFT_EACH_PART {
    const uint32_t first = p * weft_part_lanes;
    result.bits[first / 32] |= weft_sign_bits(mask.v[p]) << (first % 32);
  }
  return result;
}
WEFT_FN weft_wide_bool weft_ballot_mask(const weft_wide_bool& mask, const weft_wide_bool& votes) {
  return mask & votes;
}
WEFT_FN weft_wide_bool weft_without(const weft_wide_bool& a, const weft_wide_bool& b) { return a & ~b; }
WEFT_FN bool weft_any(const weft_wide_bool& mask) {
  weft_wide_bool::part any = mask.v[0];
  WEFT_UNROLL for (uint32_t p = 1; p < weft_parts; ++p) any |= mask.v[p];
  return weft_sign_bits(any) != 0;
}
WEFT_FN bool weft_all_of(const weft_wide_bool& a) {
  weft_wide_bool::part all = a.v[0];
  for (uint32_t p = 1; p < weft_parts; ++p) all &= a.v[p];
  return weft_sign_bits(all) == uint32_t((uint64_t{1} << weft_part_lanes) - 1);
}
WEFT_FN bool weft_are_all(const weft_wide_bool& mask) { return WEFT_ALL_LANES || weft_all_of(mask); }

template <class T>
WEFT_FN weft_wide<T> weft_select(const weft_wide_bool& c, const weft_wide<T>& a, const weft_wide<T>& b) {
  weft_wide<T> r;
  WEFT_EACH_PART r.v[p] = c.v[p] ? a.v[p] : b.v[p];
  return r;
}
template <class T, uint32_t N>
WEFT_FN weft_vec<T, N> weft_select(const weft_wide_bool& c, const weft_vec<T, N>& a, const weft_vec<T, N>& b) {
  weft_vec<T, N> r;
  WEFT_UNROLL for (uint32_t i = 0; i < N; ++i) r.v[i] = weft_select(c, a.v[i], b.v[i]);
  return r;
}
template <class T, uint32_t N>
WEFT_FN weft_vec<weft_wide<T>, N> weft_select(const weft_vec<weft_wide_bool, N>& c, const weft_vec<weft_wide<T>, N>& a,
                                              const weft_vec<weft_wide<T>, N>& b) {
  weft_vec<weft_wide<T>, N> r;
  WEFT_UNROLL for (uint32_t i = 0; i < N; ++i) r.v[i] = weft_select(c.v[i], a.v[i], b.v[i]);
  return r;
}

// Values for the lanes of `mask` alone.
template <class T>
WEFT_FN void weft_assign(weft_wide<T>& to, const weft_wide_bool& mask, const weft_wide<T>& from) {
  to = WEFT_ALL_LANES ? from : weft_select(mask, from, to);
}
template <class T>
WEFT_FN void weft_assign(weft_wide<T>& to, const weft_wide_bool& mask, T from) {
  weft_assign(to, mask, weft_wide<T>(from));
}
template <class T, class U, uint32_t N>
WEFT_FN void weft_assign(weft_vec<T, N>& to, const weft_wide_bool& mask, const weft_vec<U, N>& from) {
  WEFT_UNROLL for (uint32_t i = 0; i < N; ++i) weft_assign(to.v[i], mask, from.v[i]);
}
template <class T, class U, uint32_t C, uint32_t R>
WEFT_FN void weft_assign(weft_mat<T, C, R>& to, const weft_wide_bool& mask, const weft_mat<U, C, R>& from) {
  WEFT_UNROLL for (uint32_t i = 0; i < C; ++i) weft_assign(to.v[i], mask, from.v[i]);
}
template <class T, class U, uint64_t N>
WEFT_FN void weft_assign(weft_array<T, N>& to, const weft_wide_bool& mask, const weft_array<U, N>& from) {
  WEFT_UNROLL for (uint64_t i = 0; i < N; ++i) weft_assign(to.v[i], mask, from.v[i]);
}

// Lanes that leave constructs: see host_lanes.h.
WEFT_FN void weft_leave(weft_wide<uint32_t>& exit_to, const weft_wide_bool& mask, uint32_t target) {
  weft_assign(exit_to, mask, target);
}
WEFT_FN weft_wide_bool weft_arrive(const weft_wide_bool& entry, weft_wide<uint32_t>& exit_to, uint32_t here) {
  exit_to = weft_select(entry & (exit_to == weft_wide<uint32_t>(here)), weft_wide<uint32_t>(0u), exit_to);
  return entry & (exit_to == weft_wide<uint32_t>(0u));
}
