#include <spirv-tools/libspirv.h>

#include <set>

#include <weft/glsl.h>
#include <weft/translate.h>

#include "tests/algorithms/all_plans/kernels/kernel_code.h"
#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

/// Checks the order of data that workgroups of one dispatch hand over to one another, in the SPIR-V of every kernel. An
/// x86 machine orders loads and stores by itself, so results there do not show too weak an order.

namespace {

const uint32_t releases_and_acquires = spv::MemorySemanticsAcquireReleaseMask | spv::MemorySemanticsUniformMemoryMask;

/// How a function accesses memory that other workgroups read in the same dispatch.
struct Protocol {
  const char* function;
  spv::Op op;
  uint32_t semantics;
  const char* translated = nullptr;  ///< The same in C++, if it is for workgroups of the same dispatch.
};
const Protocol protocols[] = {
    // A tile's words, then its status: a reader of the status sees the words (weft/device/tile_state.glsl).
    {"weft_write_word", spv::OpAtomicStore, relaxed, "weft_atomic_store<uint32_t, weft_device, weft_relaxed>"},
    {"weft_write_status", spv::OpAtomicStore, publishes, "weft_atomic_store<uint32_t, weft_device, weft_release>"},
    {"weft_read_status", spv::OpAtomicLoad, sees, "weft_atomic_load<uint32_t, weft_device, weft_acquire>"},
    {"weft_read_word", spv::OpAtomicLoad, relaxed, "weft_atomic_load<uint32_t, weft_device, weft_relaxed>"},
    // A word and its status in one access, which needs no other order.
    {"weft_write_packet", spv::OpAtomicStore, relaxed, "weft_atomic_store<uint64_t, weft_device, weft_relaxed>"},
    {"weft_read_packet", spv::OpAtomicLoad, relaxed, "weft_atomic_load<uint64_t, weft_device, weft_relaxed>"},
    {"weft_publish_digit", spv::OpAtomicStore, relaxed, "weft_atomic_store<uint32_t, weft_device, weft_relaxed>"},
    {"weft_look_at_digit", spv::OpAtomicLoad, relaxed, "weft_atomic_load<uint32_t, weft_device, weft_relaxed>"},
    // Numbers that are each handed out once, without other data.
    {"weft_claim_tile", spv::OpAtomicIAdd, relaxed, "weft_atomic_add<uint32_t, weft_device, weft_relaxed>"},
    {"weft_enqueue_many", spv::OpAtomicIAdd, relaxed, "weft_atomic_add<uint32_t, weft_device, weft_relaxed>"},
    // Values of a tree's nodes, which the last to arrive at their parent reads (weft/device/tree_up.glsl).
    {"weft_tree_arrive", spv::OpMemoryBarrier, releases_and_acquires,
     "weft_memory_barrier<weft_device, weft_acquire_release>"},
    {"weft_tree_arrive", spv::OpAtomicIAdd, relaxed, "weft_atomic_add<uint32_t, weft_device, weft_relaxed>"},
    // Totals of digits, which the last workgroup to count reads (weft/kernels/sort/radix_histogram.comp).
    {"counts_last", spv::OpMemoryBarrier, releases_and_acquires},
    {"total_of", spv::OpAtomicIAdd, relaxed},
    // A slot and its value, each in one access (weft/device/hash_slots.glsl). Values of split slots are for a later
    // dispatch.
    {"weft_hash_load", spv::OpAtomicLoad, relaxed},
    {"weft_hash_swap", spv::OpAtomicCompareExchange, relaxed},
    {"weft_hash_update", spv::OpAtomicIAdd, relaxed},
    {"weft_hash_value", spv::OpAtomicLoad, relaxed},
    {"weft_hash_store_value", spv::OpAtomicStore, relaxed},
    {"weft_hash_swap_value", spv::OpAtomicCompareExchange, relaxed},
    // In a bidirectional table, what was written under a lock, then the lock's end (hash_table_bidirectional.glsl).
    {"weft_hash_move_to", spv::OpAtomicStore, relaxed},
    {"weft_hash_unlock", spv::OpAtomicStore, spv::MemorySemanticsReleaseMask | spv::MemorySemanticsUniformMemoryMask},
    {"weft_hash_acquire", spv::OpMemoryBarrier,
     spv::MemorySemanticsAcquireMask | spv::MemorySemanticsUniformMemoryMask},
    // Marks of slots, which a later dispatch reads.
    {"unlist", spv::OpAtomicExchange, relaxed},
    {"weft_add_result", spv::OpAtomicIAdd, relaxed},
    {"weft_add_left", spv::OpAtomicIAdd, relaxed},
    {"weft_any_left", spv::OpAtomicLoad, relaxed},
    {"weft_set_left", spv::OpAtomicStore, relaxed},
    {"weft_tree_meet", spv::OpMemoryBarrier, releases_and_acquires,
     "weft_memory_barrier<weft_device, weft_acquire_release>"},
    {"weft_tree_meet", spv::OpAtomicExchange, relaxed, "weft_atomic_exchange<uint32_t, weft_device, weft_relaxed>"},
    // Sums and lists that a later dispatch reads.
    {"add_to_bin", spv::OpAtomicIAdd, relaxed},
    {"weft_add_to_counts", spv::OpAtomicIAdd, relaxed},
    {"weft_add_to_total", spv::OpAtomicIAdd, relaxed},
    {"weft_add_to_digit", spv::OpAtomicIAdd, relaxed},
    {"weft_combine_into", spv::OpAtomicIAdd, relaxed},
    {"weft_combine_into", spv::OpAtomicOr, relaxed},
    {"weft_combine_into", spv::OpAtomicCompareExchange, relaxed},
    {"list_tile", spv::OpAtomicIAdd, relaxed},
    {"list_tile", spv::OpAtomicUMax, relaxed},
};

const Protocol* protocol_of(const std::string& function, const Step& step) {
  for (const Protocol& one : protocols) {
    if (function == one.function && step.op == one.op) return &one;
  }
  return nullptr;
}

template <typename Visit>
void for_each_step(Visit&& visit) {
  for (const RequestedKernel& kernel : every_kernel()) {
    const KernelCode code = read_code(kernel.module);
    for (const auto& [id, function] : code.functions) {
      for (const Block& block : function.blocks) {
        for (const Step& step : block.steps) {
          INFO(kernel.module.name, ", ", function.name, ": ", spvOpcodeString(step.op), " ", step.name);
          visit(function.name, step);
        }
      }
    }
  }
}

/// The first kernel that has this access.
const RequestedKernel& kernel_with(const Protocol& protocol) {
  for (const RequestedKernel& kernel : every_kernel()) {
    for (const auto& [id, function] : read_code(kernel.module).functions) {
      for (const Block& block : function.blocks) {
        for (const Step& step : block.steps) {
          if (protocol_of(function.name, step) == &protocol) return kernel;
        }
      }
    }
  }
  FAIL(protocol.function << " is nowhere");
  return every_kernel().front();
}

/// The body of a shader function in a translation, whose names omit "weft_".
std::string body_of(const std::string& function, const std::string& code) {
  const size_t begin = code.find(" " + function.substr(std::string("weft_").size()) + "(weft_self& self");
  REQUIRE_NE(begin, std::string::npos);
  return code.substr(begin, code.find("\n}", begin) - begin);
}

/// Whether a member of some block is coherent.
bool has_coherent_memory(const Spirv& module) {
  const std::vector<uint32_t>& words = module.words;
  for (size_t at = 5; at < words.size(); at += words[at] >> 16) {
    if ((words[at] & 0xffff) == spv::OpMemberDecorate && words[at + 3] == spv::DecorationCoherent) return true;
  }
  return false;
}

constexpr bool holds(uint32_t semantics, uint32_t wanted) { return (semantics & wanted) == wanted; }
bool is_within_workgroup(uint32_t scope) { return scope == spv::ScopeWorkgroup || scope == spv::ScopeSubgroup; }

}  // namespace

TEST_CASE("every kernel is examined") {
  std::set<std::string> looked_at;
  for (const RequestedKernel& kernel : every_kernel()) looked_at.insert(kernel.module.name);
  for (const std::string& file : shader_library_files()) {
    if (file.starts_with("weft/kernels/") && file.ends_with(".comp")) CHECK_MESSAGE(looked_at.contains(file), file);
  }
}

TEST_CASE("workgroups hand over data as their protocols require") {
  std::set<const Protocol*> met;
  for_each_step([&](const std::string& function, const Step& step) {
    const bool others_look = step.is_atomic() ? step.memory != spv::StorageClassWorkgroup
                                              : step.is_barrier() && !is_within_workgroup(step.scope);
    if (!others_look) return;
    const Protocol* const protocol = protocol_of(function, step);
    REQUIRE_MESSAGE(protocol, "a protocol that this test does not know; say in its table what it has to order");
    met.insert(protocol);
    const bool device_wide = step.scope == spv::ScopeDevice || step.scope == spv::ScopeQueueFamily;
    CHECK(device_wide);
    CHECK(holds(step.semantics, protocol->semantics));
  });
  for (const Protocol& one : protocols) CHECK_MESSAGE(met.contains(&one), one.function << " is nowhere");
}

TEST_CASE("hand-overs keep their order and scope in every translation") {
  for (const Protocol& protocol : protocols) {
    if (!protocol.translated) continue;
    const RequestedKernel& kernel = kernel_with(protocol);
    for (const auto target : {TranslationTarget::host, TranslationTarget::cuda, TranslationTarget::hip}) {
      INFO(kernel.module.name, ", ", protocol.function, ", target ", int(target));
      const std::string code = translate_spirv(kernel.module, target, kernel.options).code;
      CHECK(body_of(protocol.function, code).find(protocol.translated) != std::string::npos);
    }
  }
}

TEST_CASE("a tile's words are written before its status and read after it") {
  size_t statuses_written = 0, statuses_read = 0;
  for (const RequestedKernel& kernel : every_kernel()) {
    const KernelCode code = read_code(kernel.module);
    for (const auto& [id, function] : code.functions) {
      INFO(kernel.module.name, ", ", function.name);
      bool published = false, looked = false;
      for (const Block& block : function.blocks) {
        for (const Step& step : block.steps) {
          published = published || step.name == "weft_write_status";
          looked = looked || step.name == "weft_read_status";
          if (step.name == "weft_write_word") CHECK_FALSE(published);
          if (step.name == "weft_read_word") CHECK(looked);
        }
      }
      statuses_written += published;
      statuses_read += looked;
    }
  }
  CHECK_GT(statuses_written, 0);
  CHECK_GT(statuses_read, 0);
}

TEST_CASE("a barrier comes before arrivals at nodes, another after the last, and what they hand over is coherent") {
  size_t arrivals = 0;
  for (const RequestedKernel& kernel : every_kernel()) {
    INFO(kernel.module.name);
    for (const auto& [id, function] : read_code(kernel.module).functions) {
      const bool meets = function.name == "weft_tree_meet";
      if (!meets && function.name != "weft_tree_arrive") continue;
      std::vector<spv::Op> operations;
      for (const Block& block : function.blocks) {
        for (const Step& step : block.steps) operations.push_back(step.op);
      }
      const spv::Op arrives = meets ? spv::OpAtomicExchange : spv::OpAtomicIAdd;
      CHECK_EQ(function.blocks.front().steps.size(), 2);
      CHECK(operations == std::vector{spv::OpMemoryBarrier, arrives, spv::OpMemoryBarrier});
      CHECK(has_coherent_memory(kernel.module));
      ++arrivals;
    }
  }
  CHECK_GT(arrivals, 0);
}

TEST_CASE("meetings in a workgroup are between two barriers that order its memory and buffers") {
  const uint32_t both = releases_and_acquires | spv::MemorySemanticsWorkgroupMemoryMask;
  size_t meetings = 0;
  for (const RequestedKernel& kernel : every_kernel()) {
    INFO(kernel.module.name);
    const KernelCode code = read_code(kernel.module);
    for (const auto& [id, function] : code.functions) {
      if (function.name != "weft_group_meet") continue;
      std::vector<spv::Op> operations;
      for (const Step& step : function.blocks.front().steps) {
        if (step.op != spv::OpFunctionCall) {
          operations.push_back(step.op);
          continue;
        }
        for (const Step& inner : code.functions.at(step.called).blocks.front().steps) {
          operations.push_back(inner.op);
          CHECK_EQ(inner.scope, spv::ScopeWorkgroup);
          CHECK(holds(inner.semantics, both));
        }
      }
      CHECK(operations == std::vector{spv::OpMemoryBarrier, spv::OpAtomicExchange, spv::OpMemoryBarrier});
      ++meetings;
    }
  }
  CHECK_GT(meetings, 0);
}

// Of images/mipmaps: between the workgroup's invocations, which store and load texels, and the one that arrives.
TEST_CASE("a tile's texels are handed over by barriers that order the workgroup's memory and buffers") {
  const uint32_t both = releases_and_acquires | spv::MemorySemanticsWorkgroupMemoryMask;
  size_t barriers = 0;
  for_each_step([&](const std::string& function, const Step& step) {
    if (function != "hand_over") return;
    CHECK_EQ(step.op, spv::OpControlBarrier);
    CHECK_EQ(step.execution, spv::ScopeWorkgroup);
    CHECK_EQ(step.scope, spv::ScopeWorkgroup);
    CHECK(holds(step.semantics, both));
    ++barriers;
  });
  CHECK_GT(barriers, 0);
}

TEST_CASE("barriers and atomics of a workgroup order its memory") {
  const uint32_t both = spv::MemorySemanticsAcquireReleaseMask | spv::MemorySemanticsWorkgroupMemoryMask;
  size_t barriers = 0, atomics = 0;
  for_each_step([&](const std::string&, const Step& step) {
    if (step.is_barrier() && is_within_workgroup(step.scope)) {
      ++barriers;
      CHECK(holds(step.semantics, both));
      if (step.execution == spv::ScopeWorkgroup) CHECK_EQ(step.scope, spv::ScopeWorkgroup);
    } else if (step.is_atomic() && step.memory == spv::StorageClassWorkgroup) {
      ++atomics;
      CHECK_NE(step.scope, spv::ScopeSubgroup);
      CHECK_NE(step.scope, spv::ScopeInvocation);
    }
  });
  CHECK_GT(barriers, 0);
  CHECK_GT(atomics, 0);
}
