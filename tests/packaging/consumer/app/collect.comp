// Lists the values above a threshold, in no particular order, with one atomic per subgroup.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
#include "weft/subgroup/rank.glsl"

layout(local_size_x = 128) in;

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Values { float at[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Found {
  uint count;
  uint index[];
};
layout(push_constant) uniform Arguments {
  Values values;
  Found found;
  uint count;
  float threshold;
};

void main() {
  uint i = gl_GlobalInvocationID.x;
  bool wanted = i < count && values.at[i] > threshold;
  uint slot;
  WEFT_AGGREGATED_ADD(slot, found.count, wanted);
  if (wanted) found.index[slot] = i;
}
