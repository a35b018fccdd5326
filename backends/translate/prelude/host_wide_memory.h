// Memory at an address of each lane: `base` and an index times a stride. Elements beside one another are read and
// written as a vector.
template <uint32_t Stride, bool Signed>
struct weft_steps {
  weft_wide<uint32_t> index;
};
template <uint32_t Stride>
WEFT_FN weft_steps<Stride, false> weft_steps_by(const weft_wide<uint32_t>& index) {
  return {index};
}
template <uint32_t Stride>
WEFT_FN weft_steps<Stride, true> weft_signed_steps_by(const weft_wide<uint32_t>& index) {
  return {index};
}
template <uint32_t Stride, bool Signed>
struct weft_row {
  weft_byte* base;
  weft_wide<uint32_t> index;
  static constexpr uint32_t stride = Stride;
  WEFT_MEMBER uint64_t offset(uint32_t i) const {
    return Signed ? uint64_t(int64_t(int32_t(i)) * int64_t(Stride)) : uint64_t(i) * Stride;
  }
  WEFT_MEMBER weft_byte* at(uint32_t lane) const { return base + offset(index.get(lane)); }
  WEFT_MEMBER weft_byte* first() const { return base + offset(index.get(0)); }
  // Whether the lanes' indices are those of the first lane, plus the lane's number times `step`.
  WEFT_MEMBER bool has_steps(uint32_t step) const {
    const uint32_t first = index.get(0);
    const bool wraps =
        Signed ? int32_t(first) > int32_t(0x7fffffffu - step * WEFT_LANES) : first > 0xffffffffu - step * WEFT_LANES;
    return weft_all_of(index - weft_wide<uint32_t>(first) == weft_lane_numbers() * weft_wide<uint32_t>(step)) && !wraps;
  }
  friend WEFT_MEMBER weft_row operator+(const weft_row& a, uint64_t bytes) { return {a.base + bytes, a.index}; }
};
// Addresses without a pattern.
struct weft_places {
  weft_byte* v[WEFT_LANES];
  static constexpr uint32_t stride = 0;
  WEFT_MEMBER weft_byte* at(uint32_t lane) const { return v[lane]; }
  WEFT_MEMBER weft_byte* first() const { return v[0]; }
  WEFT_MEMBER bool has_steps(uint32_t) const { return false; }
  friend WEFT_MEMBER weft_places operator+(weft_places a, uint64_t bytes) {
    for (weft_byte*& one : a.v) one += bytes;
    return a;
  }
};
template <uint32_t Stride, bool Signed>
WEFT_FN weft_row<Stride, Signed> operator+(weft_byte* base, const weft_steps<Stride, Signed>& steps) {
  return {base, steps.index};
}
template <uint32_t S, bool B, uint32_t Stride, bool Signed>
WEFT_FN weft_places operator+(const weft_row<S, B>& row, const weft_steps<Stride, Signed>& steps) {
  weft_places r;
  const weft_row<Stride, Signed> next{nullptr, steps.index};
  for (uint32_t l = 0; l < WEFT_LANES; ++l) r.v[l] = row.at(l) + next.offset(steps.index.get(l));
  return r;
}
template <uint32_t Stride, bool Signed>
WEFT_FN weft_places operator+(weft_places places, const weft_steps<Stride, Signed>& steps) {
  const weft_row<Stride, Signed> next{nullptr, steps.index};
  for (uint32_t l = 0; l < WEFT_LANES; ++l) places.v[l] += next.offset(steps.index.get(l));
  return places;
}
// One address of all lanes.
struct weft_one_place {
  weft_byte* byte;
  static constexpr uint32_t stride = 0;
  WEFT_MEMBER weft_byte* at(uint32_t) const { return byte; }
  WEFT_MEMBER weft_byte* first() const { return byte; }
  WEFT_MEMBER bool has_steps(uint32_t step) const { return step == 0; }
};
WEFT_FN weft_one_place weft_place(weft_byte* byte) { return {byte}; }
template <class P>
WEFT_FN const P& weft_place(const P& places) {
  return places;
}

#define WEFT_EACH_LANE_OF(mask)                                                                     \
  for (weft_mask weft_left = weft_to_mask(mask); weft_any(weft_left); weft_remove_first(weft_left)) \
    if (const uint32_t l = weft_first_lane(weft_left); true)

template <class T, uint32_t A, class P>
WEFT_FN weft_wide<T> weft_gather(const weft_wide_bool& mask, const P& from) {
  weft_wide<T> r;
  if (P::stride == sizeof(T) && weft_are_all(mask) && from.has_steps(1)) {
    r = weft_wide<T>::read(from.first());
  } else if (from.has_steps(0)) {
    r = weft_wide<T>(weft_load_unchecked<T, A>(from.first()));
  } else {
    weft_lane_array<T> x = {};
    WEFT_EACH_LANE_OF(mask) x.set(l, weft_load_unchecked<T, A>(from.at(l)));
    r = x.all();
  }
  return r;
}
template <class T, uint32_t A, class P>
WEFT_FN void weft_scatter(const weft_wide_bool& mask, const P& to, const weft_wide<T>& value) {
  if (P::stride == sizeof(T) && weft_are_all(mask) && to.has_steps(1)) {
    value.write(to.first());
  } else {
    const weft_lane_array<T> x(value);
    WEFT_EACH_LANE_OF(mask) weft_store_unchecked<T, A>(to.at(l), x[l]);
  }
}
template <class T, uint32_t N, uint32_t A, class P>
WEFT_FN weft_vec<weft_wide<T>, N> weft_gather_vec(const weft_wide_bool& mask, const P& from) {
  weft_lane_array<T> x[N] = {};
  weft_vec<weft_wide<T>, N> r;
  if (P::stride == N * sizeof(T) && weft_are_all(mask) && from.has_steps(1)) {
    T all[WEFT_LANES * N];
    memcpy(all, from.first(), sizeof(all));
    WEFT_UNROLL for (uint32_t k = 0; k < N; ++k) {
      for (uint32_t l = 0; l < WEFT_LANES; ++l) x[k].set(l, all[l * N + k]);
    }
  } else {
    WEFT_EACH_LANE_OF(mask) {
      const weft_vec<T, N> one = weft_load_unchecked<weft_vec<T, N>, A>(from.at(l));
      WEFT_UNROLL for (uint32_t k = 0; k < N; ++k) x[k].set(l, one.v[k]);
    }
  }
  WEFT_UNROLL for (uint32_t k = 0; k < N; ++k) r.v[k] = x[k].all();
  return r;
}
template <class T, uint32_t N, uint32_t A, class P>
WEFT_FN void weft_scatter_vec(const weft_wide_bool& mask, const P& to, const weft_vec<weft_wide<T>, N>& value) {
  weft_lane_array<T> x[N];
  WEFT_UNROLL for (uint32_t k = 0; k < N; ++k) x[k] = weft_lane_array<T>(value.v[k]);
  if (P::stride == N * sizeof(T) && weft_are_all(mask) && to.has_steps(1)) {
    T all[WEFT_LANES * N];
    WEFT_UNROLL for (uint32_t k = 0; k < N; ++k) {
      for (uint32_t l = 0; l < WEFT_LANES; ++l) all[l * N + k] = x[k][l];
    }
    memcpy(to.first(), all, sizeof(all));
  } else {
    WEFT_EACH_LANE_OF(mask) {
      weft_vec<T, N> one;
      WEFT_UNROLL for (uint32_t k = 0; k < N; ++k) one.v[k] = x[k][l];
      weft_store_unchecked<weft_vec<T, N>, A>(to.at(l), one);
    }
  }
}

// The built-in variables of all lanes.
WEFT_FN weft_wide<uint32_t> weft_wide_lane(const weft_context&) { return weft_lane_numbers(); }
WEFT_FN weft_wide<uint32_t> weft_wide_local_index(const weft_context& c) {
  return weft_wide<uint32_t>(c.invocation->local_index) + weft_lane_numbers();
}
WEFT_FN weft_vec<weft_wide<uint32_t>, 3> weft_wide_local_id(const weft_context& c) {
  typedef weft_wide<uint32_t> wide;
  const wide index = weft_wide_local_index(c), zero = wide(0u);
  if (WEFT_WORKGROUP_SIZE_Y == 1 && WEFT_WORKGROUP_SIZE_Z == 1) return {{index, zero, zero}};
  if (WEFT_WORKGROUP_SIZE_X % WEFT_LANES == 0) {  // the lanes are in one row
    const uint32_t first = c.invocation->local_index, row = first / WEFT_WORKGROUP_SIZE_X;
    return {{wide(first % WEFT_WORKGROUP_SIZE_X) + weft_lane_numbers(), wide(row % WEFT_WORKGROUP_SIZE_Y),
             wide(row / WEFT_WORKGROUP_SIZE_Y)}};
  }
  const wide row = weft_udiv(index, wide(WEFT_WORKGROUP_SIZE_X));
  return {{weft_umod(index, wide(WEFT_WORKGROUP_SIZE_X)), weft_umod(row, wide(WEFT_WORKGROUP_SIZE_Y)),
           weft_udiv(row, wide(WEFT_WORKGROUP_SIZE_Y))}};
}
WEFT_FN weft_vec<weft_wide<uint32_t>, 3> weft_wide_global_id(const weft_context& c) {
  return weft_add(weft_spread(weft_mul(weft_workgroup_id(c), weft_workgroup_size(c))), weft_wide_local_id(c));
}

// Compilers choose which of the kernel's own functions are inlined, and its loops may have no condition.
#undef WEFT_FN
#define WEFT_FN static inline
#undef WEFT_UNROLL
#define WEFT_UNROLL
