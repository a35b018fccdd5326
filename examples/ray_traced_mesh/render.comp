#version 460
// Renders triangles: a ray from the eye for each pixel, one to the sun, and some around the surface for ambient
// occlusion. With `brute_force`, each ray is tested against every triangle instead of those that a traversal finds.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 8, local_size_y = 8) in;

#include "weft/device/bvh.glsl"

struct Triangle {
  vec3 a, b, c;
};
struct Pixel {
  uint primitive;  // weft_tree_none for the sky.
  float t;         // Of the ray from the eye.
  uint blocked;    // Bit 0: by the ray to the sun; bit 1 + k: by ray k around the surface.
  uint nodes;      // Read by all its rays.
  uint color;      // Red in the lowest byte.
};
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Triangles { uvec3 at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Vertices { vec3 at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) writeonly buffer Pixels { Pixel at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Scene {
  WeftBvh bvh;
  Triangles triangles;  // Indices of their vertices.
  Vertices vertices;
  Pixels pixels;
  vec3 eye, corner, right, down;  // From the eye to the upper left pixel, and from pixel to pixel.
  vec3 sun;                       // Towards it, of length 1.
  float reach;                    // Length of rays around the surface.
  float offset;                   // Of rays' origins from the surface.
  uint width, height, rays;
};

layout(push_constant, scalar) uniform Arguments {
  Scene scene;
  uint step;  // Renders one pixel of step * step.
  uint brute_force;
}
args;

struct Surface {
  uint primitive;
  float t;
};

Triangle load_triangle(uint primitive) {
  uvec3 corners = args.scene.triangles.at[primitive];
  return Triangle(args.scene.vertices.at[corners.x], args.scene.vertices.at[corners.y],
                  args.scene.vertices.at[corners.z]);
}

float intersection(WeftRay ray, uint primitive) {
  Triangle x = load_triangle(primitive);
  return weft_ray_triangle(ray, x.a, x.b, x.c);
}

// Of several nearest triangles, the one with the lowest index.
void keep_nearer(inout Surface nearest, inout WeftRay ray, uint primitive) {
  float t = intersection(ray, primitive);
  if (t == weft_infinity()) return;
  if (t < nearest.t || (t == nearest.t && primitive < nearest.primitive)) {
    nearest = Surface(primitive, t);
    ray.t_max = t;
  }
}

Surface nearest_surface(WeftRay ray, inout uint nodes) {
  Surface nearest = Surface(weft_tree_none, weft_infinity());
  if (args.brute_force != 0u) {
    for (uint i = 0u; i < args.scene.bvh.leaves; ++i) keep_nearer(nearest, ray, i);
    return nearest;
  }
  WeftBvhWalk walk = weft_bvh_hits(args.scene.bvh, ray);
  while (weft_bvh_next_hit(walk, args.scene.bvh, ray)) keep_nearer(nearest, ray, walk.primitive);
  nodes += walk.nodes;
  return nearest;
}

bool is_blocked(WeftRay ray, inout uint nodes) {
  bool blocked = false;
  if (args.brute_force != 0u) {
    for (uint i = 0u; i < args.scene.bvh.leaves && !blocked; ++i) blocked = intersection(ray, i) < weft_infinity();
    return blocked;
  }
  WeftBvhWalk walk = weft_bvh_hits(args.scene.bvh, ray);
  while (!blocked && weft_bvh_next_hit(walk, args.scene.bvh, ray)) {
    blocked = intersection(ray, walk.primitive) < weft_infinity();
  }
  nodes += walk.nodes;
  return blocked;
}

// A number from 0 to 1. (Jarzynski and Olano 2020, Hash Functions for GPU Rendering: PCG.)
float random(inout uint state) {
  state = state * 747796405u + 2891336453u;
  uint word = ((state >> ((state >> 28) + 4u)) ^ state) * 277803737u;
  return float(((word >> 22) ^ word) >> 8) / 16777216.0;
}

// A direction around the normal, the likelier the nearer to it: by the cosine of the angle.
vec3 direction_around(vec3 normal, inout uint state) {
  float z = 2.0 * random(state) - 1.0, angle = 6.2831853 * random(state), r = sqrt(max(0.0, 1.0 - z * z));
  vec3 sum = normal + vec3(r * cos(angle), r * sin(angle), z);
  return dot(sum, sum) > 1e-6 ? normalize(sum) : normal;
}

uint packed(vec3 color) {
  vec3 x = pow(clamp(color, vec3(0.0), vec3(1.0)), vec3(1.0 / 2.2)) * 255.0 + 0.5;
  return uint(x.r) | uint(x.g) << 8 | uint(x.b) << 16 | 0xFF000000u;
}

// What a pixel shows where its ray has hit a triangle.
void shade(inout Pixel pixel, WeftRay ray, uint index) {
  Triangle x = load_triangle(pixel.primitive);
  vec3 normal = normalize(cross(x.b - x.a, x.c - x.a));
  if (dot(normal, ray.direction) > 0.0) normal = -normal;
  vec3 at = ray.origin + pixel.t * ray.direction + args.scene.offset * normal;
  float sunlight = dot(normal, args.scene.sun);
  WeftRay to_sun = weft_ray(at, args.scene.sun, 0.0, weft_infinity());
  if (sunlight <= 0.0 || is_blocked(to_sun, pixel.nodes)) pixel.blocked |= 1u;
  uint state = index, open = args.scene.rays;
  for (uint k = 0u; k < args.scene.rays; ++k) {
    WeftRay around = weft_ray(at, direction_around(normal, state), 0.0, args.scene.reach);
    if (is_blocked(around, pixel.nodes)) {
      pixel.blocked |= 2u << k;
      --open;
    }
  }
  float ambient = float(open) / float(max(args.scene.rays, 1u));
  vec3 light = vec3(0.22, 0.25, 0.31) * ambient;
  if ((pixel.blocked & 1u) == 0u) light += vec3(0.62, 0.58, 0.50) * sunlight;
  pixel.color = packed(light);
}

void main() {
  uvec2 at = gl_GlobalInvocationID.xy * args.step;
  if (at.x >= args.scene.width || at.y >= args.scene.height) return;
  uint index = at.y * args.scene.width + at.x;
  precise vec3 direction = args.scene.corner + float(at.x) * args.scene.right + float(at.y) * args.scene.down;
  WeftRay ray = weft_ray(args.scene.eye, direction, 0.0, weft_infinity());
  Pixel pixel = Pixel(0u, 0.0, 0u, 0u, packed(vec3(0.62, 0.72, 0.85)));
  Surface surface = nearest_surface(ray, pixel.nodes);
  pixel.primitive = surface.primitive;
  pixel.t = surface.t;
  if (surface.primitive != weft_tree_none) shade(pixel, ray, index);
  args.scene.pixels.at[index] = pixel;
}
