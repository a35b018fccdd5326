#if WEFT_DYNAMIC_WORKGROUP_MEMORY_BYTES > 0
extern __shared__ uint4 weft_dynamic_shared[];  // more than a kernel can declare: provided by the launch
#endif

WEFT_FN void weft_run_workgroup(kernel::weft_self& self) {
#if WEFT_ZEROED_WORKGROUP_MEMORY
  for (uint32_t k = weft_local_index(self); k < WEFT_WORKGROUP_MEMORY_BYTES; k += weft_invocations) self.shared[k] = 0;
  __syncthreads();
#endif
  WEFT_CALL_KERNEL(self);
}

extern "C" __global__ void WEFT_LAUNCH_BOUNDS(WEFT_WORKGROUP_SIZE_X* WEFT_WORKGROUP_SIZE_Y* WEFT_WORKGROUP_SIZE_Z)
#ifdef WEFT_INDIRECT
    weft_kernel(const WEFT_PARAMETER weft_arguments arguments, const uint32_t* counts) {
#else
    weft_kernel(const WEFT_PARAMETER weft_arguments arguments) {
#endif
  WEFT_SAVE_REGISTERS();
  WEFT_AWAIT_EARLIER_LAUNCHES();
#if WEFT_DYNAMIC_WORKGROUP_MEMORY_BYTES > 0
  weft_byte* shared = reinterpret_cast<weft_byte*>(weft_dynamic_shared);
#elif WEFT_WORKGROUP_MEMORY_BYTES > 0
  alignas(16) __shared__ weft_byte shared[WEFT_WORKGROUP_MEMORY_BYTES];
#else
weft_byte* shared = nullptr;
#endif
#ifdef WEFT_INDIRECT
  // The group counts are in memory. The blocks of the launch loop over the workgroups.
  const uint64_t x = counts[0], y = counts[1], z = counts[2];
  const uint32_t groups = WEFT_GROUP_COUNT(x, WEFT_WORKGROUP_SIZE_X);
  for (uint64_t group = WEFT_GROUP_ID(x); group < x * y * z; group += groups) {
    kernel::weft_self self(arguments, shared);
    self.workgroup_count = weft_uvec3{{uint32_t(x), uint32_t(y), uint32_t(z)}};
    self.workgroup_id = weft_uvec3{{uint32_t(group), 0, 0}};
    if (y * z > 1) {  // 64-bit division takes many instructions
      self.workgroup_id = weft_uvec3{{uint32_t(group % x), uint32_t(group / x % y), uint32_t(group / x / y)}};
    }
    weft_run_workgroup(self);
    __syncthreads();  // before the next workgroup reuses the memory
  }
#else
  kernel::weft_self self(arguments, shared);
  weft_run_workgroup(self);
#endif
}
