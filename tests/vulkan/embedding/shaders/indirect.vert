#version 460
// A draw of the host's: marks the vertices of each instance.
#extension GL_EXT_buffer_reference : require
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Marks { uint at[]; };
layout(push_constant) uniform Arguments { Marks marks; } args;

void main() {
  args.marks.at[3 * gl_InstanceIndex + gl_VertexIndex] = gl_InstanceIndex + 1;
  gl_Position = vec4(0.0);
}
