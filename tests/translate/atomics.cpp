#include <algorithm>
#include <bit>

#include "tests/support/test.h"
#include "tests/translate/corpus.h"
#include "tests/translate/text.h"

// Atomic operations on buffers, physical pointers and workgroup memory, and barriers, in both memory models. If each
// invocation has its own word, the tests check what an operation returns; if all share one, they check its final value.

using namespace weft;
using namespace weft::test;

namespace {

enum class Memory { buffer, physical, workgroup };

struct Atomic {
  const char* op;  // its operands after pointer, scope and semantics: %T the type, %v the value
  bool is_float = false;
};

const Atomic integer_atomics[] = {{"OpAtomicIAdd %T %p SCOPE ORDER %v"},
                                  {"OpAtomicISub %T %p SCOPE ORDER %v"},
                                  {"OpAtomicSMin %T %p SCOPE ORDER %v"},
                                  {"OpAtomicUMin %T %p SCOPE ORDER %v"},
                                  {"OpAtomicSMax %T %p SCOPE ORDER %v"},
                                  {"OpAtomicUMax %T %p SCOPE ORDER %v"},
                                  {"OpAtomicAnd %T %p SCOPE ORDER %v"},
                                  {"OpAtomicOr %T %p SCOPE ORDER %v"},
                                  {"OpAtomicXor %T %p SCOPE ORDER %v"},
                                  {"OpAtomicExchange %T %p SCOPE ORDER %v"},
                                  {"OpAtomicIIncrement %T %p SCOPE ORDER"},
                                  {"OpAtomicIDecrement %T %p SCOPE ORDER"},
                                  {"OpAtomicCompareExchange %T %p SCOPE ORDER %relaxed %v %was"},
                                  {"OpAtomicCompareExchange %T %p SCOPE ORDER %relaxed %v %other"},
                                  {"OpAtomicLoad %T %p SCOPE LOAD"}};

// Each invocation has its own words in every kind of memory. Integers of 32 or 64 bits.
KernelCase integers(Memory memory, uint32_t width, bool vulkan_model) {
  const std::string type = width == 32 ? "%uint" : "%uint64", storage = memory == Memory::buffer ? "StorageBuffer"
                                                                        : memory == Memory::physical
                                                                            ? "PhysicalStorageBuffer"
                                                                            : "Workgroup";
  const std::string bytes = number(width / 8);
  std::string text;
  if (width == 64) text += "OpCapability Int64\nOpCapability Int64Atomics\n";
  if (vulkan_model) text += "OpCapability VulkanMemoryModel\nOpCapability VulkanMemoryModelDeviceScope\n";
  if (memory == Memory::physical)
    text += std::string("OpCapability PhysicalStorageBufferAddresses\n") + (width == 32 ? "OpCapability Int64\n" : "");
  text += std::string("OpMemoryModel ") + (memory == Memory::physical ? "PhysicalStorageBuffer64 " : "Logical ") +
          (vulkan_model ? "Vulkan\n" : "GLSL450\n");
  if (memory == Memory::physical || width == 64) text += "%uint64 = OpTypeInt 64 0\n";
  // Acquire, release, both, relaxed; on workgroup memory (0x100) or on buffers (0x40).
  const uint32_t where = memory == Memory::workgroup ? 0x100 : 0x40;
  text += "%relaxed = OpConstant %uint 0\n%acquire = OpConstant %uint " + number(where | 2) +
          "\n%release = OpConstant %uint " + number(where | 4) + "\n%both = OpConstant %uint " + number(where | 8) +
          "\n%device = OpConstant %uint 1\n%workgroup = OpConstant %uint 2\n%ptr_T = OpTypePointer " + storage + " " +
          type + "\n";
  if (memory == Memory::workgroup) {
    text += "%many = OpConstant %uint 128\n%array = OpTypeArray " + type +
            " %many\n%ptr_array = OpTypePointer Workgroup %array\n%all = OpVariable %ptr_array Workgroup\n";
  } else if (memory == Memory::buffer) {
    text += "OpDecorate %array ArrayStride " + bytes +
            "\nOpMemberDecorate %block 0 Offset 0\nOpDecorate %block Block\nOpDecorate %buffer DescriptorSet "
            "0\nOpDecorate %buffer Binding 5\n"
            "%array = OpTypeRuntimeArray " +
            type +
            "\n%block = OpTypeStruct %array\n%ptr_block = OpTypePointer StorageBuffer %block\n%buffer = OpVariable "
            "%ptr_block StorageBuffer\n";
  } else {
    text += "OpDecorate %ptr_T ArrayStride " + bytes +
            "\nOpDecorate %push_block Block\nOpMemberDecorate %push_block 0 Offset 0\n%push_block = OpTypeStruct "
            "%uint64\n%ptr_push = OpTypePointer PushConstant %push_block\n"
            "%ptr_long = OpTypePointer PushConstant %uint64\n%push = OpVariable %ptr_push PushConstant\n%address_at = "
            "OpAccessChain %ptr_long %push %c0\n%address = OpLoad %uint64 %address_at\n%root = OpConvertUToPtr %ptr_T "
            "%address\n";
  }
  const auto pointer = [&](const std::string& id, const std::string& index) {
    const std::string of = memory == Memory::workgroup ? "%all " : memory == Memory::buffer ? "%buffer %c0 " : "%root ";
    text += id + " = " + (memory == Memory::physical ? "OpPtrAccessChain" : "OpAccessChain") + " %ptr_T " + of + index +
            "\n";
  };
  const auto operand = [&](const std::string& id, int word) {
    if (width == 32) {
      text += id + " = OpCopyObject %uint %u" + number(word) + "\n";
    } else {
      text += id + "_pair = OpCompositeConstruct %v2uint %u" + number(word) + " %u" + number(word + 1) + "\n" + id +
              " = OpBitcast %uint64 " + id + "_pair\n";
    }
  };
  operand("%was", 0);
  operand("%v", 2);
  operand("%other", 4);
  pointer("%p", memory == Memory::workgroup ? "%local" : "%id");
  const char* const orders[] = {"%relaxed", "%both", "%acquire", "%release"};
  int k = 0;
  std::string sum;
  for (const Atomic& atomic : integer_atomics) {
    const std::string id = "%old" + number(k), scope = k % 2 ? "%workgroup" : "%device";
    text += "OpAtomicStore %p " + scope + " " + (k % 2 ? "%release" : "%relaxed") + " %was\n";
    std::string instruction = replaced(replaced(atomic.op, "%T", type), "SCOPE", scope);
    instruction = replaced(replaced(instruction, "LOAD", "%acquire"), "ORDER", orders[k % 4]);
    // The order for unequal values must not be stronger than the other, and may not release.
    text += id + " = " + instruction + "\n" + id + "_after = OpLoad " + type + " %p" +
            (memory == Memory::physical ? " Aligned " + bytes : "") + "\n";
    if (width == 32) {
      text += "put " + id + "_after\n";
      if (k % 3 == 0 || k > 10) text += "put " + id + "\n";
    } else {
      const std::string mixed = id + "_mixed";
      text += mixed + " = OpBitwiseXor %uint64 " + id + " " + id + "_after\nput64 " + mixed + "\n";
    }
    ++k;
  }
  const char* const names[] = {"buffers", "physical pointers", "workgroup memory"};
  return assembly("atomics of " + number(width) + " bits on " + names[int(memory)] +
                      (vulkan_model ? ", Vulkan's memory model" : ""),
                  text)
      .version(5);
}

const std::string float_extensions =
    "#extension GL_KHR_memory_scope_semantics : require\n#extension GL_EXT_shader_atomic_float : require\n#extension "
    "GL_EXT_shader_explicit_arithmetic_types : require\n";

}  // namespace

CORPUS("integer atomics") {
  std::vector<KernelCase> cases;
  for (const Memory memory : {Memory::buffer, Memory::physical, Memory::workgroup}) {
    for (const uint32_t width : {32, 64})
      cases.push_back(integers(memory, width, (memory == Memory::physical) == (width == 32)));
  }
  const std::string counts =
      "#extension GL_EXT_shader_atomic_int64 : require\n#extension GL_EXT_shader_explicit_arithmetic_types : "
      "require\n#extension GL_EXT_buffer_reference_uvec2 : require\n#extension GL_EXT_buffer_reference : require\n";
  cases.push_back(
      {"words that all share",
       "// blocks\nlayout(set = 0, binding = 5, std430) coherent buffer Shared { uint sum, low, high, all, any, odd, "
       "count; int slow, shigh; uint slots[64]; } shared_;\nshared uint group_sum, group_low, group_high;\n",
       R"(
      if (gl_LocalInvocationIndex == 0u) { group_sum = 0u; group_low = ~0u; group_high = 0u; } barrier(); atomicAdd(shared_.sum, u(0)); atomicMax(shared_.high, u(1)); atomicOr(shared_.any, u(2) & 0x0f0f0f0fu); atomicXor(shared_.odd, u(3)); atomicMin(shared_.slow, int(u(4))); atomicMax(shared_.shigh, int(u(5))); atomicAnd(shared_.all, u(6)); atomicMin(shared_.low, u(7));
      uint mine = atomicAdd(shared_.count, 1u); atomicAdd(shared_.slots[mine & 63u], 1u); put(uint(mine < 256u)); atomicAdd(group_sum, u(8)); atomicMin(group_low, u(9)); atomicMax(group_high, u(10)); barrier(); put(group_sum); put(group_low); put(group_high);)"});
  cases.push_back(
      {"64 bits that all share",
       counts + "// blocks\nlayout(set = 0, binding = 5, scalar) buffer Shared { uint64_t sum, high, any, odd; int64_t "
                "slow, shigh; } shared_;\nshared uint64_t group_sum; shared int64_t group_low;\n",
       R"(
      uint64_t a = packUint2x32(uvec2(u(0), u(1))); if (gl_LocalInvocationIndex == 0u) { group_sum = 0ul; group_low = 0l; } barrier(); atomicAdd(shared_.sum, a); atomicMax(shared_.high, a); atomicOr(shared_.any, a & 0x0f0f0f0f0f0f0f0ful); atomicXor(shared_.odd, a); atomicMin(shared_.slow, int64_t(a)); atomicMax(shared_.shigh, int64_t(a));
      atomicAdd(group_sum, a); atomicMin(group_low, int64_t(a)); barrier(); put(unpackUint2x32(group_sum).y); put(unpackUint2x32(uint64_t(group_low)).y);)"});
  return cases;
}

CORPUS("floating-point atomics") {
  return {
      {"float add and exchange",
       float_extensions + "// blocks\nlayout(set = 0, binding = 5, std430) buffer Mine { float v[]; } mine;\nshared "
                          "float tile[64]; shared float sum;\n",
       R"(
      uint l = gl_LocalInvocationIndex; mine.v[id] = f(0); putf(atomicAdd(mine.v[id], f(1))); putf(mine.v[id]); putf(atomicExchange(mine.v[id], f(2))); putf(mine.v[id]); tile[l] = f(3); if (l == 0u) sum = 0.0; barrier(); putf(atomicAdd(tile[l], f(4))); putf(tile[l]); putf(atomicExchange(tile[l], f(5))); putf(tile[l]);
      atomicAdd(sum, float(u(6) & 255u)); barrier(); putf(sum); putf(atomicLoad(mine.v[id], gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire)); atomicStore(mine.v[id], 0.0, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease);)"},
      KernelCase{"double add and exchange",
                 float_extensions + "// blocks\nlayout(set = 0, binding = 5, std430) buffer Mine { double v[]; } "
                                    "mine;\nshared double tile[64];\n",
                 R"(
      uint l = gl_LocalInvocationIndex; mine.v[id] = f(0); putf(float(atomicAdd(mine.v[id], double(f(1))))); putf(float(mine.v[id])); putf(float(atomicExchange(mine.v[id], double(f(2))))); putf(float(mine.v[id])); tile[l] = f(3); putf(float(atomicAdd(tile[l], double(f(4))))); putf(float(tile[l]));)"}
          .judged_by([](const Invocation& i) {
            const auto bits = [](float x) { return std::bit_cast<uint32_t>(x); };
            return std::vector<uint32_t>{bits(i.f(0)), bits(i.f(0) + i.f(1)), bits(i.f(0) + i.f(1)),
                                         bits(i.f(2)), bits(i.f(3)),          bits(i.f(3) + i.f(4))};
          }),
      KernelCase{"float minimum and maximum",
                 "#extension GL_EXT_shader_atomic_float2 : require\n" + float_extensions +
                     "// blocks\nlayout(set = 0, binding = 5, std430) buffer Mine { float v[]; } mine;\nshared float "
                     "tile[64];\nshared double wide[64];\n",
                 R"(
      uint l = gl_LocalInvocationIndex; mine.v[id] = f(0); putf(atomicMin(mine.v[id], f(1))); putf(mine.v[id]); putf(atomicMax(mine.v[id], f(2))); putf(mine.v[id]); tile[l] = f(3); putf(atomicMin(tile[l], f(4))); putf(tile[l]); putf(atomicMax(tile[l], f(5))); putf(tile[l]);
      wide[l] = double(f(6)); atomicMax(wide[l], double(f(7))); putf(float(wide[l])); atomicMin(wide[l], double(f(8))); putf(float(wide[l]));)"}
          .judged_by([](const Invocation& i) {
            std::vector<uint32_t> r;
            const auto put = [&](float x) { r.push_back(std::bit_cast<uint32_t>(x)); };
            for (const uint32_t k : {0, 3}) {
              const float low = std::min(i.f(k), i.f(k + 1));
              put(i.f(k)), put(low), put(low), put(std::max(low, i.f(k + 2)));
            }
            put(std::max(i.f(6), i.f(7))), put(std::min(std::max(i.f(6), i.f(7)), i.f(8)));
            return r;
          }),
  };
}

CORPUS("barriers") {
  const std::string explicit_ = "#extension GL_KHR_memory_scope_semantics : require\n";
  return {
      {"explicit scopes and semantics",
       "#pragma use_vulkan_memory_model\n" + explicit_ +
           "// shared\nshared uint tile[64];\nlayout(set = 0, binding = 5, std430) workgroupcoherent buffer Mine { "
           "uint v[]; } mine;\n",
       R"(
      uint l = gl_LocalInvocationIndex; atomicStore(tile[l], u(0), gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsRelease); mine.v[id] = u(1); controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared | gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
      put(atomicLoad(tile[(l + 5u) & 63u], gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquire)); put(mine.v[(id & ~63u) + ((l * 3u) & 63u)]); memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease); memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire); controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, 0, 0);
      if (l == 7u) tile[0] = 9u; controlBarrier(gl_ScopeWorkgroup, gl_ScopeDevice, gl_StorageSemanticsShared | gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease); put(tile[0]); put(atomicCompSwap(tile[l], u(2), u(3), gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease, gl_StorageSemanticsShared, gl_SemanticsAcquire));)"},
      {"GLSL's own barriers",
       "// shared\nshared uint tile[64];\nlayout(set = 0, binding = 5, std430) coherent buffer Mine { uint v[]; } "
       "mine;\n",
       R"(
      uint l = gl_LocalInvocationIndex; tile[l] = u(0); memoryBarrierShared(); barrier(); uint x = tile[63u - l]; barrier(); tile[l] = x * 3u; groupMemoryBarrier(); barrier(); put(tile[63u - l]); mine.v[id] = x; memoryBarrierBuffer(); memoryBarrier(); barrier(); put(mine.v[id ^ 1u]); for (uint i = 0; i < 4u; ++i) { barrier(); if (l == i) tile[9] = u(1); barrier(); put(tile[9]); })"},
      assembly("barriers of memory alone, in order", R"(
      %order = OpConstant %uint 72
      %array = OpTypeArray %uint %c64
      %ptr_array = OpTypePointer Workgroup %array
      %tile = OpVariable %ptr_array Workgroup
      %own = OpAccessChain %ptr_uint_workgroup %tile %local
      %group_order = OpConstant %uint 264
      %sequential = OpConstant %uint 272
      OpAtomicStore %own %c2 %c0 %u0
      OpMemoryBarrier %c1 %order
      OpControlBarrier %c2 %c2 %group_order
      %a = OpAtomicIAdd %uint %own %c2 %sequential %u1
      %acquire = OpConstant %uint 258
      %b = OpAtomicLoad %uint %own %c2 %acquire
      OpMemoryBarrier %c2 %sequential
      put %a
      put %b)")
          .version(4)
          .judged_by([](const Invocation& i) { return std::vector<uint32_t>{i.u(0), i.u(0) + i.u(1)}; }),
  };
}
