// What the kernels of this example have in common.
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require

layout(local_size_x = 64) in;

struct Body {
  vec3 at;
  float radius;
  vec3 velocity;
  uint contacts;  // Bodies that it touched in the last step.
};
// Changes of velocity in units of 2^-16, whose sums do not depend on the order; and a count of contacts.
struct Push {
  int x, y, z;
  uint contacts;
};
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Bodies { Body at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Pushes { Push at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Pairs { uvec2 at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 8) buffer Found { uvec2 number; };

layout(push_constant, scalar) uniform Arguments {
  Bodies bodies;
  Pushes pushes;
  Pairs pairs;
  Found found;
  uint count;     // of bodies
  uint capacity;  // of pairs
  float step;     // in seconds
  uint unused;
} args;

const float unit = 65536.0;
