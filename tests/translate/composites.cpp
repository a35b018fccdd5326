#include "tests/support/test.h"
#include "tests/translate/corpus.h"

// Vectors, matrices, arrays and structs as values.

using namespace weft;
using namespace weft::test;

CORPUS("composites") {
  return {
      assembly("composites are made, read and changed", R"(
      %array = OpTypeArray %v3uint %c2
      %inner = OpTypeStruct %uint %array %bool
      %outer = OpTypeStruct %inner %v2uint
      %inners = OpTypeArray %inner %c3
      %v3 = OpCompositeConstruct %v3uint %u0 %u1 %u2
      %v2 = OpCompositeConstruct %v2uint %u3 %u4
      %mixed = OpCompositeConstruct %v4uint %v2 %u5 %u6
      %five = OpCompositeConstruct %v4uint %u7 %v3
      %a = OpCompositeConstruct %array %v3 %v3
      %odd = OpINotEqual %bool %u0 %u1
      %s = OpCompositeConstruct %inner %u8 %a %odd
      %o = OpCompositeConstruct %outer %s %v2
      %many = OpCompositeConstruct %inners %s %s %s
      %x = OpCompositeExtract %uint %o 0 1 1 2
      %changed = OpCompositeInsert %outer %u9 %o 0 1 1 2
      %y = OpCompositeExtract %uint %changed 0 1 1 2
      %z = OpCompositeExtract %uint %o 0 1 1 2
      %flag = OpCompositeExtract %bool %changed 0 2
      %whole = OpCompositeExtract %inner %changed 0
      %many2 = OpCompositeInsert %inners %whole %many 1
      %w = OpCompositeExtract %uint %many2 1 1 1 2
      %w0 = OpCompositeExtract %uint %many2 0 1 1 2
      %shuffled = OpVectorShuffle %v4uint %v3 %mixed 5 0 4294967295 2
      %s0_ = OpCompositeExtract %uint %shuffled 0
      %s1_ = OpCompositeExtract %uint %shuffled 1
      %s3_ = OpCompositeExtract %uint %shuffled 3
      %narrow = OpVectorShuffle %v2uint %mixed %v3 6 1
      %n = OpBitwiseAnd %uint %u10 %c3
      %d = OpVectorExtractDynamic %uint %mixed %n
      %e = OpVectorInsertDynamic %v4uint %five %u11 %n
      %copy = OpCopyObject %outer %changed
      %v = OpCompositeExtract %v2uint %copy 1
      %undefined = OpUndef %v4uint
      %filled = OpCompositeInsert %v4uint %u12 %undefined 2
      %f2_ = OpCompositeExtract %uint %filled 2
      put %x
      put %y
      put %z
      putb %flag
      put %w
      put %w0
      put %s0_
      put %s1_
      put %s3_
      put2 %narrow
      put %d
      put4 %e
      put2 %v
      put %f2_)")
          .judged_by([](const Invocation& i) {
            const uint32_t n = i.u(10) & 3;
            const uint32_t mixed[] = {i.u(3), i.u(4), i.u(5), i.u(6)};
            uint32_t five[] = {i.u(7), i.u(0), i.u(1), i.u(2)};
            five[n] = i.u(11);
            return std::vector<uint32_t>{i.u(2),  i.u(9),  i.u(2), i.u(0) != i.u(1), i.u(9),   i.u(2),  i.u(5),
                                         i.u(0),  i.u(2),  i.u(2), i.u(4),           mixed[n], five[0], five[1],
                                         five[2], five[3], i.u(3), i.u(4),           i.u(12)};
          }),
      assembly("structs that differ in layout alone", R"(
      OpMemberDecorate %laid 0 Offset 0
      OpMemberDecorate %laid 1 Offset 16
      OpMemberDecorate %laid 2 Offset 32
      OpDecorate %laid_array ArrayStride 8
      OpMemberDecorate %block 0 Offset 64
      OpDecorate %block Block
      OpDecorate %buffer DescriptorSet 0
      OpDecorate %buffer Binding 5
      %laid_array = OpTypeArray %uint %c3
      %laid = OpTypeStruct %uint %v2uint %laid_array
      %plain_array = OpTypeArray %uint %c3
      %plain = OpTypeStruct %uint %v2uint %plain_array
      %block = OpTypeStruct %laid
      %ptr_block = OpTypePointer StorageBuffer %block
      %ptr_laid = OpTypePointer StorageBuffer %laid
      %buffer = OpVariable %ptr_block StorageBuffer
      %zero = OpIEqual %bool %id %c0
      OpSelectionMerge %after None
      OpBranchConditional %zero %then %after
      %then = OpLabel
      %v = OpCompositeConstruct %v2uint %u1 %u2
      %a = OpCompositeConstruct %plain_array %u3 %u4 %u5
      %value = OpCompositeConstruct %plain %u0 %v %a
      %other = OpCopyLogical %laid %value
      %where = OpAccessChain %ptr_laid %buffer %c0
      OpStore %where %other
      %again = OpLoad %laid %where
      %back = OpCopyLogical %plain %again
      %x = OpCompositeExtract %uint %back 2 2
      %y = OpCompositeExtract %uint %back 1 1
      put %x
      put %y
      OpBranch %after
      %after = OpLabel)")
          .version(5)
          .judged_by([](const Invocation& i) {
            return i.id == 0 ? std::vector<uint32_t>{i.u(5), i.u(2)} : std::vector<uint32_t>{};
          }),
      assembly("logical values", R"(
      %a = OpULessThan %bool %u0 %u1
      %b = OpULessThan %bool %u2 %u3
      %and = OpLogicalAnd %bool %a %b
      %or = OpLogicalOr %bool %a %b
      %eq = OpLogicalEqual %bool %a %b
      %ne = OpLogicalNotEqual %bool %a %b
      %not = OpLogicalNot %bool %a
      %v = OpCompositeConstruct %v3bool %a %b %yes
      %w = OpCompositeConstruct %v3bool %b %no %a
      %vand = OpLogicalAnd %v3bool %v %w
      %vor = OpLogicalOr %v3bool %v %w
      %veq = OpLogicalEqual %v3bool %v %w
      %vne = OpLogicalNotEqual %v3bool %v %w
      %vnot = OpLogicalNot %v3bool %v
      %any1 = OpAny %bool %vand
      %all1 = OpAll %bool %vor
      %any2 = OpAny %bool %veq
      %all2 = OpAll %bool %vne
      %any3 = OpAny %bool %vnot
      %x = OpCompositeConstruct %v3uint %u4 %u5 %u6
      %y = OpCompositeConstruct %v3uint %u7 %u8 %u9
      %mixed = OpSelect %v3uint %v %x %y
      %m0 = OpCompositeExtract %uint %mixed 0
      %m1 = OpCompositeExtract %uint %mixed 1
      %m2 = OpCompositeExtract %uint %mixed 2
      %whole = OpSelect %v3uint %a %x %y
      %h2 = OpCompositeExtract %uint %whole 2
      %chosen = OpSelect %bool %a %b %not
      putb %and
      putb %or
      putb %eq
      putb %ne
      putb %not
      putb %any1
      putb %all1
      putb %any2
      putb %all2
      putb %any3
      put %m0
      put %m1
      put %m2
      put %h2
      putb %chosen)")
          .version(4),
      {"matrices of floats", "", R"(
      mat4x2 a = mat4x2(f(0), f(1), f(2), f(3), f(4), f(5), f(6), f(7)); mat2x4 b = mat2x4(f(8), f(9), f(10), f(11), f(12), f(13), f(14), f(15)); mat2 p = a * b; mat4 q = b * a; putf(p[1].x); putf(q[3].w); putf(q[2][1]);
      vec2 v = a * vec4(f(0), f(1), f(2), 1.0); putf(v.y); vec4 w = vec2(f(3), f(4)) * a; putf(w.z); putf(transpose(a)[1][3]); mat4x2 d = a * 2.0 + a - matrixCompMult(a, a); putf(d[2].x); d = a / 4.0; putf(d[3][1]); d[1] = vec2(7.0); d[u(5) & 3u].x = 9.0; putf(d[1].x + d[2].x);
      mat4 m = mat4(3.0) + mat4(a * 0.1); putf(determinant(m)); m = inverse(m); putf(m[0][0]); putf(m[3][1]); mat3 n = inverse(mat3(2.0) + mat3(outerProduct(w.xyz, w.xyz * vec3(1.0, 2.0, 3.0))) * 0.001); putf(n[0][2]); putf(n[1].y); putf((-a)[0].y); put(uint(p == transpose(transpose(p))));
      mat3 z = mat3(mat2(p)); putf(z[2][2]); putf(mat2(q)[1][0]); mat3x4 r[2] = mat3x4[2](mat3x4(1.0), mat3x4(2.0)); putf(r[u(6) & 1u][2].z);)",
       4096},
      {"matrices of doubles", "", R"(
      dmat3x2 a = dmat3x2(f(0), f(1), f(2), f(3), f(4), f(5)); dmat2x3 b = transpose(a); dmat2 p = a * b; putf(float(p[1].x)); putf(float((a * dvec3(f(6), f(7), f(8))).y)); putf(float((dvec2(f(9), f(10)) * a).z));
      putf(float((a * 2.0lf)[2].y)); putf(float(outerProduct(dvec2(f(0), f(1)), dvec3(f(2), f(3), f(4)))[2][1])); putf(float(determinant(p + dmat2(30.0lf)))); putf(float(inverse(p + dmat2(300.0lf))[0][0])); mat2 n = mat2(p); putf(n[0][1]);)",
       64},
      {"arrays and structs as values",
       "// types\nstruct Inner { uint a; vec2 b; bool c; }; struct Outer { Inner inner[3]; mat2 m; uint last; "
       "};\nOuter changed(Outer o, uint k) { o.inner[k].a += 100u; o.m[1] = vec2(5.0); return o; }\nuint total(Outer "
       "o) { uint s = o.last; for (uint i = 0; i < 3u; ++i) s += o.inner[i].a * (i + 1u) + (o.inner[i].c ? 7u : 0u); "
       "return s; }\n",
       R"(
      Outer o; for (uint i = 0; i < 3u; ++i) o.inner[i] = Inner(u(i), vec2(f(i), 1.0), (u(i) & 1u) != 0u); o.m = mat2(1.0); o.last = u(4); Outer p = changed(o, u(5) % 3u); put(total(o)); put(total(p)); put(uint(o == p)); put(uint(p.m[1].x));
      Inner list[3] = p.inner; list[u(6) % 3u].a = 1u; put(list[0].a ^ list[1].a ^ list[2].a); put(p.inner[u(6) % 3u].a); uint grid[2][3]; for (uint i = 0; i < 6u; ++i) grid[i / 3u][i % 3u] = u(i); put(grid[u(7) & 1u][u(8) % 3u]); uint row[3] = grid[1]; put(row[2]); put(uint(grid[0] == row));
      o.inner[1] = list[2]; put(total(o)); uint big[40]; for (uint i = 0; i < 40u; ++i) big[i] = i * u(9); put(big[u(10) % 40u]);)"},
  };
}
