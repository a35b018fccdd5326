// Vector and matrix algebra.
template <class T, uint32_t N>
WEFT_FN weft_vec<T, N> weft_vector_times_scalar(weft_vec<T, N> a, T s) {
  WEFT_UNROLL for (uint32_t i = 0; i < N; ++i) a.v[i] = a.v[i] * s;
  return a;
}
template <class T, uint32_t C, uint32_t R>
WEFT_FN weft_mat<T, C, R> weft_matrix_times_scalar(weft_mat<T, C, R> a, T s) {
  WEFT_UNROLL for (uint32_t c = 0; c < C; ++c) a.v[c] = weft_vector_times_scalar(a.v[c], s);
  return a;
}
// SPIR-V does not specify the order of sums. This is Mesa's: the last product first.
template <class T, uint32_t N>
WEFT_FN T weft_dot(const weft_vec<T, N>& a, const weft_vec<T, N>& b) {
  T sum = a.v[N - 1] * b.v[N - 1];
  WEFT_UNROLL for (uint32_t i = 1; i < N; ++i) sum = a.v[N - 1 - i] * b.v[N - 1 - i] + sum;
  return sum;
}
template <class T, uint32_t C, uint32_t R>
WEFT_FN weft_vec<T, C> weft_vector_times_matrix(const weft_vec<T, R>& a, const weft_mat<T, C, R>& m) {
  weft_vec<T, C> r;
  WEFT_UNROLL for (uint32_t c = 0; c < C; ++c) r.v[c] = weft_dot(a, m.v[c]);
  return r;
}
template <class T, uint32_t C, uint32_t R>
WEFT_FN weft_vec<T, R> weft_matrix_times_vector(const weft_mat<T, C, R>& m, const weft_vec<T, C>& a) {
  weft_vec<T, R> sum = weft_vector_times_scalar(m.v[C - 1], a.v[C - 1]);
  WEFT_UNROLL for (uint32_t c = 1; c < C; ++c) sum =
      weft_add(weft_vector_times_scalar(m.v[C - 1 - c], a.v[C - 1 - c]), sum);
  return sum;
}
template <class T, uint32_t K, uint32_t R, uint32_t C>
WEFT_FN weft_mat<T, C, R> weft_matrix_times_matrix(const weft_mat<T, K, R>& a, const weft_mat<T, C, K>& b) {
  weft_mat<T, C, R> r;
  WEFT_UNROLL for (uint32_t c = 0; c < C; ++c) r.v[c] = weft_matrix_times_vector(a, b.v[c]);
  return r;
}
template <class T, uint32_t C, uint32_t R>
WEFT_FN weft_mat<T, R, C> weft_transpose(const weft_mat<T, C, R>& m) {
  weft_mat<T, R, C> t;
  WEFT_UNROLL for (uint32_t c = 0; c < C; ++c) {
    WEFT_UNROLL for (uint32_t r = 0; r < R; ++r) t.v[r].v[c] = m.v[c].v[r];
  }
  return t;
}
// The same without contraction.
template <class T, uint32_t N>
WEFT_FN weft_vec<T, N> weft_precise_vector_times_scalar(weft_vec<T, N> a, T s) {
  WEFT_UNROLL for (uint32_t i = 0; i < N; ++i) a.v[i] = weft_precise_mul(a.v[i], s);
  return a;
}
template <class T, uint32_t C, uint32_t R>
WEFT_FN weft_mat<T, C, R> weft_precise_matrix_times_scalar(weft_mat<T, C, R> a, T s) {
  WEFT_UNROLL for (uint32_t c = 0; c < C; ++c) a.v[c] = weft_precise_vector_times_scalar(a.v[c], s);
  return a;
}
template <class T, uint32_t N>
WEFT_FN T weft_precise_dot(const weft_vec<T, N>& a, const weft_vec<T, N>& b) {
  T sum = weft_precise_mul(a.v[N - 1], b.v[N - 1]);
  WEFT_UNROLL for (uint32_t i = 1; i < N; ++i) sum =
      weft_precise_add(weft_precise_mul(a.v[N - 1 - i], b.v[N - 1 - i]), sum);
  return sum;
}
template <class T, uint32_t C, uint32_t R>
WEFT_FN weft_vec<T, R> weft_precise_matrix_times_vector(const weft_mat<T, C, R>& m, const weft_vec<T, C>& a) {
  weft_vec<T, R> sum = weft_precise_vector_times_scalar(m.v[C - 1], a.v[C - 1]);
  WEFT_UNROLL for (uint32_t c = 1; c < C; ++c) {
    const weft_vec<T, R> next = weft_precise_vector_times_scalar(m.v[C - 1 - c], a.v[C - 1 - c]);
    WEFT_UNROLL for (uint32_t r = 0; r < R; ++r) sum.v[r] = weft_precise_add(next.v[r], sum.v[r]);
  }
  return sum;
}
template <class T, uint32_t C, uint32_t R>
WEFT_FN weft_vec<T, C> weft_precise_vector_times_matrix(const weft_vec<T, R>& a, const weft_mat<T, C, R>& m) {
  return weft_precise_matrix_times_vector(weft_transpose(m), a);
}
template <class T, uint32_t K, uint32_t R, uint32_t C>
WEFT_FN weft_mat<T, C, R> weft_precise_matrix_times_matrix(const weft_mat<T, K, R>& a, const weft_mat<T, C, K>& b) {
  weft_mat<T, C, R> r;
  WEFT_UNROLL for (uint32_t c = 0; c < C; ++c) r.v[c] = weft_precise_matrix_times_vector(a, b.v[c]);
  return r;
}
template <class T, uint32_t R, uint32_t C>
WEFT_FN weft_mat<T, C, R> weft_precise_outer_product(const weft_vec<T, R>& a, const weft_vec<T, C>& b) {
  weft_mat<T, C, R> r;
  WEFT_UNROLL for (uint32_t c = 0; c < C; ++c) r.v[c] = weft_precise_vector_times_scalar(a, b.v[c]);
  return r;
}
template <class T, uint32_t R, uint32_t C>
WEFT_FN weft_mat<T, C, R> weft_outer_product(const weft_vec<T, R>& a, const weft_vec<T, C>& b) {
  weft_mat<T, C, R> r;
  WEFT_UNROLL for (uint32_t c = 0; c < C; ++c) r.v[c] = weft_vector_times_scalar(a, b.v[c]);
  return r;
}

// The matrix without row `row` and column 0.
template <class T, uint32_t N>
WEFT_FN weft_mat<T, N - 1, N - 1> weft_minor(const weft_mat<T, N, N>& m, uint32_t column, uint32_t row) {
  weft_mat<T, N - 1, N - 1> r;
  WEFT_UNROLL for (uint32_t c = 0; c + 1 < N; ++c) {
    WEFT_UNROLL for (uint32_t k = 0; k + 1 < N; ++k) {
      r.v[c].v[k] = m.v[c < column ? c : c + 1].v[k < row ? k : k + 1];
    }
  }
  return r;
}
template <class T>
WEFT_FN T weft_determinant(const weft_mat<T, 1, 1>& m) {
  return m.v[0].v[0];
}
template <class T>
WEFT_FN T weft_determinant(const weft_mat<T, 2, 2>& m) {
  return m.v[0].v[0] * m.v[1].v[1] - m.v[1].v[0] * m.v[0].v[1];
}
template <class T, uint32_t N>
WEFT_FN T weft_determinant(const weft_mat<T, N, N>& m) {
  T sum = m.v[0].v[0] * weft_determinant(weft_minor(m, 0, 0));
  WEFT_UNROLL for (uint32_t r = 1; r < N; ++r) {
    const T term = m.v[0].v[r] * weft_determinant(weft_minor(m, 0, r));
    sum = r % 2 ? sum - term : sum + term;
  }
  return sum;
}
template <class T, uint32_t N>
WEFT_FN weft_mat<T, N, N> weft_matrix_inverse(const weft_mat<T, N, N>& m) {
  const T determinant = weft_determinant(m);
  weft_mat<T, N, N> inverse;
  WEFT_UNROLL for (uint32_t c = 0; c < N; ++c) {
    WEFT_UNROLL for (uint32_t r = 0; r < N; ++r) {
      const T cofactor = weft_determinant(weft_minor(m, c, r));
      inverse.v[r].v[c] = ((c + r) % 2 ? -cofactor : cofactor) / determinant;
    }
  }
  return inverse;
}

template <class T, uint32_t N>
WEFT_FN T weft_length(const weft_vec<T, N>& a) {
  return weft_sqrt(weft_dot(a, a));
}
WEFT_FN float weft_length(float x) { return fabsf(x); }
WEFT_FN double weft_length(double x) { return fabs(x); }
WEFT_FN weft_half weft_length(weft_half x) { return weft_fabs(x); }
template <class T>
WEFT_FN auto weft_distance(const T& a, const T& b) {
  return weft_length(weft_sub(a, b));
}
template <class T, uint32_t N>
WEFT_FN weft_vec<T, N> weft_normalize(weft_vec<T, N> a) {
  const T length = weft_length(a);
  WEFT_UNROLL for (uint32_t i = 0; i < N; ++i) a.v[i] = a.v[i] / length;
  return a;
}
WEFT_FN float weft_normalize(float x) { return x / fabsf(x); }
WEFT_FN double weft_normalize(double x) { return x / fabs(x); }
WEFT_FN weft_half weft_normalize(weft_half x) { return x / weft_fabs(x); }
template <class T>
WEFT_FN weft_vec<T, 3> weft_cross(const weft_vec<T, 3>& a, const weft_vec<T, 3>& b) {
  return weft_vec<T, 3>{
      {a.v[1] * b.v[2] - b.v[1] * a.v[2], a.v[2] * b.v[0] - b.v[2] * a.v[0], a.v[0] * b.v[1] - b.v[0] * a.v[1]}};
}

// The same for scalars, as vectors of one component.
template <class T>
struct weft_as_vector {
  typedef weft_vec<T, 1> type;
  static WEFT_MEMBER type wrap(T x) { return type{{x}}; }
  static WEFT_MEMBER T unwrap(const type& x) { return x.v[0]; }
};
template <class T, uint32_t N>
struct weft_as_vector<weft_vec<T, N>> {
  typedef weft_vec<T, N> type;
  static WEFT_MEMBER const type& wrap(const type& x) { return x; }
  static WEFT_MEMBER const type& unwrap(const type& x) { return x; }
};
WEFT_FN bool weft_is_negative(float x) { return x < 0.0f; }
WEFT_FN bool weft_is_negative(double x) { return x < 0.0; }
WEFT_FN bool weft_is_negative(weft_half x) { return weft_widen(x) < 0.0f; }
template <class V>
WEFT_FN V weft_face_forward(const V& n, const V& i, const V& reference) {
  typedef weft_as_vector<V> as;
  return weft_is_negative(weft_dot(as::wrap(reference), as::wrap(i))) ? n : weft_neg(n);
}
template <class V>
WEFT_FN V weft_reflect(const V& incident, const V& normal) {
  typedef weft_as_vector<V> as;
  const typename as::type i = as::wrap(incident), n = as::wrap(normal);
  const auto d = weft_dot(n, i);
  return as::unwrap(weft_sub(i, weft_vector_times_scalar(n, d + d)));
}
// The ratio may have another width.
template <class V, class E>
WEFT_FN V weft_refract(const V& incident, const V& normal, E ratio) {
  typedef weft_as_vector<V> as;
  const typename as::type i = as::wrap(incident), n = as::wrap(normal);
  typedef decltype(weft_dot(n, i)) T;
  const T d = weft_dot(n, i), one = weft_f_convert<T>(1.0f), eta = weft_f_convert<T>(ratio);
  const T k = one - eta * eta * (one - d * d);
  if (weft_is_negative(k)) return V{};
  return as::unwrap(weft_sub(weft_vector_times_scalar(i, eta), weft_vector_times_scalar(n, eta * d + weft_sqrt(k))));
}
