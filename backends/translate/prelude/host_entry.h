#ifdef WEFT_LANES
// Subgroups that do not wait for one another run in one call.
extern "C" const uint32_t weft_lanes_of_call =
    WEFT_IN_VECTORS ? (weft_invocations + WEFT_LANES - 1) / WEFT_LANES * WEFT_LANES : WEFT_LANES;
#endif
static inline void weft_run(weft_host_invocation* invocation) {
#ifdef WEFT_LANES
  kernel::weft_privates privates[WEFT_IN_VECTORS ? 1 : WEFT_LANES];
  kernel::weft_self self(invocation, privates);
#else
  kernel::weft_self self(invocation);
#endif
#if WEFT_ZEROED_WORKGROUP_MEMORY
#ifdef WEFT_LANES
  const uint32_t first = weft_subgroup_id(self), step = weft_subgroup_count(self);
#else
  const uint32_t first = weft_local_index(self);
  const uint32_t step = WEFT_WORKGROUP_SIZE_X * WEFT_WORKGROUP_SIZE_Y * WEFT_WORKGROUP_SIZE_Z;
#endif
  for (uint32_t k = first; k < WEFT_WORKGROUP_MEMORY_BYTES; k += step) {
    weft_store_shared<uint8_t, 1>({self, weft_site_count}, weft_workgroup_memory(self) + k, 0);
  }
  weft_barrier(self, weft_site_count);
#endif
  WEFT_CALL_KERNEL(self);
}
extern "C" void weft_kernel(weft_host_invocation* invocation) {
#ifdef WEFT_LANES
  while (WEFT_IN_VECTORS && invocation->local_index + WEFT_LANES < weft_invocations) {
    weft_run(invocation);
    invocation->local_index += WEFT_LANES;
    ++invocation->subgroup_id;
  }
#endif
  weft_run(invocation);
}
