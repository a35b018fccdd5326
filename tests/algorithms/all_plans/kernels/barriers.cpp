#include <filesystem>
#include <set>

#include <weft/glsl.h>

#include "tests/algorithms/all_plans/kernels/kernel_code.h"
#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

/// Finds workgroup memory that two invocations access, not both by reading, without a barrier between on some path
/// through a kernel. On a device a missing barrier shows only by luck; in SPIR-V it always does.

namespace {

enum class Access { read, write, atomic };

/// An access to a variable since the last barrier.
struct Pending {
  std::string variable, function;
  Access access;

  auto operator<=>(const Pending&) const = default;
};

/// Two accesses without an order. Writes of one function count as one step.
struct Conflict {
  std::string variable, earlier, later;
  Access earlier_access, later_access;

  auto operator<=>(const Conflict&) const = default;
  std::string text() const {
    const auto verb = [](Access access) {
      return access == Access::read ? " reads " : access == Access::write ? " writes " : " counts in ";
    };
    return earlier + verb(earlier_access) + variable + ", then " + later + verb(later_access) + "it";
  }
};

/// Follows every path through a kernel, calls included.
class Walk {
 public:
  /// `subgroup`: subgroup barriers count too.
  Walk(const KernelCode& code, bool subgroup) : code_(code), subgroup_(subgroup) {}
  std::set<Conflict> conflicts() {
    through(code_.entry, {});
    return std::move(conflicts_);
  }

 private:
  using State = std::set<Pending>;

  State through(uint32_t function_id, const State& before) {
    if (const auto known = known_.find({function_id, before}); known != known_.end()) return known->second;
    const Function& function = code_.functions.at(function_id);
    std::vector<State> entering(function.blocks.size());
    std::vector<bool> reached(function.blocks.size());
    std::vector<size_t> changed{0};
    State after;
    entering[0] = before;
    reached[0] = true;
    while (!changed.empty()) {
      const Block& block = function.blocks[changed.back()];
      State state = entering[changed.back()];
      changed.pop_back();
      for (const Step& step : block.steps) take(step, function.name, state);
      if (block.next.empty()) after.insert(state.begin(), state.end());
      for (const size_t next : block.next) {
        const size_t known = entering[next].size();
        entering[next].insert(state.begin(), state.end());
        if (reached[next] && entering[next].size() == known) continue;
        reached[next] = true;
        changed.push_back(next);
      }
    }
    return known_[{function_id, before}] = after;
  }

  void take(const Step& step, const std::string& function, State& state) {
    if (step.op == spv::OpFunctionCall) {
      state = through(step.called, state);
    } else if (step.op == spv::OpControlBarrier) {
      if (step.execution == spv::ScopeWorkgroup || subgroup_) state.clear();
    } else if (step.memory == spv::StorageClassWorkgroup) {
      const Access access = step.is_atomic() ? Access::atomic : step.op == spv::OpLoad ? Access::read : Access::write;
      for (const Pending& earlier : state) {
        const bool same = earlier.access == access && (access != Access::write || earlier.function == function);
        if (earlier.variable == step.name && !same)
          conflicts_.insert({step.name, earlier.function, function, earlier.access, access});
      }
      state.insert({step.name, function, access});
    }
  }

  const KernelCode& code_;
  const bool subgroup_;
  std::set<Conflict> conflicts_;
  std::map<std::pair<uint32_t, State>, State> known_;
};

/// Cases in which each invocation accesses words of its own, both times or within one step.
const std::set<std::string> of_one_invocation{
    // The counts of its own digits become ranks; the words of its lanes' digit and of matching lanes.
    "weft_scan_digits reads weft_sort_memory, then weft_scan_digits writes it",
    "weft_scan_digits writes weft_sort_memory, then weft_scan_digits reads it",
    "weft_rank_digits writes weft_sort_memory, then weft_clear_match writes it",
    // A level's texels are computed from those of the level above.
    "weft_mip_get reads weft_mip_memory, then weft_mip_put writes it",
    "weft_mip_put writes weft_mip_memory, then weft_mip_get reads it",
    // In a step of the tree, no word is both read and written.
    "reduce_fixed: main reads weft_parts, then main writes it",
    // In a step of the network, an invocation's own pairs.
    "tile_sort: weft_tile_get reads weft_tile_words, then weft_tile_put writes it",
    "tile_sort: weft_tile_put writes weft_tile_words, then weft_tile_get reads it",
};

/// Words that an invocation hands over to another by an atomic between fences: weft_group_meet().
const std::set<std::string> handed_over{
    "weft_keep_box writes weft_kept_boxes, then weft_kept_box reads it",
    "weft_kept_box reads weft_kept_boxes, then weft_keep_box writes it",
};

/// Memory, or functions on memory, in which each subgroup has a part of its own. A subgroup barrier is enough.
bool is_of_one_subgroup(const Conflict& conflict) {
  static const std::set<std::string> variables{"weft_staged_heads", "weft_staged_keys", "weft_staged_indices",
                                               "weft_staged_totals", "weft_staged_words"};
  static const std::set<std::string> ranking{"weft_count_digits", "weft_rank_digits", "weft_match_by_atomics",
                                             "weft_clear_match"};
  return variables.contains(conflict.variable) ||
         (conflict.variable == "weft_sort_memory" && ranking.contains(conflict.earlier) &&
          ranking.contains(conflict.later));
}

void check_barriers(const Spirv& module) {
  const std::string kernel = std::filesystem::path(module.name).stem().string();
  const auto is_own = [&](const Conflict& conflict) {
    return of_one_invocation.contains(conflict.text()) || handed_over.contains(conflict.text()) ||
           of_one_invocation.contains(kernel + ": " + conflict.text());
  };
  const KernelCode code = read_code(module);
  for (const Conflict& conflict : Walk(code, true).conflicts())
    CHECK_MESSAGE(is_own(conflict), kernel << ": " << conflict.text());
  for (const Conflict& conflict : Walk(code, false).conflicts()) {
    CHECK_MESSAGE((is_own(conflict) || is_of_one_subgroup(conflict)),
                  kernel << ": " << conflict.text() << ", with no barrier of the workgroup in between");
  }
}

}  // namespace

TEST_CASE("a barrier stands between accesses of different invocations to workgroup memory") {
  for (const RequestedKernel& kernel : every_kernel()) {
    const bool has_one_invocation = kernel.module.name.find("_serial") != std::string::npos;
    if (!has_one_invocation) check_barriers(kernel.module);
  }
}

// Weft's kernels call some functions once; other kernels may call them repeatedly.
TEST_CASE("workgroup functions that may be called again end with a barrier") {
  check_barriers(compile_glsl(R"(#version 460
    #define WEFT_MAX_SUBGROUPS 64
    #define T uint
    #define WEFT_OP(name) sum_##name
    #define WEFT_COMBINE a + b
    #define WEFT_IDENTITY 0u
    #include "weft/thread/operator.glsl"
    #include "weft/workgroup/reduce.glsl"
    #include "weft/workgroup/scan.glsl"
    #undef T
    #undef WEFT_OP
    #include "weft/device/enqueue.glsl"
    #include "weft/device/pool.glsl"
    layout(local_size_x = 256) in;
    layout(push_constant) uniform Arguments { WeftQueue queue; WeftPool pool; uint rounds; } args;
    void main() {
      uint x = gl_LocalInvocationIndex, total;
      for (uint i = 0u; i < args.rounds; ++i) x = sum_workgroup_reduce(x);
      for (uint i = 0u; i < args.rounds; ++i) x = sum_workgroup_exclusive_scan(x, total);
      for (uint i = 0u; i < args.rounds; ++i) x = weft_enqueue_tile(args.queue, x);
      for (uint i = 0u; i < args.rounds; ++i) x += weft_pool_take_workgroup(args.pool);
    })"));
}
