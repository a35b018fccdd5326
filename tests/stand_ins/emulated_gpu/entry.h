// Appended to the C++ of a kernel.
namespace emulated {

template <class A>
static inline Entry described(void (*)(A)) {
  return {[](const void* const* p) { weft_kernel(*static_cast<const A*>(p[0])); }, 1, {sizeof(A), 0}};
}
// A kernel that reads its number of workgroups from memory.
template <class A, class B>
static inline Entry described(void (*)(A, B)) {
  return {[](const void* const* p) { weft_kernel(*static_cast<const A*>(p[0]), *static_cast<const B*>(p[1])); },
          2,
          {sizeof(A), sizeof(B)}};
}

}  // namespace emulated

extern "C" emulated::Entry weft_emulated_entry() {
  emulated::Entry entry = emulated::described(weft_kernel);
  entry.lane_state = &emulated::lane_state;
  entry.warp = WEFT_EMULATED_WARP;
  entry.block = {WEFT_WORKGROUP_SIZE_X, WEFT_WORKGROUP_SIZE_Y, WEFT_WORKGROUP_SIZE_Z};
  entry.static_memory_bytes = WEFT_DYNAMIC_WORKGROUP_MEMORY_BYTES > 0 ? 0 : WEFT_WORKGROUP_MEMORY_BYTES;
  entry.dynamic_memory_bytes = WEFT_DYNAMIC_WORKGROUP_MEMORY_BYTES;
  return entry;
}
