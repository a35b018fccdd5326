#include <bit>

#include "tests/support/test.h"
#include "tests/translate/corpus.h"

// Layouts of types in memory: std140, std430, scalar, strides and offsets that no language produces, every kind of
// buffer.

using namespace weft;
using namespace weft::test;

CORPUS("layouts in memory") {
  const std::string narrow =
      "#extension GL_EXT_shader_explicit_arithmetic_types : require\n#extension GL_EXT_shader_8bit_storage : "
      "require\n#extension GL_EXT_shader_16bit_storage : require\n";
  return {
      {"std140",
       "// blocks\nstruct S { float a; vec3 b; uint c[3]; mat3x2 m; };\nlayout(set = 0, binding = 2, std140) uniform "
       "Block { uint head; layout(row_major) mat2x3 r; S s[2]; vec2 tail[3]; layout(column_major) mat3 columns[2]; } "
       "block;\n",
       R"(
      put(block.head); put(floatBitsToUint(block.r[1].z)); put(floatBitsToUint(block.r[u(0) & 1u][u(1) % 3u])); put(floatBitsToUint(block.s[1].b.y)); put(block.s[u(0) & 1u].c[u(1) % 3u]); put(floatBitsToUint(block.s[1].m[2].y)); put(floatBitsToUint(block.s[0].m[u(1) % 3u][u(2) & 1u]));
      put(floatBitsToUint(block.tail[2].y)); put(floatBitsToUint(block.columns[1][2].x)); put(floatBitsToUint(block.columns[u(3) & 1u][1].z)); S s = block.s[u(3) & 1u]; put(floatBitsToUint(s.a)); put(s.c[2]); put(floatBitsToUint(s.m[0].x)); mat2x3 r = block.r; put(floatBitsToUint(r[0].y)); vec3 c = block.r[1]; put(floatBitsToUint(c.x));)"},
      {"narrow push constants and uniforms",
       narrow + "// blocks\nlayout(push_constant, std430) uniform Push { uvec2 zeros, random; u8vec4 bytes; uint16_t "
                "first, second; uint four; } push;\nlayout(set = 0, binding = 2, std140) uniform Halves { i16vec4 v; "
                "uint16_t last; } halves;\n",
       R"(
      put(uint(push.bytes.x) + uint(push.bytes.w)); put(uint(push.first) * 256u + uint(push.second)); put(push.four); put(uint(int(halves.v[u(0) & 3u]))); put(uint(halves.last));)"},
      {"std430 and scalar, written",
       "// blocks\nstruct S { vec3 a; float b; uint c[3]; mat2x3 m; };\nlayout(set = 0, binding = 5, std430) buffer A "
       "{ layout(row_major) S s[4]; } a;\nlayout(set = 0, binding = 3, scalar) buffer B { uint head; S s[]; } b[3];\n",
       R"(
      if (id < 4u) { S s = S(vec3(f(0), f(1), f(2)), f(3), uint[3](u(4), u(5), u(6)), mat2x3(f(7), f(8), f(9), f(10), f(11), f(12))); a.s[id] = s; a.s[id].m[u(13) & 1u].y = 2.5; a.s[id].m[0][u(14) % 3u] += 1.0; b[1].s[id] = s; b[1].s[id].m[1] = vec3(4.0); b[1].s[id].c[u(15) % 3u] = 77u;
      S t = a.s[id]; putf(t.m[1].x); put(t.c[1]); putf(t.b); t = b[1].s[id]; putf(t.m[0].y); put(t.c[0]); putf(t.a.z); if (id == 2u) b[2].head = uint(b[2].s.length()); }
      put(uint(b[0].s.length())); put(b[0].head);)"},
      {"8, 16 and 64 bits in buffers",
       narrow + "// blocks\nlayout(set = 0, binding = 0, scalar) readonly buffer A { uint8_t a; i16vec3 b; f16vec2 c; "
                "uint64_t d; u8vec4 e; double g; int8_t h[]; } a;\nlayout(set = 0, binding = 5, std430) buffer B { "
                "uint8_t a; i16vec3 b; f16mat2x3 c; u64vec2 d; u8vec3 e[40]; } b;\n",
       R"(
      put(uint(a.a)); put(uint(int(a.b.y))); putf(uint(a.b.z) == 0u ? 0.0 : 1.0); put(uint(float16BitsToUint16(a.c.y))); put(uint(a.d >> 32)); put(uint(a.e.z)); put(unpackDouble2x32(a.g).y); put(uint(int(a.h[u(0) % 100u]))); put(uint(a.h.length()));
      if (id == 0u) { b.a = uint8_t(u(1)); b.b = i16vec3(int(u(2)), int(u(3)), 7); b.c = f16mat2x3(1.0hf, 2.0hf, 3.0hf, 4.0hf, 5.0hf, 6.0hf); b.d = u64vec2(a.d, a.d * 3ul); for (uint i = 0; i < 40u; ++i) b.e[i] = u8vec3(i, i * 2u, u(4)); b.e[7].y = uint8_t(9); b.b.y -= int16_t(1); put(uint(b.e[7].x) + uint(b.e[39].z)); putf(float(b.c[1].z)); }
      f16vec2 sum = a.c + f16vec2(uint16BitsToFloat16(uint16_t(0x3c00))); put(uint(sum.x == sum.x));)"},
      {"push constants",
       "#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require\n// blocks\nlayout(push_constant, std430) "
       "uniform Push { uint64_t addresses[2]; uvec2 a; uint b[2]; } push;\n",
       R"(
      put(push.a.x); put(push.a.y); put(push.b[u(0) & 1u]); put(push.b[1]); uint s = 0u; for (uint i = 0; i < 2u; ++i) s += push.b[i] * (i + 1u); put(s); put(push.addresses[1] - push.addresses[0] == 4096ul ? 1u : 0u);)"},
      {"descriptor arrays",
       "#extension GL_EXT_nonuniform_qualifier : require\n// blocks\nlayout(set = 0, binding = 3, std430) buffer A { "
       "uint head; uint v[]; } a[3];\nlayout(set = 0, binding = 4, std140) uniform B { uvec4 v[64]; } b[2];\n",
       R"(
      put(a[0].head); put(a[2].v[id]); uint k = u(0) % 3u; put(a[nonuniformEXT(k)].v[id]); put(b[1].v[id & 63u].y); put(b[nonuniformEXT(u(1) & 1u)].v[u(2) & 63u][u(3) & 3u]); for (uint i = 0; i < 3u; ++i) put(a[i].v[i + id]); put(uint(a[1].v.length())); put(uint(a[nonuniformEXT(k)].v.length()));
      barrier(); memoryBarrierBuffer(); uint index = id + 500u; a[nonuniformEXT(k)].v[index] = u(4); put(a[nonuniformEXT(k)].v[index]); atomicAdd(a[nonuniformEXT(k)].v[1000], 1u);)",
       0, false, "SwiftShader crashes"},
      assembly("strides and offsets as no language has them", R"(
      OpMemberDecorate %inner 0 Offset 4
      OpMemberDecorate %inner 1 Offset 20
      OpMemberDecorate %inner 1 MatrixStride 20
      OpMemberDecorate %inner 1 RowMajor
      OpMemberDecorate %inner 2 Offset 120
      OpMemberDecorate %inner 2 MatrixStride 12
      OpMemberDecorate %inner 2 ColMajor
      OpMemberDecorate %inner 3 Offset 84
      OpDecorate %steps ArrayStride 12
      OpDecorate %inners ArrayStride 164
      OpMemberDecorate %block 0 Offset 40
      OpMemberDecorate %block 1 Offset 4
      OpDecorate %block Block
      OpDecorate %source DescriptorSet 0
      OpDecorate %source Binding 0
      OpDecorate %source NonWritable
      OpDecorate %target DescriptorSet 0
      OpDecorate %target Binding 5
      %mat2x3 = OpTypeMatrix %v3float 2
      %mat3x2 = OpTypeMatrix %v2float 3
      %steps = OpTypeArray %uint %c3
      %inner = OpTypeStruct %v2float %mat2x3 %mat3x2 %steps
      %inners = OpTypeArray %inner %c5
      %block = OpTypeStruct %inners %uint
      %ptr_block = OpTypePointer StorageBuffer %block
      %ptr_inner = OpTypePointer StorageBuffer %inner
      %ptr_float = OpTypePointer StorageBuffer %float
      %ptr_column = OpTypePointer StorageBuffer %v3float
      %ptr_column2 = OpTypePointer StorageBuffer %v2float
      %ptr_matrix = OpTypePointer StorageBuffer %mat2x3
      %ptr_inners = OpTypePointer StorageBuffer %inners
      %source = OpVariable %ptr_block StorageBuffer
      %target = OpVariable %ptr_block StorageBuffer
      %two = OpUMod %uint %u0 %c2
      %three = OpUMod %uint %u1 %c3
      %five = OpUMod %uint %u2 %c5
      %p1 = OpAccessChain %ptr_float %source %c0 %five %c1 %two %three
      %x1 = OpLoad %float %p1
      %p2 = OpAccessChain %ptr_float %source %c0 %five %c2 %three %two
      %x2 = OpLoad %float %p2
      %p3 = OpAccessChain %ptr_uint_buffer %source %c0 %five %c3 %three
      %x3 = OpLoad %uint %p3
      %p4 = OpAccessChain %ptr_column %source %c0 %c3 %c1 %two
      %x4 = OpLoad %v3float %p4
      %x4y = OpCompositeExtract %float %x4 1
      %x4z = OpCompositeExtract %float %x4 2
      %p5 = OpAccessChain %ptr_matrix %source %c0 %five %c1
      %x5 = OpLoad %mat2x3 %p5
      %x5a = OpCompositeExtract %float %x5 1 2
      %p6 = OpAccessChain %ptr_uint_buffer %source %c1
      %x6 = OpLoad %uint %p6
      putf %x1
      putf %x2
      put %x3
      putf %x4y
      putf %x4z
      putf %x5a
      put %x6
      %mine = OpIEqual %bool %id %c0
      OpSelectionMerge %after None
      OpBranchConditional %mine %then %after
      %then = OpLabel
      %all = OpAccessChain %ptr_inners %source %c0
      %every = OpLoad %inners %all
      %to = OpAccessChain %ptr_inners %target %c0
      OpStore %to %every
      %q1 = OpAccessChain %ptr_matrix %target %c0 %c2 %c1
      %x5n = OpCompositeConstruct %v3float %r3 %r4 %r5
      %changed = OpCompositeInsert %mat2x3 %x5n %x5 1
      OpStore %q1 %changed
      %q2 = OpAccessChain %ptr_column2 %target %c0 %c1 %c2 %three
      %tail = OpCompositeConstruct %v2float %f1 %f2
      OpStore %q2 %tail
      %q3 = OpAccessChain %ptr_column %target %c0 %c4 %c1 %two
      OpStore %q3 %x4
      %q4 = OpAccessChain %ptr_inner %target %c0 %c0
      %q5 = OpAccessChain %ptr_inner %target %c0 %c3
      OpCopyMemory %q4 %q5
      OpBranch %after
      %after = OpLabel)"),
  };
}

CORPUS("buffers as old compilers declare them") {
  return {
      assembly("the length of a buffer that a function is given", R"(
      OpCapability VariablePointersStorageBuffer
      %length_type = OpTypeFunction %uint %ptr_words
      %a = OpFunctionCall %uint %length %given
      %b = OpFunctionCall %uint %length %given
      put %a
      put %b
      %length = OpFunction %uint None %length_type
      %p = OpFunctionParameter %ptr_words
      %length_entry = OpLabel
      %n = OpArrayLength %uint %p 0
      OpReturnValue %n
      OpFunctionEnd)")
          .version(5)
          .judged_by([](const Invocation& i) {
            return std::vector<uint32_t>{uint32_t(i.input.size()), uint32_t(i.input.size())};
          }),
      KernelCase{
          "workgroup memory with an explicit layout",
          "#extension GL_EXT_shared_memory_block : require\n#extension GL_EXT_shader_explicit_arithmetic_types : "
          "require\n#extension GL_EXT_shader_8bit_storage : require\n#extension GL_EXT_shader_16bit_storage : "
          "require\n// blocks\nlayout(std430) shared A { uint v[64]; uint tail; } a;\nshared B { uvec4 v[16]; } "
          "b;\nlayout(scalar) shared C { layout(row_major) mat3x2 m; u8vec4 bytes[40]; f16vec3 halves[4]; } c;\n",
          R"(
      uint l = gl_LocalInvocationIndex; a.v[l] = u(0); barrier(); put(b.v[l / 4u][l & 3u]); put(b.v[(l + 5u) & 15u].y); barrier(); if (l < 6u) b.v[l] = uvec4(floatBitsToUint(f(1)), u(2), u(3) & 0x3fff3fffu, l);
      barrier(); putf(c.m[u(4) % 3u][0]); put(uint(c.bytes[u(5) & 7u].z)); put(uint(float16BitsToUint16(c.halves[0].y)) & 0u); put(a.v[l & 15u]); barrier(); if (l == 0u) { c.m[1] = vec2(2.0, 3.0); c.bytes[9] = u8vec4(1, 2, 3, 4); a.tail = 77u; } barrier(); put(a.v[1]); put(a.v[15]); put(a.tail); put(uint(c.m[1].y));)"}
          .judged_by([](const Invocation& i) {
            const uint32_t first = i.id - i.local(), l = i.local();
            const auto of = [&](uint32_t local, uint32_t k) { return i.input[(first + local) * 16 + k]; };
            std::vector<uint32_t> words, results{i.u(0), of(((l + 5) & 15) * 4 + 1, 0)};
            for (uint32_t k = 0; k < 64; ++k) words.push_back(of(k, 0));
            for (uint32_t k = 0; k < 6; ++k) {
              const Invocation other = Invocation{i.input, first + k};
              words[4 * k] = std::bit_cast<uint32_t>(other.f(1)), words[4 * k + 1] = other.u(2);
              words[4 * k + 2] = other.u(3) & 0x3fff3fff, words[4 * k + 3] = k;
            }
            const uint32_t bytes = words[6 + (i.u(5) & 7)];
            results.insert(results.end(), {words[i.u(4) % 3], bytes >> 16 & 255, 0, words[l & 15],
                                           std::bit_cast<uint32_t>(2.0f), 0x04030201, 77, 3});
            return results;
          }),
      assembly("arrays of buffers by an index that is not constant", R"(
      OpCapability StorageBufferArrayDynamicIndexing
      OpCapability UniformBufferArrayDynamicIndexing
      OpDecorate %block BufferBlock
      OpMemberDecorate %block 0 Offset 0
      OpDecorate %numbers ArrayStride 4
      OpDecorate %constants Block
      OpMemberDecorate %constants 0 Offset 0
      OpDecorate %few ArrayStride 16
      OpDecorate %buffers DescriptorSet 0
      OpDecorate %buffers Binding 3
      OpDecorate %uniforms DescriptorSet 0
      OpDecorate %uniforms Binding 4
      %numbers = OpTypeRuntimeArray %uint
      %block = OpTypeStruct %numbers
      %blocks = OpTypeArray %block %c3
      %ptr_blocks = OpTypePointer Uniform %blocks
      %buffers = OpVariable %ptr_blocks Uniform
      %few = OpTypeArray %uint %c15
      %constants = OpTypeStruct %few
      %both = OpTypeArray %constants %c2
      %ptr_both = OpTypePointer Uniform %both
      %uniforms = OpVariable %ptr_both Uniform
      %k = OpBitwiseAnd %uint %c3 %c1
      %at = OpAccessChain %ptr_uint_buffer %buffers %k %c0 %id
      %x = OpLoad %uint %at
      put %x
      %in = OpAccessChain %ptr_uint_buffer %uniforms %k %c0 %c7
      %y = OpLoad %uint %in
      put %y)")
          .version(0),
      assembly("a buffer block of SPIR-V 1.0", R"(
      OpDecorate %block BufferBlock
      OpMemberDecorate %block 0 Offset 0
      OpMemberDecorate %block 1 Offset 16
      OpDecorate %numbers ArrayStride 16
      OpDecorate %buffer DescriptorSet 0
      OpDecorate %buffer Binding 5
      OpDecorate %group Restrict
      %group = OpDecorationGroup
      OpGroupDecorate %group %buffer
      %numbers = OpTypeRuntimeArray %uint
      %block = OpTypeStruct %uint %numbers
      %ptr_block = OpTypePointer Uniform %block
      %buffer = OpVariable %ptr_block Uniform
      %n = OpArrayLength %uint %buffer 1
      put %n
      %at = OpAccessChain %ptr_uint_buffer %buffer %c1 %id
      %bounded = OpULessThan %bool %id %n
      OpSelectionMerge %after None
      OpBranchConditional %bounded %then %after
      %then = OpLabel
      OpStore %at %u0
      %x = OpLoad %uint %at
      put %x
      OpBranch %after
      %after = OpLabel)")
          .version(0)
          .of(32, 1)
          .judged_by([](const Invocation& i) { return std::vector<uint32_t>{255, i.u(0)}; }),
      assembly("blocks without members, and of nothing but such a struct", R"(
      OpDecorate %empty Block
      OpDecorate %holder Block
      OpMemberDecorate %holder 0 Offset 0
      OpDecorate %numbers DescriptorSet 0
      OpDecorate %numbers Binding 2
      OpDecorate %buffer DescriptorSet 0
      OpDecorate %buffer Binding 5
      %empty = OpTypeStruct
      %inner = OpTypeStruct
      %holder = OpTypeStruct %inner
      %ptr_empty = OpTypePointer Uniform %empty
      %ptr_holder = OpTypePointer StorageBuffer %holder
      %ptr_inner = OpTypePointer StorageBuffer %inner
      %numbers = OpVariable %ptr_empty Uniform
      %buffer = OpVariable %ptr_holder StorageBuffer
      %at = OpAccessChain %ptr_inner %buffer %c0
      %nothing = OpLoad %inner %at
      OpStore %at %nothing
      put %u0)")
          .version(3)
          .judged_by([](const Invocation& i) { return std::vector<uint32_t>{i.u(0)}; }),
      {"two views of one buffer",
       "// blocks\nlayout(set = 0, binding = 5, std430) buffer A { uvec4 v[]; } a;\nlayout(set = 0, binding = 5, "
       "std430) buffer B { uint v[]; } b;\n",
       "a.v[id & 127u] = uvec4(id & 127u); barrier(); put(uint(a.v.length())); put(uint(b.v.length()));"},
  };
}
