// Stands behind the C++ of a kernel: runs its workgroups, one after the other. Returns what went wrong, or null.
namespace emulated {

inline const weft_arguments* arguments = nullptr;

inline void run_lane() {
  weft_kernel(*arguments);
  current->done = true;
  while (true) yield();
}

// Lets every lane go as far as it can, until all are done or none can go on.
inline void run_workgroup() {
  while (!problem) {
    bool progress = false, all_done = true, all_wait = true;
    for (uint32_t i = 0; i < lane_count; ++i) {
      Lane& lane = lanes[i];
      if (lane.done) continue;
      if (!lane.waits && !lane.at_barrier) {
        current = &lane;
        swapcontext(&scheduler, &lane.context);
        progress = true;
        if (problem) return;
      }
      all_done = all_done && lane.done;
      all_wait = all_wait && (lane.done || lane.at_barrier);
    }
    if (all_done) return;
    if (all_wait) {
      for (uint32_t i = 0; i < lane_count; ++i) lanes[i].at_barrier = false;
    } else if (!progress) {
      problem = "no lane can go on: a mask names lanes that come to another operation, or to none";
    }
  }
}

}  // namespace emulated

extern "C" const char* weft_emulated_launch(const uint32_t* groups, const void* arguments) {
  using namespace emulated;
  constexpr size_t stack_bytes = 128 * 1024;
  emulated::arguments = static_cast<const weft_arguments*>(arguments);
  problem = nullptr;
  grid = {groups[0], groups[1], groups[2]};
  char* const stacks = static_cast<char*>(malloc(stack_bytes * weft_invocations));
  lane_count = weft_invocations;
  for (uint64_t g = 0; g < uint64_t{grid.x} * grid.y * grid.z && !problem; ++g) {
    block = {uint32_t(g % grid.x), uint32_t(g / grid.x % grid.y), uint32_t(g / grid.x / grid.y)};
    for (uint32_t i = 0; i < weft_invocations; ++i) {
      Lane& lane = lanes[i] = {};
      lane.index = i;
      lane.thread = {i % WEFT_WORKGROUP_SIZE_X, i / WEFT_WORKGROUP_SIZE_X % WEFT_WORKGROUP_SIZE_Y,
                     i / WEFT_WORKGROUP_SIZE_X / WEFT_WORKGROUP_SIZE_Y};
      getcontext(&lane.context);
      lane.context.uc_stack.ss_sp = stacks + i * stack_bytes;
      lane.context.uc_stack.ss_size = stack_bytes;
      makecontext(&lane.context, run_lane, 0);
    }
    run_workgroup();
  }
  free(stacks);
  return problem;
}
