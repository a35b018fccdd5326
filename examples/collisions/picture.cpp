#include "picture.h"

#include <algorithm>

#include "../mesh_and_image/canvas.h"

namespace {

constexpr int size = 640;
constexpr float margin = 20, scale_of_cube = (size - 2 * margin) / 2;
const Color background = hex(0x0F1520), wall = hex(0x8B9BB0), alone = hex(0x3E7CB1), crowded = hex(0xFFB347);

Spot spot(float x, float y) { return {size / 2 + scale_of_cube * x, size / 2 - scale_of_cube * y}; }

}  // namespace

void write_picture(const std::string& file, const std::vector<Body>& bodies) {
  std::vector<const Body*> from_back;
  for (const Body& body : bodies) from_back.push_back(&body);
  std::ranges::sort(from_back, {}, [](const Body* body) { return body->at[2]; });
  Canvas canvas(size, size, background);
  for (const Body* body : from_back) {
    const float near = 0.4f + 0.3f * (body->at[2] + 1), crowd = std::min(float(body->contacts) / 6, 1.0f);
    const Spot center = spot(body->at[0], body->at[1]);
    const float radius = scale_of_cube * body->radius;
    canvas.disc(center, radius, scale(mix(alone, crowded, crowd), 0.5f * near));
    canvas.disc({center.x - 0.2f * radius, center.y - 0.2f * radius}, 0.7f * radius,
                scale(mix(alone, crowded, crowd), near));
  }
  const Spot corners[] = {spot(-1, -1), spot(-1, 1), spot(1, 1), spot(1, -1)};
  for (size_t i = 0; i < 4; ++i) canvas.line(corners[i], corners[(i + 1) % 4], 2, wall);
  canvas.write_png(file);
}
