// The host: memory, atomics and barriers, which are the same for fibers and lanes.
#ifndef WEFT_HOST_CHECK
#define WEFT_HOST_CHECK 0
#endif

WEFT_FN weft_uvec3 weft_workgroup_count(const weft_context& c) { return weft_three(c.invocation->workgroup_count); }
WEFT_FN weft_uvec3 weft_workgroup_id(const weft_context& c) { return weft_three(c.invocation->workgroup_id); }
WEFT_FN weft_uvec3 weft_workgroup_size(const weft_context&) {
  return weft_uvec3{{WEFT_WORKGROUP_SIZE_X, WEFT_WORKGROUP_SIZE_Y, WEFT_WORKGROUP_SIZE_Z}};
}
WEFT_FN weft_uvec3 weft_global_id(const weft_context& c) {
  return weft_add(weft_mul(weft_workgroup_id(c), weft_workgroup_size(c)), weft_local_id(c));
}
WEFT_FN uint32_t weft_subgroup_id(const weft_context& c) { return c.invocation->subgroup_id; }

// An element of a descriptor array.
WEFT_FN uint32_t weft_descriptor(const weft_context& c, uint32_t first, uint32_t count, uint64_t index, uint32_t site) {
#if WEFT_HOST_CHECK
  if (index >= count) {
    c.invocation->runtime->fail(c.invocation, "out of bounds: it indexes an array of buffers beyond its end", site);
  }
#else
  (void)c, (void)count, (void)site;
#endif
  return first + uint32_t(index);
}
WEFT_FN weft_byte* weft_buffer(const weft_context& c, uint32_t binding) { return c.invocation->bindings[binding].data; }
WEFT_FN uint32_t weft_array_length(const weft_context& c, uint32_t binding, uint32_t offset, uint32_t stride) {
  const uint64_t bytes = c.invocation->bindings[binding].bytes;
  return bytes < offset ? 0u : uint32_t((bytes - offset) / stride);
}
WEFT_FN weft_byte* weft_push_constants(const weft_context& c) {
  return const_cast<weft_byte*>(c.invocation->push_constants);
}
WEFT_FN weft_byte* weft_workgroup_memory(const weft_context& c) { return c.shared; }
struct weft_buffer_address {
  weft_byte* byte;
};
WEFT_FN weft_buffer_address weft_atomic_in_buffer(weft_byte* p) { return {p}; }
WEFT_FN weft_byte* weft_byte_at(weft_buffer_address p) { return p.byte; }
WEFT_FN weft_byte* weft_byte_at(weft_byte* p) { return p; }
WEFT_FN weft_byte* weft_to_pointer(uint64_t address) {
  return reinterpret_cast<weft_byte*>(static_cast<uintptr_t>(address));
}
WEFT_FN uint64_t weft_from_pointer(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }
[[noreturn]] static inline void weft_unreachable(const weft_context& c, uint32_t site) {
  c.invocation->runtime->fail(c.invocation, "an instruction was reached that the kernel says is unreachable", site);
  __builtin_trap();
}

// A 64-bit index times a stride. In checking mode, an overflow must not yield an offset inside a buffer: it gives an
// offset that is invalid, even if a few like it are added.
WEFT_FN uint64_t weft_scaled(uint64_t stride, uint64_t index) {
#if WEFT_HOST_CHECK
  int64_t offset = 0;
  if (__builtin_mul_overflow(int64_t(stride), int64_t(index), &offset)) return 0x1357900000000000ull;
#endif
  return stride * index;
}

// The location of an access, for checking mode.
struct weft_at {
  weft_host_invocation* invocation;
  uint32_t site, binding;
  weft_at(const weft_context& c, uint32_t s, uint32_t b = ~0u) : invocation(c.invocation), site(s), binding(b) {}
};
WEFT_FN void weft_check(const weft_at& at, const void* address, uint32_t bytes, uint32_t alignment, uint32_t kind) {
#if WEFT_HOST_CHECK
  const weft_host_binding* binding = at.binding == ~0u ? nullptr : at.invocation->bindings + at.binding;
  at.invocation->runtime->access(at.invocation, address, bytes, alignment, kind, binding, at.site);
#else
  (void)at, (void)address, (void)bytes, (void)alignment, (void)kind;
#endif
}

// The alignment A is not used: knowing it gains nothing here, and __builtin_assume_aligned() keeps GCC from making
// vectors of a loop.
template <class T, uint32_t A>
WEFT_FN T weft_load_unchecked(const weft_byte* p) {
  T value;
  memcpy(&value, p, sizeof(T));
  return value;
}
template <class T, uint32_t A>
WEFT_FN void weft_store_unchecked(weft_byte* p, const T& value) {
  memcpy(p, &value, sizeof(T));
}
// Other threads may race with a volatile access: it accesses components one by one, each atomically.
template <class T>
WEFT_FN T weft_load_at_once(const weft_byte* p) {
  T value;
  __atomic_load(reinterpret_cast<T*>(const_cast<weft_byte*>(p)), &value, __ATOMIC_RELAXED);
  return value;
}
template <class T>
WEFT_FN void weft_store_at_once(weft_byte* p, T value) {
  __atomic_store(reinterpret_cast<T*>(p), &value, __ATOMIC_RELAXED);
}

#define WEFT_ACCESS(suffix, kind, load_one, store_one, kind_volatile)                                   \
  template <class T, uint32_t A>                                                                        \
  WEFT_FN T weft_load##suffix(const weft_at& at, const weft_byte* p) {                                  \
    weft_check(at, p, sizeof(T), A < sizeof(T) ? A : sizeof(T), weft_host_read | kind);                 \
    return load_one;                                                                                    \
  }                                                                                                     \
  template <class T, uint32_t A>                                                                        \
  WEFT_FN void weft_store##suffix(const weft_at& at, weft_byte* p, T value) {                           \
    weft_check(at, p, sizeof(T), A < sizeof(T) ? A : sizeof(T), weft_host_write | kind);                \
    store_one;                                                                                          \
  }                                                                                                     \
  template <class T, uint32_t N, uint32_t A>                                                            \
  WEFT_FN weft_vec<T, N> weft_load##suffix##_vec(const weft_at& at, const weft_byte* p) {               \
    weft_vec<T, N> value;                                                                               \
    if (!kind_volatile) {                                                                               \
      weft_check(at, p, sizeof(value), A, weft_host_read | kind);                                       \
      return weft_load_unchecked<weft_vec<T, N>, A>(p);                                                 \
    }                                                                                                   \
    for (uint32_t i = 0; i < N; ++i) value.v[i] = weft_load##suffix<T, A>(at, p + i * sizeof(T));       \
    return value;                                                                                       \
  }                                                                                                     \
  template <class T, uint32_t N, uint32_t A>                                                            \
  WEFT_FN void weft_store##suffix##_vec(const weft_at& at, weft_byte* p, const weft_vec<T, N>& value) { \
    if (!kind_volatile) {                                                                               \
      weft_check(at, p, sizeof(value), A, weft_host_write | kind);                                      \
      weft_store_unchecked<weft_vec<T, N>, A>(p, value);                                                \
      return;                                                                                           \
    }                                                                                                   \
    for (uint32_t i = 0; i < N; ++i) weft_store##suffix<T, A>(at, p + i * sizeof(T), value.v[i]);       \
  }
WEFT_ACCESS(, 0, (weft_load_unchecked<T, A>(p)), (weft_store_unchecked<T, A>(p, value)), false)
WEFT_ACCESS(_shared, weft_host_workgroup, (weft_load_unchecked<T, A>(p)), (weft_store_unchecked<T, A>(p, value)), false)
WEFT_ACCESS(_argument, 0, (weft_load_unchecked<T, A>(p)), (weft_store_unchecked<T, A>(p, value)), false)
WEFT_ACCESS(_volatile, 0, weft_load_at_once<T>(p), weft_store_at_once<T>(p, value), true)
WEFT_ACCESS(_shared_volatile, weft_host_workgroup, weft_load_at_once<T>(p), weft_store_at_once<T>(p, value), true)

// Atomics. Orders are at least as strong as requested.
constexpr int weft_gcc_order(weft_order order) {
  return order == weft_relaxed   ? __ATOMIC_RELAXED
         : order == weft_acquire ? __ATOMIC_ACQUIRE
         : order == weft_release ? __ATOMIC_RELEASE
                                 : __ATOMIC_ACQ_REL;
}
template <weft_order O>
WEFT_FN void weft_check_atomic(const weft_context& c, const weft_byte* p, uint32_t bytes, uint32_t kind,
                               uint32_t site) {
#if WEFT_HOST_CHECK
  if (O == weft_acquire || O == weft_acquire_release) kind |= weft_host_acquire;
  if (O == weft_release || O == weft_acquire_release) kind |= weft_host_release;
  const weft_byte* shared = c.invocation->workgroup_memory;
  if (p >= shared && p < shared + WEFT_WORKGROUP_MEMORY_BYTES) kind |= weft_host_workgroup;
#endif
  weft_check(weft_at(c, site), p, bytes, bytes, kind | weft_host_atomic);
}
template <class T, weft_scope, weft_order O, class P>
WEFT_FN T weft_atomic_load(const weft_context& c, P p, uint32_t site) {
  constexpr int order = O == weft_relaxed ? __ATOMIC_RELAXED : __ATOMIC_ACQUIRE;
  c.invocation->runtime->yield(c.invocation);
  weft_check_atomic<O>(c, weft_byte_at(p), sizeof(T), weft_host_read, site);
  T value;
  __atomic_load(reinterpret_cast<T*>(weft_byte_at(p)), &value, order);
  return value;
}
template <class T, weft_scope, weft_order O, class P>
WEFT_FN void weft_atomic_store(const weft_context& c, P p, T value, uint32_t site) {
  constexpr int order = O == weft_relaxed ? __ATOMIC_RELAXED : __ATOMIC_RELEASE;
  weft_check_atomic<O>(c, weft_byte_at(p), sizeof(T), weft_host_write, site);
  __atomic_store(reinterpret_cast<T*>(weft_byte_at(p)), &value, order);
}

// Stores `next(value)` and returns the value before. One thread runs a workgroup, so its memory needs no locked
// instructions.
template <class T, weft_order O, class Next>
WEFT_FN T weft_replace(weft_byte* p, const Next& next) {
  const T before = weft_load_at_once<T>(p);
  weft_store_at_once<T>(p, next(before));
  return before;
}
template <class T, weft_order O, class Next>
WEFT_FN T weft_replace(weft_buffer_address p, const Next& next) {
  T before = weft_load_at_once<T>(p.byte), after;
  do {
    after = next(before);
  } while (!__atomic_compare_exchange(reinterpret_cast<T*>(p.byte), &before, &after, false, weft_gcc_order(O),
                                      __ATOMIC_RELAXED));
  return before;
}
template <class T, weft_order O>
WEFT_FN bool weft_replace_if_equal(weft_byte* p, T& expected, T value) {
  const T before = weft_load_at_once<T>(p);
  const bool same = before == expected;
  if (same) weft_store_at_once<T>(p, value);
  expected = before;
  return same;
}
template <class T, weft_order O>
WEFT_FN bool weft_replace_if_equal(weft_buffer_address p, T& expected, T value) {
  constexpr int failed = O == weft_relaxed || O == weft_release ? __ATOMIC_RELAXED : __ATOMIC_ACQUIRE;
  return __atomic_compare_exchange(reinterpret_cast<T*>(p.byte), &expected, &value, false, weft_gcc_order(O), failed);
}
template <class T, weft_scope, weft_order O, class P>
WEFT_FN T weft_atomic_compare_exchange(const weft_context& c, P p, T expected, T value, uint32_t site) {
  weft_check_atomic<O>(c, weft_byte_at(p), sizeof(T), weft_host_read | weft_host_write, site);
  if (!weft_replace_if_equal<T, O>(p, expected, value)) c.invocation->runtime->yield(c.invocation);
  return expected;
}
template <class T, weft_order O>
WEFT_FN T weft_swap(weft_byte* p, T value) {
  return weft_replace<T, O>(p, [value](T) { return value; });
}
template <class T, weft_order O>
WEFT_FN T weft_swap(weft_buffer_address p, T value) {
  T before;
  __atomic_exchange(reinterpret_cast<T*>(p.byte), &value, &before, weft_gcc_order(O));
  return before;
}
template <class T, weft_scope, weft_order O, class P>
WEFT_FN T weft_atomic_exchange(const weft_context& c, P p, T value, uint32_t site) {
  weft_check_atomic<O>(c, weft_byte_at(p), sizeof(T), weft_host_read | weft_host_write, site);
  return weft_swap<T, O>(p, value);
}
template <class T, weft_scope, weft_order O, class P>
WEFT_FN void weft_atomic_overwrite(const weft_context& c, P p, T value, uint32_t site) {
  weft_check_atomic<O>(c, weft_byte_at(p), sizeof(T), weft_host_write, site);
  weft_swap<T, O>(p, value);
}
#define WEFT_ATOMIC(name, combine)                                                               \
  template <class T, weft_scope, weft_order O, class P>                                          \
  WEFT_FN T name(const weft_context& c, P p, T value, uint32_t site) {                           \
    weft_check_atomic<O>(c, weft_byte_at(p), sizeof(T), weft_host_read | weft_host_write, site); \
    return weft_replace<T, O>(p, [value](T before) { return combine(before, value); });          \
  }
WEFT_ATOMIC(weft_atomic_umin, weft_umin)
WEFT_ATOMIC(weft_atomic_umax, weft_umax)
WEFT_ATOMIC(weft_atomic_smin, weft_smin)
WEFT_ATOMIC(weft_atomic_smax, weft_smax)
WEFT_ATOMIC(weft_atomic_fadd, weft_add)
WEFT_ATOMIC(weft_atomic_fmin, weft_nmin)
WEFT_ATOMIC(weft_atomic_fmax, weft_nmax)
// The same where the processor has an instruction for buffers.
#define WEFT_ATOMIC_INSTRUCTION(name, builtin, combine)                                  \
  template <class T, weft_scope, weft_order O>                                           \
  WEFT_FN T name(const weft_context& c, weft_buffer_address p, T value, uint32_t site) { \
    weft_check_atomic<O>(c, p.byte, sizeof(T), weft_host_read | weft_host_write, site);  \
    return builtin(reinterpret_cast<T*>(p.byte), value, weft_gcc_order(O));              \
  }                                                                                      \
  template <class T, weft_scope, weft_order O>                                           \
  WEFT_FN T name(const weft_context& c, weft_byte* p, T value, uint32_t site) {          \
    weft_check_atomic<O>(c, p, sizeof(T), weft_host_read | weft_host_write, site);       \
    return weft_replace<T, O>(p, [value](T before) { return T(combine); });              \
  }
WEFT_ATOMIC_INSTRUCTION(weft_atomic_add, __atomic_fetch_add, before + value)
WEFT_ATOMIC_INSTRUCTION(weft_atomic_sub, __atomic_fetch_sub, before - value)
WEFT_ATOMIC_INSTRUCTION(weft_atomic_and, __atomic_fetch_and, before& value)
WEFT_ATOMIC_INSTRUCTION(weft_atomic_or, __atomic_fetch_or, before | value)
WEFT_ATOMIC_INSTRUCTION(weft_atomic_xor, __atomic_fetch_xor, before ^ value)

template <weft_scope, weft_order O>
WEFT_FN void weft_memory_barrier(const weft_context& c) {
  if (O == weft_relaxed) return;
  __atomic_thread_fence(weft_gcc_order(O));
#if WEFT_HOST_CHECK
  const uint32_t kind = (O != weft_release ? weft_host_acquire : 0u) | (O != weft_acquire ? weft_host_release : 0u);
  c.invocation->runtime->access(c.invocation, nullptr, 0, 1, kind, nullptr, 0);
#else
  (void)c;
#endif
}
WEFT_FN void weft_barrier(const weft_context& c, uint32_t site) { c.invocation->runtime->barrier(c.invocation, site); }
