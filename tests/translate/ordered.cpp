#include "tests/translate/ordered.h"

#include <set>

#include "tests/translate/compile.h"
#include "tests/translate/text.h"

namespace weft::test {
namespace {

const std::string vulkan_model =
    "OpCapability VulkanMemoryModel\nOpCapability VulkanMemoryModelDeviceScope\nOpMemoryModel Logical Vulkan\n";

struct Operation {
  spv::Op op;
  const char* name;
  bool loads = true, stores = true;
  const char* operands = "";  // after pointer, scope and semantics
};
constexpr Operation operations[] = {
    {spv::OpAtomicLoad, "OpAtomicLoad", true, false},
    {spv::OpAtomicStore, "OpAtomicStore", false, true, " %c7"},
    {spv::OpAtomicExchange, "OpAtomicExchange", true, true, " %c7"},
    {spv::OpAtomicCompareExchange, "OpAtomicCompareExchange", true, true, " %relaxed %c7 %c8"},
    {spv::OpAtomicIIncrement, "OpAtomicIIncrement"},
    {spv::OpAtomicIDecrement, "OpAtomicIDecrement"},
    {spv::OpAtomicIAdd, "OpAtomicIAdd", true, true, " %c7"},
    {spv::OpAtomicISub, "OpAtomicISub", true, true, " %c7"},
    {spv::OpAtomicSMin, "OpAtomicSMin", true, true, " %c7"},
    {spv::OpAtomicUMin, "OpAtomicUMin", true, true, " %c7"},
    {spv::OpAtomicSMax, "OpAtomicSMax", true, true, " %c7"},
    {spv::OpAtomicUMax, "OpAtomicUMax", true, true, " %c7"},
    {spv::OpAtomicAnd, "OpAtomicAnd", true, true, " %c7"},
    {spv::OpAtomicOr, "OpAtomicOr", true, true, " %c7"},
    {spv::OpAtomicXor, "OpAtomicXor", true, true, " %c7"},
    {spv::OpMemoryBarrier, "OpMemoryBarrier"}};

bool is_valid(const Operation& operation, uint32_t order) {
  if (operation.op == spv::OpMemoryBarrier) return order != 0;
  const bool both =
      order == spv::MemorySemanticsAcquireReleaseMask || order == spv::MemorySemanticsSequentiallyConsistentMask;
  const bool loads = both || order == spv::MemorySemanticsAcquireMask;
  const bool stores = both || order == spv::MemorySemanticsReleaseMask;
  return (operation.loads || !loads) && (operation.stores || !stores);
}

uint32_t semantics_of(const Ordered& one) {
  if (one.order == 0) return 0;
  return one.order | (one.memory == spv::StorageClassWorkgroup ? spv::MemorySemanticsWorkgroupMemoryMask
                                                               : spv::MemorySemanticsUniformMemoryMask);
}

std::string instruction_of(const Ordered& one, const std::string& result) {
  const std::string order = " %c" + number(one.scope) + " %semantics_" + number(semantics_of(one));
  for (const Operation& operation : operations) {
    if (operation.op != one.op) continue;
    if (one.op == spv::OpMemoryBarrier) return operation.name + order;
    const std::string pointer = one.memory == spv::StorageClassWorkgroup ? " %shared_word" : " %word";
    if (one.op == spv::OpAtomicStore) return operation.name + pointer + order + operation.operands;
    return result + " = " + operation.name + " %uint" + pointer + order + operation.operands;
  }
  return {};
}

}  // namespace

bool Ordered::acquires() const {
  return order & (spv::MemorySemanticsAcquireMask | spv::MemorySemanticsAcquireReleaseMask |
                  spv::MemorySemanticsSequentiallyConsistentMask);
}

bool Ordered::releases() const {
  return order & (spv::MemorySemanticsReleaseMask | spv::MemorySemanticsAcquireReleaseMask |
                  spv::MemorySemanticsSequentiallyConsistentMask);
}

std::string Ordered::order_name() const {
  if (acquires() && releases()) return "acquire_release";
  return acquires() ? "acquire" : releases() ? "release" : "relaxed";
}

std::string Ordered::scope_name() const {
  return scope == spv::ScopeWorkgroup ? "workgroup" : scope == spv::ScopeSubgroup ? "subgroup" : "device";
}

std::vector<Ordered> all_ordered(spv::MemoryModel model) {
  std::vector<uint32_t> orders{spv::MemorySemanticsSequentiallyConsistentMask};
  std::vector<spv::Scope> scopes{spv::ScopeDevice, spv::ScopeWorkgroup, spv::ScopeSubgroup};
  if (model == spv::MemoryModelVulkan) {
    orders = {0, spv::MemorySemanticsAcquireMask, spv::MemorySemanticsReleaseMask,
              spv::MemorySemanticsAcquireReleaseMask};
    scopes.push_back(spv::ScopeQueueFamily);
  }
  std::vector<Ordered> all;
  for (const Operation& operation : operations) {
    for (const spv::StorageClass memory : {spv::StorageClassStorageBuffer, spv::StorageClassWorkgroup}) {
      for (const spv::Scope scope : scopes) {
        for (const uint32_t order : orders) {
          if (!is_valid(operation, order)) continue;
          all.push_back({operation.op, memory, scope, order});
          // Compilers merge adjacent fences.
          if (operation.op == spv::OpMemoryBarrier) all.push_back({spv::OpAtomicStore, memory, spv::ScopeDevice, 0});
        }
      }
    }
  }
  return all;
}

Spirv ordered_kernel(const std::vector<Ordered>& all, spv::MemoryModel model) {
  std::string text = model == spv::MemoryModelVulkan ? vulkan_model : "";
  text += R"(
    %relaxed = OpConstant %uint 0
    %shared_word = OpVariable %ptr_uint_workgroup Workgroup
    %word = OpAccessChain %ptr_uint_buffer %result %c0 %id
  )";
  std::set<uint32_t> semantics;
  for (const Ordered& one : all) semantics.insert(semantics_of(one));
  for (const uint32_t one : semantics)
    text += "%semantics_" + number(one) + " = OpConstant %uint " + number(one) + "\n";
  for (size_t i = 0; i < all.size(); ++i) text += instruction_of(all[i], "%before_" + number(i)) + "\n";
  return assemble_kernel(5, text, "ordered.spvasm", 64);
}

Spirv control_barrier(spv::Scope execution, spv::Scope memory, uint32_t semantics) {
  const std::string text = vulkan_model + "%semantics = OpConstant %uint " + number(semantics) +
                           "\nOpControlBarrier %c" + number(execution) + " %c" + number(memory) + " %semantics\n";
  return assemble_kernel(5, text, "control_barrier.spvasm", 64);
}

}  // namespace weft::test
