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
const Color curve = hex(0x7FD1FF), bars = hex(0xFFD9A8);

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

/// Returns a quarter of an axis that reaches `most` or just above it: a round number.
uint32_t round_quarter(uint32_t most) {
  for (uint32_t unit = 1;; unit *= 10) {
    for (const uint32_t tenths : {10, 15, 20, 25, 30, 40, 50, 60, 80}) {
      if (uint64_t{unit} * tenths / 10 * 4 >= most) return unit * tenths / 10;
    }
  }
}

/// Draws the bars of the histogram, with counts on the left, and over them the share of pixels up to each level, with
/// percentages on the right.
void draw_distribution(Canvas& canvas, Spot corner, float width, float height, const Answers& answers) {
  const uint32_t step_of_counts = round_quarter(*std::max_element(answers.histogram.begin(), answers.histogram.end()));
  const float most = 4 * float(step_of_counts);
  const float all = float(answers.cumulative.back());
  const float step = width / luminance_levels, bottom = corner.y + height;
  for (int quarter = 0; quarter <= 4; ++quarter) {
    const float y = bottom - height * float(quarter) / 4;
    canvas.line({corner.x, y}, {corner.x + width, y}, 1, muted, quarter == 0 ? 0.9f : 0.2f);
    canvas.text({corner.x - 8, y + 4}, 12, grouped(uint64_t{step_of_counts} * uint64_t(quarter)), bars, Align::right);
    canvas.text({corner.x + width + 8, y + 4}, 12, std::to_string(25 * quarter) + "%", curve);
  }
  for (uint32_t level = 0; level < luminance_levels; ++level) {
    const float bar = height * float(answers.histogram[level]) / most;
    const float grey = 0.25f + 0.75f * float(level) / luminance_levels;
    canvas.rectangle({corner.x + step * float(level), bottom - bar}, step, bar, scale(bars, grey));
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

/// Draws the legend for the colours of the vertices above the plane.
void draw_height_scale(Canvas& canvas, Spot corner, const Answers& answers) {
  constexpr int steps = 120;
  for (int k = 0; k < steps; ++k) {
    canvas.rectangle({corner.x + float(k), corner.y}, 1, 10, height_color(float(k) / (steps - 1)));
  }
  char words[64];
  std::snprintf(words, sizeof words, "height above the plane, 0 to %.3f", double(answers.high.y - answers.plane));
  canvas.text({corner.x + steps + 12, corner.y + 10}, 15, words, ink);
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

  draw_height_scale(canvas, {50, 806}, answers);
  canvas.disc({56, 842}, 6, height_color(0));
  char plane[32];
  std::snprintf(plane, sizeof plane, "%.3f", double(answers.plane));
  canvas.text({72, 847}, 15,
              grouped(answers.above.size()) + " of " + grouped(mesh.vertices.size()) +
                  " vertices lie above the plane y = " + plane,
              ink);
  canvas.disc({56, 868}, 6, curve);
  canvas.text({72, 873}, 15, "bounding box " + coordinates(answers.low) + " to " + coordinates(answers.high), ink);

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
  canvas.text({968, 444}, 13, "bars, left: pixels at each level     line, right: share of pixels up to it", muted);
  draw_distribution(canvas, {1004, 480}, 504, 340, answers);
  canvas.write_png(file);
}
