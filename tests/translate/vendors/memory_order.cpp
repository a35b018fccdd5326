#include <functional>
#include <regex>

#include "tests/support/test.h"
#include "tests/translate/ordered.h"
#include "tests/translate/vendors/checks.h"
#include "tests/translate/vendors/device_compiler.h"

// The scopes and orders of the preludes, as compilers see them: in PTX instructions, and in LLVM's text for AMD's GPUs
// and for the host, since x86 has the same instruction for all of them.
using namespace weft;
using namespace weft::test;

namespace {

using Lines = std::vector<std::string>;

bool is_cas(const Ordered& one) { return one.op == spv::OpAtomicCompareExchange; }
bool is_min_or_max(const Ordered& one) { return one.op >= spv::OpAtomicSMin && one.op <= spv::OpAtomicUMax; }

// Returns the first of the words that occurs in the line as a whole word.
std::string word_in(const std::string& line, const Lines& words, const std::string& otherwise) {
  for (const std::string& word : words) {
    if (std::regex_search(line, std::regex("\\b" + word + "\\b"))) return word;
  }
  return otherwise;
}

// Returns each PTX instruction with an order: "atom acquire gpu global".
Lines ordered_ptx(const std::string& ptx) {
  static const std::regex instruction(R"(\n\s*(atom|red|fence|(?:ld|st)(?=\.(?:relaxed|acquire|release)))\.(\S+))");
  Lines lines;
  for (std::sregex_iterator found(ptx.begin(), ptx.end(), instruction), end; found != end; ++found) {
    const std::string kind = (*found)[1] == "red" ? "atom" : (*found)[1].str(), rest = (*found)[2];
    lines.push_back(kind + " " + word_in(rest, {"acquire", "release", "acq_rel"}, "relaxed") + " " +
                    word_in(rest, {"cta", "sys"}, "gpu") +
                    (kind == "fence" ? "" : " " + word_in(rest, {"global", "shared"}, "generic")));
  }
  return lines;
}

// An operation on a buffer is one instruction. One that reads and writes workgroup memory is relaxed, between fences;
// loads and stores there have device scope, which is not weaker.
Lines ptx_of(const Ordered& one) {
  const std::string scope = one.scope_name() == "device" ? "gpu" : "cta", fence = "fence acq_rel " + scope;
  const std::string order = one.order_name() == "acquire_release" ? "acq_rel" : one.order_name();
  const bool is_shared = one.memory == spv::StorageClassWorkgroup;
  if (one.op == spv::OpMemoryBarrier) return {fence};
  const std::string space = is_shared ? "generic" : "global";
  if (one.op == spv::OpAtomicLoad) return {"ld " + order + " gpu " + space};
  if (one.op == spv::OpAtomicStore) return {"st " + order + " gpu " + space};
  if (!is_shared) return {"atom " + order + " " + scope + " global"};
  Lines lines;
  if (one.releases()) lines.push_back(fence);
  lines.push_back("atom relaxed " + scope + " shared");
  if (one.acquires()) lines.push_back(fence);
  return lines;
}

// Returns each LLVM instruction with an order: "atomicrmw agent acquire", "cmpxchg acq_rel acquire".
Lines ordered_llvm(const std::string& text) {
  static const std::regex instruction(
      R"(\n\s*(?:%\S+ = )?(load atomic|store atomic|atomicrmw|cmpxchg|fence) ([^\n]*))");
  static const std::regex part(R"(syncscope\("(\w+)|\b(monotonic|acquire|release|acq_rel|seq_cst)\b)");
  Lines lines;
  for (std::sregex_iterator found(text.begin(), text.end(), instruction), end; found != end; ++found) {
    const std::string kind = (*found)[1], rest = (*found)[2];
    std::string line = kind.substr(0, kind.find(' '));
    for (std::sregex_iterator word(rest.begin(), rest.end(), part); word != end; ++word) {
      line += " " + ((*word)[1].matched ? (*word)[1].str() : (*word)[2].str());
    }
    lines.push_back(line);
  }
  return lines;
}

std::string llvm_order(const Ordered& one) {
  const std::string order = one.order_name();
  return order == "acquire_release" ? "acq_rel" : order == "relaxed" ? "monotonic" : order;
}

std::string llvm_kind(const Ordered& one) {
  if (one.op == spv::OpMemoryBarrier) return "fence";
  if (one.op == spv::OpAtomicLoad) return "load";
  return one.op == spv::OpAtomicStore ? "store" : is_cas(one) ? "cmpxchg" : "atomicrmw";
}

// Memory barriers are acquire and release, and comparisons have device scope: stronger than requested. An operation on
// workgroup memory is relaxed, between fences, because it does not order accesses to buffers by itself.
Lines amd_of(const Ordered& one) {
  const std::string scope = one.scope_name() == "device" ? " agent " : " workgroup ";
  if (one.op == spv::OpMemoryBarrier) return {"fence" + scope + "acq_rel"};
  const bool is_shared = one.memory == spv::StorageClassWorkgroup;
  Lines lines;
  if (is_shared && one.releases()) lines.push_back("fence" + scope + "release");
  if (is_cas(one)) {
    const bool is_relaxed = one.order == 0 || is_shared;
    lines.push_back(is_relaxed ? "cmpxchg agent monotonic monotonic" : "cmpxchg agent acq_rel acquire");
  } else {
    lines.push_back(llvm_kind(one) + scope + (is_shared ? "monotonic" : llvm_order(one)));
  }
  if (is_shared && one.acquires()) lines.push_back("fence" + scope + "acquire");
  return lines;
}

// The only scope is the process. One thread runs a workgroup, so what reads and writes its memory takes two steps.
Lines host_of(const Ordered& one) {
  const std::string order = llvm_order(one);
  const bool is_shared = one.memory == spv::StorageClassWorkgroup;
  const bool is_one_way = one.op == spv::OpMemoryBarrier || one.op == spv::OpAtomicLoad || one.op == spv::OpAtomicStore;
  if (is_shared && !is_one_way) return {"load monotonic", "store monotonic"};
  if (is_min_or_max(one)) return {"load monotonic", "cmpxchg " + order + " monotonic"};
  if (is_cas(one)) return {"cmpxchg " + order + (one.acquires() ? " acquire" : " monotonic")};
  return {llvm_kind(one) + " " + order};
}

void check_order(const Lines& made, const std::function<Lines(const Ordered&)>& wanted) {
  size_t at = 0;
  for (const Ordered& one : all_ordered(spv::MemoryModelVulkan)) {
    for (const std::string& line : wanted(one)) {
      REQUIRE_LT(at, made.size());
      INFO("opcode ", one.op, " of storage class ", one.memory, ", ", one.scope_name(), ", ", one.order_name());
      REQUIRE_EQ(made[at++], line);
    }
  }
  CHECK_EQ(at, made.size());
}

Spirv kernel() { return ordered_kernel(all_ordered(spv::MemoryModelVulkan), spv::MemoryModelVulkan); }

std::string llvm_text_for(TranslationTarget target, const Spirv& module) {
  return llvm_text(target, translate_spirv(module, target).code);
}

Spirv subgroup_barrier() {
  const uint32_t semantics = spv::MemorySemanticsAcquireReleaseMask | spv::MemorySemanticsWorkgroupMemoryMask;
  return control_barrier(spv::ScopeSubgroup, spv::ScopeSubgroup, semantics);
}

}  // namespace

TEST_SUITE("cuda") {
  TEST_CASE("NVRTC: atomics and fences have the requested scope and order") {
    check_order(ordered_ptx(compile(nvrtc(), "sm_75", kernel()).code.assembly), ptx_of);
  }
  TEST_CASE("NVRTC: a subgroup barrier is the warp's, which orders memory") {
    CHECK_EQ(instructions(compile(nvrtc(), "sm_75", subgroup_barrier()), R"(\sbar\.warp\.sync\s)", "$^"), 1);
  }
}
TEST_SUITE("clang") {
  TEST_CASE("clang: HIP's atomics and fences have the requested scope and order") {
    check_order(ordered_llvm(llvm_text_for(TranslationTarget::hip, kernel())), amd_of);
  }
  TEST_CASE("clang: an atomic on workgroup memory waits for the buffer accesses that it orders") {
    const CompiledKernel kernel = compile(clang(), "gfx1100", R"(
      #pragma use_vulkan_memory_model
      #extension GL_KHR_memory_scope_semantics : require
      layout(local_size_x = 64) in;
      layout(set = 0, binding = 0) buffer Data { uint data[]; };
      shared uint flag;
      const int memory = gl_StorageSemanticsBuffer | gl_StorageSemanticsShared;
      void main() {
        data[gl_LocalInvocationIndex] = 7u;
        atomicStore(flag, 1u, gl_ScopeWorkgroup, memory, gl_SemanticsRelease);
        if (atomicLoad(flag, gl_ScopeWorkgroup, memory, gl_SemanticsAcquire) == 3u)
          data[64] = data[gl_LocalInvocationIndex + 1u];
      })");
    static const std::regex wanted(R"(\b(global_store_b32|s_waitcnt_vscnt|ds_store_b32|ds_load_b32|buffer_gl0_inv|)"
                                   R"(global_load_b32)\b)");
    const std::string& text = kernel.code.assembly;
    Lines order;
    for (std::sregex_iterator found(text.begin(), text.end(), wanted), end; found != end; ++found) {
      order.push_back(found->str());
    }
    CHECK(order == Lines{"global_store_b32", "s_waitcnt_vscnt", "ds_store_b32", "ds_load_b32", "buffer_gl0_inv",
                         "global_load_b32", "global_store_b32"});
  }
  TEST_CASE("clang: a subgroup barrier for HIP orders memory") {
    const std::string text = llvm_text_for(TranslationTarget::hip, subgroup_barrier());
    CHECK(ordered_llvm(text) == Lines{"fence workgroup acq_rel"});
    const size_t barrier = text.find("@llvm.amdgcn.wave.barrier()");
    CHECK_NE(barrier, std::string::npos);
    CHECK_LT(text.find("fence "), barrier);
  }
  TEST_CASE("clang: the host's atomics and fences have the requested order") {
    check_order(ordered_llvm(llvm_text_for(TranslationTarget::host, kernel())), host_of);
  }
}
