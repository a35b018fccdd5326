#if WEFT_DYNAMIC_WORKGROUP_MEMORY_BYTES > 0
extern __shared__ uint4 weft_dynamic_shared[];  // more than a kernel can declare: given at the launch
#endif

extern "C" __global__ void WEFT_LAUNCH_BOUNDS(WEFT_WORKGROUP_SIZE_X* WEFT_WORKGROUP_SIZE_Y* WEFT_WORKGROUP_SIZE_Z)
    weft_kernel(const WEFT_PARAMETER weft_arguments arguments) {
#if WEFT_DYNAMIC_WORKGROUP_MEMORY_BYTES > 0
  weft_byte* shared = reinterpret_cast<weft_byte*>(weft_dynamic_shared);
#elif WEFT_WORKGROUP_MEMORY_BYTES > 0
  alignas(16) __shared__ weft_byte shared[WEFT_WORKGROUP_MEMORY_BYTES];
#else
  weft_byte* shared = nullptr;
#endif
  kernel::weft_self self(arguments, shared);
#if WEFT_ZEROED_WORKGROUP_MEMORY
  for (uint32_t k = weft_local_index(self); k < WEFT_WORKGROUP_MEMORY_BYTES; k += weft_invocations) shared[k] = 0;
  __syncthreads();
#endif
  WEFT_CALL_KERNEL(self);
}
