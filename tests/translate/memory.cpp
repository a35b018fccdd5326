#include "tests/support/test.h"
#include "tests/translate/corpus.h"

using namespace weft;
using namespace weft::test;

CORPUS("memory") {
  return {
      {"shared memory and barriers",
       "// shared\nshared uint tile[64]; shared struct S { float a; uvec3 b; bool c; } pairs[64]; shared mat2 m;\n", R"(
      uint l = gl_LocalInvocationIndex; tile[l] = u(0); pairs[l].a = f(1); pairs[l].b = uvec3(u(2), u(3), u(4)); pairs[l].c = (u(5) & 1u) != 0u;
      if (l == 0u) m = mat2(1, 2, 3, 4); barrier(); uint o = (l * 5u + 3u) % 64u; put(tile[o]); put(floatBitsToUint(pairs[o].a)); put(pairs[o].b.y); put(uint(pairs[o].c));
      S copy = pairs[63u - l]; put(copy.b.z); barrier(); pairs[l] = copy; barrier(); put(pairs[63u - l].b.z); put(uint(m[1].x)); for (uint d = 32u; d > 0u; d /= 2u) { if (l < d) tile[l] += tile[l + d]; barrier(); } put(tile[0]);)"},
      {"shared atomics", "// shared\nshared uint sum, low, high, bits; shared int slow;\n", R"(
      if (gl_LocalInvocationIndex == 0u) { sum = 0u; low = ~0u; high = 0u; bits = 0u; slow = 0; } barrier(); atomicAdd(sum, u(0)); atomicMin(low, u(1)); atomicMax(high, u(2)); atomicXor(bits, u(3)); atomicMin(slow, int(u(4)));
      barrier(); put(sum); put(low); put(high); put(bits); put(uint(slow)); barrier(); atomicOr(bits, u(5)); atomicAnd(low, u(6)); barrier(); put(bits); put(low);)"},
      {"buffer atomics", "", R"(
      uint at = id * 32u; result.words[at] = u(0); result.words[at + 1u] = u(1); uint a = atomicAdd(result.words[at], u(2)), b = atomicExchange(result.words[at + 1u], u(3)), c = atomicCompSwap(result.words[at], u(0) + u(2), 5u), d = atomicCompSwap(result.words[at], 4u, 6u);
      uint e = atomicMax(result.words[at + 1u], u(4)); next = 2u; put(a); put(b); put(c); put(d); put(e);)"},
      {"vector loads",
       "// blocks\nlayout(set = 0, binding = 0, std430) readonly buffer Vectors { uvec4 v[]; } vectors;\nlayout(set = "
       "0, binding = 1, std430) buffer OutVectors { uvec4 v[]; } out_vectors;\n",
       R"(
      uvec4 a = vectors.v[id * 4u], b = vectors.v[id * 4u + 1u]; out_vectors.v[id * 8u] = a + b.wzyx; out_vectors.v[id * 8u + 1u].y = a.z; out_vectors.v[id * 8u + 2u] = uvec4(a.xy, b[u(0) & 3u], 7u); next = 12u; put(uint(vectors.v.length()));)"},
      {"structs in buffers",
       "// blocks\nstruct Q { vec3 a; float b; mat3x2 m; uint c[3]; };\nlayout(set = 0, binding = 0, std430) readonly "
       "buffer Structs { uvec2 head; layout(row_major) mat2x3 r; Q q[]; } structs;\nlayout(set = 0, binding = 0, "
       "scalar) readonly buffer Tight { uvec2 head; Q q[]; } tight;\n",
       R"(
      uint at = id % 200u; Q q = structs.q[at]; put(floatBitsToUint(q.a.y)); put(floatBitsToUint(q.b)); put(floatBitsToUint(q.m[1].y)); put(q.c[2]); put(floatBitsToUint(structs.q[at].m[2][u(0) & 1u])); put(floatBitsToUint(structs.r[1][2])); put(floatBitsToUint(structs.r[u(1) & 1u].z));
      vec3 col = structs.r[1]; put(floatBitsToUint(col.x)); q = tight.q[at]; put(floatBitsToUint(q.m[2].x)); put(q.c[u(2) % 3u]); put(floatBitsToUint(q.a.z)); put(uint(structs.q.length())); put(uint(tight.q.length()));)"},
      {"device pointers in registers",
       "#extension GL_EXT_buffer_reference2 : require\n#extension GL_EXT_buffer_reference_uvec2 : require\n// "
       "blocks\nlayout(buffer_reference, std430, buffer_reference_align = 16) buffer Node { uvec4 v; uint next; };\n",
       R"(
      Node n = Node(uvec2(u(0), u(1))); uvec2 back = uvec2(n); put(back.x); put(back.y); Node m = n + 2; uvec2 d = uvec2(m); put(d.x - back.x);)"},
  };
}

CORPUS("subgroup operations") {
  const std::string all =
      "#extension GL_KHR_shader_subgroup_basic : require\n#extension GL_KHR_shader_subgroup_vote : require\n"
      "#extension GL_KHR_shader_subgroup_ballot : require\n#extension GL_KHR_shader_subgroup_shuffle : "
      "require\n#extension GL_KHR_shader_subgroup_shuffle_relative : require\n"
      "#extension GL_KHR_shader_subgroup_arithmetic : require\n#extension GL_KHR_shader_subgroup_clustered : "
      "require\n#extension GL_KHR_shader_subgroup_quad : require\n";
  return {
      {"basic and vote", all, R"(
      put(gl_SubgroupSize); put(gl_SubgroupInvocationID); put(gl_SubgroupID); put(gl_NumSubgroups); put(uint(subgroupElect())); put(uint(subgroupAll(u(0) > 1000u))); put(uint(subgroupAny(u(0) % 7u == 0u)));
      put(uint(subgroupAllEqual(u(0)))); put(uint(subgroupAllEqual(gl_SubgroupID))); put(uint(subgroupAllEqual(f(1)))); subgroupBarrier(); put(1u);)",
       0, true},
      {"ballot", all, R"(
      uvec4 b = subgroupBallot((u(0) & 1u) != 0u); put(b.x); put(subgroupBallotBitCount(b)); put(subgroupBallotInclusiveBitCount(b)); put(subgroupBallotExclusiveBitCount(b)); put(uint(subgroupInverseBallot(b)));
      put(uint(subgroupBallotBitExtract(b, 1u))); if (b.x != 0u) { put(subgroupBallotFindLSB(b)); put(subgroupBallotFindMSB(b)); } put(gl_SubgroupEqMask.x); put(gl_SubgroupLtMask.x); put(gl_SubgroupLeMask.x); put(gl_SubgroupGtMask.x & 0xfu); put(gl_SubgroupGeMask.x & 0xfu);
      put(subgroupBroadcast(u(1), 2u)); put(subgroupBroadcastFirst(u(2)));)",
       0, true},
      {"shuffles", all, R"(
      uint n = gl_SubgroupSize, l = gl_SubgroupInvocationID; put(subgroupShuffle(u(0), u(1) % n)); put(subgroupShuffleXor(u(0), 1u)); uint up = subgroupShuffleUp(u(0), 1u), down = subgroupShuffleDown(u(0), 2u); put(l >= 1u ? up : 0u); put(l + 2u < n ? down : 0u);
      vec3 v = subgroupShuffle(vec3(f(1), f(2), f(3)), n - 1u - l); put(floatBitsToUint(v.z)); put(subgroupQuadBroadcast(u(4), 3u)); put(subgroupQuadSwapHorizontal(u(4))); put(subgroupQuadSwapVertical(u(4))); put(subgroupQuadSwapDiagonal(u(4))); put(uint(subgroupShuffleXor((u(5) & 1u) != 0u, 3u)));)",
       0, true},
      {"arithmetic", all, R"(
      put(subgroupAdd(u(0))); put(subgroupMul(u(0) | 1u)); put(subgroupMin(u(0))); put(subgroupMax(u(0))); put(uint(subgroupMin(int(u(0))))); put(uint(subgroupMax(int(u(0))))); put(subgroupAnd(u(0) | 0xffu)); put(subgroupOr(u(0) & 0xff00ffu)); put(subgroupXor(u(0)));
      put(subgroupInclusiveAdd(u(1))); put(subgroupExclusiveAdd(u(1))); put(subgroupInclusiveMax(u(1))); put(subgroupExclusiveMin(u(1))); put(uint(subgroupExclusiveMax(int(u(1))))); put(subgroupClusteredAdd(u(2), 2u)); put(subgroupClusteredXor(u(2), 4u));)",
       0, true},
      {"float arithmetic", all, R"(
      putf(subgroupMin(f(0))); putf(subgroupMax(f(0))); putf(subgroupAdd(float(u(1) & 255u))); putf(subgroupInclusiveAdd(float(u(1) & 255u))); putf(subgroupExclusiveAdd(float(u(1) & 255u))); putf(subgroupMul(float(1u + (u(2) & 1u)))); vec2 v = subgroupInclusiveAdd(vec2(u(3) & 15u, u(4) & 15u)); putf(v.y);
      putf(subgroupExclusiveMul(float(1u + (u(2) & 1u)))); putf(subgroupInclusiveMin(f(5)));)",
       1, true},
      {"in branches", all, R"(
      uint l = gl_SubgroupInvocationID; if (l % 2u == 0u) { put(subgroupAdd(1u)); if (l == 2u) { put(subgroupAdd(100u)); } put(subgroupAdd(10u)); } else { put(subgroupAdd(1000u)); } put(subgroupAdd(1u));
      if (u(0) % 3u == 0u) { put(subgroupAdd(l)); } else if (u(0) % 3u == 1u) { put(subgroupBallot(true).x); } put(subgroupBallotBitCount(subgroupBallot(true)));)",
       0, true},
      {"in loops", all, R"(
      uint l = gl_SubgroupInvocationID, s = 0u; for (uint i = 0; i <= l; ++i) s += subgroupAdd(1u); put(s); s = 0u; for (uint i = 0; i < 4u; ++i) { if (l == i) continue; s += subgroupAdd(1u); if (l == 3u && i == 2u) break; s += subgroupAdd(16u); } put(s); put(subgroupAdd(1u));
      uint n = u(0) & 7u; while (true) { if (n == 0u) break; s ^= subgroupAdd(n); n -= 1u; } put(s); put(subgroupAdd(1u));)",
       0, true},
      {"in a loop that ends at its bottom", all,
       "uint n = 0u, s = 0u; do { n += 1u; s += subgroupAdd(1u); } while (n < (u(1) & 3u)); put(s); "
       "put(subgroupAdd(1u));",
       0, true, "SwiftShader"},
      {"in switches", all, R"(
      uint s = 0u; switch (gl_SubgroupInvocationID & 3u) { case 0: s += subgroupAdd(1u); case 1: s += subgroupAdd(10u); break; case 2: s += subgroupAdd(100u); default: s += subgroupAdd(1000u); } put(s); put(subgroupAdd(1u));)",
       0, true},
      {"left apart but entered together", all, R"(
      uint s = 0u, m = subgroupMax(u(0)) & 1u; switch (m) { case 0: if (u(1) % 3u == 0u) break; s += subgroupAdd(1u); case 1: s += subgroupAdd(10u); if (u(2) % 3u == 0u) break; s += subgroupAdd(100u); } put(s); put(subgroupAdd(1u));
      switch (0) { default: for (uint i = 0; i < 3u; ++i) { if ((u(3) >> i & 1u) != 0u) { s += subgroupAdd(1u); break; } s += subgroupAdd(10u); } if (s % 2u == 0u) break; s += subgroupAdd(1000u); } put(s); put(subgroupAdd(1u));)",
       0, true},
      {"left together past lanes that went on", all, R"(
      uint n = 0u, s = 0u; while (true) { if (subgroupMax(n) > 2u) break; n += 1u; if ((u(0) >> n & 1u) != 0u) continue; s += subgroupAdd(1u); } put(s); put(subgroupAdd(1u));
      n = 0u; do { n += 1u; if ((u(1) >> n & 1u) != 0u) continue; if (subgroupAdd(n) > 40u) break; s += subgroupAdd(1u); } while (n < 4u); put(s); put(subgroupAdd(1u));)",
       0, true, "SwiftShader"},
      {"after early returns",
       all + "// functions\nuint h(uint x) { if (x % 3u == 0u) return 1u; uint r = subgroupAdd(1u); for (uint i = 0; i "
             "< 3u; ++i) { if ((x >> i & 1u) != 0u) return r * 10u + subgroupAdd(1u); r += subgroupAdd(2u); } return "
             "r; }\n",
       R"(
      put(h(u(0))); put(subgroupAdd(1u)); if (u(1) % 4u == 0u) return; put(subgroupAdd(1u)); put(h(u(2))); for (uint i = 0; i < 5u; ++i) { if ((u(3) >> i & 1u) != 0u) { put(subgroupAdd(1u)); return; } } put(subgroupAdd(7u));)",
       0, true},
      {"uniform loops", all, R"(
      uint x = u(0); for (uint d = 1u; d < gl_SubgroupSize; d *= 2u) { uint y = subgroupShuffleUp(x, d); if (gl_SubgroupInvocationID >= d) x += y; } put(x); uint m = subgroupMax(u(1) & 7u); for (uint i = 0; i < m; ++i) { if (i == 3u) continue; x ^= subgroupAdd(i); } put(x);
      if (subgroupAny(u(2) % 5u == 0u)) { put(subgroupAdd(1u)); if (u(2) % 5u == 0u) { x += subgroupAdd(1u); } } put(x);)",
       0, true},
  };
}
