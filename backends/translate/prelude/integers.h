// Integer arithmetic with SPIR-V's meaning. Where the result is undefined (division by zero, shifts by the width or
// more), it is the same on every target and never traps.
template <class T>
WEFT_FN T weft_udiv(T a, T b) {
  return b == T(0) ? T(~T(0)) : T(a / b);
}
template <class T>
WEFT_FN T weft_umod(T a, T b) {
  return b == T(0) ? a : T(a % b);
}
template <class T>
WEFT_FN T weft_sdiv(T a, T b) {
  typedef weft_signed<T> S;
  if (b == T(0)) return T(~T(0));
  if (S(b) == S(-1)) return T(T(0) - a);
  return T(S(a) / S(b));
}
template <class T>
WEFT_FN T weft_srem(T a, T b) {
  typedef weft_signed<T> S;
  if (b == T(0)) return a;
  if (S(b) == S(-1)) return T(0);
  return T(S(a) % S(b));
}
// The sign is that of the divisor.
template <class T>
WEFT_FN T weft_smod(T a, T b) {
  typedef weft_signed<T> S;
  const T r = weft_srem(a, b);
  return r != T(0) && (S(r) < S(0)) != (S(b) < S(0)) ? T(r + b) : r;
}
template <class T, class U>
WEFT_FN T weft_shl(T a, U by) {
  return T(a << (by & U(8 * sizeof(T) - 1)));
}
template <class T, class U>
WEFT_FN T weft_shr(T a, U by) {
  return T(a >> (by & U(8 * sizeof(T) - 1)));
}
template <class T, class U>
WEFT_FN T weft_sar(T a, U by) {
  return T(weft_signed<T>(a) >> (by & U(8 * sizeof(T) - 1)));
}
template <class T>
WEFT_FN bool weft_slt(T a, T b) {
  return weft_signed<T>(a) < weft_signed<T>(b);
}
template <class T>
WEFT_FN bool weft_sle(T a, T b) {
  return weft_signed<T>(a) <= weft_signed<T>(b);
}
template <class T>
WEFT_FN bool weft_sgt(T a, T b) {
  return weft_signed<T>(a) > weft_signed<T>(b);
}
template <class T>
WEFT_FN bool weft_sge(T a, T b) {
  return weft_signed<T>(a) >= weft_signed<T>(b);
}
template <class T>
WEFT_FN T weft_umin(T a, T b) {
  return a < b ? a : b;
}
template <class T>
WEFT_FN T weft_umax(T a, T b) {
  return a > b ? a : b;
}
template <class T>
WEFT_FN T weft_smin(T a, T b) {
  return weft_slt(a, b) ? a : b;
}
template <class T>
WEFT_FN T weft_smax(T a, T b) {
  return weft_sgt(a, b) ? a : b;
}
template <class T>
WEFT_FN T weft_uclamp(T x, T low, T high) {
  return weft_umin(weft_umax(x, low), high);
}
template <class T>
WEFT_FN T weft_sclamp(T x, T low, T high) {
  return weft_smin(weft_smax(x, low), high);
}
template <class T>
WEFT_FN T weft_sabs(T a) {
  return weft_slt(a, T(0)) ? T(T(0) - a) : a;
}
template <class T>
WEFT_FN T weft_ssign(T a) {
  return a == T(0) ? T(0) : weft_slt(a, T(0)) ? T(~T(0)) : T(1);
}
WEFT_LIFT_2(weft_udiv)
WEFT_LIFT_2(weft_umod)
WEFT_LIFT_2(weft_sdiv)
WEFT_LIFT_2(weft_srem)
WEFT_LIFT_2(weft_smod)
WEFT_LIFT_2_MIXED(weft_shl)
WEFT_LIFT_2_MIXED(weft_shr)
WEFT_LIFT_2_MIXED(weft_sar)
WEFT_LIFT_2(weft_slt)
WEFT_LIFT_2(weft_sle)
WEFT_LIFT_2(weft_sgt)
WEFT_LIFT_2(weft_sge)
WEFT_LIFT_2(weft_umin)
WEFT_LIFT_2(weft_umax)
WEFT_LIFT_2(weft_smin)
WEFT_LIFT_2(weft_smax)
WEFT_LIFT_3(weft_uclamp)
WEFT_LIFT_3(weft_sclamp)
WEFT_LIFT_1(weft_sabs)
WEFT_LIFT_1(weft_ssign)

// Bit fields. A field of 0 bits is zero; a field of all bits is the whole value.
template <class T>
WEFT_FN T weft_low_bits(uint32_t count) {
  return count >= 8 * sizeof(T) ? T(~T(0)) : T((T(1) << count) - T(1));
}
template <class T, class O, class C>
WEFT_FN T weft_bit_field_insert(T base, T insert, O offset, C count) {
  const uint32_t at = uint32_t(offset) & (8 * sizeof(T) - 1);
  const T field = T(weft_low_bits<T>(uint32_t(count)) << at);
  return T((base & T(~field)) | (T(insert << at) & field));
}
template <class T, class O, class C>
WEFT_FN T weft_bit_field_u_extract(T base, O offset, C count) {
  return T(T(base >> (uint32_t(offset) & (8 * sizeof(T) - 1))) & weft_low_bits<T>(uint32_t(count)));
}
template <class T, class O, class C>
WEFT_FN T weft_bit_field_s_extract(T base, O offset, C count) {
  const T field = weft_bit_field_u_extract(base, offset, count);
  if (uint32_t(count) == 0u || uint32_t(count) >= 8 * sizeof(T)) return field;
  const T sign = T(T(1) << (uint32_t(count) - 1u));
  return T((field ^ sign) - sign);
}
template <class T, class O, class C, uint32_t N>
WEFT_FN weft_vec<T, N> weft_bit_field_insert(weft_vec<T, N> base, weft_vec<T, N> insert, O offset, C count) {
  WEFT_UNROLL for (uint32_t i = 0; i < N; ++i) base.v[i] = weft_bit_field_insert(base.v[i], insert.v[i], offset, count);
  return base;
}
template <class T, class O, class C, uint32_t N>
WEFT_FN weft_vec<T, N> weft_bit_field_u_extract(weft_vec<T, N> base, O offset, C count) {
  WEFT_UNROLL for (uint32_t i = 0; i < N; ++i) base.v[i] = weft_bit_field_u_extract(base.v[i], offset, count);
  return base;
}
template <class T, class O, class C, uint32_t N>
WEFT_FN weft_vec<T, N> weft_bit_field_s_extract(weft_vec<T, N> base, O offset, C count) {
  WEFT_UNROLL for (uint32_t i = 0; i < N; ++i) base.v[i] = weft_bit_field_s_extract(base.v[i], offset, count);
  return base;
}
template <class T>
WEFT_FN T weft_bit_reverse(T a) {
  T r = 0;
  for (uint32_t i = 0; i < 8 * sizeof(T); ++i) r = T(r | T(T((a >> i) & T(1)) << (8 * sizeof(T) - 1 - i)));
  return r;
}
template <class R, class T>
WEFT_FN R weft_bit_count(T a) {
  return sizeof(T) > 4 ? R(WEFT_BIT_COUNT_64(a)) : R(WEFT_BIT_COUNT(uint32_t(a)));
}
template <class R, class T>
WEFT_FN R weft_find_umsb(T a) {
  if (a == T(0)) return R(~R(0));
  return sizeof(T) > 4 ? R(63 - WEFT_LEADING_ZEROS_64(a)) : R(31 - WEFT_LEADING_ZEROS(uint32_t(a)));
}
template <class R, class T>
WEFT_FN R weft_find_smsb(T a) {
  return weft_find_umsb<R>(weft_slt(a, T(0)) ? T(~a) : a);
}
template <class R, class T>
WEFT_FN R weft_find_lsb(T a) {
  return weft_find_umsb<R>(T(a & T(T(0) - a)));
}
WEFT_LIFT_1(weft_bit_reverse)
WEFT_LIFT_TO(weft_bit_count)
WEFT_LIFT_TO(weft_find_umsb)
WEFT_LIFT_TO(weft_find_smsb)
WEFT_LIFT_TO(weft_find_lsb)

// Conversions.
template <class R, class T>
WEFT_FN R weft_u_convert(T a) {
  return R(a);
}
template <class R, class T>
WEFT_FN R weft_s_convert(T a) {
  return R(weft_signed<R>(weft_signed<T>(a)));
}
template <class R, class T>
WEFT_FN R weft_saturate_s_to_u(T a) {
  if (weft_slt(a, T(0))) return R(0);
  return uint64_t(a) > uint64_t(R(~R(0))) ? R(~R(0)) : R(a);
}
template <class R, class T>
WEFT_FN R weft_saturate_u_to_s(T a) {
  const R most = R(R(~R(0)) >> 1);
  return uint64_t(a) > uint64_t(most) ? most : R(a);
}
WEFT_LIFT_TO(weft_u_convert)
WEFT_LIFT_TO(weft_s_convert)
WEFT_LIFT_TO(weft_saturate_s_to_u)
WEFT_LIFT_TO(weft_saturate_u_to_s)

// Functions with two results, in a struct of the kernel with two members.
template <class T>
WEFT_FN T weft_carry(T a, T b) {
  return T(T(a + b) < a);
}
template <class T>
WEFT_FN T weft_borrow(T a, T b) {
  return T(a < b);
}
template <class T>
WEFT_FN T weft_umul_high(T a, T b) {
  return T((typename weft_signed_of<T>::wide(a) * b) >> (8 * sizeof(T)));
}
WEFT_FN uint64_t weft_umul_high(uint64_t a, uint64_t b) {
  const uint64_t low = 0xffffffffull, a0 = a & low, a1 = a >> 32, b0 = b & low, b1 = b >> 32;
  const uint64_t middle = a1 * b0 + ((a0 * b0) >> 32), other = a0 * b1 + (middle & low);
  return a1 * b1 + (middle >> 32) + (other >> 32);
}
template <class T>
WEFT_FN T weft_smul_high(T a, T b) {
  T high = weft_umul_high(a, b);
  if (weft_slt(a, T(0))) high = T(high - b);
  if (weft_slt(b, T(0))) high = T(high - a);
  return high;
}
WEFT_LIFT_2(weft_carry)
WEFT_LIFT_2(weft_borrow)
WEFT_LIFT_2(weft_umul_high)
WEFT_LIFT_2(weft_smul_high)
template <class S, class T>
WEFT_FN S weft_add_carry(T a, T b) {
  return S{weft_add(a, b), weft_carry(a, b)};
}
template <class S, class T>
WEFT_FN S weft_sub_borrow(T a, T b) {
  return S{weft_sub(a, b), weft_borrow(a, b)};
}
template <class S, class T>
WEFT_FN S weft_umul_extended(T a, T b) {
  return S{weft_mul(a, b), weft_umul_high(a, b)};
}
template <class S, class T>
WEFT_FN S weft_smul_extended(T a, T b) {
  return S{weft_mul(a, b), weft_smul_high(a, b)};
}

// Integer dot products. Products and sum are exact; the sum is truncated to the result.
WEFT_FN weft_vec<uint8_t, 4> weft_four_bytes(uint32_t x) {
  return weft_vec<uint8_t, 4>{{uint8_t(x), uint8_t(x >> 8), uint8_t(x >> 16), uint8_t(x >> 24)}};
}
template <bool is_signed, class T>
WEFT_FN uint64_t weft_extended(T x) {
  return is_signed ? uint64_t(int64_t(weft_signed<T>(x))) : uint64_t(x);
}
template <bool first_signed, bool second_signed, class R, class T, class U, uint32_t N>
WEFT_FN R weft_integer_dot(const weft_vec<T, N>& a, const weft_vec<U, N>& b) {
  uint64_t sum = 0;
  WEFT_UNROLL for (uint32_t i = 0; i < N; ++i) {
    sum += weft_extended<first_signed>(a.v[i]) * weft_extended<second_signed>(b.v[i]);
  }
  return R(sum);
}
template <bool first_signed, bool second_signed, class R, class T, class U, uint32_t N>
WEFT_FN R weft_integer_dot_saturated(const weft_vec<T, N>& a, const weft_vec<U, N>& b, R addend) {
  // In SPIR-V only the addition saturates; the sum of products is truncated first.
  const R dot = weft_integer_dot<first_signed, second_signed, R>(a, b), sum = R(dot + addend);
  if (first_signed) {
    const bool overflow = weft_slt(dot, R(0)) == weft_slt(addend, R(0)) && weft_slt(sum, R(0)) != weft_slt(dot, R(0));
    const R most = R(R(~R(0)) >> 1);
    return !overflow ? sum : weft_slt(dot, R(0)) ? R(most + R(1)) : most;
  }
  return sum < dot ? R(~R(0)) : sum;
}
