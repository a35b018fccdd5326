// Shared by CUDA and HIP: the invocation's indices, its arguments, and memory.
struct weft_binding {
  weft_byte* data;
  uint64_t bytes;
};
// The single parameter of weft_kernel: bindings in the order of the kernel's reflection, and the push-constant block.
struct alignas(16) weft_arguments {
  weft_binding bindings[WEFT_BINDING_COUNT > 0 ? WEFT_BINDING_COUNT : 1];
  alignas(16) weft_byte push_constants[WEFT_PUSH_CONSTANT_BYTES > 0 ? WEFT_PUSH_CONSTANT_BYTES : 1];
};

struct weft_context {
  const weft_arguments& arguments;
  weft_byte* shared;
#ifdef WEFT_INDIRECT
  weft_uvec3 workgroup_id, workgroup_count;
#endif
  WEFT_MEMBER weft_context(const weft_arguments& a, weft_byte* s) : arguments(a), shared(s) {}
};

#ifdef WEFT_INDIRECT
WEFT_FN weft_uvec3 weft_workgroup_count(const weft_context& c) { return c.workgroup_count; }
WEFT_FN weft_uvec3 weft_workgroup_id(const weft_context& c) { return c.workgroup_id; }
#else
WEFT_FN weft_uvec3 weft_workgroup_count(const weft_context&) {
  return weft_uvec3{{WEFT_GROUP_COUNT(x, WEFT_WORKGROUP_SIZE_X), WEFT_GROUP_COUNT(y, WEFT_WORKGROUP_SIZE_Y),
                     WEFT_GROUP_COUNT(z, WEFT_WORKGROUP_SIZE_Z)}};
}
WEFT_FN weft_uvec3 weft_workgroup_id(const weft_context&) {
  return weft_uvec3{{WEFT_GROUP_ID(x), WEFT_GROUP_ID(y), WEFT_GROUP_ID(z)}};
}
#endif
WEFT_FN weft_uvec3 weft_local_id(const weft_context&) { return weft_uvec3{{threadIdx.x, threadIdx.y, threadIdx.z}}; }
WEFT_FN weft_uvec3 weft_workgroup_size(const weft_context&) {
  return weft_uvec3{{WEFT_WORKGROUP_SIZE_X, WEFT_WORKGROUP_SIZE_Y, WEFT_WORKGROUP_SIZE_Z}};
}
WEFT_FN weft_uvec3 weft_global_id(const weft_context& c) {
  return weft_add(weft_mul(weft_workgroup_id(c), weft_workgroup_size(c)), weft_local_id(c));
}
constexpr uint32_t weft_invocations = WEFT_WORKGROUP_SIZE_X * WEFT_WORKGROUP_SIZE_Y * WEFT_WORKGROUP_SIZE_Z;
WEFT_FN uint32_t weft_local_index(const weft_context&) {
  uint32_t index = threadIdx.x;
  if (WEFT_WORKGROUP_SIZE_Y > 1) index += threadIdx.y * WEFT_WORKGROUP_SIZE_X;
  if (WEFT_WORKGROUP_SIZE_Z > 1) index += threadIdx.z * (WEFT_WORKGROUP_SIZE_X * WEFT_WORKGROUP_SIZE_Y);
  return index;
}
WEFT_FN uint32_t weft_subgroup_size(const weft_context&) { return WEFT_WARP; }
WEFT_FN uint32_t weft_subgroup_count(const weft_context&) { return (weft_invocations + WEFT_WARP - 1) / WEFT_WARP; }
WEFT_FN uint32_t weft_subgroup_id(const weft_context& c) { return weft_local_index(c) / WEFT_WARP; }
WEFT_FN uint32_t weft_lane(const weft_context& c) { return weft_local_index(c) % WEFT_WARP; }

WEFT_FN uint32_t weft_descriptor(const weft_context&, uint32_t first, uint32_t, uint64_t index, uint32_t) {
  return first + uint32_t(index);
}
WEFT_FN weft_byte* weft_buffer(const weft_context& c, uint32_t binding) {
  return weft_place(c.arguments.bindings[binding].data);
}
WEFT_FN uint32_t weft_array_length(const weft_context& c, uint32_t binding, uint32_t offset, uint32_t stride) {
  const uint64_t bytes = c.arguments.bindings[binding].bytes;
  return bytes < offset ? 0u : uint32_t((bytes - offset) / stride);
}
WEFT_FN uint64_t weft_scaled(uint64_t stride, uint64_t index) { return stride * index; }
WEFT_FN weft_byte* weft_push_constants(const weft_context& c) {
  return const_cast<weft_byte*>(c.arguments.push_constants);
}
WEFT_FN weft_byte* weft_workgroup_memory(const weft_context& c) { return c.shared; }
WEFT_FN weft_byte* weft_to_pointer(uint64_t address) { return weft_place(reinterpret_cast<weft_byte*>(address)); }
WEFT_FN uint64_t weft_from_pointer(const void* pointer) { return reinterpret_cast<uint64_t>(pointer); }

// On the host, accesses are checked and carry their location.
struct weft_at {
  WEFT_MEMBER weft_at(const weft_context&, uint32_t, uint32_t = 0) {}
};

// Memory is accessed in the largest units that its alignment allows, up to 16 bytes.
template <uint32_t bytes>
struct weft_unit;
template <>
struct weft_unit<1> {
  typedef uint8_t type;
};
template <>
struct weft_unit<2> {
  typedef uint16_t type;
};
template <>
struct weft_unit<4> {
  typedef uint32_t type;
};
template <>
struct weft_unit<8> {
  typedef weft_two_words type;
};
template <>
struct weft_unit<16> {
  typedef weft_four_words type;
};
template <uint32_t size, uint32_t unit>
struct weft_unit_bytes {
  static constexpr uint32_t value = size % unit == 0 ? unit : weft_unit_bytes<size, (unit > 1 ? unit / 2 : 1)>::value;
};
template <uint32_t size>
struct weft_unit_bytes<size, 1> {
  static constexpr uint32_t value = 1;
};
template <class T>
WEFT_FN T weft_loaded(T value) {
  return value;
}
WEFT_FN weft_byte* weft_loaded(weft_byte* value) { return weft_place(value); }
template <class U>
WEFT_FN U* weft_units_at(const weft_byte* p) {
  return (U*)p;
}
template <class T, uint32_t A, class P>
WEFT_FN T weft_load_units(P p) {
  constexpr uint32_t unit = weft_unit_bytes<sizeof(T), (A < 16u ? A : 16u)>::value, count = sizeof(T) / unit;
  typedef typename weft_unit<unit>::type U;
  struct parts {
    U u[count];
  } read;
  WEFT_UNROLL for (uint32_t k = 0; k < count; ++k) read.u[k] = weft_units_at<const U>(p)[k];
  return weft_loaded(weft_bitcast<T>(read));
}
template <class T, uint32_t A, class P>
WEFT_FN void weft_store_units(P p, const T& value) {
  constexpr uint32_t unit = weft_unit_bytes<sizeof(T), (A < 16u ? A : 16u)>::value, count = sizeof(T) / unit;
  typedef typename weft_unit<unit>::type U;
  struct parts {
    U u[count];
  } written = weft_bitcast<parts>(value);
  WEFT_UNROLL for (uint32_t k = 0; k < count; ++k) weft_units_at<U>(p)[k] = written.u[k];
}
// The target may specialize this.
template <class U>
struct weft_volatile {
  template <class P>
  static WEFT_MEMBER U read(P p) {
    return *p;
  }
  template <class P>
  static WEFT_MEMBER void write(P p, const U& value) {
    *p = value;
  }
};
#ifndef WEFT_VOLATILE_BYTES  // of the largest unit of a volatile access
#define WEFT_VOLATILE_BYTES 16u
#endif
template <class T, uint32_t A, class P>
WEFT_FN T weft_load_volatile_units(P p) {
  constexpr uint32_t most = A < WEFT_VOLATILE_BYTES ? A : WEFT_VOLATILE_BYTES;
  constexpr uint32_t unit = weft_unit_bytes<sizeof(T), most>::value, count = sizeof(T) / unit;
  typedef typename weft_unit<unit>::type U;
  struct parts {
    U u[count];
  } read;
  WEFT_UNROLL for (uint32_t k = 0; k < count; ++k) {
    read.u[k] = weft_volatile<U>::read(weft_units_at<const volatile U>(p) + k);
  }
  return weft_loaded(weft_bitcast<T>(read));
}
template <class T, uint32_t A, class P>
WEFT_FN void weft_store_volatile_units(P p, const T& value) {
  constexpr uint32_t most = A < WEFT_VOLATILE_BYTES ? A : WEFT_VOLATILE_BYTES;
  constexpr uint32_t unit = weft_unit_bytes<sizeof(T), most>::value, count = sizeof(T) / unit;
  typedef typename weft_unit<unit>::type U;
  struct parts {
    U u[count];
  } written = weft_bitcast<parts>(value);
  WEFT_UNROLL for (uint32_t k = 0; k < count; ++k) {
    weft_volatile<U>::write(weft_units_at<volatile U>(p) + k, written.u[k]);
  }
}
template <class T, uint32_t A, class P>
WEFT_FN T weft_load_volatile_words(P p) {
  return weft_load_volatile_units<T, (A < 4u ? A : 4u)>(p);
}
template <class T, uint32_t A, class P>
WEFT_FN void weft_store_volatile_words(P p, const T& value) {
  weft_store_volatile_units<T, (A < 4u ? A : 4u)>(p, value);
}
// `in` tells the compiler the memory space of an address: the target's weft_in_buffer, or nothing.
#define WEFT_ACCESS(suffix, units, in)                                                        \
  template <class T, uint32_t A>                                                              \
  WEFT_FN T weft_load##suffix(weft_at, const weft_byte* p) {                                  \
    return weft_load##units<T, A>(in(p));                                                     \
  }                                                                                           \
  template <class T, uint32_t A>                                                              \
  WEFT_FN void weft_store##suffix(weft_at, weft_byte* p, T value) {                           \
    weft_store##units<T, A>(in(p), value);                                                    \
  }                                                                                           \
  template <class T, uint32_t N, uint32_t A>                                                  \
  WEFT_FN weft_vec<T, N> weft_load##suffix##_vec(weft_at, const weft_byte* p) {               \
    return weft_load##units<weft_vec<T, N>, A>(in(p));                                        \
  }                                                                                           \
  template <class T, uint32_t N, uint32_t A>                                                  \
  WEFT_FN void weft_store##suffix##_vec(weft_at, weft_byte* p, const weft_vec<T, N>& value) { \
    weft_store##units<weft_vec<T, N>, A>(in(p), value);                                       \
  }
WEFT_ACCESS(, _units, weft_in_buffer)
WEFT_ACCESS(_shared, _units, )
WEFT_ACCESS(_argument, _units, )
WEFT_ACCESS(_volatile, _volatile_units, weft_in_buffer)
WEFT_ACCESS(_shared_volatile, _volatile_words, )

template <weft_scope S>
WEFT_FN void weft_fence();  // defined by the target
template <weft_scope S, weft_order O>
WEFT_FN void weft_memory_barrier(const weft_context&) {
  if (O != weft_relaxed) weft_fence<S>();
}
WEFT_FN void weft_barrier(const weft_context&, uint32_t) { __syncthreads(); }
