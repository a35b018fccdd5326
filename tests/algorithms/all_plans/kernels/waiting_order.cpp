#include <weft/glsl.h>

#include "tests/algorithms/all_plans/kernels/kernel_code.h"
#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

/// Checks what orders memory in the parts of the shader library whose workgroups wait for one another: each atomic
/// operation, barrier and call of a function, in order. On an x86 machine too weak an order does not show.

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

struct Part {
  const char* function;
  std::vector<Ordered> steps;
};

const Part one_dispatch[] = {
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
const Part levels[] = {
    {"weft_waterfall_end", {{spv::OpControlBarrier}, {spv::OpAtomicIAdd, both}, {spv::OpAtomicLoad}}},
};

KernelCode code_of_library(bool one) {
  return read_code(
      compile_glsl(R"(#version 460
    layout(local_size_x = 64) in;
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
    })",
                   {.defines = one ? std::vector<std::pair<std::string, std::string>>{{"WEFT_WATERFALL", "1"}}
                                   : std::vector<std::pair<std::string, std::string>>{}}));
}

void check_part(const KernelCode& code, const Part& part) {
  INFO(std::string(part.function));
  std::vector<Step> steps;
  for (const auto& [id, function] : code.functions) {
    if (function.name != part.function) continue;
    for (const Block& block : function.blocks) {
      for (const Step& step : block.steps) {
        const bool counts = step.is_barrier() || step.op == spv::OpFunctionCall ||
                            (step.is_atomic() && step.memory != spv::StorageClassWorkgroup);
        if (counts) steps.push_back(step);
      }
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

}  // namespace

TEST_CASE("parts whose workgroups wait for one another order memory as they must") {
  for (const Part& part : one_dispatch) check_part(code_of_library(true), part);
  for (const Part& part : levels) check_part(code_of_library(false), part);
}
