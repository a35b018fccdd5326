#include "tests/support/test.h"
#include "tests/translate/corpus.h"

// Physical and variable pointers to buffers, pointers to workgroup memory and to variables.

using namespace weft;
using namespace weft::test;

namespace {

const std::string references =
    "#extension GL_EXT_buffer_reference : require\n#extension GL_EXT_buffer_reference2 : require\n#extension "
    "GL_EXT_buffer_reference_uvec2 : require\n"
    "#extension GL_EXT_shader_explicit_arithmetic_types : require\n#extension GL_EXT_shader_8bit_storage : "
    "require\n#extension GL_EXT_shader_16bit_storage : require\n";

// Physical pointers in SPIR-V text; %zeros and %words are the addresses in the push constants.
const std::string physical = R"(
      OpCapability PhysicalStorageBufferAddresses
      OpCapability Int64
      OpExtension "SPV_KHR_physical_storage_buffer"
      OpMemoryModel PhysicalStorageBuffer64 GLSL450
      OpDecorate %push_block Block
      OpMemberDecorate %push_block 0 Offset 0
      OpMemberDecorate %push_block 1 Offset 8
      OpDecorate %ptr_word ArrayStride 4
      %uint64 = OpTypeInt 64 0
      %int64 = OpTypeInt 64 1
      %push_block = OpTypeStruct %uint64 %uint64
      %ptr_push = OpTypePointer PushConstant %push_block
      %ptr_push_long = OpTypePointer PushConstant %uint64
      %ptr_word = OpTypePointer PhysicalStorageBuffer %uint
      %push = OpVariable %ptr_push PushConstant
      %zeros_at = OpAccessChain %ptr_push_long %push %c0
      %zeros = OpLoad %uint64 %zeros_at
      %words_at = OpAccessChain %ptr_push_long %push %c1
      %words_ = OpLoad %uint64 %words_at
)";

// Variable pointers: %a and %b are blocks of words, the first and the second extra buffer.
const std::string variable = R"(
      OpCapability VariablePointers
      OpDecorate %ptr_step ArrayStride 4
      OpDecorate %b Binding 5
      OpDecorate %b DescriptorSet 0
      OpDecorate %tile_type ArrayStride 4
      %ptr_step = OpTypePointer StorageBuffer %uint
      %tile_type = OpTypeArray %uint %c64
      %ptr_tile = OpTypePointer Workgroup %tile_type
      %b = OpVariable %ptr_words StorageBuffer
      %tile = OpVariable %ptr_tile Workgroup
)";

}  // namespace

CORPUS("physical pointers") {
  return {
      {"buffer references are loaded, stored and compared",
       references + "// blocks\nlayout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint v[]; "
                    "};\nlayout(buffer_reference, scalar, buffer_reference_align = 4) buffer Parts { uint a; vec3 b; "
                    "layout(row_major) mat2x3 m; uint c[2]; };\nlayout(push_constant, scalar) uniform Push { Words "
                    "zeros; Words words; } push;\n",
       R"(
      put(push.words.v[id]); uint k = u(0) % 512u; put(push.words.v[k + 3u]); Parts p = Parts(push.words); put(floatBitsToUint(p.b.y)); put(floatBitsToUint(p.m[1].z)); put(floatBitsToUint(p.m[u(1) & 1u][u(2) % 3u])); put(p.c[u(3) & 1u]); vec3 b = p.b; put(floatBitsToUint(b.x)); mat2x3 m = p.m; put(floatBitsToUint(m[0].y));
      uint64_t at = uint64_t(push.words) + 4ul * uint64_t(k); Words w = Words(at); put(w.v[0]); put(uint(uint64_t(w) == at)); put(uint(uint64_t(w) - uint64_t(push.words)) / 4u == k ? 1u : 0u); push.zeros.v[id] = u(4); put(push.zeros.v[id]); Words z = Words(uint64_t(push.zeros) + 1024ul + 4ul * uint64_t(id)); z.v[0] = u(5); put(push.zeros.v[256u + id]); put(uint(uint64_t(push.zeros) != uint64_t(push.words)));
      Words c = (u(6) & 1u) != 0u ? push.words : w; put(c.v[1]); if ((u(7) & 1u) != 0u) c = Words(at + 8ul); put(c.v[2]); for (uint i = 0; i < 3u; ++i) { c = Words(uint64_t(c) + 4ul); } put(c.v[0]);)",
       0, false, "SwiftShader has no 64-bit integers"},
      {"addresses as two words",
       references + "// blocks\nlayout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint v[]; "
                    "};\nlayout(push_constant, scalar) uniform Push { uvec2 zeros; uvec2 words; } push;\nuint at(Words "
                    "w, uint k) { return w.v[k]; }\nvoid set(Words w, uint k, uint x) { w.v[k] = x; }\n",
       R"(
      Words w = Words(push.words); put(w.v[id]); put(at(w, u(0) & 1023u)); set(Words(push.zeros), id, u(1)); put(Words(push.zeros).v[id]); uvec2 back = uvec2(w); put(uint(back == push.words));)",
       0, false, "SwiftShader crashes"},
      {"lists of nodes",
       references + "// blocks\nlayout(buffer_reference) buffer Node;\nlayout(buffer_reference, scalar, "
                    "buffer_reference_align = 8) buffer Node { uvec2 value; Node next; u8vec4 bytes; float16_t h; "
                    "};\nlayout(push_constant, scalar) uniform Push { Node zeros; Node words; } push;\n",
       R"(
      uint64_t mine = uint64_t(push.zeros) + 16ul * uint64_t(id); if (gl_WorkGroupID.x == 0u) { Node n = Node(uint64_t(push.zeros) + 64ul * uint64_t(id & 31u)); if (id < 32u) { n.value = uvec2(id * 3u, u(0)); n.next = Node(uint64_t(push.zeros) + 64ul * uint64_t((id * 7u + 1u) & 31u)); n.bytes = u8vec4(1, 2, 3, id); n.h = 1.5hf; }
      memoryBarrierBuffer(); barrier(); uint s = 0u; n = Node(uint64_t(push.zeros) + 64ul * uint64_t(id & 31u)); for (uint i = 0; i < 10u; ++i) { s = s * 31u + n.value.x + uint(n.bytes.w); n = n.next; } put(s); put(uint(n.h == 1.5hf)); } barrier(); if (id == 0u) for (uint i = 0; i < 32u; ++i) { Node n = Node(uint64_t(push.zeros) + 64ul * uint64_t(i)); n.next = Node(0ul); })",
       0, false, "SwiftShader has no 64-bit integers"},
      assembly("physical pointers are cast and stepped", physical + R"(
      %p = OpConvertUToPtr %ptr_word %words_
      %x = OpLoad %uint %p Aligned 4
      %k = OpBitwiseAnd %uint %u0 %c31
      %q = OpPtrAccessChain %ptr_word %p %k
      %y = OpLoad %uint %q Aligned 4
      %negative = OpConstant %int -1
      %deeper = OpIAdd %uint %k %c1
      %ahead = OpPtrAccessChain %ptr_word %p %deeper
      %rear = OpPtrAccessChain %ptr_word %ahead %negative
      %z = OpLoad %uint %rear Volatile|Aligned 4
      %ri = OpConvertPtrToU %uint64 %rear
      %qi = OpConvertPtrToU %uint64 %q
      %same = OpIEqual %bool %ri %qi
      %pair = OpBitcast %v2uint %q
      %again = OpBitcast %ptr_word %pair
      %w = OpLoad %uint %again Aligned 4
      %pi = OpBitcast %uint64 %p
      %difference = OpISub %uint64 %qi %pi
      %d = OpUConvert %uint %difference
      %four = OpIMul %uint %k %c4
      %right = OpIEqual %bool %d %four
      %odd = OpBitwiseAnd %uint %u1 %c1
      %is_odd = OpIEqual %bool %odd %c1
      %chosen = OpSelect %ptr_word %is_odd %p %q
      %v = OpLoad %uint %chosen Aligned 4
      %target = OpConvertUToPtr %ptr_word %zeros
      %mine = OpPtrAccessChain %ptr_word %target %id
      OpStore %mine %u2 Aligned 4
      %word_of = OpPtrAccessChain %ptr_word %p %c5
      %behind_all = OpConstant %uint 512
      %far2 = OpIAdd %uint %id %behind_all
      %other = OpPtrAccessChain %ptr_word %target %far2
      OpCopyMemory %other %word_of Aligned 4
      %t = OpLoad %uint %mine Aligned 4
      put %x
      put %y
      put %z
      putb %same
      put %w
      putb %right
      put %v
      put %t
      put %u2)"),
  };
}

CORPUS("variable pointers") {
  return {
      assembly("pointers are chosen among buffers", variable + R"(
      %odd = OpBitwiseAnd %uint %u0 %c1
      %is_odd = OpIEqual %bool %odd %c1
      %pa = OpAccessChain %ptr_step %given %c0 %id
      %pb = OpAccessChain %ptr_step %b %c0 %id
      OpStore %pb %u5
      %p = OpSelect %ptr_step %is_odd %pa %pb
      %x = OpLoad %uint %p
      %q = OpPtrAccessChain %ptr_step %p %c3
      %q1 = OpPtrAccessChain %ptr_step %q %i0
      %minus = OpConstant %int -3
      %r = OpPtrAccessChain %ptr_step %q1 %minus
      %y = OpLoad %uint %r
      %same = OpPtrEqual %bool %p %r
      %other = OpPtrNotEqual %bool %p %q
      %apart = OpPtrDiff %int %q %p
      %back = OpPtrDiff %int %p %q
      OpSelectionMerge %merge None
      OpBranchConditional %is_odd %then %else
      %then = OpLabel
      %p1 = OpAccessChain %ptr_step %given %c0 %c7
      OpBranch %merge
      %else = OpLabel
      OpBranch %merge
      %merge = OpLabel
      %f = OpPhi %ptr_step %p1 %then %pb %else
      %z = OpLoad %uint %f
      %w = OpFunctionCall %uint %read %f
      put %x
      put %y
      putb %same
      putb %other
      puti %apart
      puti %back
      put %z
      put %w
      %read_type = OpTypeFunction %uint %ptr_step
      %read = OpFunction %uint None %read_type
      %from = OpFunctionParameter %ptr_step
      %read_entry = OpLabel
      %value = OpLoad %uint %from
      %more = OpIAdd %uint %value %c1
      OpReturnValue %more
      OpFunctionEnd)")
          .version(5)
          .judged_by([](const Invocation& i) {
            const bool odd = i.u(0) & 1;
            const uint32_t x = odd ? i.input[i.id] : i.u(5), z = odd ? i.input[7] : i.u(5);
            return std::vector<uint32_t>{x, x, 1, 1, 3, uint32_t(-3), z, z + 1};
          }),
      assembly("pointers walk along a buffer", variable + R"(
      %start = OpAccessChain %ptr_step %given %c0 %id
      OpBranch %loop
      %loop = OpLabel
      %p = OpPhi %ptr_step %start %entry %next %again
      %i = OpPhi %uint %c0 %entry %more %again
      %sum = OpPhi %uint %c0 %entry %total %again
      OpLoopMerge %done %again None
      OpBranch %test
      %test = OpLabel
      %less = OpULessThan %bool %i %c10
      OpBranchConditional %less %work %done
      %work = OpLabel
      %x = OpLoad %uint %p
      %times = OpIMul %uint %sum %c31
      %total = OpIAdd %uint %times %x
      OpBranch %again
      %again = OpLabel
      %next = OpPtrAccessChain %ptr_step %p %c7
      %more = OpIAdd %uint %i %c1
      OpBranch %loop
      %done = OpLabel
      put %sum)")
          .version(3)
          .judged_by([](const Invocation& i) {
            uint32_t sum = 0;
            for (uint32_t k = 0; k < 10; ++k) sum = sum * 31 + i.input[i.id + 7 * k];
            return std::vector<uint32_t>{sum};
          }),
      assembly("pointers to workgroup memory", variable + R"(
      OpDecorate %ptr_tile_step ArrayStride 4
      %ptr_tile_step = OpTypePointer Workgroup %uint
      %semantics = OpConstant %uint 264
      %mine = OpAccessChain %ptr_tile_step %tile %local
      OpStore %mine %u0
      OpControlBarrier %c2 %c2 %semantics
      %to = OpISub %uint %c64 %local
      %behind = OpISub %uint %to %c1
      %theirs = OpAccessChain %ptr_tile_step %tile %behind
      %low = OpULessThan %bool %local %c32
      %p = OpSelect %ptr_tile_step %low %mine %theirs
      %x = OpLoad %uint %p
      %equal = OpPtrEqual %bool %mine %p
      %beginning = OpAccessChain %ptr_tile_step %tile %c0
      %distance = OpPtrDiff %int %p %beginning
      %stepped = OpPtrAccessChain %ptr_tile_step %beginning %c5
      %y = OpLoad %uint %stepped
      put %x
      putb %equal
      puti %distance
      put %y)")
          .version(6)
          .judged_by([](const Invocation& i) {
            const bool low = i.local() < 32;
            const uint32_t other = i.id - i.local() + 63 - i.local(), group = i.id - i.local();
            return std::vector<uint32_t>{low ? i.u(0) : i.input[other * 16], low, low ? i.local() : 63 - i.local(),
                                         i.input[(group + 5) * 16]};
          }),
  };
}

CORPUS("pointers to variables") {
  return {
      {"functions that change what they are given",
       "// functions\nstruct S { uint a[4]; vec3 b; mat2 m; };\nuint counter = 5u;\nvoid one(inout uint x) { x = x * "
       "3u + 1u; }\nvoid two(inout uvec3 v, uint k) { one(v[k]); v.zy = v.yz; }\nvoid three(inout S s, out uint last) "
       "{ one(s.a[2]); s.b.y += 1.0; s.m[1].x = s.b.x; last = s.a[3]; s.a[3] = counter; counter += last & 7u; }\nS "
       "four(S s) { s.a[0] = 0u; return s; }\n",
       R"(
      uint x = u(0); one(x); put(x); uvec3 v = uvec3(u(1), u(2), u(3)); two(v, u(4) % 3u); put(v.x); put(v.y); put(v.z); S s = S(uint[4](u(5), u(6), u(7), u(8)), vec3(f(9), f(10), f(11)), mat2(1.0)); uint l; three(s, l); put(l); put(s.a[2]); put(s.a[3]); put(uint(s.m[1].x == s.b.x)); three(s, s.a[u(12) & 1u]); put(s.a[0]); put(s.a[1]); put(counter);
      S t = four(s); put(t.a[0]); put(s.a[0]); S many[3]; many[u(13) % 3u] = s; many[(u(13) + 1u) % 3u] = t; three(many[u(13) % 3u], l); put(l); one(many[u(13) % 3u].a[u(14) & 3u]); put(many[u(13) % 3u].a[u(14) & 3u]);)"},
      assembly("pointers are parameters", R"(
      OpDecorate %shared_array ArrayStride 4
      %take_function = OpTypeFunction %uint %ptr_uint_function %uint
      %shared_array = OpTypeArray %uint %c64
      %ptr_words_shared = OpTypePointer Workgroup %shared_array
      %take_workgroup = OpTypeFunction %void %ptr_words_shared %uint
      %ptr_private = OpTypePointer Private %uint
      %take_private = OpTypeFunction %uint %ptr_private
      %tile = OpVariable %ptr_words_shared Workgroup
      %mine = OpVariable %ptr_private Private %c7
      %semantics = OpConstant %uint 264
      %x = OpVariable %ptr_uint_function Function %c5
      %a = OpFunctionCall %uint %add %x %u0
      %b = OpFunctionCall %uint %add %x %u1
      %c = OpLoad %uint %x
      %d = OpFunctionCall %void %put_in %tile %u2
      OpControlBarrier %c2 %c2 %semantics
      %next = OpIAdd %uint %local %c1
      %around = OpBitwiseAnd %uint %next %mask
      %mask = OpConstant %uint 63
      %e_at = OpAccessChain %ptr_uint_workgroup %tile %around
      %e = OpLoad %uint %e_at
      %f = OpFunctionCall %uint %bump %mine
      %g = OpFunctionCall %uint %bump %mine
      put %a
      put %b
      put %c
      put %e
      put %f
      put %g
      %add = OpFunction %uint None %take_function
      %p = OpFunctionParameter %ptr_uint_function
      %n = OpFunctionParameter %uint
      %add_entry = OpLabel
      %old = OpLoad %uint %p
      %sum = OpIAdd %uint %old %n
      OpStore %p %sum
      OpReturnValue %old
      OpFunctionEnd
      %put_in = OpFunction %void None %take_workgroup
      %t = OpFunctionParameter %ptr_words_shared
      %m = OpFunctionParameter %uint
      %put_entry = OpLabel
      %local_again = OpLoad %uint %local_index
      %at_ = OpAccessChain %ptr_uint_workgroup %t %local_again
      OpStore %at_ %m
      OpReturn
      OpFunctionEnd
      %bump = OpFunction %uint None %take_private
      %q = OpFunctionParameter %ptr_private
      %bump_entry = OpLabel
      %was = OpLoad %uint %q
      %now = OpIMul %uint %was %c3
      OpStore %q %now
      OpReturnValue %now
      OpFunctionEnd)")
          .version(5)
          .judged_by([](const Invocation& i) {
            const uint32_t next = i.id - i.local() + (i.local() + 1) % 64;
            return std::vector<uint32_t>{5, 5 + i.u(0), 5 + i.u(0) + i.u(1), i.input[next * 16 + 2], 21, 63};
          }),
  };
}
