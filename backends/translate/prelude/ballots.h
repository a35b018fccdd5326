// Memory orders and scopes, operators of reductions, and ballots: four words with a bit per lane.
enum weft_scope { weft_subgroup, weft_workgroup, weft_device, weft_system };
enum weft_order { weft_relaxed, weft_acquire, weft_release, weft_acquire_release };

typedef weft_vec<uint32_t, 4> weft_uvec4;
typedef weft_vec<uint32_t, 3> weft_uvec3;

// An operator of a reduction: combines two scalars, and has an identity.
struct weft_op_add {
  template <class T>
  static WEFT_MEMBER T combine(T a, T b) {
    return weft_add(a, b);
  }
  template <class T>
  static WEFT_MEMBER T identity() {
    return T{};
  }
};
struct weft_op_mul {
  template <class T>
  static WEFT_MEMBER T combine(T a, T b) {
    return weft_mul(a, b);
  }
  template <class T>
  static WEFT_MEMBER T identity() {
    return weft_rounded<T>::from(1.0f);
  }
};
struct weft_op_and {
  template <class T>
  static WEFT_MEMBER T combine(T a, T b) {
    return T(a & b);
  }
  template <class T>
  static WEFT_MEMBER T identity() {
    return T(~T(0));
  }
};
template <>
WEFT_MEMBER bool weft_op_and::identity<bool>() {
  return true;
}
struct weft_op_or {
  template <class T>
  static WEFT_MEMBER T combine(T a, T b) {
    return T(a | b);
  }
  template <class T>
  static WEFT_MEMBER T identity() {
    return T(0);
  }
};
struct weft_op_xor {
  template <class T>
  static WEFT_MEMBER T combine(T a, T b) {
    return T(a ^ b);
  }
  template <class T>
  static WEFT_MEMBER T identity() {
    return T(0);
  }
};
struct weft_op_umin {
  template <class T>
  static WEFT_MEMBER T combine(T a, T b) {
    return weft_umin(a, b);
  }
  template <class T>
  static WEFT_MEMBER T identity() {
    return T(~T(0));
  }
};
struct weft_op_umax {
  template <class T>
  static WEFT_MEMBER T combine(T a, T b) {
    return weft_umax(a, b);
  }
  template <class T>
  static WEFT_MEMBER T identity() {
    return T(0);
  }
};
struct weft_op_smin {
  template <class T>
  static WEFT_MEMBER T combine(T a, T b) {
    return weft_smin(a, b);
  }
  template <class T>
  static WEFT_MEMBER T identity() {
    return T(T(~T(0)) >> 1);
  }
};
struct weft_op_smax {
  template <class T>
  static WEFT_MEMBER T combine(T a, T b) {
    return weft_smax(a, b);
  }
  template <class T>
  static WEFT_MEMBER T identity() {
    return T(T(T(~T(0)) >> 1) + T(1));
  }
};
struct weft_op_fmin {
  template <class T>
  static WEFT_MEMBER T combine(T a, T b) {
    return weft_nmin(a, b);
  }
  template <class T>
  static WEFT_MEMBER T identity() {
    return weft_rounded<T>::from(weft_bits<float>(0x7f800000u));
  }
};
struct weft_op_fmax {
  template <class T>
  static WEFT_MEMBER T combine(T a, T b) {
    return weft_nmax(a, b);
  }
  template <class T>
  static WEFT_MEMBER T identity() {
    return weft_rounded<T>::from(weft_bits<float>(0xff800000u));
  }
};

// Operators for vectors.
template <class Op, class T>
struct weft_combiner {
  static WEFT_MEMBER T combine(T a, T b) { return Op::combine(a, b); }
  static WEFT_MEMBER T identity() { return Op::template identity<T>(); }
};
template <class Op, class T, uint32_t N>
struct weft_combiner<Op, weft_vec<T, N>> {
  static WEFT_MEMBER weft_vec<T, N> combine(weft_vec<T, N> a, const weft_vec<T, N>& b) {
    WEFT_UNROLL for (uint32_t i = 0; i < N; ++i) a.v[i] = Op::combine(a.v[i], b.v[i]);
    return a;
  }
  static WEFT_MEMBER weft_vec<T, N> identity() {
    weft_vec<T, N> r;
    WEFT_UNROLL for (uint32_t i = 0; i < N; ++i) r.v[i] = Op::template identity<T>();
    return r;
  }
};

// Whether two values are equal in a subgroup's vote. Floats compare as numbers.
template <class T>
WEFT_FN bool weft_same(const T& a, const T& b) {
  return a == b;
}
template <class T, uint32_t N>
WEFT_FN bool weft_same(const weft_vec<T, N>& a, const weft_vec<T, N>& b) {
  return weft_all(weft_eq(a, b));
}

// The lowest `count` bits of a ballot.
WEFT_FN weft_uvec4 weft_first_bits(uint32_t count) {
  weft_uvec4 r;
  WEFT_UNROLL for (uint32_t w = 0; w < 4; ++w) {
    r.v[w] = count >= 32 * (w + 1) ? ~0u : count <= 32 * w ? 0u : (1u << (count - 32 * w)) - 1u;
  }
  return r;
}
WEFT_FN bool weft_ballot_bit(const weft_uvec4& ballot, uint32_t lane) {
  uint32_t word = ballot.v[0];
  WEFT_UNROLL for (uint32_t w = 1; w < 4; ++w) word = lane / 32 == w ? ballot.v[w] : word;
  return (word >> (lane % 32)) & 1u;
}
WEFT_FN uint32_t weft_count_bits(const weft_uvec4& ballot) {
  uint32_t count = 0;
  WEFT_UNROLL for (uint32_t w = 0; w < 4; ++w) count += weft_bit_count<uint32_t>(ballot.v[w]);
  return count;
}
