#include <algorithm>
#include <iterator>

#include <weft/glsl.h>

#include "tests/algorithms/all_plans/kernels/kernel_code.h"
#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

/// Checks what orders memory in the parts of the shader library that hand data from one invocation to another: each
/// atomic operation, barrier and call of a function, in order. On an x86 machine too weak an order does not show.

namespace {

constexpr uint32_t buffers = spv::MemorySemanticsUniformMemoryMask;
constexpr uint32_t available = spv::MemorySemanticsMakeAvailableMask, visible = spv::MemorySemanticsMakeVisibleMask;
constexpr uint32_t both = spv::MemorySemanticsAcquireReleaseMask | available | visible | buffers;

struct Ordered {
  spv::Op op;
  uint32_t semantics = relaxed;
  const char* called = "";
};

Ordered call(const char* function) { return {spv::OpFunctionCall, relaxed, function}; }

/// What orders memory in a function. Of its calls, those of functions in the same table count.
struct Part {
  const char* function;
  std::vector<Ordered> steps;
};

const std::vector<Part> one_dispatch{
    {"weft_workgroup_meet", {{spv::OpControlBarrier, both | spv::MemorySemanticsWorkgroupMemoryMask}}},
    {"weft_grid_arrive", {{spv::OpAtomicIAdd, publishes}}},
    {"weft_grid_wait", {{spv::OpAtomicLoad}, {spv::OpMemoryBarrier, sees}}},
    {"weft_grid_meet", {call("weft_grid_arrive"), call("weft_grid_arrive"), call("weft_grid_wait")}},
    {"weft_grid_barrier",
     {call("weft_workgroup_meet"), call("weft_grid_meet"), call("weft_workgroup_meet"),
      // The one with the workgroup's index.
      call("weft_workgroup_meet"), call("weft_grid_arrive"), call("weft_grid_wait"), call("weft_workgroup_meet")}},
    // What was claimed but is not there goes back.
    {"weft_queue_claim", {{spv::OpAtomicLoad}, {spv::OpAtomicIAdd}, {spv::OpAtomicIAdd}}},
    {"weft_queue_ready", {{spv::OpAtomicLoad, sees}}},
    {"weft_queue_put", {{spv::OpAtomicStore}, {spv::OpAtomicStore, publishes}}},
    {"weft_queue_get", {{spv::OpAtomicLoad}, {spv::OpAtomicStore, publishes}}},
    {"weft_queue_access", {call("weft_queue_ready"), call("weft_queue_put"), call("weft_queue_get")}},
    // The other side gets room when there is a ticket for it to wait for.
    {"weft_queue_operate",
     {call("weft_queue_claim"), {spv::OpAtomicIAdd}, call("weft_queue_access"), {spv::OpAtomicIAdd}}},
    {"weft_work_finish", {call("weft_workgroup_meet"), {spv::OpAtomicIAdd, publishes}}},
    {"weft_work_all_finished", {{spv::OpAtomicLoad, sees}, {spv::OpAtomicLoad}}},
    {"weft_work_pop",
     {call("weft_queue_claim"),
      {spv::OpAtomicIAdd},
      call("weft_queue_ready"),
      call("weft_queue_get"),
      {spv::OpAtomicIAdd}}},
    {"weft_work_look", {call("weft_work_pop"), call("weft_work_all_finished")}},
    {"weft_waterfall_is_set", {{spv::OpAtomicLoad, sees}}},
    {"weft_waterfall_set", {{spv::OpAtomicStore, publishes}}},
};
const std::vector<Part> levels{
    {"weft_waterfall_end", {{spv::OpControlBarrier}, {spv::OpAtomicIAdd, both}, {spv::OpAtomicLoad}}},
};
const char* const waiting = R"(
    #include "weft/device/grid_barrier.glsl"
    #include "weft/device/waterfall.glsl"
    #include "weft/device/work_queue.glsl"
    layout(push_constant) uniform Push { WeftGridBarrier grid; WeftWorkQueue queue; WeftWaterfall waterfall; } args;
    void main() {
      uint item;
      weft_grid_barrier(args.grid, 2u);
      weft_grid_barrier(args.grid, gl_WorkGroupID.x, 2u);
      while (weft_work_take(args.queue, item)) {
        weft_work_push(args.queue, item);
        weft_work_finish(args.queue);
      }
      if (weft_waterfall_is_set(args.waterfall, item)) weft_waterfall_set(args.waterfall, item);
      weft_waterfall_end(args.waterfall);
    })";

const std::vector<Part> locks{
    {"weft_try_lock", {{spv::OpAtomicCompareExchange, sees}}},
    {"weft_unlock", {{spv::OpAtomicStore, publishes}}},
    {"weft_take_lock", {{spv::OpAtomicLoad}, call("weft_try_lock")}},
    {"weft_end_locking", {call("weft_unlock")}},
};
const char* const locking = R"(
    #include "weft/device/lock.glsl"
    layout(push_constant) uniform Push { WeftLocks locks; } args;
    void main() { WEFT_WITH_LOCK(args.locks, gl_LocalInvocationIndex, true) {} })";

const std::vector<Part> allocations{
    {"weft_take_bit", {{spv::OpAtomicOr, sees}}},
    {"weft_give_bit", {{spv::OpAtomicAnd, publishes}}},
    {"weft_pool_take", {call("weft_take_bit")}},
    {"weft_pool_give", {call("weft_give_bit")}},
    {"weft_pool_take_subgroup", {call("weft_pool_take"), {spv::OpMemoryBarrier, sees}}},
    {"weft_pool_give_subgroup", {{spv::OpMemoryBarrier, publishes}, call("weft_pool_give")}},
    {"weft_pool_barrier", {{spv::OpControlBarrier, both | spv::MemorySemanticsWorkgroupMemoryMask}}},
    {"weft_pool_take_workgroup", {call("weft_pool_take"), call("weft_pool_barrier"), {spv::OpControlBarrier}}},
    {"weft_pool_give_workgroup", {call("weft_pool_barrier"), call("weft_pool_give")}},
    // The count goes to zero, and up again in weft_slab_replace(), in read-modify-writes of one release sequence. So
    // the next owner of a slab sees what the last ones did to all of its blocks.
    {"weft_slab_release", {{spv::OpAtomicIAdd, publishes}, {spv::OpAtomicCompareExchange}, call("weft_pool_give")}},
    {"weft_slab_reserve", {{spv::OpAtomicLoad}, {spv::OpAtomicIAdd, sees}, call("weft_slab_release")}},
    {"weft_slab_take_block", {call("weft_take_bit")}},
    {"weft_slab_is_free", {{spv::OpAtomicLoad}}},
    {"weft_slab_replace",
     {{spv::OpAtomicCompareExchange},
      call("weft_pool_take"),
      {spv::OpAtomicIAdd, sees},
      {spv::OpAtomicStore, publishes}}},
    {"weft_slab_find",
     {{spv::OpAtomicLoad, sees},
      call("weft_slab_reserve"),
      call("weft_slab_is_free"),
      call("weft_slab_replace"),
      call("weft_slab_reserve"),
      {spv::OpAtomicCompareExchange}}},
    {"weft_allocate", {call("weft_slab_find"), call("weft_slab_take_block")}},
    {"weft_free", {{spv::OpAtomicLoad}, call("weft_give_bit"), call("weft_slab_release")}},
};
const char* const allocating = R"(
    #include "weft/device/slab_allocator.glsl"
    layout(push_constant) uniform Push { WeftPool pool; WeftSlabAllocator allocator; } args;
    void main() {
      weft_pool_give_subgroup(args.pool, weft_pool_take_subgroup(args.pool));
      weft_pool_give_workgroup(args.pool, weft_pool_take_workgroup(args.pool));
      weft_free(args.allocator, weft_allocate(args.allocator, 16u));
    })";

bool counts(const Step& step, const std::vector<Part>& parts) {
  if (step.op == spv::OpFunctionCall) {
    return std::ranges::any_of(parts, [&](const Part& part) { return step.name == part.function; });
  }
  return step.is_barrier() || (step.is_atomic() && step.memory != spv::StorageClassWorkgroup);
}

void check_part(const KernelCode& code, const Part& part, const std::vector<Part>& parts) {
  INFO(std::string(part.function));
  std::vector<Step> steps;
  for (const auto& [id, function] : code.functions) {
    if (function.name != part.function) continue;
    for (const Block& block : function.blocks) {
      std::ranges::copy_if(block.steps, std::back_inserter(steps),
                           [&](const Step& step) { return counts(step, parts); });
    }
  }
  REQUIRE_EQ(steps.size(), part.steps.size());
  for (size_t i = 0; i < steps.size(); ++i) {
    CHECK_EQ(steps[i].op, part.steps[i].op);
    CHECK_EQ(steps[i].semantics & part.steps[i].semantics, part.steps[i].semantics);
    if (*part.steps[i].called) CHECK_EQ(steps[i].name, std::string(part.steps[i].called));
    const bool device_wide = steps[i].scope == spv::ScopeDevice || steps[i].scope == spv::ScopeQueueFamily;
    if (steps[i].is_atomic() || steps[i].op == spv::OpMemoryBarrier) CHECK(device_wide);
  }
}

void check_parts(const std::vector<Part>& parts, const std::string& source, const GlslOptions& options = {}) {
  const KernelCode code = read_code(compile_glsl("#version 460\nlayout(local_size_x = 64) in;\n" + source, options));
  for (const Part& part : parts) check_part(code, part, parts);
}

}  // namespace

TEST_CASE("parts whose workgroups wait for one another order memory as they must") {
  check_parts(one_dispatch, waiting, {.defines = {{"WEFT_WATERFALL", "1"}}});
  check_parts(levels, waiting);
}

TEST_CASE("what invocations hand to one another by locks, pools and allocations is ordered") {
  check_parts(locks, locking);
  check_parts(allocations, allocating);
}
