// Structs, arrays and matrices in memory of every layout.
#version 450
layout(local_size_x = 8, local_size_y = 2) in;
struct Inner { vec3 direction; float weight; mat3x2 shear; };
struct Outer { Inner inner[3]; ivec2 cell; uint flags; };
layout(std140, set = 0, binding = 0) uniform Scene {
  layout(row_major) mat4 view;
  mat3 normal;
  Outer outer[2];
  float scale;
} scene;
layout(std430, set = 0, binding = 1) buffer Items { uint count; Outer items[]; };
layout(std430, set = 1, binding = 0) readonly buffer Table { vec4 rows[]; } tables[3];
layout(std430, set = 1, binding = 1) coherent buffer Result { layout(row_major) mat2x4 turned; vec4 result[]; };
layout(push_constant) uniform Push { mat2 turn; vec3 shift; float bias; uint pick[3]; } push;
shared Outer shared_items[2];
Outer mine[2];

float weigh(Inner one, vec3 along) { return one.weight * dot(one.direction, along) + one.shear[1].y; }

void main() {
  uint i = gl_GlobalInvocationID.x;
  mine[i & 1u] = scene.outer[i & 1u];
  shared_items[gl_LocalInvocationID.y] = items[min(i, uint(items.length()) - 1u)];
  barrier();
  Outer copy = shared_items[1u - gl_LocalInvocationID.y];
  vec4 v = scene.view * vec4(push.shift, 1.0);
  v.xyz = scene.normal * v.xyz;
  v.xy = push.turn * v.zy;
  for (uint k = 0u; k < 3u; ++k) {
    v[k] += weigh(copy.inner[k], push.shift) + weigh(mine[1].inner[push.pick[k] % 3u], v.wzy);
  }
  copy.inner[1].direction.y = v.x * scene.scale;
  items[i].cell = ivec2(v.xw);
  items[i + 1u] = copy;
  turned[1] = v;
  turned = 2.0 * turned;
  result[i] = tables[1].rows[i] * transpose(turned)[2].x + inverse(scene.view)[3] + outerProduct(v, v)[2] + push.bias;
}
