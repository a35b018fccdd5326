// Floating-point functions of scalars and vectors. Halves are computed as floats.
#define WEFT_FLOAT_1(name, of_float, of_double)                                    \
  WEFT_FN float name(float x) { return of_float; }                                 \
  WEFT_FN double name(double x) { return of_double; }                              \
  WEFT_FN weft_half name(weft_half x) { return weft_narrow(name(weft_widen(x))); } \
  WEFT_LIFT_1(name)
#define WEFT_FLOAT_2(name, of_float, of_double)                                                                \
  WEFT_FN float name(float x, float y) { return of_float; }                                                    \
  WEFT_FN double name(double x, double y) { return of_double; }                                                \
  WEFT_FN weft_half name(weft_half x, weft_half y) { return weft_narrow(name(weft_widen(x), weft_widen(y))); } \
  WEFT_LIFT_2(name)
#define WEFT_FLOAT_3(name, of_float, of_double)                            \
  WEFT_FN float name(float x, float y, float z) { return of_float; }       \
  WEFT_FN double name(double x, double y, double z) { return of_double; }  \
  WEFT_FN weft_half name(weft_half x, weft_half y, weft_half z) {          \
    return weft_narrow(name(weft_widen(x), weft_widen(y), weft_widen(z))); \
  }                                                                        \
  WEFT_LIFT_3(name)

WEFT_FN bool weft_is_nan(float x) { return (weft_bitcast<uint32_t>(x) & 0x7fffffffu) > 0x7f800000u; }
WEFT_FN bool weft_is_nan(double x) { return (weft_bitcast<uint64_t>(x) & ~(1ull << 63)) > 0x7ff0000000000000ull; }
WEFT_FN bool weft_is_nan(weft_half x) { return (x.bits & 0x7fffu) > 0x7c00u; }
WEFT_FN bool weft_is_inf(float x) { return (weft_bitcast<uint32_t>(x) & 0x7fffffffu) == 0x7f800000u; }
WEFT_FN bool weft_is_inf(double x) { return (weft_bitcast<uint64_t>(x) & ~(1ull << 63)) == 0x7ff0000000000000ull; }
WEFT_FN bool weft_is_inf(weft_half x) { return (x.bits & 0x7fffu) == 0x7c00u; }
WEFT_LIFT_1(weft_is_nan)
WEFT_LIFT_1(weft_is_inf)

template <class T>
WEFT_FN bool weft_unordered_eq(T a, T b) {
  return !(a < b || a > b);
}
template <class T>
WEFT_FN bool weft_ordered_ne(T a, T b) {
  return a < b || a > b;
}
template <class T>
WEFT_FN bool weft_unordered_lt(T a, T b) {
  return !(a >= b);
}
template <class T>
WEFT_FN bool weft_unordered_gt(T a, T b) {
  return !(a <= b);
}
template <class T>
WEFT_FN bool weft_unordered_le(T a, T b) {
  return !(a > b);
}
template <class T>
WEFT_FN bool weft_unordered_ge(T a, T b) {
  return !(a < b);
}
WEFT_LIFT_2(weft_unordered_eq)
WEFT_LIFT_2(weft_ordered_ne)
WEFT_LIFT_2(weft_unordered_lt)
WEFT_LIFT_2(weft_unordered_gt)
WEFT_LIFT_2(weft_unordered_le)
WEFT_LIFT_2(weft_unordered_ge)

// The value with its sign flipped.
WEFT_FN float weft_with_sign(float x, float sign) {
  return weft_bitcast<float>((weft_bitcast<uint32_t>(x) & 0x7fffffffu) | (weft_bitcast<uint32_t>(sign) & 0x80000000u));
}
WEFT_FN double weft_with_sign(double x, double sign) {
  return weft_bitcast<double>((weft_bitcast<uint64_t>(x) & ~(1ull << 63)) |
                              (weft_bitcast<uint64_t>(sign) & (1ull << 63)));
}
template <class T>
WEFT_FN T weft_modulo_floor(T x, T y, T quotient) {
  return x - y * quotient;
}

WEFT_FLOAT_1(weft_fabs, fabsf(x), fabs(x))
WEFT_FLOAT_1(weft_floor, floorf(x), floor(x))
WEFT_FLOAT_1(weft_ceil, ceilf(x), ceil(x))
WEFT_FLOAT_1(weft_trunc, truncf(x), trunc(x))
WEFT_FLOAT_1(weft_round_even, rintf(x), rint(x))
WEFT_FLOAT_1(weft_fsign, x > 0.0f ? 1.0f : x < 0.0f ? -1.0f : x, x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x)
WEFT_FLOAT_1(weft_fract, x - floorf(x), x - floor(x))
WEFT_FLOAT_1(weft_radians, x * 0.01745329251994329577f, x * 0.01745329251994329577)
WEFT_FLOAT_1(weft_degrees, x * 57.29577951308232087680f, x * 57.29577951308232087680)
WEFT_FLOAT_1(weft_sin, sinf(x), sin(x))
WEFT_FLOAT_1(weft_cos, cosf(x), cos(x))
WEFT_FLOAT_1(weft_tan, tanf(x), tan(x))
WEFT_FLOAT_1(weft_asin, asinf(x), asin(x))
WEFT_FLOAT_1(weft_acos, acosf(x), acos(x))
WEFT_FLOAT_1(weft_atan, atanf(x), atan(x))
WEFT_FLOAT_1(weft_sinh, sinhf(x), sinh(x))
WEFT_FLOAT_1(weft_cosh, coshf(x), cosh(x))
WEFT_FLOAT_1(weft_tanh, tanhf(x), tanh(x))
WEFT_FLOAT_1(weft_asinh, asinhf(x), asinh(x))
WEFT_FLOAT_1(weft_acosh, acoshf(x), acosh(x))
WEFT_FLOAT_1(weft_atanh, atanhf(x), atanh(x))
WEFT_FLOAT_1(weft_exp, WEFT_EXP(x), exp(x))
WEFT_FLOAT_1(weft_log, WEFT_LOG(x), log(x))
WEFT_FLOAT_1(weft_exp2, exp2f(x), exp2(x))
WEFT_FLOAT_1(weft_log2, log2f(x), log2(x))
WEFT_FLOAT_1(weft_sqrt, sqrtf(x), sqrt(x))
WEFT_FLOAT_1(weft_inverse_sqrt, 1.0f / sqrtf(x), 1.0 / sqrt(x))
WEFT_FLOAT_2(weft_atan2, atan2f(x, y), atan2(x, y))
WEFT_FLOAT_2(weft_pow, WEFT_POW(x, y), pow(x, y))
WEFT_FLOAT_2(weft_fmod, weft_modulo_floor(x, y, floorf(x / y)), weft_modulo_floor(x, y, floor(x / y)))
WEFT_FLOAT_2(weft_frem, fmodf(x, y), fmod(x, y))
// With a NaN operand, FMin and FMax may return either operand; NMin and NMax return the other one.
WEFT_FLOAT_2(weft_fmin, y < x ? y : x, y < x ? y : x)
WEFT_FLOAT_2(weft_fmax, x < y ? y : x, x < y ? y : x)
WEFT_FLOAT_2(weft_nmin, fminf(x, y), fmin(x, y))
WEFT_FLOAT_2(weft_nmax, fmaxf(x, y), fmax(x, y))
WEFT_FLOAT_2(weft_step, y < x ? 0.0f : 1.0f, y < x ? 0.0 : 1.0)
WEFT_FLOAT_3(weft_fclamp, weft_fmin(weft_fmax(x, y), z), weft_fmin(weft_fmax(x, y), z))
WEFT_FLOAT_3(weft_nclamp, weft_nmin(weft_nmax(x, y), z), weft_nmin(weft_nmax(x, y), z))
WEFT_FLOAT_3(weft_mix, x * (1.0f - z) + y * z, x * (1.0 - z) + y * z)
WEFT_FN float weft_fma(float x, float y, float z) { return fmaf(x, y, z); }
WEFT_FN double weft_fma(double x, double y, double z) { return fma(x, y, z); }
WEFT_FN weft_half weft_fma(weft_half x, weft_half y, weft_half z) {
  return weft_narrow(weft_round_to_odd(double(weft_widen(x)) * double(weft_widen(y)) + double(weft_widen(z))));
}
WEFT_LIFT_3(weft_fma)
template <class T>
WEFT_FN T weft_smooth(T t) {
  return t * t * (T(3) - T(2) * t);
}
WEFT_FLOAT_3(weft_smooth_step, weft_smooth(weft_fclamp((z - x) / (y - x), 0.0f, 1.0f)),
             weft_smooth(weft_fclamp((z - x) / (y - x), 0.0, 1.0)))

// Operations that must not be contracted with others.
WEFT_FN float weft_precise_add(float a, float b) { return WEFT_PRECISE_ADD(a, b); }
WEFT_FN double weft_precise_add(double a, double b) { return WEFT_PRECISE_ADD_DOUBLE(a, b); }
WEFT_FN weft_half weft_precise_add(weft_half a, weft_half b) { return a + b; }
WEFT_FN float weft_precise_sub(float a, float b) { return weft_precise_add(a, -b); }
WEFT_FN double weft_precise_sub(double a, double b) { return weft_precise_add(a, -b); }
WEFT_FN weft_half weft_precise_sub(weft_half a, weft_half b) { return a - b; }
WEFT_FN float weft_precise_mul(float a, float b) { return WEFT_PRECISE_MUL(a, b); }
WEFT_FN double weft_precise_mul(double a, double b) { return WEFT_PRECISE_MUL_DOUBLE(a, b); }
WEFT_FN weft_half weft_precise_mul(weft_half a, weft_half b) { return a * b; }
template <class T>
WEFT_FN T weft_precise_div(T a, T b) {
  return weft_div(a, b);
}
WEFT_LIFT_2(weft_precise_add)
WEFT_LIFT_2(weft_precise_sub)
WEFT_LIFT_2(weft_precise_mul)

// Conversions. Values out of range saturate, and NaN becomes zero.
WEFT_FN float weft_quantize(float x) {
  if (fabsf(x) < 6.103515625e-05f) return weft_with_sign(0.0f, x);
  return weft_half_bits_to_float(weft_float_to_half_bits(x));
}
WEFT_LIFT_1(weft_quantize)
template <class R, class T>
WEFT_FN R weft_f_to_u(T x) {
  const T end = T(R(R(~R(0)) / 2 + 1)) * T(2);
  return !(x > T(0)) ? R(0) : x >= end ? R(~R(0)) : R(x);
}
template <class R, class T>
WEFT_FN R weft_f_to_s(T x) {
  typedef weft_signed<R> S;
  const T end = T(R(R(~R(0)) / 2 + 1));
  const R most = R(R(~R(0)) >> 1);
  return weft_is_nan(x) ? R(0) : x >= end ? most : x < -end ? R(most + R(1)) : R(S(x));
}
template <class R>
WEFT_FN R weft_f_to_u(weft_half x) {
  return weft_f_to_u<R>(weft_widen(x));
}
template <class R>
WEFT_FN R weft_f_to_s(weft_half x) {
  return weft_f_to_s<R>(weft_widen(x));
}
WEFT_LIFT_TO(weft_f_to_u)
WEFT_LIFT_TO(weft_f_to_s)

template <class R>
struct weft_rounded {
  template <class T>
  static WEFT_MEMBER R from(T x) {
    return R(x);
  }
  static WEFT_MEMBER R from(weft_half x) { return R(weft_widen(x)); }
};
template <>
struct weft_rounded<weft_half> {
  static WEFT_MEMBER weft_half from(weft_half x) { return x; }
  static WEFT_MEMBER weft_half from(float x) { return weft_narrow(x); }
  static WEFT_MEMBER weft_half from(double x) { return weft_narrow(weft_round_to_odd(x)); }
  static WEFT_MEMBER weft_half from(int64_t x) { return from(double(x)); }
  static WEFT_MEMBER weft_half from(uint64_t x) { return from(double(x)); }
};
template <class R, class T>
WEFT_FN R weft_f_convert(T x) {
  return weft_rounded<R>::from(x);
}
// Rounds to nearest, then corrects if that went past the value.
WEFT_FN weft_half weft_to_half_toward_zero(double x) {
  weft_half h = weft_rounded<weft_half>::from(x);
  const double there = double(weft_widen(h));
  if ((there < 0.0 ? -there : there) > (x < 0.0 ? -x : x)) h.bits = uint16_t(h.bits - 1u);
  return h;
}
WEFT_FN weft_half weft_to_half_toward_zero(float x) { return weft_to_half_toward_zero(double(x)); }
WEFT_LIFT_1(weft_to_half_toward_zero)
template <class R, class T>
WEFT_FN R weft_u_to_f(T x) {
  return weft_rounded<R>::from(uint64_t(x));
}
template <class R, class T>
WEFT_FN R weft_s_to_f(T x) {
  return weft_rounded<R>::from(int64_t(weft_signed<T>(x)));
}
WEFT_LIFT_TO(weft_f_convert)
WEFT_LIFT_TO(weft_u_to_f)
WEFT_LIFT_TO(weft_s_to_f)

// Functions with two results.
WEFT_FN float weft_modf(float x, float& whole) {
  whole = truncf(x);
  return weft_with_sign(weft_is_inf(x) ? 0.0f : x - whole, x);
}
WEFT_FN double weft_modf(double x, double& whole) {
  whole = trunc(x);
  return weft_with_sign(weft_is_inf(x) ? 0.0 : x - whole, x);
}
WEFT_FN weft_half weft_modf(weft_half x, weft_half& whole) {
  float w;
  const float part = weft_modf(weft_widen(x), w);
  whole = weft_narrow(w);
  return weft_narrow(part);
}
template <class E>
WEFT_FN float weft_frexp(float x, E& exponent) {
  int e = 0;
  const float part = frexpf(x, &e);
  exponent = E(e);
  return part;
}
template <class E>
WEFT_FN double weft_frexp(double x, E& exponent) {
  int e = 0;
  const double part = frexp(x, &e);
  exponent = E(e);
  return part;
}
template <class E>
WEFT_FN weft_half weft_frexp(weft_half x, E& exponent) {
  return weft_narrow(weft_frexp(weft_widen(x), exponent));
}
template <class T, uint32_t N>
WEFT_FN weft_vec<T, N> weft_modf(const weft_vec<T, N>& x, weft_vec<T, N>& whole) {
  weft_vec<T, N> part;
  WEFT_UNROLL for (uint32_t i = 0; i < N; ++i) part.v[i] = weft_modf(x.v[i], whole.v[i]);
  return part;
}
template <class T, class E, uint32_t N>
WEFT_FN weft_vec<T, N> weft_frexp(const weft_vec<T, N>& x, weft_vec<E, N>& exponent) {
  weft_vec<T, N> part;
  WEFT_UNROLL for (uint32_t i = 0; i < N; ++i) part.v[i] = weft_frexp(x.v[i], exponent.v[i]);
  return part;
}
template <class S, class T>
WEFT_FN S weft_modf_struct(const T& x) {
  T whole;
  const T part = weft_modf(x, whole);
  return S{part, whole};
}
template <class T>
struct weft_exponent_of {
  typedef uint32_t type;
};
template <class T, uint32_t N>
struct weft_exponent_of<weft_vec<T, N>> {
  typedef weft_vec<uint32_t, N> type;
};
template <class S, class T>
WEFT_FN S weft_frexp_struct(const T& x) {
  typename weft_exponent_of<T>::type exponent;
  const T part = weft_frexp(x, exponent);
  return S{part, exponent};
}
template <class R>
WEFT_FN R weft_saturated_exponent(uint64_t exponent) {
  const int64_t most = 0x7fffffff, e = int64_t(exponent);
  return R(e > most ? most : e < -most ? -most : e);
}
WEFT_LIFT_TO(weft_saturated_exponent)
WEFT_FN float weft_ldexp(float x, uint32_t exponent) { return ldexpf(x, int32_t(exponent)); }
WEFT_FN double weft_ldexp(double x, uint32_t exponent) { return ldexp(x, int32_t(exponent)); }
WEFT_FN weft_half weft_ldexp(weft_half x, uint32_t exponent) {
  return weft_narrow(weft_ldexp(weft_widen(x), exponent));
}
WEFT_LIFT_2_MIXED(weft_ldexp)
