extern "C" void weft_kernel(weft_host_invocation* invocation) {
  kernel::weft_self self(invocation);
#if WEFT_ZEROED_WORKGROUP_MEMORY
  const uint32_t step = WEFT_WORKGROUP_SIZE_X * WEFT_WORKGROUP_SIZE_Y * WEFT_WORKGROUP_SIZE_Z;
  for (uint32_t k = weft_local_index(self); k < WEFT_WORKGROUP_MEMORY_BYTES; k += step) {
    weft_store_shared<uint8_t, 1>({self, weft_site_count}, weft_workgroup_memory(self) + k, 0);
  }
  weft_barrier(self, weft_site_count);
#endif
  WEFT_CALL_KERNEL(self);
}
