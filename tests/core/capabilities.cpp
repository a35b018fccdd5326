#include "core/src/spirv/capabilities.h"

#include <algorithm>
#include <set>

#include <weft/glsl.h>
#include <weft/kernel.h>
#include <weft/spirv.h>

#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

namespace {

// As the installed SPIRV-Tools writes it; empty if it knows no such capability.
std::string name_by_tools(uint32_t capability) {
  const Spirv module{{0x07230203, 0x00010600, 0, 1, 0, 2u << 16 | 17, capability}, "capability"};
  const std::string text = core::tools_know(capability) ? disassemble_spirv(module) : "";
  const size_t at = text.find("OpCapability ");
  return at == std::string::npos ? "" : text.substr(at + 13, text.find('\n', at) - at - 13);
}

// Extensions become KHR's or EXT's, and then their capabilities change their endings.
std::string without_vendor(std::string name) {
  for (const std::string vendor : {"ALTERA", "INTEL", "KHR", "EXT", "NV"}) {
    if (name.ends_with(vendor)) name.resize(name.size() - vendor.size());
  }
  return name;
}

Spirv kernel(const std::string& declarations, const std::string& code) {
  return compile_glsl(R"(#version 460
    #extension GL_EXT_shader_explicit_arithmetic_types : require
    #extension GL_EXT_shader_atomic_int64 : require
    #extension GL_EXT_shader_atomic_float : require
    #extension GL_KHR_shader_subgroup_arithmetic : require
    #extension GL_KHR_shader_subgroup_ballot : require
    #extension GL_KHR_shader_subgroup_vote : require
    #extension GL_KHR_shader_subgroup_shuffle : require
    #extension GL_KHR_shader_subgroup_clustered : require
    #extension GL_KHR_shader_subgroup_quad : require
    #extension GL_NV_shader_subgroup_partitioned : require
    #extension GL_EXT_shader_realtime_clock : require
    layout(local_size_x = 1) in;
    layout(set = 0, binding = 0, std430) buffer Data { uint v[]; } data;
    )" + declarations +
                      "\nvoid main() {" + code + "}\n");
}

}  // namespace

TEST_CASE("capabilities have the names that SPIRV-Tools gives them") {
  size_t known = 0;
  for (uint32_t number = 0; number < 8192; ++number) {
    const std::string name = name_by_tools(number);
    if (name.empty()) continue;
    ++known;
    INFO(number, " ", name);
    if (number == 5291 || number == 6089) continue;  // new names since SPIRV-Tools 2023.1
    CHECK_EQ(without_vendor(core::capability_name(number)), without_vendor(name));
  }
  CHECK(known > 200);
  CHECK(std::ranges::is_sorted(core::all_capabilities(), {}, &core::Capability::number));
  CHECK_EQ(core::capability_name(6022), "CooperativeMatrixKHR");
  CHECK_EQ(core::capability_name(9999), "capability 9999");
}

TEST_CASE("a module without a capability that it uses is invalid, so that no device drops it") {
  const std::string atomics = "layout(set = 0, binding = 1, std430) buffer Wide { uint64_t w; float f; } wide;";
  const std::string half = "layout(set = 0, binding = 1, std430) buffer Half { float16_t h; int8_t b; int16_t s; } h;";
  const std::tuple<uint32_t, std::string, std::string> cases[] = {
      {9, half, "h.h += h.h;"},
      {10, "", "data.v[0] = uint(double(data.v[1]) * 3.0lf);"},
      {11, "", "data.v[0] = uint(uint64_t(data.v[1]) * 3ul >> 7);"},
      {12, atomics, "atomicAdd(wide.w, 3ul);"},
      {22, half, "h.s += h.s;"},
      {61, "", "if (subgroupElect()) data.v[0] = 1u;"},
      {62, "", "data.v[0] = uint(subgroupAny(data.v[1] == 0u));"},
      {63, "", "data.v[0] = subgroupAdd(data.v[1]);"},
      {64, "", "data.v[0] = subgroupBallot(data.v[1] == 0u).x;"},
      {65, "", "data.v[0] = subgroupShuffle(data.v[1], data.v[2]);"},
      {67, "", "data.v[0] = subgroupClusteredAdd(data.v[1], 4u);"},
      {68, "", "data.v[0] = subgroupQuadSwapHorizontal(data.v[1]);"},
      {5297, "", "data.v[0] = subgroupPartitionedAddNV(data.v[1], uvec4(1u));"},
      {5055, "", "data.v[0] = clockRealtime2x32EXT().x;"},
      {6033, atomics, "atomicAdd(wide.f, 3.0);"},
  };
  for (const auto& [capability, declarations, code] : cases) {
    INFO(core::capability_name(capability));
    const Spirv module = kernel(declarations, code);
    const Reflection reflection = reflect(module);
    CHECK(std::ranges::count(reflection.capabilities, capability) == 1);
    CHECK(core::validator_requires(capability));
    const Spirv without{core::without_capability(module.words, capability), "without"};
    CHECK_THROWS_AS(validate_spirv(without), Error);
  }
}

TEST_CASE("kernels may go without these capabilities alone") {
  // By their numbers: images and samplers, indexing; Int8, which packed dot products imply; more images; explicit
  // layout of workgroup memory; 16-bit storage; variable pointers; 8-bit storage; indexing.
  const std::pair<uint32_t, uint32_t> ranges[] = {{25, 37},     {39, 39},     {40, 56},     {4428, 4430},
                                                  {4433, 4436}, {4441, 4442}, {4448, 4450}, {5302, 5312}};
  std::set<uint32_t> exempt;
  for (const auto& [first, last] : ranges) {
    for (uint32_t number = first; number <= last; ++number) exempt.insert(number);
  }
  for (uint32_t number = 0; number < 8192; ++number) {
    if (core::validator_requires(number) == exempt.contains(number)) FAIL_CHECK(core::capability_name(number));
  }
}
