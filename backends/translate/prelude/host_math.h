// Functions of floats as polynomials, since calls of the C library's for each lane would be most of the time of kernels
// in lanes. They are written for a number, or for a vector of the lanes' numbers, and give the same bits for both: of
// float operations only additions, multiplications, divisions and comparisons.
//
// Methods and coefficients follow Cephes (Moshier, netlib.org/cephes). Errors, of all floats: exp 1 ulp, log 1 ulp.
WEFT_FN uint32_t weft_bits_of(float x) { return weft_bitcast<uint32_t>(x); }
WEFT_FN float weft_float_of(uint32_t x) { return weft_bitcast<float>(x); }
WEFT_FN float weft_from_signed(uint32_t x) { return float(int32_t(x)); }

// x = n log 2 + r, and 2^n in two factors, since n may go beyond the exponents of floats.
template <class F>
WEFT_FN F weft_exp_of(const F& number) {
  // Beyond these it is 0 or infinite. Comparisons keep NaN.
  F x = weft_select(number > F(89.0f), F(89.0f), number);
  x = weft_select(x < F(-104.0f), F(-104.0f), x);
  const F shifted = x * F(1.44269504f) + F(12582912.0f);  // the nearest integer, in the lowest bits
  const F n = shifted - F(12582912.0f);
  const F r = (x - n * F(0.693359375f)) - n * F(-2.12194440e-4f);
  F p = F(1.9875691500e-4f);
  p = p * r + F(1.3981999507e-3f);
  p = p * r + F(8.3334519073e-3f);
  p = p * r + F(4.1665795894e-2f);
  p = p * r + F(1.6666665459e-1f);
  p = p * r + F(5.0000001201e-1f);
  p = (p * (r * r) + r) + F(1.0f);
  const auto exponent = weft_bits_of(shifted) - weft_bits_of(F(12582912.0f));
  const auto half = weft_sar(exponent, decltype(exponent)(1u));
  const F first = weft_float_of(weft_shl(half + decltype(half)(127u), decltype(half)(23u)));
  const F second = weft_float_of(weft_shl(exponent - half + decltype(half)(127u), decltype(half)(23u)));
  return p * first * second;
}

// x = 2^n m with m from sqrt(1/2) to sqrt(2), and log m by a polynomial of m - 1.
template <class F>
WEFT_FN F weft_log_of(const F& x) {
  typedef decltype(weft_bits_of(x)) B;
  const auto is_small = x < F(1.17549435e-38f);  // denormals are scaled by 2^23
  const F scaled = weft_select(is_small, x * F(8388608.0f), x);
  const B bits = weft_bits_of(scaled) - B(0x3f3504f3u);  // sqrt(1/2)
  const B n = weft_sar(bits, B(23u)) - weft_select(is_small, B(23u), B(0u));
  const F m = weft_float_of((bits & B(0x007fffffu)) + B(0x3f3504f3u)) - F(1.0f);
  F p = F(7.0376836292e-2f);
  p = p * m + F(-1.1514610310e-1f);
  p = p * m + F(1.1676998740e-1f);
  p = p * m + F(-1.2420140846e-1f);
  p = p * m + F(1.4249322787e-1f);
  p = p * m + F(-1.6668057665e-1f);
  p = p * m + F(2.0000714765e-1f);
  p = p * m + F(-2.4999993993e-1f);
  p = p * m + F(3.3333331174e-1f);
  const F e = weft_from_signed(n), z = m * m;
  const F tail = (m * z * p + e * F(-2.12194440e-4f)) - F(0.5f) * z;
  const F result = (m + tail) + e * F(0.693359375f);
  const F infinity = weft_float_of(B(0x7f800000u));
  const F finite = weft_select(x < infinity, result, x);                               // infinity, NaN
  const F positive = weft_select(x < F(0.0f), weft_float_of(B(0x7fc00000u)), finite);  // NaN
  return weft_select(x == F(0.0f), -infinity, positive);
}
WEFT_FN float weft_host_exp(float x) { return weft_exp_of(x); }
WEFT_FN float weft_host_log(float x) { return weft_log_of(x); }
