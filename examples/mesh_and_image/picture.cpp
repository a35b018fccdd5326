#include "picture.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "canvas.h"
#include "format.h"
#include "scene.h"

namespace {

const Color background = hex(0x0F1520), panel = hex(0x171F2E), ink = hex(0xE8EEF6), muted = hex(0x8B9BB0);
const Color accent = hex(0xFFA630), curve = hex(0x7FD1FF);

void draw_photograph(Canvas& canvas, Spot corner, float size, const Image& image) {
  const float largest = float(std::max(image.width, image.height));
  const int samples = int(size * Canvas::samples);
  for (int row = 0; row < samples; ++row) {
    for (int column = 0; column < samples; ++column) {
      const auto x = uint32_t(float(column) / float(samples) * largest),
                 y = uint32_t(float(row) / float(samples) * largest);
      if (x >= image.width || y >= image.height) continue;
      const uint32_t p = image.pixels[size_t(y) * image.width + x];
      canvas.blend(int(corner.x * Canvas::samples) + column, int(corner.y * Canvas::samples) + row,
                   hex((p & 255) << 16 | (p & 0xFF00) | (p >> 16 & 255)), 1);
    }
  }
}

/// Bars of the histogram and, over them, the share of pixels up to each level.
void draw_distribution(Canvas& canvas, Spot corner, float width, float height, const Answers& answers) {
  const float most = float(*std::max_element(answers.histogram.begin(), answers.histogram.end()));
  const float all = float(answers.cumulative.back());
  const float step = width / luminance_levels, bottom = corner.y + height;
  for (int quarter = 0; quarter <= 4; ++quarter) {
    const float y = bottom - height * float(quarter) / 4;
    canvas.line({corner.x, y}, {corner.x + width, y}, 1, muted, quarter == 0 ? 0.9f : 0.2f);
    canvas.text({corner.x + width + 8, y + 4}, 12, std::to_string(25 * quarter) + "%", curve);
  }
  for (uint32_t level = 0; level < luminance_levels; ++level) {
    const float bar = height * float(answers.histogram[level]) / most;
    const float grey = 0.25f + 0.75f * float(level) / luminance_levels;
    canvas.rectangle({corner.x + step * float(level), bottom - bar}, step, bar, scale(hex(0xFFD9A8), grey));
  }
  const auto point = [&](uint32_t level) {
    return Spot{corner.x + step * (float(level) + 0.5f), bottom - height * float(answers.cumulative[level]) / all};
  };
  for (uint32_t level = 1; level < luminance_levels; ++level) {
    canvas.line(point(level - 1), point(level), 2.4f, curve);
  }
  const auto half = uint32_t(
      std::lower_bound(answers.cumulative.begin(), answers.cumulative.end(), (answers.cumulative.back() + 1) / 2) -
      answers.cumulative.begin());
  const Spot median = point(half);
  canvas.line({median.x, median.y}, {median.x, bottom}, 1.2f, ink, 0.8f);
  canvas.disc(median, 4.5f, ink);
  canvas.text({median.x + 9, median.y + 16}, 13, "median " + std::to_string(half), ink);
  for (uint32_t level : {0u, 64u, 128u, 192u, 255u}) {
    canvas.text({corner.x + step * (float(level) + 0.5f), bottom + 18}, 12, std::to_string(level), muted,
                Align::middle);
  }
}

std::string base_name(const std::string& file) { return std::filesystem::path(file).filename().string(); }

std::string coordinates(const Point& p) {
  char text[64];
  std::snprintf(text, sizeof text, "(%.3f, %.3f, %.3f)", double(p.x), double(p.y), double(p.z));
  return text;
}

}  // namespace

void write_picture(const std::string& file, const std::string& device, const Mesh& mesh, const Image& image,
                   const Answers& answers) {
  Canvas canvas(1600, 900, background);
  draw_scene(canvas, {30, 40}, 820, mesh, answers);
  canvas.text({48, 62}, 30, "Weft", ink, Align::left, true);
  canvas.text({134, 62}, 17, "computed on " + device + ", equal to the CPU's answers", muted);

  canvas.disc({56, 838}, 6, accent);
  char plane[32];
  std::snprintf(plane, sizeof plane, "%.3f", double(answers.plane));
  canvas.text({72, 843}, 15,
              grouped(answers.above.size()) + " of " + grouped(mesh.vertices.size()) +
                  " vertices lie above the plane y = " + plane,
              ink);
  canvas.disc({56, 864}, 6, curve);
  canvas.text({72, 869}, 15, "bounding box " + coordinates(answers.low) + " to " + coordinates(answers.high), ink);

  canvas.rectangle({920, 0}, 680, 900, panel);
  draw_photograph(canvas, {968, 60}, 300, image);
  const auto [fewest, most] = std::minmax_element(answers.incident.begin(), answers.incident.end());
  struct Line {
    std::string name, value;
  };
  const Line lines[] = {{"mesh", base_name(mesh.file)},
                        {"triangles", grouped(mesh.corners.size() / 3)},
                        {"triangles at a vertex", std::to_string(*fewest) + " to " + std::to_string(*most)},
                        {"image", base_name(image.file)},
                        {"pixels", grouped(image.pixels.size())}};
  float y = 78;
  for (const Line& line : lines) {
    canvas.text({1300, y}, 13, line.name, muted);
    canvas.text({1300, y + 22}, 17, line.value, ink);
    y += 60;
  }
  canvas.text({968, 420}, 17, "Luminance of the image", ink, Align::left, true);
  canvas.text({968, 444}, 13, "bars: pixels at each level     line: share of pixels up to it", muted);
  draw_distribution(canvas, {968, 480}, 540, 340, answers);
  canvas.write_png(file);
}
