#include "reference.h"

#include <algorithm>
#include <cmath>

#include "drawing.h"

namespace {

using Vector = std::array<float, 3>;

/// The random numbers of simulate.comp.
class Random {
 public:
  Random(uint32_t seed, uint32_t i) : state_(hash(seed) ^ i) {}
  float number() {
    state_ = hash(state_);
    return float(state_ >> 8) / 16777216;
  }
  Vector vector() {
    const float x = number(), y = number(), z = number();
    return {x, y, z};
  }

 private:
  static uint32_t hash(uint32_t x) {
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return (x >> 22) ^ x;
  }
  uint32_t state_;
};

Particle newborn(const Step& step, uint32_t i) {
  Random random(step.seed, i);
  Particle p;
  const Vector anywhere = random.vector(), up{0, 1, 0};
  for (size_t c = 0; c < 3; ++c) {
    p.position[c] = step.spread * anywhere[c] + (1 - step.spread) * (step.emitter[c] + 0.1f * (anywhere[c] - 0.5f));
  }
  const Vector sideways = random.vector();
  for (size_t c = 0; c < 3; ++c) p.velocity[c] = up[c] + sideways[c] - 0.5f;
  p.life = 0.5f + random.number();
  p.age = step.spread * random.number() * p.life;
  return p;
}

Vector push_from_neighbours(const Snapshot& before, const Vector& position) {
  constexpr uint32_t most_neighbours = 16;
  constexpr float reach = 0.03f;
  const ParticleLayout& layout = before.layout();
  const uint32_t cell = cell_of(position);
  const uint32_t first = before.array<uint32_t>(layout.cell_starts, cell_count)[cell];
  const uint32_t count = std::min(before.array<uint32_t>(layout.cell_counts, cell_count)[cell], most_neighbours);
  const auto living = before.array<Particle>(layout.living, layout.capacity);
  Vector push{};
  for (const uint32_t j : before.array<uint32_t>(layout.members, layout.capacity).subspan(first, count)) {
    Vector apart;
    float square = 0;
    for (size_t c = 0; c < 3; ++c) {
      apart[c] = position[c] - living[j].position[c];
      square += apart[c] * apart[c];
    }
    for (size_t c = 0; c < 3; ++c) push[c] += std::max(0.f, 1 - square / (reach * reach)) * apart[c];
  }
  return push;
}

Particle moved(const Snapshot& before, Particle p, float seconds) {
  const Vector push = push_from_neighbours(before, p.position);
  for (size_t c = 0; c < 3; ++c) {
    const float walls = std::max(-p.position[c], 0.f) - std::max(p.position[c] - 1, 0.f);
    p.velocity[c] += seconds * ((c == 1 ? -1.f : 0.f) + 400 * walls + 200 * push[c]);
    p.position[c] += seconds * p.velocity[c];
  }
  p.age += seconds;
  return p;
}

}  // namespace

uint32_t cell_of(const Vector& position) {
  uint32_t cell[3];
  for (size_t c = 0; c < 3; ++c) {
    cell[c] = uint32_t(std::clamp(position[c] * cells_per_side, 0.f, float(cells_per_side - 1)));
  }
  return (cell[2] * cells_per_side + cell[1]) * cells_per_side + cell[0];
}

std::vector<Particle> simulated(const Snapshot& before, const Step& step) {
  const uint64_t old = before.counters().draw.instanceCount;
  std::vector<Particle> result;
  for (const Particle& p : before.array<Particle>(before.layout().living, old)) {
    result.push_back(moved(before, p, step.seconds));
  }
  const uint64_t all = std::min<uint64_t>(old + step.born, before.layout().capacity);
  for (uint64_t i = old; i < all; ++i) result.push_back(newborn(step, uint32_t(i)));
  return result;
}

std::vector<Vector> drawn(std::span<const Particle> particles, std::span<const uint32_t> order, const Camera& camera,
                          uint32_t width, uint32_t height) {
  std::vector<Vector> pixels(size_t(width) * height,
                             {Drawing::background[0], Drawing::background[1], Drawing::background[2]});
  const auto clip = [&](const Particle& p, size_t row) {
    const std::array<float, 4> r = camera.row(row);
    return r[0] * p.position[0] + r[1] * p.position[1] + r[2] * p.position[2] + r[3];
  };
  const Vector young{1, 0.8f, 0.3f}, old{0.1f, 0.3f, 1};
  for (const uint32_t i : order) {
    const Particle& p = particles[i];
    const float w = clip(p, 3), age = p.age / p.life;
    const float x = (clip(p, 0) / w + 1) / 2 * float(width), y = (clip(p, 1) / w + 1) / 2 * float(height);
    const float radius_x = camera.disc_size[0] / w / 2 * float(width);
    const float radius_y = camera.disc_size[1] / w / 2 * float(height);
    const int left = std::max(int(x - radius_x), 0), right = std::min(int(x + radius_x), int(width) - 1);
    const int top = std::max(int(y - radius_y), 0), bottom = std::min(int(y + radius_y), int(height) - 1);
    for (int row = top; row <= bottom; ++row) {
      for (int column = left; column <= right; ++column) {
        const float dx = (float(column) + 0.5f - x) / radius_x, dy = (float(row) + 0.5f - y) / radius_y;
        const float alpha = 0.8f * std::max(0.f, 1 - dx * dx - dy * dy);
        Vector& pixel = pixels[size_t(row) * width + size_t(column)];
        for (size_t c = 0; c < 3; ++c) pixel[c] += alpha * (std::lerp(young[c], old[c], age) - pixel[c]);
      }
    }
  }
  return pixels;
}
