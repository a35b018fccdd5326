// CUDA: atomics with scope and order, and warps.
typedef uint32_t weft_mask;

WEFT_FN void weft_unreachable(const weft_context&, uint32_t) { __trap(); }

template <weft_scope S>
WEFT_FN void weft_fence() {
  if (S == weft_system)
    asm volatile("fence.acq_rel.sys;" ::: "memory");
  else if (S == weft_device)
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
  else
    asm volatile("fence.acq_rel.cta;" ::: "memory");
}
// C++ has no volatile vectors. Only those in buffers are accessed whole.
template <>
struct weft_volatile<uint2> {
  static WEFT_MEMBER uint2 read(const volatile uint2* p) {
    uint2 x;
    asm volatile("ld.volatile.global.v2.u32 {%0, %1}, [%2];" : "=r"(x.x), "=r"(x.y) : "l"(p) : "memory");
    return x;
  }
  static WEFT_MEMBER void write(volatile uint2* p, uint2 x) {
    asm volatile("st.volatile.global.v2.u32 [%0], {%1, %2};" ::"l"(p), "r"(x.x), "r"(x.y) : "memory");
  }
};
template <>
struct weft_volatile<uint4> {
  static WEFT_MEMBER uint4 read(const volatile uint4* p) {
    uint4 x;
    asm volatile("ld.volatile.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x.x), "=r"(x.y), "=r"(x.z), "=r"(x.w)
                 : "l"(p)
                 : "memory");
    return x;
  }
  static WEFT_MEMBER void write(volatile uint4* p, uint4 x) {
    asm volatile("st.volatile.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(p), "r"(x.x), "r"(x.y), "r"(x.z), "r"(x.w)
                 : "memory");
  }
};
// An atomic operation on possibly shared memory is itself relaxed. Fences before and after give it its order, and the
// compiler can still choose a shared-memory instruction. (On buffers it is one ordered instruction; see below.)
template <weft_scope S, weft_order O>
WEFT_FN void weft_before() {
  if (O == weft_release || O == weft_acquire_release) weft_fence<S>();
}
template <weft_scope S, weft_order O>
WEFT_FN void weft_after() {
  if (O == weft_acquire || O == weft_acquire_release) weft_fence<S>();
}

// The type that CUDA's functions take for bits of a given size.
template <uint32_t bytes>
struct weft_atomic_bits;
template <>
struct weft_atomic_bits<4> {
  typedef unsigned int type;
  typedef int signed_type;
};
template <>
struct weft_atomic_bits<8> {
  typedef unsigned long long type;
  typedef long long signed_type;
};
#define WEFT_BITS typename weft_atomic_bits<sizeof(T)>::type
#define WEFT_SIGNED_BITS typename weft_atomic_bits<sizeof(T)>::signed_type

// Ordered loads and stores, of buffers and of possibly shared memory.
struct weft_buffer_address {
  weft_byte* p;
  WEFT_MEMBER operator weft_byte*() const { return p; }
};
WEFT_FN weft_buffer_address weft_atomic_in_buffer(weft_byte* p) { return {weft_in_buffer(p)}; }
#define WEFT_LOAD(name, order, P, space, B, bits, letter)                                                           \
  WEFT_FN void name(P p, B& x) {                                                                                    \
    asm volatile("ld." order space bits " %0, [%1];" : "=" letter(x) : "l"(static_cast<weft_byte*>(p)) : "memory"); \
  }
#define WEFT_STORE(name, order, P, space, B, bits, letter)                                                     \
  WEFT_FN void name(P p, B x) {                                                                                \
    asm volatile("st." order space bits " [%0], %1;" ::"l"(static_cast<weft_byte*>(p)), letter(x) : "memory"); \
  }
#define WEFT_OF_BITS(what, name, order, P, space) \
  what(name, order, P, space, unsigned int, ".b32", "r") what(name, order, P, space, unsigned long long, ".b64", "l")
#define WEFT_OF_SPACES(what, name, order)         \
  WEFT_OF_BITS(what, name, order, weft_byte*, "") \
  WEFT_OF_BITS(what, name, order, weft_buffer_address, ".global")
WEFT_OF_SPACES(WEFT_LOAD, weft_load_relaxed, "relaxed.gpu")
WEFT_OF_SPACES(WEFT_LOAD, weft_load_acquire, "acquire.gpu")
WEFT_OF_SPACES(WEFT_LOAD, weft_load_relaxed_system, "relaxed.sys")
WEFT_OF_SPACES(WEFT_LOAD, weft_load_acquire_system, "acquire.sys")
WEFT_OF_SPACES(WEFT_STORE, weft_store_relaxed, "relaxed.gpu")
WEFT_OF_SPACES(WEFT_STORE, weft_store_release, "release.gpu")
WEFT_OF_SPACES(WEFT_STORE, weft_store_relaxed_system, "relaxed.sys")
WEFT_OF_SPACES(WEFT_STORE, weft_store_release_system, "release.sys")
template <class T, weft_scope S, weft_order O, class P>
WEFT_FN T weft_atomic_load(const weft_context&, P p, uint32_t) {
  WEFT_BITS bits;
  if (S == weft_system && O == weft_relaxed)
    weft_load_relaxed_system(p, bits);
  else if (S == weft_system)
    weft_load_acquire_system(p, bits);
  else if (O == weft_relaxed)
    weft_load_relaxed(p, bits);
  else
    weft_load_acquire(p, bits);
  return weft_bitcast<T>(bits);
}
template <class T, weft_scope S, weft_order O, class P>
WEFT_FN void weft_atomic_store(const weft_context&, P p, T value, uint32_t) {
  const WEFT_BITS bits = weft_bitcast<WEFT_BITS>(value);
  if (S == weft_system && O == weft_relaxed)
    weft_store_relaxed_system(p, bits);
  else if (S == weft_system)
    weft_store_release_system(p, bits);
  else if (O == weft_relaxed)
    weft_store_relaxed(p, bits);
  else
    weft_store_release(p, bits);
}
// On buffers: a single instruction. Fences would make the whole multiprocessor wait twice.
#define WEFT_ATOM(order, scope, op, letter) \
  asm volatile("atom" order scope ".global" op " %0, [%1], %2;" : "=" letter(x) : "l"(p.p), letter(v) : "memory")
#define WEFT_ATOM_CAS(order, scope, operation, letter)                     \
  asm volatile("atom" order scope ".global" operation " %0, [%1], %2, %3;" \
               : "=" letter(x)                                             \
               : "l"(p.p), letter(expected), letter(v)                     \
               : "memory")
#define WEFT_OF_SCOPE(atom, order, operation, letter) \
  if (S == weft_system)                               \
    atom(order, ".sys", operation, letter);           \
  else if (S == weft_device)                          \
    atom(order, ".gpu", operation, letter);           \
  else                                                \
    atom(order, ".cta", operation, letter)
#define WEFT_OF_ORDER(atom, operation, letter)          \
  if (O == weft_acquire) {                              \
    WEFT_OF_SCOPE(atom, ".acquire", operation, letter); \
  } else if (O == weft_release) {                       \
    WEFT_OF_SCOPE(atom, ".release", operation, letter); \
  } else {                                              \
    WEFT_OF_SCOPE(atom, ".acq_rel", operation, letter); \
  }
#define WEFT_ORDERED(function, B, operation, letter)              \
  template <weft_scope S, weft_order O>                           \
  WEFT_FN B weft_ordered_##function(weft_buffer_address p, B v) { \
    B x;                                                          \
    WEFT_OF_ORDER(WEFT_ATOM, operation, letter)                   \
    return x;                                                     \
  }
#define WEFT_ORDERED_CAS(B, operation, letter)                               \
  template <weft_scope S, weft_order O>                                      \
  WEFT_FN B weft_ordered_atomicCAS(weft_buffer_address p, B expected, B v) { \
    B x;                                                                     \
    WEFT_OF_ORDER(WEFT_ATOM_CAS, operation, letter)                          \
    return x;                                                                \
  }
#define WEFT_ORDERED_OF_BITS(function, operation)           \
  WEFT_ORDERED(function, unsigned int, operation "32", "r") \
  WEFT_ORDERED(function, unsigned long long, operation "64", "l")
#define WEFT_ORDERED_SIGNED(function, operation)     \
  WEFT_ORDERED(function, int, operation ".s32", "r") \
  WEFT_ORDERED(function, long long, operation ".s64", "l")
WEFT_ORDERED_OF_BITS(atomicExch, ".exch.b")
WEFT_ORDERED_OF_BITS(atomicAdd, ".add.u")
WEFT_ORDERED(atomicAdd, float, ".add.f32", "f")
WEFT_ORDERED(atomicAdd, double, ".add.f64", "d")
WEFT_ORDERED_OF_BITS(atomicAnd, ".and.b")
WEFT_ORDERED_OF_BITS(atomicOr, ".or.b")
WEFT_ORDERED_OF_BITS(atomicXor, ".xor.b")
WEFT_ORDERED_OF_BITS(atomicMin, ".min.u")
WEFT_ORDERED_OF_BITS(atomicMax, ".max.u")
WEFT_ORDERED_SIGNED(atomicMin, ".min")
WEFT_ORDERED_SIGNED(atomicMax, ".max")
WEFT_ORDERED_CAS(unsigned int, ".cas.b32", "r")
WEFT_ORDERED_CAS(unsigned long long, ".cas.b64", "l")

#define WEFT_ATOMIC(name, bits, operation)                                               \
  template <class T, weft_scope S, weft_order O>                                         \
  WEFT_FN T name(const weft_context&, weft_byte* p, T value, uint32_t) {                 \
    typedef bits B;                                                                      \
    weft_before<S, O>();                                                                 \
    B* q = reinterpret_cast<B*>(p);                                                      \
    const B v = weft_bitcast<B>(value);                                                  \
    const B before = S == weft_system   ? operation##_system(q, v)                       \
                     : S == weft_device ? operation(q, v)                                \
                                        : operation##_block(q, v);                       \
    weft_after<S, O>();                                                                  \
    return weft_bitcast<T>(before);                                                      \
  }                                                                                      \
  template <class T, weft_scope S, weft_order O>                                         \
  WEFT_FN T name(const weft_context& c, weft_buffer_address p, T value, uint32_t site) { \
    if (O == weft_relaxed) return name<T, S, O>(c, p.p, value, site);                    \
    typedef bits B;                                                                      \
    return weft_bitcast<T>(weft_ordered_##operation<S, O>(p, weft_bitcast<B>(value)));   \
  }
WEFT_ATOMIC(weft_atomic_exchange, WEFT_BITS, atomicExch)
WEFT_ATOMIC(weft_atomic_add, WEFT_BITS, atomicAdd)
WEFT_ATOMIC(weft_atomic_and, WEFT_BITS, atomicAnd)
WEFT_ATOMIC(weft_atomic_or, WEFT_BITS, atomicOr)
WEFT_ATOMIC(weft_atomic_xor, WEFT_BITS, atomicXor)
WEFT_ATOMIC(weft_atomic_umin, WEFT_BITS, atomicMin)
WEFT_ATOMIC(weft_atomic_umax, WEFT_BITS, atomicMax)
WEFT_ATOMIC(weft_atomic_smin, WEFT_SIGNED_BITS, atomicMin)
WEFT_ATOMIC(weft_atomic_smax, WEFT_SIGNED_BITS, atomicMax)
WEFT_ATOMIC(weft_atomic_fadd, T, atomicAdd)
template <class T, weft_scope S, weft_order O, class P>
WEFT_FN T weft_atomic_sub(const weft_context& c, P p, T value, uint32_t site) {
  return weft_atomic_add<T, S, O>(c, p, T(T(0) - value), site);
}
template <class T, weft_scope S, weft_order O>
WEFT_FN T weft_atomic_compare_exchange(const weft_context&, weft_byte* p, T expected, T value, uint32_t) {
  weft_before<S, O>();
  WEFT_BITS* q = reinterpret_cast<WEFT_BITS*>(p);
  const WEFT_BITS e = weft_bitcast<WEFT_BITS>(expected), v = weft_bitcast<WEFT_BITS>(value);
  const WEFT_BITS before = S == weft_system   ? atomicCAS_system(q, e, v)
                           : S == weft_device ? atomicCAS(q, e, v)
                                              : atomicCAS_block(q, e, v);
  weft_after<S, O>();
  return weft_bitcast<T>(before);
}
template <class T, weft_scope S, weft_order O>
WEFT_FN T weft_atomic_compare_exchange(const weft_context& c, weft_buffer_address p, T expected, T value,
                                       uint32_t site) {
  if (O == weft_relaxed) return weft_atomic_compare_exchange<T, S, O>(c, p.p, expected, value, site);
  const WEFT_BITS e = weft_bitcast<WEFT_BITS>(expected), v = weft_bitcast<WEFT_BITS>(value);
  return weft_bitcast<T>(weft_ordered_atomicCAS<S, O>(p, e, v));
}
#define WEFT_ATOMIC_BY_EXCHANGE(name, combine)                                                               \
  template <class T, weft_scope S, weft_order O, class P>                                                    \
  WEFT_FN T name(const weft_context& c, P p, T value, uint32_t site) {                                       \
    WEFT_BITS before;                                                                                        \
    weft_load_relaxed(p, before);                                                                            \
    while (true) {                                                                                           \
      const T after = combine(weft_bitcast<T>(before), value);                                               \
      const WEFT_BITS seen =                                                                                 \
          weft_atomic_compare_exchange<WEFT_BITS, S, O>(c, p, before, weft_bitcast<WEFT_BITS>(after), site); \
      if (seen == before) return weft_bitcast<T>(before);                                                    \
      before = seen;                                                                                         \
    }                                                                                                        \
  }
WEFT_ATOMIC_BY_EXCHANGE(weft_atomic_fmin, weft_nmin)
WEFT_ATOMIC_BY_EXCHANGE(weft_atomic_fmax, weft_nmax)

// The mask of all existing lanes; a constant if every warp is full.
WEFT_FN weft_mask weft_all_lanes(const weft_context& c) {
  if (weft_invocations % WEFT_WARP == 0) return ~0u;
  const uint32_t left = weft_invocations - weft_subgroup_id(c) * WEFT_WARP;
  return left >= WEFT_WARP ? ~0u : (1u << left) - 1u;
}
WEFT_FN weft_mask weft_ballot_mask(const weft_context&, weft_mask mask, bool vote, uint32_t) {
  return __ballot_sync(mask, vote);
}
WEFT_FN bool weft_vote_any(const weft_context&, weft_mask mask, bool vote, uint32_t) { return __any_sync(mask, vote); }
WEFT_FN bool weft_vote_all(const weft_context&, weft_mask mask, bool vote, uint32_t) { return __all_sync(mask, vote); }
WEFT_FN void weft_subgroup_barrier(const weft_context&, weft_mask mask, uint32_t) { __syncwarp(mask); }
WEFT_FN uint32_t weft_shuffle_word(weft_mask mask, uint32_t word, uint32_t lane) {
  return __shfl_sync(mask, word, lane, 32);
}
WEFT_FN uint32_t weft_shuffle_word_up(weft_mask mask, uint32_t word, uint32_t lane, uint32_t delta) {
  return __shfl_up_sync(mask, word, delta, 32);
}
WEFT_FN uint32_t weft_shuffle_word_down(weft_mask mask, uint32_t word, uint32_t lane, uint32_t delta) {
  return __shfl_down_sync(mask, word, delta, 32);
}
WEFT_FN uint32_t weft_shuffle_word_xor(weft_mask mask, uint32_t word, uint32_t lane, uint32_t bits) {
  return __shfl_xor_sync(mask, word, bits % 32, 32);
}
WEFT_FN uint32_t weft_first_lane(weft_mask mask) { return __ffs(mask) - 1; }
WEFT_FN weft_uvec4 weft_to_ballot(weft_mask mask) { return weft_uvec4{{mask, 0u, 0u, 0u}}; }
WEFT_FN weft_mask weft_from_ballot(const weft_uvec4& ballot) { return ballot.v[0]; }

// Reductions that the hardware supports directly.
#if __CUDA_ARCH__ >= 800
#define WEFT_WARP_REDUCE(op, function)                                 \
  WEFT_FN bool weft_hardware_reduce(op, weft_mask mask, uint32_t& x) { \
    x = function(mask, x);                                             \
    return true;                                                       \
  }
WEFT_WARP_REDUCE(weft_op_add, __reduce_add_sync)
WEFT_WARP_REDUCE(weft_op_umin, __reduce_min_sync)
WEFT_WARP_REDUCE(weft_op_umax, __reduce_max_sync)
WEFT_WARP_REDUCE(weft_op_and, __reduce_and_sync)
WEFT_WARP_REDUCE(weft_op_or, __reduce_or_sync)
WEFT_WARP_REDUCE(weft_op_xor, __reduce_xor_sync)
#endif
