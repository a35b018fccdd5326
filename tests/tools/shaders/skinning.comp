// Transforms vertices by weighted bones, with a uniform block that a graphics pipeline would share. `precise`, because
// drivers may otherwise sum in other orders.
#version 450
layout(local_size_x = 64) in;
struct Vertex { vec3 position; float u; vec3 normal; float v; uvec4 bones; vec4 weights; };
struct Light { vec3 direction; float intensity; mat2 spread; };
layout(std140, set = 0, binding = 0) uniform Globals {
  mat4 viewProjection;
  layout(row_major) mat4x3 world;
  mat3 normalMatrix;
  Light lights[2];
  vec2 jitter;
  uint vertexCount;
  bool flip;
} globals;
layout(std140, set = 0, binding = 1) readonly buffer Bones { mat4 bones[]; };
layout(std430, set = 1, binding = 0) readonly buffer VerticesIn { Vertex vertices[]; };
layout(std430, set = 1, binding = 1) writeonly buffer VerticesOut { vec4 clip; vec3 shaded[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= globals.vertexCount) return;
  Vertex vertex = vertices[i];
  precise mat4 skin = mat4(0.0);
  for (int b = 0; b < 4; b++) skin += bones[vertex.bones[b] & 3u] * vertex.weights[b];
  precise vec3 position = globals.world * skin * vec4(vertex.position, 1.0);
  precise vec3 normal = globals.normalMatrix * (transpose(mat3(skin)) * vertex.normal);
  if (globals.flip) normal = -normal;
  precise vec2 glow = vec2(0.0);
  precise float brightness = 0.0;
  for (int l = 0; l < globals.lights.length(); l++) {
    vec3 light = globals.lights[l].direction;
    // glslang's dot() is never precise.
    precise float along = normal.x * light.x + normal.y * light.y + normal.z * light.z;
    float facing = max(along, 0.0);
    glow += globals.lights[l].spread * (vec2(vertex.u, vertex.v) + globals.jitter) * facing;
    brightness += globals.lights[l].intensity * facing;
  }
  precise vec4 projected = globals.viewProjection * vec4(position, 1.0);
  if (i == 0u) clip = projected;
  precise vec3 result = vec3(glow, brightness) + position;
  shaded[i] = result;
}
