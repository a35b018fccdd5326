#include "tests/conformance/subgroup_layout.h"

#include <algorithm>
#include <map>
#include <set>

namespace weft::test {

uint32_t SubgroupLayout::count() const { return *std::max_element(subgroups.begin(), subgroups.end()) + 1; }

std::vector<uint32_t> SubgroupLayout::members(uint32_t subgroup) const {
  std::map<uint32_t, uint32_t> by_lane;
  for (uint32_t i = 0; i < subgroups.size(); ++i) {
    if (subgroups[i] == subgroup) by_lane[lanes[i]] = i;
  }
  std::vector<uint32_t> members;
  for (const auto& [lane, invocation] : by_lane) members.push_back(invocation);
  return members;
}

void SubgroupLayout::check_lanes() const {
  std::set<std::pair<uint32_t, uint32_t>> seen;
  for (size_t i = 0; i < subgroups.size(); ++i) {
    CHECK_MESSAGE(seen.insert({subgroups[i], lanes[i]}).second, "invocation " << i << " shares its lane");
    CHECK_LT(lanes[i], sizes[i]);
  }
}

Spirv subgroup_layout_module() {
  return compile_glsl(R"(#version 460
    #extension GL_KHR_shader_subgroup_basic : require
    layout(local_size_x_id = 0) in;
    layout(set = 0, binding = 0, std430) buffer layout_block { uint v[]; } layouts;
    void main() {
      uint i = gl_LocalInvocationIndex;
      layouts.v[3 * i] = gl_SubgroupID;
      layouts.v[3 * i + 1] = gl_SubgroupInvocationID;
      layouts.v[3 * i + 2] = gl_SubgroupSize;
    })");
}

SubgroupLayout read_subgroup_layout(const Device& device, Stream& stream, uint32_t workgroup, KernelOptions options) {
  const Kernel kernel = device.kernel(subgroup_layout_module(), options.specialize(0, workgroup));
  const Buffer<uint32_t> output = device.buffer<uint32_t>(3 * uint64_t(workgroup));
  stream.fill(output, 0xa5a5a5a5u);
  stream.dispatch(kernel, {}, Arguments().bind(0, 0, output));
  const std::vector<uint32_t> words = stream.download(output);
  SubgroupLayout layout;
  for (uint32_t i = 0; i < workgroup; ++i) {
    layout.subgroups.push_back(words[3 * i]);
    layout.lanes.push_back(words[3 * i + 1]);
    layout.sizes.push_back(words[3 * i + 2]);
  }
  return layout;
}

}  // namespace weft::test
