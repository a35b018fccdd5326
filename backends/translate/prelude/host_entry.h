extern "C" void weft_kernel(weft_host_invocation* invocation) {
  kernel::weft_self self(invocation);
  WEFT_CALL_KERNEL(self);
}
