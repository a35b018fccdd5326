// Values: vectors, matrices (arrays of column vectors), arrays, halves; and the extension of functions of scalars to
// vectors. Integers are always unsigned: functions whose result depends on the sign have an `s` in their names.
typedef unsigned char weft_byte;

// In loops over lanes, values are assigned part by part, of which compilers make vector instructions. A structure they
// copy whole.
#if defined(WEFT_LANES) && !WEFT_IN_VECTORS
#define WEFT_ASSIGN_PARTS(type)                         \
  WEFT_MEMBER type& operator=(const type& other) {      \
    for (uint64_t i = 0; i < N; ++i) v[i] = other.v[i]; \
    return *this;                                       \
  }
#else
#define WEFT_ASSIGN_PARTS(type)
#endif

template <class T, uint32_t N>
struct weft_vec {
  T v[N];
  WEFT_ASSIGN_PARTS(weft_vec)
  WEFT_MEMBER T& operator[](uint32_t i) { return v[i]; }
  WEFT_MEMBER const T& operator[](uint32_t i) const { return v[i]; }
};

template <class T, uint32_t C, uint32_t R>
struct weft_mat {
  weft_vec<T, R> v[C];
  WEFT_MEMBER weft_vec<T, R>& operator[](uint32_t i) { return v[i]; }
  WEFT_MEMBER const weft_vec<T, R>& operator[](uint32_t i) const { return v[i]; }
};

template <class T, uint64_t N>
struct weft_array {
  T v[N];
  WEFT_ASSIGN_PARTS(weft_array)
  WEFT_MEMBER T& operator[](uint64_t i) { return v[i]; }
  WEFT_MEMBER const T& operator[](uint64_t i) const { return v[i]; }
};

// The signed integer of the same width as an unsigned one, and one of twice the width.
template <class T>
struct weft_signed_of;
template <>
struct weft_signed_of<uint8_t> {
  typedef int8_t type;
  typedef uint16_t wide;
};
template <>
struct weft_signed_of<uint16_t> {
  typedef int16_t type;
  typedef uint32_t wide;
};
template <>
struct weft_signed_of<uint32_t> {
  typedef int32_t type;
  typedef uint64_t wide;
};
template <>
struct weft_signed_of<uint64_t> {
  typedef int64_t type;
  typedef uint64_t wide;
};
template <class T>
using weft_signed = typename weft_signed_of<T>::type;

template <class To, class From>
WEFT_FN To weft_bitcast(From from) {
  static_assert(sizeof(To) == sizeof(From), "a bit cast keeps the size");
  To to;
  WEFT_COPY(&to, &from, sizeof(To));
  return to;
}
#ifdef WEFT_HOST
// Two words as one number: addresses are made of them, and GCC makes no vectors of a loop that copies through memory.
// NVRTC takes more registers for this.
template <class To>
WEFT_FN To weft_bitcast(weft_vec<uint32_t, 2> from) {
  return weft_bitcast<To>(uint64_t(from.v[1]) << 32 | from.v[0]);
}
#endif
template <class To, class From>
WEFT_FN To weft_bits(From from) {
  return weft_bitcast<To>(from);
}
template <class To, class From>
WEFT_FN To weft_copy_logical(const From& from) {
  static_assert(sizeof(To) == sizeof(From), "types that match logically have one size");
  To to;
  WEFT_COPY(&to, &from, sizeof(To));
  return to;
}

// Halves are computed as floats and rounded after each operation.
WEFT_FN float weft_half_bits_to_float(uint16_t h) {
  const uint32_t sign = uint32_t(h & 0x8000u) << 16, exponent = (h >> 10) & 31u, fraction = h & 0x3ffu;
  if (exponent == 31u) return weft_bitcast<float>(sign | 0x7f800000u | (fraction << 13));
  if (exponent != 0u) return weft_bitcast<float>(sign | ((exponent + 112u) << 23) | (fraction << 13));
  const float magnitude = float(fraction) * 5.9604644775390625e-08f;
  return sign ? -magnitude : magnitude;
}
WEFT_FN uint16_t weft_float_to_half_bits(float value) {
  const uint32_t bits = weft_bitcast<uint32_t>(value), sign = (bits >> 16) & 0x8000u, absolute = bits & 0x7fffffffu;
  if (absolute > 0x7f800000u) return uint16_t(sign | 0x7e00u);
  if (absolute >= 0x477ff000u) return uint16_t(sign | 0x7c00u);
  if (absolute >= 0x38800000u)
    return uint16_t(sign | ((absolute + 0xfffu + ((absolute >> 13) & 1u) - 0x38000000u) >> 13));
  if (absolute < 0x33000000u) return uint16_t(sign);
  const uint32_t fraction = (absolute & 0x7fffffu) | 0x800000u, shift = 126u - (absolute >> 23);
  const uint32_t quotient = fraction >> shift, rest = fraction & ((1u << shift) - 1u), half = 1u << (shift - 1u);
  return uint16_t(sign | (quotient + ((rest > half || (rest == half && (quotient & 1u))) ? 1u : 0u)));
}
// Rounds a double to float for a second rounding later: to odd if inexact, which avoids double rounding.
WEFT_FN float weft_round_to_odd(double value) {
  const float nearest = float(value);
  if (double(nearest) == value || !(value == value)) return nearest;
  uint32_t bits = weft_bitcast<uint32_t>(nearest);
  if ((bits & 0x7fffffffu) >= 0x7f800000u) return nearest;
  const bool too_far = value < 0 ? double(nearest) < value : double(nearest) > value;
  if (too_far) bits -= 1u;
  return weft_bitcast<float>(bits | 1u);
}

struct weft_half {
  uint16_t bits;
};
// Offsets and strides in the code are in bytes; values are copied to memory as a whole.
static_assert(sizeof(float) == 4 && sizeof(double) == 8 && sizeof(weft_half) == 2 && sizeof(bool) == 1, "scalars");
static_assert(sizeof(weft_vec<uint8_t, 3>) == 3 && sizeof(weft_vec<weft_half, 3>) == 6, "narrow vectors lie close");
static_assert(sizeof(weft_vec<float, 3>) == 12 && sizeof(weft_vec<double, 4>) == 32, "vectors lie close");
WEFT_FN float weft_widen(weft_half x) { return weft_half_bits_to_float(x.bits); }
WEFT_FN weft_half weft_narrow(float x) { return weft_half{weft_float_to_half_bits(x)}; }
WEFT_FN weft_half operator-(weft_half a) { return weft_half{uint16_t(a.bits ^ 0x8000u)}; }
WEFT_FN weft_half operator+(weft_half a, weft_half b) { return weft_narrow(weft_widen(a) + weft_widen(b)); }
WEFT_FN weft_half operator-(weft_half a, weft_half b) { return weft_narrow(weft_widen(a) - weft_widen(b)); }
WEFT_FN weft_half operator*(weft_half a, weft_half b) { return weft_narrow(weft_widen(a) * weft_widen(b)); }
WEFT_FN weft_half operator/(weft_half a, weft_half b) { return weft_narrow(weft_widen(a) / weft_widen(b)); }
WEFT_FN bool operator==(weft_half a, weft_half b) { return weft_widen(a) == weft_widen(b); }
WEFT_FN bool operator!=(weft_half a, weft_half b) { return weft_widen(a) != weft_widen(b); }
WEFT_FN bool operator<(weft_half a, weft_half b) { return weft_widen(a) < weft_widen(b); }
WEFT_FN bool operator>(weft_half a, weft_half b) { return weft_widen(a) > weft_widen(b); }
WEFT_FN bool operator<=(weft_half a, weft_half b) { return weft_widen(a) <= weft_widen(b); }
WEFT_FN bool operator>=(weft_half a, weft_half b) { return weft_widen(a) >= weft_widen(b); }

template <class T>
struct weft_is_vec {
  static constexpr bool value = false;
};
template <class T, uint32_t N>
struct weft_is_vec<weft_vec<T, N>> {
  static constexpr bool value = true;
};

// Applies a function of scalars to vectors, component by component.
#define WEFT_LIFT_1(name)                                               \
  template <class T, uint32_t N>                                        \
  WEFT_FN auto name(const weft_vec<T, N>& a) {                          \
    weft_vec<decltype(name(a.v[0])), N> r;                              \
    WEFT_UNROLL for (uint32_t i = 0; i < N; ++i) r.v[i] = name(a.v[i]); \
    return r;                                                           \
  }
#define WEFT_LIFT_2(name)                                                       \
  template <class T, uint32_t N>                                                \
  WEFT_FN auto name(const weft_vec<T, N>& a, const weft_vec<T, N>& b) {         \
    weft_vec<decltype(name(a.v[0], b.v[0])), N> r;                              \
    WEFT_UNROLL for (uint32_t i = 0; i < N; ++i) r.v[i] = name(a.v[i], b.v[i]); \
    return r;                                                                   \
  }
#define WEFT_LIFT_2_MIXED(name)                                                 \
  template <class T, class U, uint32_t N>                                       \
  WEFT_FN auto name(const weft_vec<T, N>& a, const weft_vec<U, N>& b) {         \
    weft_vec<decltype(name(a.v[0], b.v[0])), N> r;                              \
    WEFT_UNROLL for (uint32_t i = 0; i < N; ++i) r.v[i] = name(a.v[i], b.v[i]); \
    return r;                                                                   \
  }
#define WEFT_LIFT_3(name)                                                                        \
  template <class T, uint32_t N>                                                                 \
  WEFT_FN auto name(const weft_vec<T, N>& a, const weft_vec<T, N>& b, const weft_vec<T, N>& c) { \
    weft_vec<decltype(name(a.v[0], b.v[0], c.v[0])), N> r;                                       \
    WEFT_UNROLL for (uint32_t i = 0; i < N; ++i) r.v[i] = name(a.v[i], b.v[i], c.v[i]);          \
    return r;                                                                                    \
  }
// The same for functions with an explicit result type.
#define WEFT_LIFT_TO(name)                                                 \
  template <class R, class T, uint32_t N>                                  \
  WEFT_FN weft_vec<R, N> name(const weft_vec<T, N>& a) {                   \
    weft_vec<R, N> r;                                                      \
    WEFT_UNROLL for (uint32_t i = 0; i < N; ++i) r.v[i] = name<R>(a.v[i]); \
    return r;                                                              \
  }

// The casts keep the width of types narrower than int.
template <class T>
WEFT_FN T weft_add(T a, T b) {
  return T(a + b);
}
template <class T>
WEFT_FN T weft_sub(T a, T b) {
  return T(a - b);
}
template <class T>
WEFT_FN T weft_mul(T a, T b) {
  return a * b;
}
WEFT_FN uint8_t weft_mul(uint8_t a, uint8_t b) { return uint8_t(uint32_t(a) * b); }
WEFT_FN uint16_t weft_mul(uint16_t a, uint16_t b) { return uint16_t(uint32_t(a) * b); }
template <class T>
WEFT_FN T weft_div(T a, T b) {
  return a / b;
}
template <class T>
WEFT_FN T weft_neg(T a) {
  return T(-a);
}
template <class T>
WEFT_FN T weft_and(T a, T b) {
  return T(a & b);
}
template <class T>
WEFT_FN T weft_or(T a, T b) {
  return T(a | b);
}
template <class T>
WEFT_FN T weft_xor(T a, T b) {
  return T(a ^ b);
}
template <class T>
WEFT_FN T weft_not(T a) {
  return T(~a);
}
WEFT_FN bool weft_logical_not(bool a) { return !a; }
template <class T>
WEFT_FN bool weft_eq(T a, T b) {
  return a == b;
}
template <class T>
WEFT_FN bool weft_ne(T a, T b) {
  return a != b;
}
template <class T>
WEFT_FN bool weft_lt(T a, T b) {
  return a < b;
}
template <class T>
WEFT_FN bool weft_le(T a, T b) {
  return a <= b;
}
template <class T>
WEFT_FN bool weft_gt(T a, T b) {
  return a > b;
}
template <class T>
WEFT_FN bool weft_ge(T a, T b) {
  return a >= b;
}
WEFT_LIFT_2(weft_add)
WEFT_LIFT_2(weft_sub)
WEFT_LIFT_2(weft_mul)
WEFT_LIFT_2(weft_div)
WEFT_LIFT_1(weft_neg)
WEFT_LIFT_2(weft_and)
WEFT_LIFT_2(weft_or)
WEFT_LIFT_2(weft_xor)
WEFT_LIFT_1(weft_not)
WEFT_LIFT_1(weft_logical_not)
WEFT_LIFT_2(weft_eq)
WEFT_LIFT_2(weft_ne)
WEFT_LIFT_2(weft_lt)
WEFT_LIFT_2(weft_le)
WEFT_LIFT_2(weft_gt)
WEFT_LIFT_2(weft_ge)

template <uint32_t N>
WEFT_FN bool weft_any(const weft_vec<bool, N>& a) {
  bool r = false;
  WEFT_UNROLL for (uint32_t i = 0; i < N; ++i) r = r || a.v[i];
  return r;
}
template <uint32_t N>
WEFT_FN bool weft_all(const weft_vec<bool, N>& a) {
  bool r = true;
  WEFT_UNROLL for (uint32_t i = 0; i < N; ++i) r = r && a.v[i];
  return r;
}
template <class T>
WEFT_FN T weft_select(bool c, T a, T b) {
  return c ? a : b;
}
template <class T, uint32_t N>
WEFT_FN weft_vec<T, N> weft_select(const weft_vec<bool, N>& c, const weft_vec<T, N>& a, const weft_vec<T, N>& b) {
  weft_vec<T, N> r;
  WEFT_UNROLL for (uint32_t i = 0; i < N; ++i) r.v[i] = c.v[i] ? a.v[i] : b.v[i];
  return r;
}

// An index past the end is undefined; here it wraps around. Comparisons keep the vector in registers, which cannot be
// indexed.
template <class T, uint32_t N, class I>
WEFT_FN T weft_extract(const weft_vec<T, N>& a, I i) {
  T x = a.v[0];
  WEFT_UNROLL for (uint32_t k = 1; k < N; ++k) x = uint32_t(i) % N == k ? a.v[k] : x;
  return x;
}
template <class T, uint32_t N, class I>
WEFT_FN weft_vec<T, N> weft_insert(weft_vec<T, N> a, T x, I i) {
  WEFT_UNROLL for (uint32_t k = 0; k < N; ++k) a.v[k] = uint32_t(i) % N == k ? x : a.v[k];
  return a;
}
