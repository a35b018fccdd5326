#include "tests/support/test.h"
#include "tests/translate/corpus.h"

using namespace weft;
using namespace weft::test;

CORPUS("control flow") {
  return {
      {"if else chains", "", R"(
      uint x = u(0) % 10u; if (x < 3u) { put(1u); if (x == 1u) put(2u); } else if (x < 6u) { put(3u); } else { put(4u); if (u(1) > u(2)) { put(5u); } else { put(6u); } }
      put(x > 4u && u(1) > 9u || u(2) < 7u ? 1u : 0u); put(99u);)"},
      {"loops", "", R"(
      uint s = 0; for (uint i = 0; i < u(0) % 9u; ++i) { if (i == 5u) continue; if (i == 7u) break; s += i * u(1); } put(s);
      uint n = u(2) % 17u; while (n > 1u) { s ^= n; n = (n & 1u) == 0u ? n / 2u : n - 1u; } put(s); do { s = s * 3u + 1u; n++; } while (n < 5u); put(s);
      for (uint i = 0; i < 3u; ++i) for (uint j = 0; j < 4u; ++j) { if ((i ^ j) == (u(3) & 3u)) break; if (j == 2u && i == 1u) continue; s += i * 10u + j; } put(s);)"},
      {"switch with fall-through", "", R"(
      for (uint k = 0; k < 4u; ++k) { uint s = 100u * k; switch (u(k) % 7u) { case 0: s += 1u; case 1: s += 2u; break; default: s += 4u; case 3: s += 8u; case 4: { s += 16u; if (u(5) > u(6)) break; s += 32u; } break; case 5: continue; } put(s); }
      switch (int(u(8)) >> 30) { case -1: put(7u); break; case -2: put(8u); return; case 1: put(9u); } put(11u);)"},
      {"switch of one case", "",
       "switch (u(0) & 1u) { default: put(1u); } switch (u(1) & 3u) { case 2: put(2u); break; } put(3u);"},
      {"early return in depth",
       "// functions\nuint g(uint x) { for (uint i = 0; i < 10u; ++i) { if (((x >> i) & 1u) != 0u) { if (i > 3u) "
       "return i * 100u; for (uint j = 0; j < 5u; ++j) { if (j * i == 6u) return j; } } } return 77u; }\n",
       "put(g(u(0))); put(g(u(1) & 0xf0u)); put(g(0u)); if (u(2) % 3u == 0u) return; put(5u);"},
      {"break out of loop within switch", "", R"(
      uint s = 0; for (uint i = 0; i < 12u; ++i) { switch ((u(0) >> (2u * i)) & 3u) { case 0: s += 1u; break; case 1: if (s > 4u) break; s += 10u; continue; case 2: { for (;;) { s += 3u; if (s % 2u == 0u) break; } } break; default: s += 5u; } s *= 2u; } put(s);)"},
      {"values that loops swap", "", R"(
      uint a = u(0), b = u(1), c = u(2); for (uint i = 0; i < (u(3) & 15u); ++i) { uint t = a; a = b; b = c ^ i; c = t; } put(a); put(b); put(c);
      uint x = 0u, y = 1u; for (uint i = 0; i < (u(4) & 31u); ++i) { uint z = x + y; x = y; y = z; } put(x); put(y);)"},
      {"value after the loop", "", R"(
      uint found = 32u; for (uint k = 0; k < 32u; ++k) if ((u(1) >> k & 1u) != 0u) { found = k; break; } put(found);)"},
      // SwiftShader gives lanes that have left the loop a value with which it never ends.
      {"value after a loop that ends at its bottom", "",
       "uint i = 0, last = 0; do { last = i; i += 1u + (u(0) >> i & 1u); } while (i < 20u); put(last); put(i);", 0,
       false, "SwiftShader"},
      {"functions with pointers",
       "// functions\nvoid swap(inout uint a, inout uint b) { uint t = a; a = b; b = t; }\nstruct P { uint a; uvec3 "
       "b[2]; };\nP make(uint x, out uint y) { P p; p.a = x; p.b[0] = uvec3(x, x + 1u, x + 2u); p.b[1] = p.b[0] * 2u; "
       "y = x ^ 5u; return p; }\nuint sum(P p) { p.a += 1u; return p.a + p.b[1].z + p.b[0].x; }\n",
       "uint a = u(0), b = u(1), y; swap(a, b); put(a); put(b); P p = make(u(2), y); put(sum(p)); put(p.a); put(y); "
       "uint v[3] = uint[3](a, b, y); swap(v[0], v[2]); put(v[0]); swap(v[u(3) % 3u], p.b[1].y); put(p.b[1].y); "
       "put(v[1]);"},
      {"short circuit", "// functions\nuint calls = 0u;\nbool side(uint x) { calls += 1u; return (x & 1u) != 0u; }\n",
       "bool a = side(u(0)) && side(u(1)) || side(u(2)); put(uint(a)); put(calls); bool b = side(u(3)) ^^ side(u(4)); "
       "put(uint(b)); put(calls);"},
      {"deep nesting", "", R"(
      uint s = 0; uint x = u(0); if ((x & 1u) != 0u) { if ((x & 2u) != 0u) { for (uint i = 0; i < 3u; ++i) { if ((x >> i & 4u) != 0u) { while (s < 50u) { s += 7u; if ((s & 8u) != 0u) { switch (s & 3u) { case 0: s += 1u; case 1: if (s > 40u) break; s += 3u; default: s += 2u; } if (s == 33u) return; } if ((s ^ x) % 5u == 0u) break; } } else { s ^= 3u; } } } put(s); } put(s + 1u);)"},
      {"arrays that are indexed", "", R"(
      uint t[8]; for (uint i = 0; i < 8u; ++i) t[i] = u(i) % 8u; uint at = 0; for (uint i = 0; i < 20u; ++i) { at = t[at]; t[i & 7u] ^= at; } put(at); put(t[u(9) & 7u]);
      const uint table[20] = uint[20](3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4); put(table[u(10) % 20u]); uvec4 v = uvec4(1, 2, 3, 4); v[u(11) & 3u] = 9u; put(v[u(12) & 3u]);
      mat2 m = mat2(1, 2, 3, 4); put(uint(m[u(13) & 1u][u(14) & 1u]));)"},
  };
}
