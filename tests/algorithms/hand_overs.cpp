#include <weft/glsl.h>
#include <weft/scan.h>
#include <weft/sort.h>

#include <spirv-tools/libspirv.h>
#include <map>
#include <set>
#include <spirv/unified1/spirv.hpp>

#include "recording_device.h"
#include "test.h"
#include "tests/translate/vendors/primitives.h"

using namespace weft;
using namespace weft::test;

/// What workgroups of one dispatch hand over to one another, and how strong its order has to be, in the SPIR-V of every
/// kernel. An x86 machine orders loads and stores by itself, so results do not show it where a kernel asks for less.

namespace {

/// An atomic operation or a barrier, with the function that it stands in.
struct Ordering {
  std::string function;
  spv::Op op;
  spv::StorageClass memory;  ///< Of what an operation acts on.
  uint32_t execution, scope, semantics;

  bool is_barrier() const { return op == spv::OpMemoryBarrier || op == spv::OpControlBarrier; }
  /// Within the workgroup, and nothing to do with what others see.
  bool is_own() const {
    return is_barrier() ? scope == spv::ScopeWorkgroup || scope == spv::ScopeSubgroup
                        : memory == spv::StorageClassWorkgroup;
  }
};

struct Call {
  std::string caller, called;
};

/// In the order of the module's text.
struct Module {
  std::vector<Ordering> orderings;
  std::vector<Call> calls;
};

std::string without_parameters(const std::string& name) { return name.substr(0, name.find('(')); }

bool is_atomic(spv::Op op) {
  return (op >= spv::OpAtomicLoad && op <= spv::OpAtomicXor) || op == spv::OpAtomicFAddEXT ||
         op == spv::OpAtomicFMinEXT || op == spv::OpAtomicFMaxEXT;
}

Module read(const Spirv& spirv) {
  Module module;
  std::map<uint32_t, std::string> names;
  std::map<uint32_t, uint32_t> constants, type_of;
  std::map<uint32_t, spv::StorageClass> memory_of;  // of types of pointers
  std::string function;
  const std::vector<uint32_t>& words = spirv.words;
  for (size_t at = 5; at < words.size(); at += words[at] >> 16) {
    const auto op = spv::Op(words[at] & 0xffff);
    const uint32_t* const operands = &words[at + 1];
    if (op == spv::OpName) {
      names[operands[0]] = without_parameters(reinterpret_cast<const char*>(operands + 1));
    } else if (op == spv::OpConstant) {
      constants[operands[1]] = operands[2];
    } else if (op == spv::OpTypePointer) {
      memory_of[operands[0]] = spv::StorageClass(operands[1]);
    } else if (op == spv::OpVariable || op == spv::OpAccessChain) {
      type_of[operands[1]] = operands[0];
    } else if (op == spv::OpFunction) {
      function = names[operands[1]];
    } else if (op == spv::OpFunctionCall) {
      module.calls.push_back({function, names[operands[2]]});
    } else if (op == spv::OpMemoryBarrier) {
      module.orderings.push_back({function, op, {}, 0, constants.at(operands[0]), constants.at(operands[1])});
    } else if (op == spv::OpControlBarrier) {
      module.orderings.push_back(
          {function, op, {}, constants.at(operands[0]), constants.at(operands[1]), constants.at(operands[2])});
    } else if (is_atomic(op)) {
      const uint32_t* const pointer = operands + (op == spv::OpAtomicStore ? 0 : 2);
      module.orderings.push_back(
          {function, op, memory_of.at(type_of.at(pointer[0])), 0, constants.at(pointer[1]), constants.at(pointer[2])});
    }
  }
  return module;
}

constexpr uint32_t relaxed = 0;
const uint32_t publishes =
    spv::MemorySemanticsReleaseMask | spv::MemorySemanticsMakeAvailableMask | spv::MemorySemanticsUniformMemoryMask;
const uint32_t sees =
    spv::MemorySemanticsAcquireMask | spv::MemorySemanticsMakeVisibleMask | spv::MemorySemanticsUniformMemoryMask;

/// What a function does with memory that other workgroups look at in the same dispatch.
struct Protocol {
  const char* function;
  spv::Op op;
  uint32_t semantics;
};
const Protocol protocols[] = {
    // A tile's words and then its status: who sees the status sees the words (weft/device/tile_state.glsl).
    {"weft_write_word", spv::OpAtomicStore, relaxed},
    {"weft_write_status", spv::OpAtomicStore, publishes},
    {"weft_read_status", spv::OpAtomicLoad, sees},
    {"weft_read_word", spv::OpAtomicLoad, relaxed},
    // A word and its status in one, so that nothing else has to be ordered.
    {"weft_write_packet", spv::OpAtomicStore, relaxed},
    {"weft_read_packet", spv::OpAtomicLoad, relaxed},
    {"weft_publish_digit", spv::OpAtomicStore, relaxed},
    {"weft_look_at_digit", spv::OpAtomicLoad, relaxed},
    // Numbers of which each is given out once, and nothing comes with them.
    {"weft_claim_tile", spv::OpAtomicIAdd, relaxed},
    {"weft_enqueue_many", spv::OpAtomicIAdd, relaxed},
    // Sums and lists that a later dispatch reads.
    {"add_to_counts", spv::OpAtomicIAdd, relaxed},
    {"add_to_total", spv::OpAtomicIAdd, relaxed},
    {"weft_add_to_digit", spv::OpAtomicIAdd, relaxed},
    {"weft_combine_into", spv::OpAtomicIAdd, relaxed},
    {"weft_combine_into", spv::OpAtomicOr, relaxed},
    {"weft_combine_into", spv::OpAtomicCompareExchange, relaxed},
    {"weft_list_tile", spv::OpAtomicIAdd, relaxed},
    {"weft_list_tile", spv::OpAtomicUMax, relaxed},
};

const Protocol* protocol_of(const Ordering& ordering) {
  for (const Protocol& one : protocols) {
    if (ordering.function == one.function && ordering.op == one.op) return &one;
  }
  return nullptr;
}

/// Every kernel; those that look back with 64-bit atomics, which pack a status with a word, and without.
const std::vector<RequestedKernel>& kernels() {
  static const std::vector<RequestedKernel> all = [] {
    const DeviceInfo info = gpu(32, 64 * 1024);
    std::vector<RequestedKernel> kernels = kernels_of_words(info), others;
    DeviceInfo without_atomics = info;
    without_atomics.features.buffer_int64_atomics = without_atomics.features.workgroup_int64_atomics = false;
    const Device device = recording_device(without_atomics, others);
    Scan(device, Element::scalar("uint"), Operator::sum(), 1 << 24, {.path = TilePath::look_back});
    for (const uint64_t most : {uint64_t{1} << 24, uint64_t{1} << 33})
      Sort(device, Element::scalar("uint"), most, {{}, TilePath::look_back});
    kernels.insert(kernels.end(), others.begin(), others.end());
    return kernels;
  }();
  return all;
}

constexpr bool holds(uint32_t semantics, uint32_t wanted) { return (semantics & wanted) == wanted; }

}  // namespace

TEST_CASE("every kernel is looked at") {
  std::set<std::string> looked_at;
  for (const RequestedKernel& kernel : kernels()) looked_at.insert(kernel.module.name);
  for (const std::string& file : shader_library_files()) {
    if (file.starts_with("weft/kernels/") && file.ends_with(".comp")) CHECK_MESSAGE(looked_at.contains(file), file);
  }
}

TEST_CASE("workgroups hand over to one another as their protocols say") {
  std::set<const Protocol*> met;
  for (const RequestedKernel& kernel : kernels()) {
    for (const Ordering& ordering : read(kernel.module).orderings) {
      if (ordering.is_own()) continue;
      INFO(kernel.module.name, ", ", ordering.function, ": ", spvOpcodeString(ordering.op));
      const Protocol* const protocol = protocol_of(ordering);
      REQUIRE_MESSAGE(protocol, "a protocol that this test does not know; say in its table what it has to order");
      met.insert(protocol);
      const bool device_wide = ordering.scope == spv::ScopeDevice || ordering.scope == spv::ScopeQueueFamily;
      CHECK(device_wide);
      CHECK(holds(ordering.semantics, protocol->semantics));
    }
  }
  for (const Protocol& one : protocols) CHECK_MESSAGE(met.contains(&one), one.function << " is nowhere");
}

TEST_CASE("a tile's words are written before its status and read after it") {
  size_t statuses_written = 0, statuses_read = 0;
  for (const RequestedKernel& kernel : kernels()) {
    std::set<std::string> published, looked;  // functions that have written or read a status by then
    for (const Call& call : read(kernel.module).calls) {
      INFO(kernel.module.name, ", ", call.caller, " calls ", call.called);
      if (call.called == "weft_write_status") statuses_written += published.insert(call.caller).second;
      if (call.called == "weft_read_status") statuses_read += looked.insert(call.caller).second;
      if (call.called == "weft_write_word") CHECK_FALSE(published.contains(call.caller));
      if (call.called == "weft_read_word") CHECK(looked.contains(call.caller));
    }
  }
  CHECK_GT(statuses_written, 0);
  CHECK_GT(statuses_read, 0);
}

TEST_CASE("barriers and atomics of a workgroup order its memory") {
  const uint32_t both = spv::MemorySemanticsAcquireReleaseMask | spv::MemorySemanticsWorkgroupMemoryMask;
  for (const RequestedKernel& kernel : kernels()) {
    for (const Ordering& ordering : read(kernel.module).orderings) {
      if (!ordering.is_own()) continue;
      INFO(kernel.module.name, ", ", ordering.function, ": ", spvOpcodeString(ordering.op));
      if (ordering.is_barrier()) CHECK(holds(ordering.semantics, both));
      const bool subgroup_alone = ordering.is_barrier() && ordering.execution != spv::ScopeWorkgroup;
      if (!subgroup_alone) CHECK_NE(ordering.scope, spv::ScopeSubgroup);
    }
  }
}
