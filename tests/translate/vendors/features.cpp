#include <regex>

#include <weft/glsl.h>

#include "tests/support/test.h"
#include "tests/translate/vendors/checks.h"

// Properties that translation must keep, checked in the vendors' compilers' output for small kernels.
using namespace weft;
using namespace weft::test;

namespace {

struct Compiled {
  const DeviceCompiler& compiler;
  const std::string& architecture;

  /// From GLSL without its first line, or a module.
  template <typename Source>
  CompiledKernel operator()(const Source& source) const {
    return compile(compiler, architecture, source);
  }
};

constexpr const char* subgroups = R"(
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_arithmetic : require
)";

void vectors_are_one_access(const Compiled& compiled) {
  const CompiledKernel kernel = compiled(R"(
    #extension GL_EXT_buffer_reference : require
    layout(local_size_x = 64) in;
    layout(buffer_reference, std430, buffer_reference_align = 16) buffer Vectors { uvec4 v[]; };
    layout(set = 0, binding = 0) readonly buffer Source { uvec4 v[]; } source;
    layout(push_constant) uniform Arguments { Vectors destination; } args;
    void main() { uint i = gl_GlobalInvocationID.x; args.destination.v[i] = source.v[i].wzyx; })");
  check_lean(kernel, kernel.code.subgroup_size);
  CHECK_EQ(wide_loads(kernel), 1);
  CHECK_EQ(wide_stores(kernel), 1);
  const CompiledKernel packed = compiled(R"(
    #extension GL_EXT_scalar_block_layout : require
    layout(local_size_x = 64) in;
    struct Odd { uint head; uvec4 v; };
    layout(set = 0, binding = 0, scalar) readonly buffer Source { Odd odd[]; } source;
    layout(set = 0, binding = 1, scalar) buffer Destination { Odd odd[]; } destination;
    void main() { uint i = gl_GlobalInvocationID.x; destination.odd[i].v = source.odd[i].v.wzyx; })");
  CHECK_EQ(instructions(packed, R"(\s(ld|st)\.global\.(nc\.)?v[24])", "$^"), 0);  // NVIDIA's must be aligned
  check_memories_known(packed);
}

void atomics_keep_to_their_memory(const Compiled& compiled) {
  const CompiledKernel kernel = compiled(R"(
    layout(local_size_x = 64) in;
    layout(set = 0, binding = 0) buffer Sums { uint sum; uint most; float f; } sums;
    shared uint part, most;
    void main() {
      if (gl_LocalInvocationIndex == 0u) { part = 0u; most = 0u; }
      barrier();
      atomicAdd(part, gl_GlobalInvocationID.x * 3u);
      uint before = atomicMax(most, gl_GlobalInvocationID.x);
      barrier();
      if (gl_LocalInvocationIndex == 0u) { atomicAdd(sums.sum, part); atomicMax(sums.most, most + before); }
    })");
  check_lean(kernel, kernel.code.subgroup_size);
  check_memories_known(kernel);
  CHECK_EQ(instructions(kernel, R"(\s(atom|red)\.shared)", R"(\sds_(add|max)_)"), 2);
  CHECK_EQ(instructions(kernel, R"(\s(atom|red)\.global)", R"(\sglobal_atomic_(add|umax|max_u32))"), 2);
}

void fences_are_as_strong_as_asked(const Compiled& compiled) {
  const std::string head = R"(
    #pragma use_vulkan_memory_model
    #extension GL_KHR_memory_scope_semantics : require
    layout(local_size_x = 64) in;
    layout(set = 0, binding = 0) buffer Words { uint w[]; } words;
    shared uint part[64];
    void main() { uint i = gl_LocalInvocationIndex, x;)";
  const auto fences = [&](const std::string& body) {
    const CompiledKernel kernel = compiled(head + body + "}");
    CHECK_EQ(instructions(kernel, R"(\s(membar|fence\.sc))", "$^"), 0);  // stronger than SPIR-V ever asks
    // Only the AMD caches that a device shares; a workgroup barrier may handle the nearer ones.
    return instructions(kernel, R"(\s(fence\.acq_rel|atom\.acquire)\.gpu)",
                        R"(\s(buffer_(wbinvl1|wbl2|gl1_inv|invl2|inv sc1)|global_(wb|inv) scope:SCOPE_(DEV|SYS)))");
  };
  CHECK_EQ(fences("part[i] = i; barrier(); words.w[i] = part[63u - i];"), 0);
  CHECK_EQ(fences("words.w[i] = atomicAdd(words.w[0], 1u, gl_ScopeDevice, 0, 0);"), 0);
  CHECK_GT(fences("x = atomicAdd(words.w[0], 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer, "
                  "gl_SemanticsAcquire); words.w[i] = x;"),
           0);
  CHECK_GT(fences("words.w[i] = i; memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer, "
                  "gl_SemanticsAcquireRelease); words.w[i + 64u] = i;"),
           0);
}

void polling_reads_each_time(const Compiled& compiled) {
  const CompiledKernel kernel = compiled(R"(
    layout(local_size_x = 64) in;
    layout(set = 0, binding = 0) coherent buffer Flags { uint ready; uint seen; } flags;
    void main() { while (flags.ready == 0u) {} flags.seen = 1u; })");
  CHECK_EQ(instructions(kernel, R"(\sld\.(volatile|relaxed\.sys)\.global)",
                        R"(\sglobal_load_(dword|b32).*(glc|sc0 sc1|SCOPE_SYS))"),
           1);
  CHECK_GE(instructions(kernel, R"(\sbra(\.uni)?\s)", R"(\ss_cbranch)"), 1);
}

void large_workgroup_memory_is_dynamic(const Compiled& compiled) {
  const auto kernel = [&](const char* words) {
    return compiled(
        std::string("layout(local_size_x = 64) in; layout(set = 0, binding = 0) buffer W { uint w[]; } words;"
                    "shared uint part[") +
        words + R"(];
      void main() {
        uint i = gl_LocalInvocationIndex;
        for (uint k = i; k < part.length(); k += 64u) part[k] = words.w[k];
        barrier();
        words.w[i] = part[words.w[i] % part.length()];
      })");
  };
  const CompiledKernel small = kernel("12288"), large = kernel("12289");
  CHECK_EQ(small.translation.dynamic_workgroup_memory_bytes, 0);
  CHECK_EQ(small.code.workgroup_memory_bytes, 49152);
  CHECK_EQ(large.translation.dynamic_workgroup_memory_bytes, 49156);
  CHECK_EQ(large.code.workgroup_memory_bytes, 0);
  check_memories_known(large);
}

size_t fused_operations(const CompiledKernel& kernel) {
  return instructions(kernel, R"(\sfma\.rn)", R"(\sv_\w*(fma|mac|mad)\w*_f\d)");
}

void precise_results_are_not_contracted(const Compiled& compiled) {
  const auto fused = [&](const std::string& type, const char* precise) {
    return fused_operations(compiled("layout(local_size_x = 64) in; layout(set = 0, binding = 0) buffer W { " + type +
                                     " w[]; } words;" + "void main() { uint i = gl_GlobalInvocationID.x * 4u; " +
                                     precise + " " + type +
                                     " x = words.w[i] * words.w[i + 1u] + words.w[i + 2u]; words.w[i + 3u] = x; }"));
  };
  CHECK_EQ(fused("float", "precise"), 0);
  CHECK_EQ(fused("double", "precise"), 0);
  CHECK_EQ(fused("vec3", "precise"), 0);
  CHECK_EQ(fused("float", ""), 1);
  CHECK_EQ(fused("double", ""), 1);
}

// NoContraction only on the products, which would also keep a sum of them from being contracted.
Spirv with_precise_products(const Spirv& module) {
  std::string text = disassemble_spirv(module), decorations;
  const std::regex product(R"((%\w+) = Op(FMul|VectorTimes|MatrixTimes|OuterProduct|Dot))");
  for (std::sregex_iterator found(text.begin(), text.end(), product), end; found != end; ++found) {
    decorations += "OpDecorate " + (*found)[1].str() + " NoContraction\n";
  }
  text.insert(text.find("%void = OpTypeVoid"), decorations);
  return assemble_spirv(text, module.name);
}

void precise_products_are_not_contracted(const Compiled& compiled) {
  // Of vectors and matrices. Half of them contain sums, the others are followed by one.
  const auto products = [](const std::string& real, const std::string& d) {
    return compile_glsl("#version 460\n#define T " + real + "\n#define V " + d + "vec2\n#define M " + d + R"(mat2
      layout(local_size_x = 64) in;
      struct Given { M m[7]; V v[8]; T s; };
      struct Results { M m[3]; V v[4]; T s; };
      layout(set = 0, binding = 0, std430) buffer AllGiven { Given all[]; } given;
      layout(set = 0, binding = 1, std430) buffer AllResults { Results all[]; } results;
      void main() {
        uint i = gl_GlobalInvocationID.x;
        Given x = given.all[i];
        Results r;
        r.v[0] = x.v[0] * x.v[1] + x.v[2];
        r.v[1] = x.v[1] * x.s + x.v[0];
        r.m[0] = x.m[0] * x.s + x.m[1];
        r.m[1] = outerProduct(x.v[2], x.v[3]) + x.m[2];
        r.v[2] = x.m[3] * x.v[4];
        r.v[3] = x.v[5] * x.m[4];
        r.m[2] = x.m[5] * x.m[6];
        r.s = dot(x.v[6], x.v[7]);
        results.all[i] = r;
      })");
  };
  CHECK_EQ(fused_operations(compiled(with_precise_products(products("float", "")))), 0);
  CHECK_EQ(fused_operations(compiled(with_precise_products(products("double", "d")))), 0);
  const CompiledKernel contracted = compiled(products("float", ""));
  CHECK_GT(fused_operations(contracted), 0);
  // No sum is left; but some of AMD's packed products keep theirs.
  CHECK_EQ(instructions(contracted, R"(\sadd(\.rn)?\.f)", "$^"), 0);
}

void unrolled_arrays_stay_in_registers(const Compiled& compiled) {
  const CompiledKernel kernel = compiled(subgroups + std::string(R"(
    #extension GL_EXT_control_flow_attributes : require
    layout(local_size_x = 256) in;
    layout(set = 0, binding = 0) buffer W { uvec4 w[]; } words;
    void main() {
      uint x[8][4], limit = words.w.length() - subgroupMax(words.w[0].x);
      for (uint round = 0u; round < words.w[1].x; ++round) {
        [[unroll]] for (int row = 0; row < 8; ++row) {
          uvec4 v = words.w[uint(row) * 256u + gl_LocalInvocationIndex + round];
          [[unroll]] for (int k = 0; k < 4; ++k) x[row][k] = v[k] + (row > 0 ? x[row - 1][k] : 0u);
        }
        [[unroll]] for (int row = 7; row >= 0; --row) {
          [[unroll]] for (int k = 0; k < 4; ++k) {
            if (uint(row) < limit) x[row][k] = subgroupInclusiveAdd(x[row][k]);
          }
        }
        [[unroll]] for (int row = 0; row < 8; ++row) words.w[uint(row) * 256u + gl_LocalInvocationIndex + round] = uvec4(x[row][0], x[row][1], x[row][2], x[row][3]);
      }
    })"));
  check_lean(kernel, kernel.code.subgroup_size);
  CHECK_EQ(wide_loads(kernel), 8);
  CHECK_EQ(wide_stores(kernel), 8);
}

void arguments_are_not_copied(const Compiled& compiled) {
  const CompiledKernel kernel = compiled(R"(
    layout(local_size_x = 64) in;
    layout(set = 0, binding = 0) buffer W { uint w[]; } words[4];
    layout(push_constant) uniform Arguments { uint table[8]; uint which; } args;
    void main() {
      uint i = gl_GlobalInvocationID.x;
      words[args.which & 3u].w[i] = args.table[words[0].w[i] & 7u] + uint(words[args.which & 1u].w.length());
    })");
  check_lean(kernel, kernel.code.subgroup_size);
  check_memories_known(kernel);
}

void arrays_leave_arguments_in_registers(const Compiled& compiled) {
  const CompiledKernel kernel = compiled(R"(
    layout(local_size_x = 64) in;
    layout(set = 0, binding = 0) buffer W { uint w[]; } words;
    layout(push_constant) uniform Arguments { uint count, step; } args;
    uint last[256];
    void main() {
      for (uint k = 0u; k < 256u; ++k) last[k] = 0u;
      for (uint k = 0u; k < args.count; ++k) last[words.w[k] & 255u] += args.step;
      words.w[gl_GlobalInvocationID.x] = last[words.w[args.count] & 255u];
    })");
  // The array, and what AMD's compilers add.
  const bool is_cuda = compiled.compiler.target() == TranslationTarget::cuda;
  check_lean(kernel, kernel.code.subgroup_size, Spills::none, is_cuda ? 1024 : 1040);
  check_memories_known(kernel);
}

// Whether the only operation of that name in PTX takes a constant mask of all ones.
bool takes_full_mask(const CompiledKernel& kernel, const std::string& operation) {
  const std::string& ptx = kernel.code.assembly;
  const size_t at = ptx.find(operation);
  REQUIRE_NE(at, std::string::npos);
  CHECK_EQ(ptx.find(operation, at + 1), std::string::npos);
  const size_t end = ptx.find(';', at), begin = ptx.rfind(' ', end) + 1;
  const std::string mask = ptx.substr(begin, end - begin);
  return mask == "-1" || std::regex_search(ptx, std::regex(R"(mov\.[bu]32\s+)" + mask + ", -1;"));
}

// A buffer's atomic operation is one instruction, which includes its order.
void check_ordered_atomics(const std::string& architecture) {
  const auto kernel = [&](const std::string& type, const std::string& operation) {
    return compile(nvrtc(), architecture,
                   "#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require\n"
                   "#extension GL_EXT_shader_atomic_int64 : require\n"
                   "#pragma use_vulkan_memory_model\n#extension GL_KHR_memory_scope_semantics : require\n"
                   "layout(local_size_x = 64) in; layout(set = 0, binding = 0) buffer W { " +
                       type + " w[]; } words; void main() { uint i = gl_LocalInvocationIndex; " + type +
                       " x = words.w[i]; words.w[i + 64u] = " + operation + "; }");
  };
  const auto one = [&](const std::string& type, const std::string& operation, const std::string& instruction) {
    const CompiledKernel compiled = kernel(type, operation);
    INFO(operation, " of ", type, "\n", compiled.code.assembly);
    CHECK_EQ(instructions(compiled, (R"(\s)" + instruction).c_str(), "$^"), 1);
    CHECK_EQ(instructions(compiled, R"(\s(fence|membar)\.)", "$^"), 0);
  };
  const std::string rest = ", gl_StorageSemanticsBuffer, gl_Semantics";
  one("uint", "atomicAdd(words.w[0], x, gl_ScopeDevice" + rest + "Acquire)", R"(atom\.acquire\.gpu\.global\.add\.u32)");
  one("uint64_t", "atomicMax(words.w[0], x, gl_ScopeDevice" + rest + "Release)",
      R"(atom\.release\.gpu\.global\.max\.u64)");
  one("int", "atomicMin(words.w[0], x, gl_ScopeWorkgroup" + rest + "AcquireRelease)",
      R"(atom\.acq_rel\.cta\.global\.min\.s32)");
  one("int64_t", "atomicExchange(words.w[0], x, gl_ScopeDevice" + rest + "AcquireRelease)",
      R"(atom\.acq_rel\.gpu\.global\.exch\.b64)");
  one("uint", "atomicCompSwap(words.w[0], x, i, gl_ScopeDevice" + rest + "AcquireRelease" + rest + "Acquire)",
      R"(atom\.acq_rel\.gpu\.global\.cas\.b32)");
  one("uint", "atomicAdd(words.w[0], x, gl_ScopeDevice, 0, 0)", R"(atom\.(relaxed\.gpu\.)?global\.add\.u32)");
}

void check_masks() {
  const auto kernel = [&](const std::string& size, const std::string& body) {
    return compile(nvrtc(), nvrtc().architectures().front(),
                   subgroups + ("layout(local_size_x = " + size + ") in;") +
                       "layout(set = 0, binding = 0) buffer W { uint w[]; } words;"
                       "void main() { uint i = gl_LocalInvocationIndex, x = words.w[i]; " +
                       body + " words.w[i] = x; }");
  };
  const std::string shuffle = "x = subgroupShuffle(x, x & 3u);";
  CHECK(takes_full_mask(kernel("64", shuffle), "shfl.sync.idx"));
  CHECK_FALSE(takes_full_mask(kernel("40", shuffle), "shfl.sync.idx"));
  const CompiledKernel divergent = kernel("64", "if (x > 5u) x = subgroupShuffle(x, 3u);");
  CHECK_EQ(instructions(divergent, "activemask", "$^"), 0);
  CHECK(takes_full_mask(divergent, "vote.sync.ballot"));
  CHECK_FALSE(takes_full_mask(divergent, "shfl.sync.idx"));
  const CompiledKernel uniform = kernel("64", "if (words.w.length() > 5) x = subgroupShuffle(x, 3u);");
  CHECK_EQ(instructions(uniform, "vote", "$^"), 0);
  CHECK(takes_full_mask(uniform, "shfl.sync.idx"));
}

// For a kernel that reads its number of workgroups on the device, as backends/cuda_hip compiles it.
void check_indirect_form(const DeviceCompiler& compiler, const std::string& architecture) {
  const CompiledKernel direct = compile(compiler, architecture, subgroups + std::string(R"(
    layout(local_size_x = 64) in;
    layout(set = 0, binding = 0) buffer W { uint w[]; } words;
    shared uint part[64];
    void main() {
      uint i = gl_LocalInvocationIndex;
      part[i] = subgroupInclusiveAdd(words.w[gl_GlobalInvocationID.x]);
      barrier();
      words.w[gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x + 64u * i] = part[63u - i];
    })"));
  CompiledKernel indirect{direct.translation,
                          compiler.compile("#define WEFT_INDIRECT 1\n" + direct.translation.code, architecture)};
  check_lean(indirect, compiler.subgroup_size(architecture));
  check_memories_known(indirect);
}

void loops_need_not_end(const Compiled& compiled) {
  const CompiledKernel kernel = compiled(R"(
    layout(local_size_x = 64) in;
    layout(set = 0, binding = 0) buffer Data { uint data[]; };
    void main() {
      uint x = data[0];
      while (x != 5u) x *= x;
      data[1] = 7u;
    })");
  CHECK_GE(instructions(kernel, R"(\sbra)", R"(\ss_c?branch)"), 1);
}

struct Feature {
  const char* name;
  void (*check)(const Compiled& compiled);
};
constexpr Feature features[] = {
    {"vectors of 16 bytes are one access where they are aligned", vectors_are_one_access},
    {"atomics keep to their memory", atomics_keep_to_their_memory},
    {"fences are as strong as asked, and no stronger", fences_are_as_strong_as_asked},
    {"polling reads each time", polling_reads_each_time},
    {"workgroup memory that cannot be declared is given at the launch", large_workgroup_memory_is_dynamic},
    {"precise results are not contracted", precise_results_are_not_contracted},
    {"precise products of vectors and matrices are not contracted", precise_products_are_not_contracted},
    {"unrolled arrays stay in registers", unrolled_arrays_stay_in_registers},
    {"arguments are read where they are", arguments_are_not_copied},
    {"arrays leave arguments in registers", arrays_leave_arguments_in_registers},
    {"loops without effects need not end", loops_need_not_end}};

void check_features(const DeviceCompiler& compiler) {
  for (const std::string& architecture : compiler.architectures()) {
    for (const Feature& feature : features) {
      INFO(std::string(feature.name), ", for ", architecture);
      feature.check({compiler, architecture});
    }
    INFO("dispatched with counts in memory, for ", architecture);
    check_indirect_form(compiler, architecture);
  }
}

}  // namespace

TEST_SUITE("cuda") {
  TEST_CASE("NVRTC: translation keeps required properties") { check_features(nvrtc()); }
  TEST_CASE("NVRTC: loops without effects need not end, whatever its LLVM") {  // for sm_100 it has another LLVM
    const std::string architecture = "sm_100";
    loops_need_not_end({nvrtc(), architecture});
  }
  TEST_CASE("NVRTC: ordered atomics of buffers are one instruction") { check_ordered_atomics("sm_75"); }
  TEST_CASE("NVRTC: masks are constants if all lanes are active, and never the lanes that happen to be active") {
    check_masks();
  }
}
TEST_SUITE("clang") {
  TEST_CASE("clang: translation keeps required properties") { check_features(clang()); }
}
TEST_SUITE("hip") {
  TEST_CASE("hipRTC: translation keeps required properties") { check_features(hiprtc()); }
}
