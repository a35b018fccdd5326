#pragma once

#include <string>
#include <vector>

struct Color {
  float r = 0, g = 0, b = 0;
};
Color mix(Color a, Color b, float t);
Color scale(Color c, float by);
/// 0xRRGGBB
Color hex(unsigned rgb);

struct Spot {
  float x = 0, y = 0;
};

enum class Align { left, middle, right };

/// A picture in memory. Coordinates are in points from the top left. Each point is `samples` x `samples` pixels, which
/// write_png() averages to smooth edges.
class Canvas {
 public:
  static constexpr int samples = 2;

  Canvas(int width, int height, Color background);

  int width() const { return width_; }
  int height() const { return height_; }

  /// Sets one sample, in sample coordinates. Ignores samples outside the picture.
  void blend(int column, int row, Color color, float opacity);
  void rectangle(Spot corner, float width, float height, Color color, float opacity = 1);
  void line(Spot from, Spot to, float thickness, Color color, float opacity = 1);
  void disc(Spot centre, float radius, Color color, float opacity = 1);
  /// Draws text with its baseline at `at`.y. Throws std::runtime_error if the font is not installed.
  void text(Spot at, float size, const std::string& words, Color color, Align align = Align::left, bool bold = false);

  /// Writes the picture. Throws std::runtime_error on failure.
  void write_png(const std::string& file) const;

 private:
  int width_, height_;
  std::vector<Color> pixels_;
};
