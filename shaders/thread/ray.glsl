// Rays, and their intersections with boxes and triangles.
//
// Gives:    WeftRay   .origin, .direction, .t_min, .t_max, .inverse. Points of a ray: origin + t * direction, for t
//                     from t_min to t_max
//           WeftRay weft_ray(vec3 origin, vec3 direction, float t_min, float t_max)
//           bool weft_ray_box(ray, box, out float t)   the smallest t inside a box: t_min if the ray starts there
//           float weft_ray_triangle(ray, vec3 a, vec3 b, vec3 c)   t of the intersection, from either side; infinity if
//                     there is none. With a fifth argument, `out vec2 weights`: those of b and c at the intersection
//           float weft_infinity()
//           float weft_widened(float x)   x, enlarged by 2^-20 of its magnitude
// Macros:   those of weft/thread/memory.glsl
// Usage:    WeftRay ray = weft_ray(eye, direction, 0.0, weft_infinity());
//           float t;
//           if (weft_ray_box(ray, box, t)) ...
//
// Directions have any length. A component below 2^-100 counts as zero: the ray is parallel to that axis. Rays that have
// NaNs, an infinite origin or a component of the direction above 2^100 intersect nothing. Nor is anything intersected
// that is an empty box, a box with a NaN or a triangle without area. Touching a box is enough, or a triangle's side.
//
// weft_ray_box() errs on the side of hits, by up to 2^-20 of t, so rounding loses none. So for a box at the end of the
// ray, t may be above t_max: compare it with weft_widened(t_max). A ray that hits a box also hits every box around it,
// so hierarchies lose no leaf whose own box is hit. (Ize 2013, Robust BVH Ray Traversal.)
//
// weft_ray_triangle() compares t, as it is rounded, with t_min and t_max: a triangle that the ray reaches at exactly
// t_max may be a hit or not.
//
// weft_ray_triangle() is watertight: a ray that meets a closed mesh passes through no edge or corner that triangles
// share, but hits one or more of them. Corners are projected along the ray, which rounds each in the same way in all
// its triangles. There, rounding may make the area on a side of the ray 0, but does not change its sign; and 0 is
// inside. Triangles that the ray meets edge-on, without area in the projection, are not hit. (Woop, Benthin and Wald
// 2013, Watertight Ray/Triangle Intersection.)
#ifndef WEFT_THREAD_RAY
#define WEFT_THREAD_RAY

#extension GL_EXT_control_flow_attributes : require

#include "weft/thread/bvh_node.glsl"

struct WeftRay {
  vec3 origin, direction;
  float t_min, t_max;
  vec3 inverse;  // 1 / direction; 0 for axes to which the ray is parallel.
};

float weft_infinity() { return uintBitsToFloat(0x7F800000u); }

// Of infinities, too: what is added is finite.
float weft_widened(float x) { return x + min(abs(x), 3.4028234663852886e38) * 9.5367431640625e-7; }

WeftRay weft_ray(vec3 origin, vec3 direction, float t_min, float t_max) {
  const float least = 7.888609052210118e-31, most = 1.2676506002282294e30;  // 2^-100, 2^100
  WeftRay ray = WeftRay(origin, direction, t_min, t_max, vec3(0.0));
  [[unroll]] for (int axis = 0; axis < 3; ++axis) {
    if (abs(direction[axis]) >= least) ray.inverse[axis] = 1.0 / direction[axis];
  }
  bool valid = all(lessThan(abs(origin), vec3(weft_infinity()))) && all(lessThanEqual(abs(direction), vec3(most))) &&
               t_min <= t_max;
  if (!valid) {
    ray.t_min = weft_infinity();
    ray.t_max = -weft_infinity();
  }
  return ray;
}

bool weft_ray_box(WeftRay ray, WeftBox box, out float t) {
  // A ray that ends before it begins hits nothing, whatever a device's max() makes of NaNs.
  bool hits = ray.t_min <= ray.t_max && all(lessThanEqual(box.low, box.high));
  float leaves_at = weft_infinity();
  t = ray.t_min;
  [[unroll]] for (int axis = 0; axis < 3; ++axis) {
    if (ray.inverse[axis] == 0.0) {
      hits = hits && box.low[axis] <= ray.origin[axis] && ray.origin[axis] <= box.high[axis];
    } else {
      precise float low = (box.low[axis] - ray.origin[axis]) * ray.inverse[axis];
      precise float high = (box.high[axis] - ray.origin[axis]) * ray.inverse[axis];
      t = max(t, min(low, high));
      leaves_at = min(leaves_at, max(low, high));
    }
  }
  return hits && t <= weft_widened(leaves_at) && t <= weft_widened(ray.t_max);
}

// The components of a vector, those of the given axis last.
vec3 weft_axis_last(vec3 x, int axis) { return axis == 0 ? x.yzx : axis == 1 ? x.zxy : x; }

float weft_ray_triangle(WeftRay ray, vec3 a, vec3 b, vec3 c, out vec2 weights) {
  vec3 size = abs(ray.direction);
  int axis = size.z >= max(size.x, size.y) ? 2 : size.y >= size.x ? 1 : 0;
  float inverse = weft_axis_last(ray.inverse, axis).z;
  precise vec2 slope = weft_axis_last(ray.direction, axis).xy * inverse;
  a = weft_axis_last(a - ray.origin, axis);
  b = weft_axis_last(b - ray.origin, axis);
  c = weft_axis_last(c - ray.origin, axis);
  precise vec2 p = a.xy - slope * a.z, q = b.xy - slope * b.z, r = c.xy - slope * c.z;
  precise vec3 areas = vec3(r.x * q.y - r.y * q.x, p.x * r.y - p.y * r.x, q.x * p.y - q.y * p.x);
  precise float area = areas.x + areas.y + areas.z;
  precise float t = (areas.x * a.z + areas.y * b.z + areas.z * c.z) / area * inverse;
  weights = areas.yz / area;
  bool inside = all(greaterThanEqual(areas, vec3(0.0))) || all(lessThanEqual(areas, vec3(0.0)));
  return inside && area != 0.0 && ray.t_min <= t && t <= ray.t_max ? t : weft_infinity();
}

float weft_ray_triangle(WeftRay ray, vec3 a, vec3 b, vec3 c) {
  vec2 weights;
  return weft_ray_triangle(ray, a, b, c, weights);
}

#endif
