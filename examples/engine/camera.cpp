#include "camera.h"

#include <cmath>

namespace {

using Vector = std::array<float, 3>;

float dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Vector normalized(const Vector& a) {
  const float length = std::sqrt(dot(a, a));
  return {a[0] / length, a[1] / length, a[2] / length};
}

}  // namespace

Camera::Camera(float turn, float aspect) {
  constexpr float zoom = 2.2f, near = 0.1f, radius = 0.006f;
  const Vector eye{0.5f + 2 * std::sin(turn), 0.9f, 0.5f + 2 * std::cos(turn)};
  const Vector forward = normalized({0.5f - eye[0], 0.45f - eye[1], 0.5f - eye[2]});
  const Vector right = normalized(cross(forward, {0, 1, 0})), up = cross(right, forward);
  const auto set_row = [&](size_t r, const Vector& axis, float scale, float offset) {
    for (size_t c = 0; c < 3; ++c) matrix[4 * c + r] = scale * axis[c];
    matrix[12 + r] = offset - scale * dot(axis, eye);
  };
  set_row(0, right, zoom / aspect, 0);
  set_row(1, up, -zoom, 0);       // Vulkan's y points down
  set_row(2, forward, 1, -near);  // z / w goes from 0 at `near` to 1 far away
  set_row(3, forward, 1, 0);
  disc_size = {radius * zoom / aspect, radius * zoom};
}
