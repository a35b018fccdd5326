// Squared distances of points.
//
// Gives:    float weft_squared_distance(vec3 point, WeftBox box)   0 inside; infinity for an empty box or one with NaNs
//           float weft_squared_distance(vec3 point, vec3 a, vec3 b)   from a segment
//           float weft_squared_distance(vec3 point, vec3 a, vec3 b, vec3 c)   from a triangle
// Macros:   those of weft/thread/memory.glsl
// Usage:    float d = weft_squared_distance(point, box);
//
// No point is farther from a box than from one inside it, also with rounding.
//
// The distance from a triangle, not squared, is right to 8 * 2^-24 of the largest distance between its corners and the
// point, or between corners, whatever the triangle's shape. It is at most that from each side, and 0 at the corners.
// Triangles without area are segments or points. Distances between corners and points must be below 2^60, and those
// below 2^-60 may count as 0: squares overflow and underflow. (Ericson 2005, Real-Time Collision Detection, has the
// regions.)
#ifndef WEFT_THREAD_DISTANCE
#define WEFT_THREAD_DISTANCE

#include "weft/thread/ray.glsl"

float weft_precise_dot(vec3 a, vec3 b) {
  precise float sum = a.x * b.x + a.y * b.y + a.z * b.z;
  return sum;
}

float weft_squared_length(vec3 x) { return weft_precise_dot(x, x); }

float weft_squared_distance(vec3 point, WeftBox box) {
  if (!all(lessThanEqual(box.low, box.high))) return weft_infinity();
  return weft_squared_length(max(max(box.low - point, point - box.high), vec3(0.0)));
}

// Precise products make `along` equal `length` at b, where a quotient of the two may be below 1.
float weft_squared_distance(vec3 point, vec3 a, vec3 b) {
  vec3 to_b = b - a, to_point = point - a;
  float along = weft_precise_dot(to_point, to_b), length = weft_squared_length(to_b);
  if (along >= length) return weft_squared_length(point - b);
  return weft_squared_length(along <= 0.0 ? to_point : to_point - along / length * to_b);
}

// The least of the distances from the sides and, if it is inside, from the foot of the point's perpendicular. The foot
// has the coordinate `t` along the longest side, ab, and `up` along the altitude of c. Each of the two is right to a
// rounding of lengths, where the cross product of two sides of a thin triangle is nothing but rounding. Along a shorter
// side, the altitude may be the small difference of large vectors. And the foot is tested to be in the triangle, so no
// error makes it nearer than the triangle is.
float weft_squared_distance(vec3 point, vec3 a, vec3 b, vec3 c) {
  float nearest = min(min(weft_squared_distance(point, a, b), weft_squared_distance(point, b, c)),
                      weft_squared_distance(point, c, a));
  float ab = weft_squared_length(b - a), bc = weft_squared_length(c - b), ca = weft_squared_length(a - c);
  if (bc > ab && bc >= ca) {
    vec3 first = a;
    a = b;
    b = c;
    c = first;
  } else if (ca > ab) {
    vec3 last = c;
    c = b;
    b = a;
    a = last;
  }
  vec3 to_b = b - a, to_c = c - a, to_point = point - a;
  float length = dot(to_b, to_b), t_of_c = dot(to_c, to_b) / length, t = dot(to_point, to_b) / length;
  vec3 altitude = to_c - t_of_c * to_b, rest = to_point - t * to_b;
  float height = dot(altitude, altitude), up = dot(rest, altitude) / height;
  const float least = 1.1754943508222875e-38;  // 2^-126: below, quotients lose digits.
  bool inside =
      min(length, height) >= least && up >= 0.0 && up * t_of_c <= t && up * (1.0 - t_of_c) <= 1.0 - t;
  return inside ? min(nearest, weft_squared_length(rest - up * altitude)) : nearest;
}

#endif
