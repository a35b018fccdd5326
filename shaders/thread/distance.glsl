// Squared distances of points.
//
// Gives:    float weft_squared_distance(vec3 point, WeftBox box)   0 inside; infinity for a box that is empty or has
// NaNs
//           float weft_squared_distance(vec3 point, vec3 a, vec3 b, vec3 c)   from a triangle
// Macros:   those of weft/thread/memory.glsl
// Usage:    float d = weft_squared_distance(point, box);
//
// No point is farther from a box than from one inside it, also with rounding. (Ericson 2005, Real-Time Collision
// Detection.)
#ifndef WEFT_THREAD_DISTANCE
#define WEFT_THREAD_DISTANCE

#include "weft/thread/ray.glsl"

float weft_squared_length(vec3 x) {
  precise float sum = x.x * x.x + x.y * x.y + x.z * x.z;
  return sum;
}

float weft_squared_distance(vec3 point, WeftBox box) {
  if (!all(lessThanEqual(box.low, box.high))) return weft_infinity();
  return weft_squared_length(max(max(box.low - point, point - box.high), vec3(0.0)));
}

// From a segment.
float weft_squared_distance(vec3 point, vec3 a, vec3 b) {
  vec3 to_b = b - a;
  float length = dot(to_b, to_b);
  float at = length > 0.0 ? clamp(dot(point - a, to_b) / length, 0.0, 1.0) : 0.0;
  return weft_squared_length(point - (a + at * to_b));
}

// Where the point is above the triangle, that is the distance from its plane; else from one of its sides.
float weft_squared_distance(vec3 point, vec3 a, vec3 b, vec3 c) {
  vec3 normal = cross(b - a, c - a), to_point = point - a;
  float area = dot(normal, normal);
  bool above = area > 0.0 && dot(cross(b - a, normal), to_point) <= 0.0 &&
               dot(cross(c - b, normal), point - b) <= 0.0 && dot(cross(a - c, normal), point - c) <= 0.0;
  if (above) {
    float height = dot(normal, to_point);
    return height * height / area;
  }
  return min(min(weft_squared_distance(point, a, b), weft_squared_distance(point, b, c)),
             weft_squared_distance(point, c, a));
}

#endif
