#include "tests/support/test.h"
#include "tests/translate/corpus.h"

// Built-in inputs, and workgroups of every shape.

using namespace weft;
using namespace weft::test;

namespace {

// Returns the built-ins of invocation `i` in a workgroup of x * y * z, with groups in one dimension.
struct Position {
  uint32_t x, y, z;
};
Position position(const Invocation& i, uint32_t size_x, uint32_t size_y) {
  return {i.local() % size_x, i.local() / size_x % size_y, i.local() / (size_x * size_y)};
}

Reference of_size(uint32_t x, uint32_t y, uint32_t z) {
  return [=](const Invocation& i) {
    const Position p = position(i, x, y);
    const uint32_t group = i.id / i.workgroup;
    return std::vector<uint32_t>{x, y, z, p.x, p.y, p.z, i.local(), group, 0, 0, group * x + p.x, p.y, p.z};
  };
}

const char* const builtins = R"(
      put(gl_WorkGroupSize.x); put(gl_WorkGroupSize.y); put(gl_WorkGroupSize.z); put(gl_LocalInvocationID.x); put(gl_LocalInvocationID.y); put(gl_LocalInvocationID.z); put(gl_LocalInvocationIndex);
      put(gl_WorkGroupID.x); put(gl_WorkGroupID.y); put(gl_WorkGroupID.z); put(gl_GlobalInvocationID.x); put(gl_GlobalInvocationID.y); put(gl_GlobalInvocationID.z);)";

}  // namespace

CORPUS("builtin inputs and workgroups") {
  std::vector<KernelCase> cases{
      KernelCase{"a workgroup of three dimensions",
                 "// size\nlayout(local_size_x = 5, local_size_y = 3, local_size_z = 4) in;\n", builtins}
          .of(60, 3)
          .judged_by(of_size(5, 3, 4)),
      KernelCase{"a workgroup sized by spec constants",
                 "// size\nlayout(local_size_x_id = 10, local_size_y = 3, local_size_z_id = 11) "
                 "in;\nlayout(constant_id = 10) const uint X = 7u;\n",
                 builtins}
          .of(48, 2)
          .with(KernelOptions().specialize(10, 8u).specialize(11, 2u))
          .judged_by(of_size(8, 3, 2)),
      KernelCase{"one invocation", "// size\nlayout(local_size_x = 1) in;\n", builtins}.of(1, 5).judged_by(
          of_size(1, 1, 1)),
      KernelCase{"the number of workgroups", "",
                 "put(gl_NumWorkGroups.x); put(gl_NumWorkGroups.y); put(gl_NumWorkGroups[2]); uvec3 n = "
                 "gl_NumWorkGroups; put(n.x * n.y); put(gl_NumWorkGroups[u(0) % 3u]);"}
          .of(16, 7)
          .judged_by([](const Invocation& i) { return std::vector<uint32_t>{7, 1, 1, 7, i.u(0) % 3 == 0 ? 7u : 1u}; }),
      assembly("a WorkgroupSize constant counts before the execution mode", R"(
      OpExecutionMode %main LocalSize 3 3 3
      OpDecorate %size BuiltIn WorkgroupSize
      OpDecorate %size_x SpecId 5
      %size_x = OpSpecConstant %uint 2
      %size_y = OpSpecConstantOp %uint IMul %size_x %c2
      %size = OpSpecConstantComposite %v3uint %size_x %size_y %c1
      OpDecorate %local_id BuiltIn LocalInvocationId
      %local_id = OpVariable %ptr_input_three Input
      OpDecorate %group_id BuiltIn WorkgroupId
      %group_id = OpVariable %ptr_input_three Input
      %l = OpLoad %v3uint %local_id
      %x = OpCompositeExtract %uint %l 0
      %y = OpCompositeExtract %uint %l 1
      %z = OpCompositeExtract %uint %l 2
      %sx = OpCompositeExtract %uint %size 0
      %sy = OpCompositeExtract %uint %size 1
      %g = OpLoad %v3uint %group_id
      %gx = OpCompositeExtract %uint %g 0
      %groups_before = OpIMul %uint %gx %c32
      %mine = OpIAdd %uint %groups_before %local
      %where = OpIMul %uint %mine %c32
      %p0 = OpAccessChain %ptr_uint_buffer %result %c0 %where
      %all1 = OpIMul %uint %x %c10
      %all2 = OpIAdd %uint %all1 %y
      %all3 = OpIMul %uint %all2 %c10
      %all4 = OpIAdd %uint %all3 %z
      OpStore %p0 %all4
      %where1 = OpIAdd %uint %where %c1
      %p1 = OpAccessChain %ptr_uint_buffer %result %c0 %where1
      %size1 = OpIMul %uint %sx %c10
      %size2 = OpIAdd %uint %size1 %sy
      OpStore %p1 %size2)")
          .version(5)
          .of(32, 2)
          .with(KernelOptions().specialize(5, 4u))
          .judged_by(
              [](const Invocation& i) { return std::vector<uint32_t>{i.local() % 4 * 100 + i.local() / 4 * 10, 48}; }),
      assembly("LocalSizeId", R"(
      OpExecutionModeId %main LocalSizeId %size_x %c2 %c1
      OpDecorate %size_x SpecId 6
      %size_x = OpSpecConstant %uint 5
      OpDecorate %local_id BuiltIn LocalInvocationId
      %local_id = OpVariable %ptr_input_three Input
      OpDecorate %group_id BuiltIn WorkgroupId
      %group_id = OpVariable %ptr_input_three Input
      %l = OpLoad %v3uint %local_id
      %x = OpCompositeExtract %uint %l 0
      %y = OpCompositeExtract %uint %l 1
      %g = OpLoad %v3uint %group_id
      %gx = OpCompositeExtract %uint %g 0
      %groups_before = OpIMul %uint %gx %c32
      %mine = OpIAdd %uint %groups_before %local
      %where = OpIMul %uint %mine %c32
      %p0 = OpAccessChain %ptr_uint_buffer %result %c0 %where
      %all1 = OpIMul %uint %x %c10
      %all2 = OpIAdd %uint %all1 %y
      OpStore %p0 %all2)")
          .version(6)
          .of(32, 3)
          .with(KernelOptions().specialize(6, 16u))
          .judged_by([](const Invocation& i) { return std::vector<uint32_t>{i.local() % 16 * 10 + i.local() / 16}; }),
  };
  KernelCase subgroups{"subgroup inputs", "#extension GL_KHR_shader_subgroup_basic : require\n",
                       "put(gl_SubgroupSize); put(gl_SubgroupInvocationID); put(gl_SubgroupID); put(gl_NumSubgroups);"};
  subgroups.depends_on_subgroups = true;
  cases.push_back(subgroups.of(96, 2).judged_by([](const Invocation& i) {
    return std::vector<uint32_t>{i.subgroup, i.lane(), i.local() / i.subgroup,
                                 (i.workgroup + i.subgroup - 1) / i.subgroup};
  }));
  return cases;
}
