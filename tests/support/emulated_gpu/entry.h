// Stands behind the C++ of a kernel.
extern "C" const emulated::Entry* weft_emulated_entry() {
  static const emulated::Entry entry = {
      [](const void* arguments) { weft_kernel(*static_cast<const weft_arguments*>(arguments)); },
      &emulated::place,
      WEFT_EMULATED_WARP,
      {WEFT_WORKGROUP_SIZE_X, WEFT_WORKGROUP_SIZE_Y, WEFT_WORKGROUP_SIZE_Z},
      sizeof(weft_arguments),
      WEFT_DYNAMIC_WORKGROUP_MEMORY_BYTES > 0 ? 0 : WEFT_WORKGROUP_MEMORY_BYTES,
      WEFT_DYNAMIC_WORKGROUP_MEMORY_BYTES};
  return &entry;
}
