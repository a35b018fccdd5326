#include "tests/support/test.h"
#include "tests/translate/corpus.h"

// Shaders as emitted by HLSL compilers: by glslang's front end, and hand-written in the style of DXC.

using namespace weft;
using namespace weft::test;

namespace {

const std::string frame = R"(
[[vk::binding(0)]] StructuredBuffer<uint> given; [[vk::binding(1)]] RWStructuredBuffer<uint> result;
static uint id, next; uint u(uint k) { return given[id * 16 + k]; } float f(uint k) { return float(int(u(k)) >> 8) / 1048576.0; } void put(uint x) { result[id * 32 + next] = x; next += 1; }
)";

KernelCase hlsl(const std::string& name, const std::string& declarations, const std::string& body, uint32_t ulps = 0) {
  KernelCase result{
      name, "",
      frame + declarations +
          "\n[numthreads(64, 1, 1)] void main(uint3 thread : SV_DispatchThreadID, uint3 local : SV_GroupThreadID, uint "
          "group : SV_GroupIndex, uint3 block : SV_GroupID) {\n id = thread.x; next = 0;\n" +
          body + "\n}\n",
      ulps};
  result.language = Language::hlsl;
  return result;
}

}  // namespace

CORPUS("HLSL") {
  return {
      hlsl("HLSL arithmetic", "", R"(
      put(u(0) + u(1) * 3); put(countbits(u(0))); put(firstbitlow(u(1) | 16)); put(firstbithigh(u(2) | 1)); put(reversebits(u(3))); put(asuint(lerp(f(0), f(1), 0.5))); put(asuint(saturate(f(2)))); put(uint(max(int(u(4)), int(u(5))))); put(all(uint3(u(0), 1, 2)) ? 1 : 0); put(asuint(frac(f(3)))); put(asuint(rcp(f(4) + 20.0)));
      uint2 v = uint2(u(6), u(7)); v = v.yx ^ 5u; put(v.x); int x = int(u(8)); x >>= 3; put(uint(x)); put(uint(x) % 7u); put(f16tof32(u(9) & 0x3fff) > 1.0 ? 2 : 3); put(asuint(mad(f(5), 2.0, f(6)))); put(uint(sign(f(7)) + 5.0)); put(asuint(fmod(f(8), 3.0)));)",
           16),
      hlsl("HLSL flow and group memory",
           "groupshared uint tile[64]; struct S { uint a; float3 b; float2x3 m; };\nuint walk(uint x, inout uint "
           "calls) { [loop] for (uint i = 0; i < 20; ++i) { calls += 1; if (x % 3 == 0) return i; x = x / 2 + 1; if (x "
           "< 3) break; } return 99; }\n",
           R"(
      uint calls = 0; put(walk(u(0), calls)); put(calls); tile[group] = u(1); GroupMemoryBarrierWithGroupSync(); put(tile[63 - local.x]); GroupMemoryBarrierWithGroupSync(); uint before; InterlockedAdd(tile[group], 5, before); put(before); InterlockedMax(tile[group], u(2)); put(tile[group]); GroupMemoryBarrierWithGroupSync();
      S s = (S)0; s.a = u(3); s.b = float3(1, 2, 3); s.m = float2x3(1, 2, 3, 4, 5, 6); S t = s; t.m[1][2] = 9.0; put(uint(mul(t.m, t.b).y)); put(uint(mul(float2(1, 2), s.m).z)); [unroll] for (uint i = 0; i < 3; ++i) put(uint(t.b[i])); switch (u(4) & 3) { case 0: put(10); break; case 1: case 2: put(20); break; default: put(30); } put(block.x); bool b = u(5) > u(6) || u(7) > u(8); put(b ? 1 : 0);)"),
      hlsl("HLSL buffers",
           "struct Item { uint a; float4 b; float2x2 m; uint c[2]; };\n[[vk::binding(2)]] cbuffer Constants { float4 "
           "color; row_major float2x3 r; float2x3 c; Item item; uint tail; };\n[[vk::binding(5)]] RWByteAddressBuffer "
           "raw;\n[[vk::binding(3)]] StructuredBuffer<Item> items;\n",
           R"(
      put(asuint(color.z)); put(asuint(r[1][2])); put(asuint(c[1][2])); put(asuint(c._m01)); put(item.a); put(asuint(item.m[1][0])); put(item.c[u(0) & 1]); put(tail); put(items[id & 15].a); put(asuint(items[id & 15].m[1][0])); put(items[u(1) & 15].c[1]); uint n, stride; items.GetDimensions(n, stride); put(n); put(stride);
      raw.Store(4 * id, u(2)); raw.Store2(2048 + 8 * (id & 63), uint2(u(3) & 0, 7)); put(raw.Load(4 * id)); put(raw.Load2(2048 + 8 * (id & 63)).y);)"),
      assembly("DXC's manner", R"(
      OpName %type_given "type.StructuredBuffer.uint"
      OpName %src_main "src.main"
      OpDecorate %scratch DescriptorSet 0
      OpDecorate %scratch Binding 5
      OpDecorate %step_array ArrayStride 8
      OpMemberDecorate %type_given 0 Offset 0
      OpMemberDecorate %type_given 0 NonWritable
      OpDecorate %type_given Block
      OpMemberDecorate %step 0 Offset 0
      OpMemberDecorate %step 1 Offset 4
      %step = OpTypeStruct %uint %float
      %plain = OpTypeStruct %uint %float
      %step_array = OpTypeRuntimeArray %step
      %type_given = OpTypeStruct %step_array
      %ptr_type = OpTypePointer StorageBuffer %type_given
      %ptr_step = OpTypePointer StorageBuffer %step
      %ptr_plain = OpTypePointer Function %plain
      %ptr_three = OpTypePointer Function %v3uint
      %ptr_float_function = OpTypePointer Function %float
      %src_type = OpTypeFunction %uint %ptr_three
      %scratch = OpVariable %ptr_type StorageBuffer
      %thread = OpVariable %ptr_three Function
      OpStore %thread %global_id_value
      %returned = OpFunctionCall %uint %src_main %thread
      put %returned
      OpReturn
      %src_main = OpFunction %uint None %src_type
      %threads = OpFunctionParameter %ptr_three
      %bb_entry = OpLabel
      %i_ = OpVariable %ptr_uint_function Function
      %sum = OpVariable %ptr_uint_function Function
      %item = OpVariable %ptr_plain Function
      OpStore %sum %c0
      OpStore %i_ %c0
      OpBranch %for_check
      %for_check = OpLabel
      %i0_ = OpLoad %uint %i_
      %more = OpULessThan %bool %i0_ %c20
      OpLoopMerge %for_merge %for_continue None
      OpBranchConditional %more %for_body %for_merge
      %for_body = OpLabel
      %x_at = OpAccessChain %ptr_uint_function %threads %i0
      %x = OpLoad %uint %x_at
      %i1_ = OpLoad %uint %i_
      %start = OpIMul %uint %x %c16
      %around = OpBitwiseAnd %uint %i1_ %c15
      %index = OpIAdd %uint %start %around
      %word_at = OpAccessChain %ptr_uint_buffer %given %i0 %index
      %word = OpLoad %uint %word_at
      %third = OpUMod %uint %word %c3
      OpSelectionMerge %switch_merge None
      OpSwitch %third %switch_default 0 %switch_0 1 %switch_1
      %switch_0 = OpLabel
      OpBranch %for_continue
      %switch_1 = OpLabel
      %s1_ = OpLoad %uint %sum
      %s1_more = OpIAdd %uint %s1_ %word
      OpStore %sum %s1_more
      OpBranch %switch_merge
      %switch_default = OpLabel
      %s2_ = OpLoad %uint %sum
      %big = OpUGreaterThan %bool %s2_ %c64
      OpSelectionMerge %if_merge None
      OpBranchConditional %big %if_true %if_merge
      %if_true = OpLabel
      OpBranch %for_merge
      %if_merge = OpLabel
      OpBranch %switch_merge
      %switch_merge = OpLabel
      %s3_ = OpLoad %uint %sum
      %s3_more = OpIMul %uint %s3_ %c3
      OpStore %sum %s3_more
      OpBranch %for_continue
      %for_continue = OpLabel
      %i2_ = OpLoad %uint %i_
      %i3_ = OpIAdd %uint %i2_ %c1
      OpStore %i_ %i3_
      OpBranch %for_check
      %for_merge = OpLabel
      %s4_ = OpLoad %uint %sum
      %small = OpBitwiseAnd %uint %s4_ %c15
      %f_ = OpConvertUToF %float %small
      %value = OpCompositeConstruct %plain %s4_ %f_
      OpStore %item %value
      %x2_at = OpAccessChain %ptr_uint_function %threads %i0
      %x2_ = OpLoad %uint %x2_at
      %to = OpAccessChain %ptr_step %scratch %i0 %x2_
      %loaded = OpLoad %plain %item
      %p0_ = OpCompositeExtract %uint %loaded 0
      %p1_ = OpCompositeExtract %float %loaded 1
      %laid = OpCompositeConstruct %step %p0_ %p1_
      OpStore %to %laid
      OpReturnValue %s4_
      OpFunctionEnd)")
          .version(3)
          .judged_by([](const Invocation& i) {
            uint32_t sum = 0;
            for (uint32_t k = 0; k < 20; ++k) {
              const uint32_t word = i.u(k & 15);
              if (word % 3 == 0) continue;
              if (word % 3 == 1) sum += word;
              if (word % 3 == 2 && sum > 64) break;
              sum *= 3;
            }
            return std::vector<uint32_t>{sum};
          }),
  };
}
