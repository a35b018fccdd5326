// Escape times of the Mandelbrot set, with a palette set by specialization constants.
#version 450
layout(local_size_x = 32, local_size_y = 4) in;
layout(constant_id = 0) const int MAX_ITERATIONS = 64;
layout(constant_id = 1) const float BAILOUT = 4.0;
layout(constant_id = 2) const bool SMOOTH_EDGES = false;
layout(binding = 0) buffer Image { vec4 pixels[]; };
layout(push_constant) uniform View { vec2 center; float scale; uint width; uint height; } view;

vec3 palette(float t) {
  const vec3 stops[4] = vec3[](vec3(0.0, 0.1, 0.4), vec3(0.9, 0.9, 1.0), vec3(1.0, 0.7, 0.0), vec3(0.0));
  float x = t * 3.0;
  int i = min(int(x), 2);
  precise vec3 color = stops[i] + (stops[i + 1] - stops[i]) * (x - float(i));
  return color;
}

void main() {
  if (gl_GlobalInvocationID.x >= view.width || gl_GlobalInvocationID.y >= view.height) return;
  vec2 uv = (vec2(gl_GlobalInvocationID.xy) + 0.5) / vec2(view.width, view.height) - 0.5;
  precise vec2 c = view.center + uv * view.scale;
  precise vec2 z = vec2(0.0);
  int n = 0;
  while (n < MAX_ITERATIONS && dot(z, z) <= BAILOUT) {
    z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
    n++;
  }
  precise float t = float(n) / float(MAX_ITERATIONS);
  if (SMOOTH_EDGES && n < MAX_ITERATIONS) t += 0.25 / dot(z, z);
  pixels[gl_GlobalInvocationID.y * view.width + gl_GlobalInvocationID.x] = vec4(palette(clamp(t, 0.0, 1.0)), float(n));
}
