#include <map>
#include <regex>

#include <weft/device_info.h>
#include <weft/translate.h>

#include "tests/support/test.h"
#include "tests/translate/ordered.h"

// Atomics and barriers must keep their scope and order in the C++ for every target: running on x86 would not show that
// one was lost.
using namespace weft;
using namespace weft::test;

namespace {

// Returns the calls of a kernel that order memory, in sequence: "atomic_add device acquire", "barrier".
std::vector<std::string> ordering_calls(const Spirv& module, TranslationTarget target) {
  const std::string code = translate_spirv(module, target).code;
  const size_t begin = code.find("namespace kernel {"), end_of_kernel = code.find("}  // namespace kernel");
  const std::string kernel = code.substr(begin, end_of_kernel - begin);
  static const std::regex call(
      R"(weft_(atomic_\w+|memory_barrier|barrier|subgroup_barrier)(?:<(?:uint32_t, )?weft_(\w+), weft_(\w+)>)?\(self)");
  std::vector<std::string> calls;
  for (std::sregex_iterator found(kernel.begin(), kernel.end(), call), end; found != end; ++found) {
    const std::smatch& match = *found;
    calls.push_back(match[1].str() + (match[2].matched ? " " + match[2].str() + " " + match[3].str() : ""));
  }
  return calls;
}

void check_calls(const Spirv& module, const std::vector<std::string>& wanted) {
  for (const auto target :
       {TranslationTarget::host, TranslationTarget::cuda, TranslationTarget::hip, TranslationTarget::lanes}) {
    const std::vector<std::string> calls = ordering_calls(module, target);
    REQUIRE_EQ(calls.size(), wanted.size());
    for (size_t i = 0; i < calls.size(); ++i) {
      INFO("target ", int(target), ", call ", i);
      // Nothing uses the results of the exchanges, and the host's checking mode must know it.
      const bool on_host = target == TranslationTarget::host || target == TranslationTarget::lanes;
      const std::string call = std::regex_replace(calls[i], std::regex("^atomic_overwrite"), "atomic_exchange");
      CHECK_EQ(on_host ? call : calls[i], wanted[i]);
      CHECK((call == calls[i]) == (!on_host || !wanted[i].starts_with("atomic_exchange")));
    }
  }
}

std::string call_of(const Ordered& one) {
  static const std::map<spv::Op, std::string> names{
      {spv::OpAtomicLoad, "atomic_load"},         {spv::OpAtomicStore, "atomic_store"},
      {spv::OpAtomicExchange, "atomic_exchange"}, {spv::OpAtomicCompareExchange, "atomic_compare_exchange"},
      {spv::OpAtomicIIncrement, "atomic_add"},    {spv::OpAtomicIDecrement, "atomic_add"},
      {spv::OpAtomicIAdd, "atomic_add"},          {spv::OpAtomicISub, "atomic_sub"},
      {spv::OpAtomicSMin, "atomic_smin"},         {spv::OpAtomicUMin, "atomic_umin"},
      {spv::OpAtomicSMax, "atomic_smax"},         {spv::OpAtomicUMax, "atomic_umax"},
      {spv::OpAtomicAnd, "atomic_and"},           {spv::OpAtomicOr, "atomic_or"},
      {spv::OpAtomicXor, "atomic_xor"},           {spv::OpMemoryBarrier, "memory_barrier"}};
  return names.at(one.op) + " " + one.scope_name() + " " + one.order_name();
}

}  // namespace

TEST_CASE("atomics and memory barriers keep their scope and order") {
  for (const spv::MemoryModel model : {spv::MemoryModelVulkan, spv::MemoryModelGLSL450}) {
    const std::vector<Ordered> all = all_ordered(model);
    std::vector<std::string> wanted;
    for (const Ordered& one : all) wanted.push_back(call_of(one));
    check_calls(ordered_kernel(all, model), wanted);
  }
}

// With a scope wider than the workgroup, memory is ordered on both sides: earlier writes are released, and later reads
// see the writes released by others. A workgroup barrier orders workgroup memory by itself.
TEST_CASE("control barriers order the memory that they name") {
  constexpr uint32_t both = spv::MemorySemanticsAcquireReleaseMask, shared = spv::MemorySemanticsWorkgroupMemoryMask,
                     buffers = spv::MemorySemanticsUniformMemoryMask;
  constexpr spv::Scope device = spv::ScopeDevice, workgroup = spv::ScopeWorkgroup, subgroup = spv::ScopeSubgroup;
  check_calls(control_barrier(workgroup, workgroup, both | shared), {"barrier"});
  check_calls(control_barrier(workgroup, workgroup, 0), {"barrier"});
  check_calls(control_barrier(workgroup, device, 0), {"barrier"});
  const auto fenced = [](const std::string& fence, const std::string& barrier) {
    return std::vector<std::string>{"memory_barrier " + fence, barrier, "memory_barrier " + fence};
  };
  for (const spv::Scope wide : {device, spv::ScopeQueueFamily}) {
    check_calls(control_barrier(workgroup, wide, both | buffers), fenced("device acquire_release", "barrier"));
    check_calls(control_barrier(workgroup, wide, spv::MemorySemanticsAcquireMask | buffers),
                fenced("device acquire", "barrier"));
    check_calls(control_barrier(workgroup, wide, spv::MemorySemanticsReleaseMask | buffers),
                fenced("device release", "barrier"));
    check_calls(control_barrier(subgroup, wide, both | buffers), fenced("device acquire_release", "subgroup_barrier"));
  }
  check_calls(control_barrier(subgroup, workgroup, both | shared),
              fenced("workgroup acquire_release", "subgroup_barrier"));
  check_calls(control_barrier(subgroup, subgroup, both | shared), {"subgroup_barrier"});
}
