// Functions of the prelude, for each lane.
template <class T>
struct weft_lane_array {
  typename weft_wide<T>::element v[WEFT_LANES];
  weft_lane_array() = default;
  WEFT_MEMBER weft_lane_array(const weft_wide<T>& x) { x.write(v); }
  WEFT_MEMBER T operator[](uint32_t lane) const { return T(v[lane]); }
  WEFT_MEMBER void set(uint32_t lane, T x) { v[lane] = weft_to_stored(x); }
  WEFT_MEMBER weft_wide<T> all() const { return weft_wide<T>::read(v); }
};
#define WEFT_WIDE_1(name)                                                          \
  template <class T>                                                               \
  WEFT_FN auto name(const weft_wide<T>& a) {                                       \
    const weft_lane_array<T> x(a);                                                 \
    weft_lane_array<decltype(name(T()))> r;                                        \
    for (uint32_t lane = 0; lane < WEFT_LANES; ++lane) r.set(lane, name(x[lane])); \
    return r.all();                                                                \
  }
#define WEFT_WIDE_2(name)                                                                   \
  template <class T>                                                                        \
  WEFT_FN auto name(const weft_wide<T>& a, const weft_wide<T>& b) {                         \
    const weft_lane_array<T> x(a), y(b);                                                    \
    weft_lane_array<decltype(name(T(), T()))> r;                                            \
    for (uint32_t lane = 0; lane < WEFT_LANES; ++lane) r.set(lane, name(x[lane], y[lane])); \
    return r.all();                                                                         \
  }
#define WEFT_WIDE_3(name)                                                                            \
  template <class T>                                                                                 \
  WEFT_FN auto name(const weft_wide<T>& a, const weft_wide<T>& b, const weft_wide<T>& c) {           \
    const weft_lane_array<T> x(a), y(b), z(c);                                                       \
    weft_lane_array<decltype(name(T(), T(), T()))> r;                                                \
    for (uint32_t lane = 0; lane < WEFT_LANES; ++lane) r.set(lane, name(x[lane], y[lane], z[lane])); \
    return r.all();                                                                                  \
  }
#define WEFT_WIDE_TO(name)                                                            \
  template <class R, class T>                                                         \
  WEFT_FN weft_wide<R> name(const weft_wide<T>& a) {                                  \
    const weft_lane_array<T> x(a);                                                    \
    weft_lane_array<R> r;                                                             \
    for (uint32_t lane = 0; lane < WEFT_LANES; ++lane) r.set(lane, name<R>(x[lane])); \
    return r.all();                                                                   \
  }                                                                                   \
  template <class R, class T, uint32_t N>                                             \
  WEFT_FN weft_vec<weft_wide<R>, N> name(const weft_vec<weft_wide<T>, N>& a) {        \
    weft_vec<weft_wide<R>, N> r;                                                      \
    WEFT_UNROLL for (uint32_t i = 0; i < N; ++i) r.v[i] = name<R>(a.v[i]);            \
    return r;                                                                         \
  }
#define WEFT_WIDE_COMPARED(name, op)                                          \
  template <class T>                                                          \
  WEFT_FN weft_wide_bool name(const weft_wide<T>& a, const weft_wide<T>& b) { \
    return a op b;                                                            \
  }
WEFT_WIDE_COMPARED(weft_eq, ==)
WEFT_WIDE_COMPARED(weft_ne, !=)
WEFT_WIDE_COMPARED(weft_lt, <)
WEFT_WIDE_COMPARED(weft_le, <=)
WEFT_WIDE_COMPARED(weft_gt, >)
WEFT_WIDE_COMPARED(weft_ge, >=)
WEFT_FN weft_wide_bool weft_logical_not(const weft_wide_bool& a) { return ~a; }
#define WEFT_WIDE_SIGNED(name, op)                                                                \
  WEFT_FN weft_wide_bool name(const weft_wide<uint32_t>& a, const weft_wide<uint32_t>& b) {       \
    weft_wide_bool r;                                                                             \
    WEFT_EACH_PART r.v[p] = weft_wide<int32_t>::part(a.v[p]) op weft_wide<int32_t>::part(b.v[p]); \
    return r;                                                                                     \
  }
WEFT_WIDE_SIGNED(weft_slt, <)
WEFT_WIDE_SIGNED(weft_sle, <=)
WEFT_WIDE_SIGNED(weft_sgt, >)
WEFT_WIDE_SIGNED(weft_sge, >=)
#define WEFT_WIDE_CHOICE(name, test)                                        \
  template <class T>                                                        \
  WEFT_FN weft_wide<T> name(const weft_wide<T>& x, const weft_wide<T>& y) { \
    return weft_select(test, x, y);                                         \
  }
WEFT_WIDE_CHOICE(weft_umin, x < y)
WEFT_WIDE_CHOICE(weft_umax, x > y)
WEFT_WIDE_CHOICE(weft_smin, weft_slt(x, y))
WEFT_WIDE_CHOICE(weft_smax, weft_sgt(x, y))
WEFT_FN weft_wide<float> weft_fmin(const weft_wide<float>& x, const weft_wide<float>& y) {
  return weft_select(y < x, y, x);
}
WEFT_FN weft_wide<float> weft_fmax(const weft_wide<float>& x, const weft_wide<float>& y) {
  return weft_select(x < y, y, x);
}
WEFT_FN weft_wide<float> weft_fclamp(const weft_wide<float>& x, const weft_wide<float>& y, const weft_wide<float>& z) {
  return weft_fmin(weft_fmax(x, y), z);
}
WEFT_FN weft_wide<float> weft_mix(const weft_wide<float>& x, const weft_wide<float>& y, const weft_wide<float>& z) {
  return x * (weft_wide<float>(1.0f) - z) + y * z;
}
#define WEFT_WIDE_SHIFT(name, kind, op)                                                                   \
  WEFT_FN weft_wide<uint32_t> name(const weft_wide<uint32_t>& a, const weft_wide<uint32_t>& by) {         \
    weft_wide<uint32_t> r;                                                                                \
    WEFT_EACH_PART r.v[p] =                                                                               \
        weft_wide<uint32_t>::part(weft_wide<kind>::part(a.v[p]) op weft_wide<kind>::part(by.v[p] & 31u)); \
    return r;                                                                                             \
  }
WEFT_WIDE_SHIFT(weft_shl, uint32_t, <<)
WEFT_WIDE_SHIFT(weft_shr, uint32_t, >>)
WEFT_WIDE_SHIFT(weft_sar, int32_t, >>)
WEFT_WIDE_TO(weft_s_to_f)
template <class To, class From>
WEFT_FN weft_wide<To> weft_wide_bits(const weft_wide<From>& x) {
  weft_wide<To> r;
  WEFT_EACH_PART r.v[p] = typename weft_wide<To>::part(x.v[p]);
  return r;
}
WEFT_FN weft_wide<uint32_t> weft_bits_of(const weft_wide<float>& x) { return weft_wide_bits<uint32_t>(x); }
WEFT_FN weft_wide<float> weft_float_of(const weft_wide<uint32_t>& x) { return weft_wide_bits<float>(x); }
WEFT_FN weft_wide<float> weft_from_signed(const weft_wide<uint32_t>& x) { return weft_s_to_f<float>(x); }
WEFT_FN weft_wide<float> weft_exp(const weft_wide<float>& x) { return weft_exp_of(x); }
WEFT_FN weft_wide<float> weft_log(const weft_wide<float>& x) { return weft_log_of(x); }
WEFT_FN weft_wide<float> weft_fabs(const weft_wide<float>& x) {
  return weft_wide_bits<float>(weft_wide_bits<uint32_t>(x) & 0x7fffffffu);
}
WEFT_WIDE_1(weft_round_even)
WEFT_WIDE_1(weft_trunc)
WEFT_WIDE_1(weft_floor)
WEFT_WIDE_1(weft_ceil)
WEFT_WIDE_1(weft_fract)
WEFT_WIDE_1(weft_fsign)
WEFT_WIDE_1(weft_radians)
WEFT_WIDE_1(weft_degrees)
WEFT_WIDE_1(weft_sin)
WEFT_WIDE_1(weft_cos)
WEFT_WIDE_1(weft_tan)
WEFT_WIDE_1(weft_asin)
WEFT_WIDE_1(weft_acos)
WEFT_WIDE_1(weft_atan)
WEFT_WIDE_1(weft_sinh)
WEFT_WIDE_1(weft_cosh)
WEFT_WIDE_1(weft_tanh)
WEFT_WIDE_1(weft_asinh)
WEFT_WIDE_1(weft_acosh)
WEFT_WIDE_1(weft_atanh)
WEFT_WIDE_1(weft_exp2)
WEFT_WIDE_1(weft_log2)
WEFT_WIDE_1(weft_sqrt)
WEFT_WIDE_1(weft_inverse_sqrt)
WEFT_WIDE_1(weft_is_nan)
WEFT_WIDE_1(weft_is_inf)
WEFT_WIDE_1(weft_sabs)
WEFT_WIDE_1(weft_ssign)
WEFT_WIDE_1(weft_bit_reverse)
WEFT_WIDE_1(weft_quantize)
WEFT_WIDE_2(weft_atan2)
WEFT_WIDE_2(weft_pow)
WEFT_WIDE_2(weft_fmod)
WEFT_WIDE_2(weft_frem)
WEFT_WIDE_2(weft_nmin)
WEFT_WIDE_2(weft_nmax)
WEFT_WIDE_2(weft_step)
WEFT_WIDE_2(weft_udiv)
WEFT_WIDE_2(weft_umod)
WEFT_WIDE_2(weft_sdiv)
WEFT_WIDE_2(weft_srem)
WEFT_WIDE_2(weft_smod)
WEFT_WIDE_2(weft_unordered_eq)
WEFT_WIDE_2(weft_ordered_ne)
WEFT_WIDE_2(weft_unordered_lt)
WEFT_WIDE_2(weft_unordered_gt)
WEFT_WIDE_2(weft_unordered_le)
WEFT_WIDE_2(weft_unordered_ge)
WEFT_WIDE_3(weft_fma)
WEFT_WIDE_3(weft_nclamp)
WEFT_WIDE_3(weft_smooth_step)
WEFT_WIDE_TO(weft_f_to_u)
WEFT_WIDE_TO(weft_f_to_s)
WEFT_WIDE_TO(weft_u_to_f)
WEFT_WIDE_TO(weft_bit_count)
WEFT_WIDE_TO(weft_find_lsb)
WEFT_WIDE_TO(weft_find_umsb)
WEFT_WIDE_TO(weft_find_smsb)
#define WEFT_WIDE_PRECISE(name, op) \
  WEFT_FN weft_wide<float> name(const weft_wide<float>& a, const weft_wide<float>& b) { return a op b; }
WEFT_WIDE_PRECISE(weft_precise_add, +)
WEFT_WIDE_PRECISE(weft_precise_sub, -)
WEFT_WIDE_PRECISE(weft_precise_mul, *)
WEFT_WIDE_PRECISE(weft_precise_div, /)
WEFT_FN weft_wide<float> weft_length(const weft_wide<float>& x) { return weft_fabs(x); }
WEFT_FN weft_wide<float> weft_normalize(const weft_wide<float>& x) { return x / weft_fabs(x); }
WEFT_FN weft_wide<float> weft_dot(const weft_wide<float>& a, const weft_wide<float>& b) { return a * b; }
template <uint32_t N>
WEFT_FN weft_wide_bool weft_any(const weft_vec<weft_wide_bool, N>& a) {
  weft_wide_bool r = a.v[0];
  WEFT_UNROLL for (uint32_t i = 1; i < N; ++i) r = r | a.v[i];
  return r;
}
template <uint32_t N>
WEFT_FN weft_wide_bool weft_all(const weft_vec<weft_wide_bool, N>& a) {
  weft_wide_bool r = a.v[0];
  WEFT_UNROLL for (uint32_t i = 1; i < N; ++i) r = r & a.v[i];
  return r;
}
template <class T, uint32_t N>
WEFT_FN weft_wide<T> weft_extract(const weft_vec<weft_wide<T>, N>& a, const weft_wide<uint32_t>& i) {
  weft_wide<T> x = a.v[0];
  WEFT_UNROLL for (uint32_t k = 1; k < N; ++k) x =
      weft_select(weft_umod(i, weft_wide<uint32_t>(N)) == weft_wide<uint32_t>(k), a.v[k], x);
  return x;
}
