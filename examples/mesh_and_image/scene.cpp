#include "scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace {

Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Point operator*(Point a, float s) { return {a.x * s, a.y * s, a.z * s}; }
float dot(Point a, Point b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Point cross(Point a, Point b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
Point unit(Point a) { return a * (1 / std::max(std::sqrt(dot(a, a)), 1e-12f)); }

/// A camera outside the box that looks at its middle.
class Camera {
 public:
  Camera(Point low, Point high, Spot middle, float points) : centre_((low + high) * 0.5f), middle_(middle) {
    const float turn = 0.42f, tilt = 0.30f;
    towards_ = {std::sin(turn) * std::cos(tilt), std::sin(tilt), std::cos(turn) * std::cos(tilt)};
    right_ = unit(cross({0, 1, 0}, towards_));
    up_ = cross(towards_, right_);
    const Point half = (high - low) * 0.5f;
    distance_ = 5.5f * std::sqrt(dot(half, half));
    zoom_ = points * distance_ / std::sqrt(dot(half, half));
  }
  /// x, y in points on the canvas; z grows away from the viewer.
  Point project(Point p) const {
    const Point q = p - centre_;
    const float depth = distance_ - dot(q, towards_);
    return {middle_.x + zoom_ * dot(q, right_) / depth, middle_.y - zoom_ * dot(q, up_) / depth, depth};
  }
  Point towards() const { return towards_; }
  /// Returns the change of depth per point right (x) and down (y) on a surface with that normal.
  Point depth_slope(Point normal, float depth) const {
    const float facing = std::max(dot(normal, towards_), 0.15f), point = depth / zoom_;
    return {point * dot(normal, right_) / facing, -point * dot(normal, up_) / facing, 0};
  }

 private:
  Point centre_, towards_, right_, up_;
  Spot middle_;
  float distance_ = 1, zoom_ = 1;
};

/// The part of the mesh that each sample of the canvas shows.
struct Surface {
  int width, height;
  std::vector<float> depth;
  std::vector<Point> normal;
  std::vector<Color> color;

  explicit Surface(const Canvas& canvas)
      : width(canvas.width()),
        height(canvas.height()),
        depth(size_t(width) * size_t(height), std::numeric_limits<float>::infinity()),
        normal(depth.size()),
        color(depth.size(), hex(0x9DB0C6)) {}

  size_t at(int column, int row) const { return size_t(row) * size_t(width) + size_t(column); }
  bool covers(int column, int row) const {
    return column >= 0 && row >= 0 && column < width && row < height && std::isfinite(depth[at(column, row)]);
  }
};

std::vector<Point> vertex_normals(const Mesh& mesh) {
  std::vector<Point> normals(mesh.vertices.size());
  for (size_t i = 0; i < mesh.corners.size(); i += 3) {
    const uint32_t* c = &mesh.corners[i];
    const Point a = mesh.vertices[c[0]];
    const Point n = cross(mesh.vertices[c[1]] - a, mesh.vertices[c[2]] - a);
    for (int k = 0; k < 3; ++k) normals[c[k]] = normals[c[k]] + n;
  }
  for (Point& n : normals) n = unit(n);
  return normals;
}

/// Calls visit(column, row, weights) for each sample inside a projected triangle.
template <typename Visit>
void for_each_sample(const Surface& surface, const std::array<Point, 3>& p, const Visit& visit) {
  const float s = Canvas::samples;
  const float area = (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[2].x - p[0].x) * (p[1].y - p[0].y);
  if (area == 0) return;
  const auto [x0, x1] = std::minmax({p[0].x, p[1].x, p[2].x});
  const auto [y0, y1] = std::minmax({p[0].y, p[1].y, p[2].y});
  for (int row = std::max(0, int(y0 * s)); row <= std::min(surface.height - 1, int(y1 * s)); ++row) {
    for (int column = std::max(0, int(x0 * s)); column <= std::min(surface.width - 1, int(x1 * s)); ++column) {
      const float x = (float(column) + 0.5f) / s, y = (float(row) + 0.5f) / s;
      std::array<float, 3> w{};
      for (size_t k = 0; k < 3; ++k) {
        const Point &a = p[(k + 1) % 3], &b = p[(k + 2) % 3];
        w[k] = ((a.x - x) * (b.y - y) - (b.x - x) * (a.y - y)) / area;
      }
      if (w[0] >= 0 && w[1] >= 0 && w[2] >= 0) visit(column, row, w);
    }
  }
}

void rasterize(Surface& surface, const Camera& camera, const Mesh& mesh) {
  const std::vector<Point> normals = vertex_normals(mesh);
  for (size_t i = 0; i < mesh.corners.size(); i += 3) {
    const uint32_t* c = &mesh.corners[i];
    std::array<Point, 3> p;
    for (size_t k = 0; k < 3; ++k) p[k] = camera.project(mesh.vertices[c[k]]);
    for_each_sample(surface, p, [&](int column, int row, const std::array<float, 3>& w) {
      const float depth = w[0] * p[0].z + w[1] * p[1].z + w[2] * p[2].z;
      const size_t at = surface.at(column, row);
      if (depth >= surface.depth[at]) return;
      surface.depth[at] = depth;
      surface.normal[at] = unit(normals[c[0]] * w[0] + normals[c[1]] * w[1] + normals[c[2]] * w[2]);
    });
  }
}

/// Paints a dot on the surface around each visible point.
void dot_points(Surface& surface, const Camera& camera, const Answers& answers) {
  const float radius = 3.6f * Canvas::samples, tolerance = 0.01f * (answers.high.y - answers.low.y);
  for (const Point& point : answers.above) {
    const Point p = camera.project(point);
    const float x = p.x * Canvas::samples, y = p.y * Canvas::samples;
    const float t = (point.y - answers.plane) / std::max(answers.high.y - answers.plane, 1e-6f);
    const Color color = height_color(t);
    for (int row = int(y - radius); row <= int(y + radius); ++row) {
      for (int column = int(x - radius); column <= int(x + radius); ++column) {
        if (std::hypot(float(column) + 0.5f - x, float(row) + 0.5f - y) > radius) continue;
        if (!surface.covers(column, row) || p.z > surface.depth[surface.at(column, row)] + tolerance) continue;
        surface.color[surface.at(column, row)] = color;
      }
    }
  }
}

/// Share of the sky visible from a sample, estimated by how far its neighbourhood rises above its tangent plane.
float openness(const Surface& surface, const Camera& camera, int column, int row, float reach) {
  const size_t here = surface.at(column, row);
  const Point slope = camera.depth_slope(surface.normal[here], surface.depth[here]);
  float hidden = 0;
  constexpr int directions = 12, rings = 3;
  for (int k = 0; k < directions * rings; ++k) {
    const float angle = 6.2831853f * (float(k) + 0.37f * float(k / directions)) / directions;
    const float radius = 10.f * float(k / directions + 1), dx = radius * std::cos(angle), dy = radius * std::sin(angle);
    const int c = column + int(dx * Canvas::samples), r = row + int(dy * Canvas::samples);
    if (!surface.covers(c, r)) continue;
    const float rise = surface.depth[here] + slope.x * dx + slope.y * dy - surface.depth[surface.at(c, r)];
    if (rise > 0.04f * reach && rise < reach) hidden += 1 - rise / reach;
  }
  return 1 - std::min(1.f, 1.15f * hidden / (directions * rings));
}

Color shade(Point normal, Point towards, Color albedo, float open) {
  const Point key = unit({-0.55f, 0.75f, 0.60f}), fill = unit({0.9f, 0.1f, 0.45f});
  const float bright = std::max(dot(normal, key), 0.f), soft = std::max(dot(normal, fill), 0.f);
  const float gleam = std::pow(std::max(dot(normal, unit(key + towards)), 0.f), 40.f);
  const float rim = std::pow(1 - std::clamp(dot(normal, towards), 0.f, 1.f), 3.f);
  const Color sky = mix(hex(0x2E2A33), hex(0x6A7A8E), 0.5f + 0.5f * normal.y);
  const float ambient = open * open;
  Color c{albedo.r * (0.78f * bright + sky.r * ambient), albedo.g * (0.75f * bright + sky.g * ambient),
          albedo.b * (0.70f * bright + sky.b * ambient)};
  c = mix(c, albedo, 0.22f * soft * ambient);
  const float shine = 0.18f * gleam + 0.22f * rim * ambient;
  return {c.r * (0.35f + 0.65f * open) + shine, c.g * (0.35f + 0.65f * open) + shine,
          c.b * (0.35f + 0.65f * open) + shine};
}

/// The mesh projected onto the floor of its box and blurred: its shadow.
void draw_shadow(Canvas& canvas, const Camera& camera, const Mesh& mesh, float floor) {
  Surface flat(canvas);
  for (size_t i = 0; i < mesh.corners.size(); i += 3) {
    std::array<Point, 3> p;
    for (size_t k = 0; k < 3; ++k) {
      const Point v = mesh.vertices[mesh.corners[i + k]];
      const float drift = 0.35f * (v.y - floor);  // the light comes from the left
      p[k] = camera.project({v.x + 0.55f * drift, floor, v.z - 0.60f * drift});
    }
    for_each_sample(flat, p, [&](int column, int row, const auto&) { flat.depth[flat.at(column, row)] = 0; });
  }
  std::vector<float> dark(flat.depth.size());
  for (size_t i = 0; i < dark.size(); ++i) dark[i] = std::isfinite(flat.depth[i]) ? 1 : 0;
  const int radius = 7 * Canvas::samples;
  std::vector<float> sums;
  for (int pass = 0; pass < 4; ++pass) {  // box blurs, along rows and columns alternately
    const bool rows = pass % 2 == 0;
    const int lines = rows ? flat.height : flat.width, length = rows ? flat.width : flat.height;
    for (int line = 0; line < lines; ++line) {
      sums.assign(1, 0);
      const auto index = [&](int k) { return rows ? flat.at(k, line) : flat.at(line, k); };
      for (int k = 0; k < length; ++k) sums.push_back(sums.back() + dark[index(k)]);
      for (int k = 0; k < length; ++k) {
        const int from = std::max(0, k - radius), to = std::min(length, k + radius + 1);
        dark[index(k)] = (sums[size_t(to)] - sums[size_t(from)]) / float(2 * radius + 1);
      }
    }
  }
  for (int row = 0; row < flat.height; ++row) {
    for (int column = 0; column < flat.width; ++column) {
      const float d = dark[flat.at(column, row)];
      if (d > 0.001f) canvas.blend(column, row, {0, 0, 0}, 0.6f * d);
    }
  }
}

/// Draws a straight line in space, fainter where the mesh hides it.
void draw_edge(Canvas& canvas, const Camera& camera, const Surface& surface, Point from, Point to, float thickness,
               Color color) {
  constexpr int pieces = 160;
  for (int k = 0; k < pieces; ++k) {
    const Point a = camera.project(from + (to - from) * (float(k) / pieces));
    const Point b = camera.project(from + (to - from) * (float(k + 1) / pieces));
    const int column = int((a.x + b.x) / 2 * Canvas::samples), row = int((a.y + b.y) / 2 * Canvas::samples);
    const bool hidden = surface.covers(column, row) && surface.depth[surface.at(column, row)] < (a.z + b.z) / 2;
    if (!hidden) canvas.line({a.x, a.y}, {b.x, b.y}, thickness, color);
  }
}

}  // namespace

Color height_color(float t) { return mix(hex(0xFFB13B), hex(0xFF3F6C), t); }

void draw_scene(Canvas& canvas, Spot corner, float size, const Mesh& mesh, const Answers& answers) {
  const Point low = answers.low, high = answers.high;
  const Camera camera(low, high, {corner.x + size / 2, corner.y + size / 2}, 0.50f * size);
  const auto box = [&](int k) { return Point{k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z}; };
  Surface floor(canvas);
  for (const auto& triangle : {std::array{box(0), box(1), box(5)}, std::array{box(0), box(5), box(4)}}) {
    std::array<Point, 3> p;
    for (size_t k = 0; k < 3; ++k) p[k] = camera.project(triangle[k]);
    for_each_sample(floor, p,
                    [&](int column, int row, const auto&) { canvas.blend(column, row, hex(0x2B3A52), 0.8f); });
  }
  draw_shadow(canvas, camera, mesh, low.y);

  Surface surface(canvas);
  rasterize(surface, camera, mesh);
  dot_points(surface, camera, answers);
  const float reach = 0.12f * (high.y - low.y);
  for (int row = 0; row < surface.height; ++row) {
    for (int column = 0; column < surface.width; ++column) {
      if (!surface.covers(column, row)) continue;
      const size_t at = surface.at(column, row);
      canvas.blend(
          column, row,
          shade(surface.normal[at], camera.towards(), surface.color[at], openness(surface, camera, column, row, reach)),
          1);
    }
  }
  for (int from = 0; from < 8; ++from) {
    for (int axis = 1; axis < 8; axis *= 2) {
      if (!(from & axis)) draw_edge(canvas, camera, surface, box(from), box(from | axis), 1.4f, hex(0x6CB4DE));
    }
  }
  const std::array<Point, 4> plane = {Point{low.x, answers.plane, low.z}, Point{high.x, answers.plane, low.z},
                                      Point{high.x, answers.plane, high.z}, Point{low.x, answers.plane, high.z}};
  for (size_t k = 0; k < 4; ++k) {
    draw_edge(canvas, camera, surface, plane[k], plane[(k + 1) % 4], 1.6f, hex(0xFFC15E));
  }
}
